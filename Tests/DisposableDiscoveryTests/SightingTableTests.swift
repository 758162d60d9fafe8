// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
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
        table.insert(key, resolver: resolver, interfaceName: "eth0")
        let updates = ["10.0.0.1", "10.0.0.1", "10.0.0.2"].map { table.resolve(key, to: sighting($0)) }
        #expect(updates == [.found(sighting("10.0.0.1")), nil, .found(sighting("10.0.0.2"))])
    }

    @Test("an instance is lost when neither IPv4 nor IPv6 shows it on its interface any more")
    func loss() {
        var table = SightingTable()
        let (v4, v6, elsewhere) = (
            SightingTable.Key("a", 2, 0), SightingTable.Key("a", 2, 1), SightingTable.Key("a", 3, 0)
        )
        for key in [v4, v6, elsewhere] {
            table.insert(key, resolver: resolver, interfaceName: "eth0")
            _ = table.resolve(key, to: sighting("10.0.0.1"))
        }
        let removals = [v4, v6, v6].map { table.remove($0) }
        #expect(removals.map { $0 != nil } == [true, true, false])
        #expect(removals.map { $0?.update } == [nil, .lost(instanceName: "a", interfaceName: "eth0"), nil])
        #expect(table.contains(elsewhere))
    }

    @Test("an instance that was never resolved is not reported as lost")
    func unresolved() {
        var table = SightingTable()
        let key = SightingTable.Key("a", 2, 0)
        table.insert(key, resolver: resolver, interfaceName: "eth0")
        let removal = table.remove(key)
        let update = table.resolve(key, to: sighting("10.0.0.1"))
        #expect(removal != nil && removal?.update == nil)
        #expect(update == nil)
    }

    @Test("the table is full at 512 resolvers and has room again when one is removed")
    func bound() {
        var table = SightingTable()
        for index in 0..<512 {
            #expect(!table.isFull)
            table.insert(.init("\(index)", 2, 0), resolver: resolver, interfaceName: "eth0")
        }
        #expect(table.isFull)
        _ = table.remove(.init("7", 2, 0))
        #expect(!table.isFull)
    }
}
