// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Approval before display on several simulated nodes (disposable-v1.md §9.14; rules.md 10).
@Suite("Approval before display") struct ApprovalStoryTests {
    private func shown(_ node: SimulatedNode) -> Set<PhotoID> { Set(node.replica?.state.gallery.map(\.id) ?? []) }

    private func status(_ photo: PhotoID, _ node: SimulatedNode) -> PhotoStatus? {
        node.replica?.state.photo(photo)?.status
    }

    private func rule(_ ruling: Ruling, by node: SimulatedNode, _ swarm: Swarm) throws {
        let ticket = swarm.rule(ruling, by: node)
        try swarm.drive("the ruling") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        try #require(
            node.person.refused[ticket] == nil, "\(ruling): \(node.person.refused[ticket].map { "\($0)" } ?? "")")
    }

    @Test("approved on one side of a cut and declined on the other: hidden on all nodes, and shown once it is put back")
    func apart() throws {
        let swarm = try Swarm.joined(4, seed: 611)
        let (host, ben, cleo) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        try rule(.grant(.moderator, to: ben.device.bytes32), by: host, swarm)
        try rule(.approval(.all), by: host, swarm)
        try swarm.settle()
        let (p, q) = (try swarm.add(by: cleo)[0], try swarm.add(by: cleo)[0])
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { shown($0).isEmpty && status(p, $0) == .pending(1) })
        // The bytes are on every node nevertheless, so that moderators see the photo.
        #expect(swarm.nodes.allSatisfy { $0.replica?.isComplete(.original, of: p) == true })
        swarm.partition([ben, cleo])
        try rule(.approve([p, q]), by: ben, swarm)
        try rule(.hide(p), by: host, swarm)
        try swarm.drive(milliseconds: 10_000)
        #expect(shown(cleo) == [p, q] && shown(swarm.nodes[3]).isEmpty)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        #expect(swarm.nodes.allSatisfy { shown($0) == [q] && status(p, $0) == .hidden })
        try rule(.unhide(p), by: ben, swarm)
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { shown($0) == [p, q] })
    }

    @Test("what is shown stays when the rule is set; what comes from elsewhere waits, whatever its clock says")
    func switchedOn() throws {
        let swarm = try Swarm.joined(3, seed: 612)
        let (host, ben, cleo) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        let before = try swarm.add(2, by: ben)
        try swarm.settle()
        swarm.partition([cleo])
        let apart = try swarm.add(by: cleo)
        try rule(.approval(.all), by: host, swarm)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        #expect(swarm.nodes.allSatisfy { shown($0) == Set(before) && status(apart[0], $0) == .pending(1) })
        try rule(.approval(.none), by: host, swarm)
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { shown($0) == Set(before + apart) })
    }

    @Test("only who may: a participant approves nothing, a moderator sets no rule, and nothing is stated twice")
    func ranks() throws {
        let swarm = try Swarm.joined(2, seed: 613)
        let (host, ben) = (swarm.nodes[0], swarm.nodes[1])
        try rule(.approval(.first), by: host, swarm)
        try swarm.settle()
        let photo = try swarm.add(by: ben)[0]
        func refusal(_ ruling: Ruling, by node: SimulatedNode) throws -> Refusal? {
            let ticket = swarm.rule(ruling, by: node)
            try swarm.drive("an answer") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
            return node.person.refused[ticket]
        }
        #expect(try refusal(.approve([photo]), by: ben) == .rankTooLow(needed: .moderator))
        #expect(try refusal(.approval(.none), by: ben) == .rankTooLow(needed: .organizer))
        try swarm.settle()
        #expect(try refusal(.unapprove(photo), by: host) == .nothingToDo)
        #expect(try refusal(.approval(.first), by: host) == .nothingToDo)
        try rule(.approve([photo]), by: host, swarm)
        #expect(try refusal(.approve([photo]), by: host) == .nothingToDo)
        try swarm.settle()
        #expect(shown(ben) == [photo])
    }

    @Test("random parties in which photos wait for approval", arguments: UInt64(0)..<6)
    func parties(seed: UInt64) {
        let party = Party(
            PartyOptions(
                peerCount: 4, photoCount: 24, seed: 7_100 + seed, minutes: 3, faults: [.approval, .partition, .roles]))
        while party.advance() {}
        #expect(party.violations.isEmpty, "run it again with: \(party.options.command)")
    }
}
