// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposableSync
import DisposableWire
import Testing

@Suite("The gate for accepted connections") struct AcceptGateTests {
    /// The gate as something that expectations can ask.
    private final class Door {
        private var gate = AcceptGate()
        func know(_ hosts: [String]) { gate.know(hosts) }
        func leave(_ place: AcceptGate.Place) { gate.leave(place) }
        func admit(_ host: String, at milliseconds: UInt64 = 0) -> AcceptGate.Place? {
            gate.admit(from: host, at: Instant(milliseconds: milliseconds, wallClockMilliseconds: 0))
        }
    }

    @Test("an address has so many places, all strangers together so many, and a place left is taken again")
    func places() throws {
        let gate = Door()
        let perAddress = Limits.unauthenticatedConnectionsPerAddressMax
        let addressCount = Limits.unauthenticatedConnectionsMax / perAddress
        var places: [AcceptGate.Place] = []
        for address in 0..<addressCount {
            for _ in 0..<perAddress { places.append(try #require(gate.admit("10.0.0.\(address)"))) }
            #expect(gate.admit("10.0.0.\(address)") == nil)
        }
        #expect(gate.admit("10.0.1.1") == nil, "all places are taken")
        gate.leave(places[0])
        #expect(gate.admit("10.0.1.1") != nil)
        #expect(gate.admit("10.0.1.2") == nil)
    }

    @Test("strangers cannot take the places of those who are known, nor these all that there are")
    func known() {
        let gate = Door()
        gate.know((0..<10).map { "10.0.5.\($0)" } + ["fe80::5%eth0"])
        for number in 0..<200 { _ = gate.admit("10.0.\(number % 5).\(number)") }
        #expect(gate.admit("10.0.9.9") == nil)
        #expect(gate.admit("fe80::5%eth1") != nil)
        var count = 1
        for host in 0..<10 {
            for _ in 0..<Limits.unauthenticatedConnectionsPerAddressMax
            where gate.admit("10.0.5.\(host)") != nil { count += 1 }
        }
        #expect(count == Limits.unauthenticatedKnownConnectionsMax)
    }

    @Test("of one address so many connections are taken at once, then so many a second, and others do not notice")
    func rate() throws {
        let gate = Door()
        var count = 0
        for _ in 0..<1_000 {
            guard let place = gate.admit("10.0.0.1") else { continue }
            gate.leave(place)
            count += 1
        }
        // A bucket may be overdrawn once.
        #expect((Limits.acceptsPerAddressBurstMax...Limits.acceptsPerAddressBurstMax + 1).contains(count))
        #expect(gate.admit("10.0.0.2") != nil)
        count = 0
        for millisecond in 0..<UInt64(10_000) {
            guard let place = gate.admit("10.0.0.1", at: millisecond) else { continue }
            gate.leave(place)
            count += 1
        }
        #expect(abs(count - 10 * Limits.acceptsPerSecondPerAddress) <= 2, "\(count)")
    }

    @Test(
        "what a machine may call itself is counted together: an IPv6 network, but on the link each address",
        arguments: [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("fe80::1%eth0", "fe80::1%eth0", true), ("fe80::1%eth0", "fe80::2%eth0", false),
            ("10.0.0.1", "10.0.0.2", false),
        ])
    func sources(first: String, second: String, areOne: Bool) {
        let gate = Door()
        for _ in 0..<Limits.unauthenticatedConnectionsPerAddressMax { _ = gate.admit(first) }
        #expect((gate.admit(second) == nil) == areOne)
    }

    @Test("no number of addresses fills the memory; those that have been quiet make room")
    func memory() {
        let gate = Door()
        var count = 0
        for number in 0..<3 * Limits.acceptAddressesMax {
            guard let place = gate.admit("10.1.\(number / 256).\(number % 256)") else { continue }
            gate.leave(place)
            count += 1
        }
        #expect(count == Limits.acceptAddressesMax)
        #expect(gate.admit("10.2.0.1", at: 1_000) != nil)
    }
}
