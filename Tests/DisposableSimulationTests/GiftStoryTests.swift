// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Frames that people give each other, where nodes are apart.
@Suite("Given frames") struct GiftStoryTests {
    private func say(
        _ statement: Statement, by node: SimulatedNode, _ key: SigningKey? = nil, in swarm: Swarm
    ) throws -> Refusal? {
        let ticket = swarm.say(statement, by: node, key)
        try swarm.drive("the command") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        return node.person.refused[ticket]
    }

    @Test("frames given behind a cut can be used once the nodes have met, and the giver has so many fewer")
    func apart() throws {
        let swarm = try Swarm.joined(3, seed: 1_701, frames: 3)
        let (ben, chloe) = (swarm.nodes[1], swarm.nodes[2])
        let recipient = AuthorID(chloe.device)
        try swarm.add(3, by: chloe)
        try swarm.settle()
        swarm.partition([chloe])
        #expect(try say(.give(2, to: recipient, left: 3), by: ben, in: swarm) == nil)
        #expect(try say(swarm.photo(of: chloe), by: chloe, in: swarm) == .rollFull(limit: 3))
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        try swarm.add(2, by: chloe)
        try swarm.add(1, by: ben)
        #expect(try say(swarm.photo(of: ben), by: ben, in: swarm) == .rollFull(limit: 3))
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            let state = try #require(node.replica?.state)
            #expect(state.gallery.count { $0.author == recipient } == 5)
            #expect(state.gifts(to: recipient) == [AuthorID(ben.device): 2])
            #expect(state.gifts(by: AuthorID(ben.device)) == [recipient: 2])
        }
    }

    @Test("a guest gives its only frame at one node and uses it at another: every node has the same result")
    func givenAndUsed() throws {
        let swarm = try Swarm.joined(3, seed: 1_710, frames: 1)
        let (host, ben, chloe) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        let guest = SigningKey(seed: swarm.random.secret())
        let (atHost, atBen) = (SigningKey(seed: swarm.random.secret()), SigningKey(seed: swarm.random.secret()))
        swarm.admit(guest: guest, subKey: atHost, at: host)
        swarm.admit(guest: guest, subKey: atBen, at: ben)
        try swarm.settle()
        swarm.partition([ben])
        #expect(try say(.give(1, to: AuthorID(chloe.device), left: 1), by: ben, atBen, in: swarm) == nil)
        #expect(try say(swarm.photo(of: host), by: host, atHost, in: swarm) == nil)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        // The gift has sequence 0 at Ben's node, the claim 1 at the host's.
        for node in swarm.nodes {
            let state = try #require(node.replica?.state)
            #expect(state.rollLimit(of: AuthorID(chloe.device), at: 0) == 2)
            #expect(state.photos.map(\.status) == [.waiting])
        }
    }
}
