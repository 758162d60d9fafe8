// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Where guests' pages are") struct PagesTests {
    private let page = PeerAddress(host: "10.0.0.9", port: 8_027)

    private func grant(to puppet: Puppet) throws -> VerifiedOperation {
        try VerifiedOperation(
            draft: Draft(
                kind: .grant, subject: OperationID(puppet.key.verifyingKey.bytes32),
                argument: UInt64(Role.page.rawValue),
                body: OperationBody.encode(.grant(cancels: []), salt: puppet.random.bytes(16))),
            event: puppet.founding.id, sequence: 0, previous: .none,
            timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 0),
            key: puppet.founding.eventKey
        )
    }

    private func toldPages(_ puppet: Puppet) -> [[PeerAddress]] {
        puppet.take().compactMap { message in
            guard case .pages(let addresses) = message else { return nil }
            return addresses
        }
    }

    @Test("a member's pages count once it may serve them, and are remembered when it has gone")
    func role() throws {
        let puppet = try Puppet(isMember: true)
        puppet.send(.pages([page]))
        #expect(puppet.replica.otherPages.isEmpty)
        puppet.send([try grant(to: puppet)])
        let device = DeviceID(puppet.key.verifyingKey)
        #expect(puppet.replica.otherPages.map(\.device) == [device])
        #expect(puppet.replica.otherPages.map(\.addresses) == [[page]])
        #expect(puppet.replica.otherPages.map(\.isConnected) == [true])
        puppet.apply(.disconnected(ConnectionID(1)))
        #expect(puppet.replica.otherPages.map(\.device) == [device])
        #expect(puppet.replica.otherPages.map(\.isConnected) == [false])
    }

    @Test("pages that are closed are named no more, and so are those whose role ends")
    func end() throws {
        let puppet = try Puppet(isMember: true)
        let grant = try grant(to: puppet)
        puppet.send([grant])
        puppet.send(.pages([page]))
        puppet.send(.pages([]))
        #expect(puppet.replica.otherPages.isEmpty)
        puppet.send(.pages([page]))
        #expect(puppet.replica.otherPages.count == 1)
        puppet.send([
            try VerifiedOperation(
                draft: Draft(
                    kind: .revokeRole, subject: OperationID(puppet.key.verifyingKey.bytes32),
                    argument: UInt64(Role.page.rawValue),
                    body: OperationBody.encode(.revocation(heads: []), salt: puppet.random.bytes(16))),
                event: puppet.founding.id, sequence: 1, previous: grant.id,
                timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds + 1, counter: 0),
                key: puppet.founding.eventKey)
        ])
        #expect(puppet.replica.otherPages.isEmpty)
    }

    @Test(
        "guests are sent to no address but one of a network like this one, or the one that the connection shows",
        arguments: [
            (
                ["10.0.0.9", "192.168.1.5", "172.16.0.1", "169.254.3.4"],
                ["10.0.0.9", "192.168.1.5", "172.16.0.1", "169.254.3.4"]
            ),
            (["192.168.1.5", "10.0.0.9"], ["10.0.0.9", "192.168.1.5"]),
            (["93.184.216.34", "127.0.0.1", "172.32.0.1", "fd00::1"], []),
        ] as [([String], [String])])
    func addresses(told: [String], taken: [String]) throws {
        let puppet = try Puppet(isMember: true)
        puppet.send([try grant(to: puppet)])
        puppet.send(.pages(told.map { PeerAddress(host: $0, port: 8_027) }))
        #expect(puppet.replica.otherPages.flatMap(\.addresses).map(\.host) == taken)
        #expect(!puppet.isClosed)
    }

    @Test("what an outsider says waits for its join")
    func outsider() throws {
        let puppet = try Puppet(isMember: false)
        puppet.send(.pages([page]))
        puppet.send([try puppet.join()])
        puppet.send([try grant(to: puppet)])
        #expect(puppet.replica.otherPages.map(\.addresses) == [[page]])
    }

    @Test("a peer is told where this node's pages are, each change once, and nothing of its loopback address")
    func telling() throws {
        let puppet = try Puppet(isMember: true)
        #expect(toldPages(puppet).isEmpty)
        let own = PeerAddress(host: "10.0.0.1", port: 8_027)
        for _ in 0..<2 { puppet.apply(.servesPages([own, PeerAddress(host: "127.0.0.1", port: 8_027)])) }
        #expect(toldPages(puppet) == [[own]])
        puppet.apply(.servesPages([]))
        #expect(toldPages(puppet) == [[]])
    }

    @Test("members that may serve nobody crowd out nobody who may")
    func crowd() throws {
        let swarm = Swarm(seed: 4)
        let nodes = (0..<Limits.pageServersMax + 3).map { _ in swarm.addNode() }
        for node in nodes.dropFirst() { swarm.introduce(node, to: nodes[0]) }
        try swarm.drive { nodes.allSatisfy { $0.replica?.livePeers.count == nodes.count - 1 } }
        // The first node is the organizer's, the others are nobody's.
        for node in nodes { swarm.apply(.servesPages([node.address]), to: node) }
        try swarm.drive { nodes.dropFirst().allSatisfy { $0.replica?.otherPages.map(\.device) == [nodes[0].device] } }
        #expect(nodes[0].replica?.otherPages.isEmpty == true)
    }
}
