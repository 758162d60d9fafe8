// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct SharedRateTests {
    private static let start = ContinuousClock.now

    private static func rate(_ limits: SharedRate.Limits) -> SharedRate {
        SharedRate(limits, addressCountMax: 100)
    }

    @Test("a new address is let through while others use up the common rate")
    func reserve() {
        var rate = Self.rate(
            .init(
                byAddress: .init(burst: 10, perSecond: 0.001), common: .init(burst: 20, perSecond: 0.001),
                quiet: .init(burst: 1, perSecond: 0.001), reserve: .init(burst: 5, perSecond: 0.001)))
        func take(_ address: String) -> Bool { rate.take(for: address, at: Self.start) == nil }
        #expect((0..<30).count { _ in take("flood 1") } == 10)
        #expect((0..<30).count { _ in take("flood 2") } == 10)
        #expect((0..<30).count { _ in take("flood 3") } == 1, "only the reserve for a quiet address")
        #expect(take("quiet"))
        #expect((4..<10).count { take("flood \($0)") } == 3, "the reserve is limited, too")
    }

    @Test("the announced wait is long enough")
    func wait() throws {
        var rate = Self.rate(
            .init(
                byAddress: .init(burst: 10, perSecond: 1), common: .init(burst: 1, perSecond: 0.25),
                quiet: .init(burst: 1, perSecond: 0.01), reserve: .init(burst: 1, perSecond: 0.5)))
        let taken = [rate.take(for: "a", at: Self.start), rate.take(for: "b", at: Self.start)]
        #expect(taken == [nil, nil])
        let told = rate.wait(for: "c", at: Self.start)
        let wait = try #require(told)
        #expect(wait == .seconds(2), "until the reserve has a token")
        let early = rate.take(for: "c", at: Self.start + wait - .milliseconds(1))
        let late = rate.take(for: "c", at: Self.start + wait)
        #expect(early != nil && late == nil)
    }
}

@Suite struct LinkLocalAddressTests {
    @Test("a limited number of link-local addresses per interface have their own key")
    func bound() {
        var addresses = LinkLocalAddresses(countMax: 3)
        let now = ContinuousClock.now
        func key(_ number: Int, interface: Int, after seconds: Int = 0) -> String {
            addresses.key(for: AddressKey("fe80::\(number)", interface: interface), at: now + .seconds(seconds))
        }
        #expect(Set((1...3).map { key($0, interface: 2) }).count == 3)
        #expect(Set((4...60).map { key($0, interface: 2) }).count == 1)
        #expect(key(1, interface: 2) != key(4, interface: 2), "an earlier address keeps its key")
        #expect(key(4, interface: 3) != key(4, interface: 2), "another interface is another link")
        let later = key(5, interface: 2, after: 601)
        #expect(later != key(61, interface: 2), "the key of an idle address is free again")
    }

    @Test("other addresses have a key each without a limit")
    func others() {
        var addresses = LinkLocalAddresses(countMax: 1)
        let keys = (1...9).map { addresses.key(for: AddressKey("10.0.0.\($0)"), at: .now) }
        #expect(Set(keys).count == 9)
    }
}
