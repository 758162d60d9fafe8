// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Peer exchange") struct AddressExchangeTests {
    @Test("nodes that know the address of one node alone all meet each other", arguments: UInt64(1)..<6)
    func oneAddress(seed: UInt64) throws {
        let swarm = Swarm(seed: seed)
        let nodes = (0..<5).map { _ in swarm.addNode() }
        for node in nodes.dropFirst() { swarm.introduce(node, to: nodes[0]) }
        try swarm.drive { nodes.allSatisfy { $0.replica?.livePeers.count == 4 } }
        // They remember it without the one that told them, as soon as they know each other as members.
        let all = Set(nodes.map(\.address))
        try swarm.drive {
            nodes.allSatisfy { Set($0.replica?.rememberedAddresses ?? []) == all.subtracting([$0.address]) }
        }
    }

    @Test("a node that starts again finds the others where it met them, with nobody to tell it")
    func remembered() throws {
        let swarm = Swarm(seed: 9)
        let (first, second, third) = (swarm.addNode(), swarm.addNode(), swarm.addNode())
        swarm.introduce(second, to: first)
        swarm.introduce(third, to: first)
        try swarm.drive { second.replica?.livePeers.count == 2 }
        let known = try #require(second.replica).rememberedAddresses
        swarm.crash(first)
        swarm.crash(second)
        swarm.start(second)
        swarm.apply(.remembered(known), to: second)
        try swarm.drive { second.replica?.livePeers.map(\.device) == [third.device] }
    }

    private func addresses(_ range: Range<Int>) -> [PeerAddress] {
        range.map { PeerAddress(host: "10.9.0.\($0)", port: 8_028) }
    }

    @Test("what a member tells is dialled, up to a limit that time lifts")
    func limit() throws {
        let puppet = try Puppet(isMember: true)
        let own = Set(puppet.dialled)
        for start in stride(from: 0, to: 160, by: Limits.addressesPerMessageMax) {
            puppet.send(.addresses(addresses(start..<start + Limits.addressesPerMessageMax)))
        }
        #expect(Set(puppet.dialled).subtracting(own) == Set(addresses(0..<Limits.toldAddressesMax)))
        #expect(!puppet.isClosed)
        puppet.wait(milliseconds: UInt64(Limits.pingMilliseconds) + 1_000)
        puppet.send(.addresses(addresses(200..<201)))
        #expect(puppet.dialled.contains(addresses(200..<201)[0]))
    }

    @Test("what an outsider tells is not dialled before its join is there")
    func outsider() throws {
        let puppet = try Puppet(isMember: false)
        puppet.send(.addresses(addresses(0..<3)))
        #expect(puppet.dialled.allSatisfy { !addresses(0..<3).contains($0) })
        puppet.send([try puppet.join()])
        #expect(Set(puppet.dialled).isSuperset(of: addresses(0..<3)))
    }

    @Test("nobody on another machine has a node dial itself", arguments: ["127.0.0.1", "127.9.9.9", "::1"])
    func loopback(host: String) throws {
        let puppet = try Puppet(isMember: true)
        puppet.send(.addresses([PeerAddress(host: host, port: 22)]))
        #expect(puppet.dialled.allSatisfy { $0.host != host })
    }
}
