// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import DisposableWeb
import Testing

/// The rates of new guests and of codes, as they are set.
@Suite struct GuestRateTests {
    private static let start = ContinuousClock.now

    private static func rate(_ limits: SharedRate.Limits) -> SharedRate {
        SharedRate(limits, addressCountMax: PortalLimits().rates.addressCountMax)
    }

    @Test("a thousand guests enter within half an hour, from one address or from one each", arguments: [1, 1_000])
    func honestGuests(addressCount: Int) {
        var rate = Self.rate(PortalLimits().rates.newGuests)
        var waiting = 0
        for number in 0..<1_000 {
            let now = Self.start + .milliseconds(1_800 * number)
            if rate.take(for: "\(number % addressCount)", at: now) != nil { waiting += 1 }
        }
        #expect(waiting == 0)
    }

    @Test("a thousand guests of as many addresses enter while eighteen addresses invent guests without end")
    func honestGuestsBesideInventedOnes() {
        var rate = Self.rate(PortalLimits().rates.newGuests)
        var (invented, waiting) = (0, 0)
        for second in 0..<1_800 {
            let now = Self.start + .seconds(second)
            for address in 0..<18 { while rate.take(for: "invented \(address)", at: now) == nil { invented += 1 } }
            guard second % 9 < 5 else { continue }
            if rate.take(for: "honest \(second)", at: now) != nil { waiting += 1 }
        }
        #expect(waiting == 0)
        #expect(invented < 3_000, "\(invented) guests were invented in half an hour")
    }

    @Test("codes from new addresses are compared while a hundred addresses guess without end")
    func honestCodes() {
        var rate = Self.rate(PortalLimits().rates.wrongCodes)
        var waiting = 0
        for second in 0..<3_600 {
            let now = Self.start + .seconds(second)
            for address in 0..<100 { while rate.take(for: "guess \(address)", at: now) == nil {} }
            if rate.wait(for: "honest \(second)", at: now) != nil { waiting += 1 }
        }
        #expect(waiting == 0)
    }
}
