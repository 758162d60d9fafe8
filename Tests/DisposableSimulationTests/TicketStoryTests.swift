// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Tickets, where nodes are apart.
@Suite("Tickets") struct TicketStoryTests {
    private func say(
        _ statement: Statement, by node: SimulatedNode, in swarm: Swarm
    ) throws -> Refusal? {
        let ticket = swarm.say(statement, by: node)
        try swarm.drive("the command") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        return node.person.refused[ticket]
    }

    private func use(_ ticket: SigningKey, by node: SimulatedNode, in swarm: Swarm) throws -> Refusal? {
        let proof = TicketProof(of: AuthorID(node.device), event: swarm.founding.id, by: ticket)
        let body = OperationBody.encode(.ticketUse(proof), salt: swarm.random.bytes(16))
        return try say(.useTicket(TicketKey(ticket.verifyingKey), body: body), by: node, in: swarm)
    }

    /// Four nodes, of which the first is the organizer's, and a ticket that all of them know.
    private func party(_ seed: UInt64) throws -> (swarm: Swarm, ticket: SigningKey) {
        let swarm = try Swarm.joined(4, seed: seed, frames: 2, needsTickets: true)
        let ticket = SigningKey(seed: swarm.random.secret())
        let list = Statement.listTickets([TicketKey(ticket.verifyingKey)], first: 1, salt: swarm.random.bytes(16))
        #expect(try say(list, by: swarm.nodes[0], in: swarm) == nil)
        try swarm.settle()
        return (swarm, ticket)
    }

    private func states(_ swarm: Swarm, _ ticket: SigningKey) throws -> [TicketState] {
        try swarm.nodes.map { node in
            let state = try #require(node.replica?.state)
            return try #require(state.ticket(TicketKey(ticket.verifyingKey)))
        }
    }

    @Test("a ticket used on both sides of a cut is one person's on every node, and found to be used twice")
    func bothSides() throws {
        for seed in UInt64(1_800)..<1_804 {
            let (swarm, ticket) = try party(seed)
            let (ben, chloe) = (swarm.nodes[1], swarm.nodes[2])
            // Nobody who could confirm is with either.
            swarm.partition([ben])
            swarm.partition([chloe])
            #expect(try use(ticket, by: ben, in: swarm) == nil)
            #expect(try use(ticket, by: chloe, in: swarm) == nil)
            try swarm.add(2, by: ben)
            try swarm.add(2, by: chloe)
            swarm.healAll()
            try swarm.settle(milliseconds: 120_000)
            let found = try states(swarm, ticket)
            #expect(Set(found.map(\.holder)).count == 1 && found.allSatisfy { $0.userCount == 2 && $0.isConfirmed })
            for node in swarm.nodes {
                let photos = try #require(node.replica?.state.photos)
                #expect(photos.count { $0.status.slot != nil && $0.author == found[0].holder } == 2)
                #expect(photos.count { $0.status == .waiting } == 2)
            }
            #expect(try use(ticket, by: swarm.nodes[3], in: swarm) == .noTicket(.used(number: 1)))
        }
    }

    @Test("the use that the organizer's node has confirmed holds the ticket, whatever comes from behind the cut")
    func confirmed() throws {
        for seed in UInt64(1_810)..<1_814 {
            let (swarm, ticket) = try party(seed)
            let (ben, chloe) = (swarm.nodes[1], swarm.nodes[2])
            swarm.partition([chloe])
            #expect(try use(ticket, by: chloe, in: swarm) == nil)
            #expect(try use(ticket, by: ben, in: swarm) == nil)
            try swarm.settle([swarm.nodes[0], ben, swarm.nodes[3]])
            swarm.healAll()
            try swarm.settle(milliseconds: 120_000)
            #expect(try states(swarm, ticket).allSatisfy { $0.holder == AuthorID(ben.device) && $0.userCount == 2 })
        }
    }

    @Test("random parties in which tickets are listed, used by several at once and cancelled", arguments: UInt64(0)..<6)
    func parties(seed: UInt64) throws {
        let party = Party(
            PartyOptions(
                peerCount: 4, photoCount: 24, seed: 7_300 + seed, minutes: 3, faults: [.partition, .guests, .tickets]))
        while party.advance() {}
        #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
        let tickets = try #require(party.swarm.nodes[0].replica?.state.tickets)
        #expect(tickets.contains { $0.state.holder != nil } && tickets.contains { $0.state.userCount > 1 })
    }
}
