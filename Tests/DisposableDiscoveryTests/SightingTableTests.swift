// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import DisposableMDNS
import Testing

struct SightingTableTests {
    private let resolver = OpaquePointer(bitPattern: 1)!  // an address that is never followed

    private func sighting(_ host: String) -> Sighting {
        Sighting(instanceName: "a", host: host, port: 1, text: [:], interfaceName: "eth0")
    }

    @Test("an unchanged sighting is no news, a changed one is")
    func repetition() {
        var table = SightingTable()
        let key = SightingTable.Key("a", 2, 0)
        let mayResolve = table.insert(key, domain: "local", interfaceName: "eth0", at: 0)
        #expect(mayResolve)
        let updates = ["10.0.0.1", "10.0.0.1", "10.0.0.2"].map { table.resolve(key, to: sighting($0), at: 0) }
        #expect(updates == [.found(sighting("10.0.0.1")), nil, .found(sighting("10.0.0.2"))])
    }

    @Test("an instance is lost when neither IPv4 nor IPv6 shows it on its interface")
    func loss() {
        var table = SightingTable()
        let (v4, v6, elsewhere) = (
            SightingTable.Key("a", 2, 0), SightingTable.Key("a", 2, 1), SightingTable.Key("a", 3, 0)
        )
        for key in [v4, v6, elsewhere] {
            _ = table.insert(key, domain: "local", interfaceName: "eth0", at: 0)
            table.setResolver(resolver, of: key)
            _ = table.resolve(key, to: sighting("10.0.0.1"), at: 0)
        }
        let removals = [v4, v6, v6].map { table.remove($0) }
        #expect(removals.map { $0 != nil } == [true, true, false])
        #expect(removals.map { $0?.update } == [nil, .lost(instanceName: "a", interfaceName: "eth0"), nil])
        #expect(removals[0]?.resolver == resolver)
        #expect(table.contains(elsewhere))
    }

    @Test("an instance that was never resolved is not reported as lost")
    func unresolved() {
        var table = SightingTable()
        let key = SightingTable.Key("a", 2, 0)
        _ = table.insert(key, domain: "local", interfaceName: "eth0", at: 0)
        let removal = table.remove(key)
        let update = table.resolve(key, to: sighting("10.0.0.1"), at: 0)
        #expect(removal != nil && removal?.update == nil)
        #expect(update == nil)
    }

    @Test("the table is full at 512 instances and has room again when one is removed")
    func bound() {
        var table = SightingTable()
        for index in 0..<512 {
            #expect(!table.isFull)
            _ = table.insert(.init("\(index)", 2, 0), domain: "local", interfaceName: "eth0", at: 0)
        }
        #expect(table.isFull)
        _ = table.remove(.init("7", 2, 0))
        #expect(!table.isFull)
    }

    @Test("an instance that comes and goes at any rate is resolved at the rate that is allowed, in the end as well")
    func resolverRate() {
        var table = SightingTable()
        let key = SightingTable.Key("a", 2, 0)
        var count = 0
        for _ in 0..<10_000 {
            if table.insert(key, domain: "local", interfaceName: "eth0", at: 1_000) { count += 1 }
            _ = table.remove(key)
        }
        #expect(count == MDNSLimits.newInstancesBurstMax)
        let mayResolve = table.insert(key, domain: "local", interfaceName: "eth0", at: 1_000)
        #expect(!mayResolve)
        let early = table.takeDue(at: 1_001).unresolved
        #expect(early.isEmpty)
        let due = table.takeDue(at: 3_000).unresolved
        #expect(due.map(\.key) == [key] && due.map(\.domain) == ["local"])
    }

    @Test(
        "an instance that changes at any rate is reported at the rate that is allowed, and its latest change in the end"
    )
    func sightingRate() {
        var table = SightingTable()
        let key = SightingTable.Key("a", 2, 0)
        _ = table.insert(key, domain: "local", interfaceName: "eth0", at: 0)
        table.setResolver(resolver, of: key)
        let count = (0..<10_000).count { table.resolve(key, to: sighting("10.0.0.\($0)"), at: 0) != nil }
        #expect(count == MDNSLimits.sightingsBurstMax)
        let updates = [table.takeDue(at: 2_000).updates, table.takeDue(at: 3_000).updates]
        #expect(updates == [[.found(sighting("10.0.0.9999"))], []])
    }
}
