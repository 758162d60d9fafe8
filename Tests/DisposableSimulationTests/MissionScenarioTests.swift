// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Missions that are added, answered and removed on nodes that are apart.
@Suite("Missions") struct MissionScenarioTests {
    private static let dance = Mission(id: 11, text: "the first dance")
    private static let cake = Mission(id: 12, text: "the cake")
    private static let dog = Mission(id: 13, text: "the dog")

    @Test(
        "while organizers change the list, photos answer missions behind a cut, and all nodes end with the same answers",
        arguments: 0..<4)
    func apart(seed: UInt64) throws {
        let swarm = try Swarm.joined(4, seed: 700 + seed)
        let (host, anna, ben, chloe) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2], swarm.nodes[3])
        swarm.rule(.grant(.organizer, to: anna.device.bytes32), by: host, swarm.founding.eventKey)
        func set(_ missions: [Mission], by node: SimulatedNode) throws {
            var charter = try #require(node.replica?.state.charter)
            charter.missions = missions
            let ticket = swarm.say(.edit([.missions], charter, salt: swarm.random.bytes(16)), by: node)
            try swarm.drive { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
            #expect(node.person.refused[ticket] == nil)
        }
        func answer(_ photo: PhotoID, _ mission: Mission?, by node: SimulatedNode) throws -> Refusal? {
            let ticket = swarm.say(.say(.answer(photo, mission?.id), salt: swarm.random.bytes(16)), by: node)
            try swarm.drive { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
            return node.person.refused[ticket]
        }
        try set([Self.dance, Self.cake], by: host)
        try swarm.drive { swarm.nodes.allSatisfy { $0.replica?.state.charter?.missions.count == 2 } }
        try swarm.drive { anna.replica?.state.membership.rank(of: anna.device) == .organizer }
        let (bens, chloes) = (try swarm.add(3, by: ben), try swarm.add(2, by: chloe))
        try swarm.drive { swarm.agree() }

        // The host and Ben are on one side, Anna and Chloe on the other.
        for (one, other) in [(host, anna), (host, chloe), (ben, anna), (ben, chloe)] { swarm.cut(one, other) }
        #expect(try answer(bens[0], Self.dance, by: ben) == nil)
        #expect(try answer(bens[1], Self.dance, by: ben) == nil)
        #expect(try answer(bens[1], Self.cake, by: ben) == nil)
        #expect(try answer(bens[2], Self.cake, by: ben) == nil)
        #expect(try answer(bens[2], nil, by: ben) == nil)
        #expect(try answer(bens[2], nil, by: ben) == .nothingToDo)
        #expect(try answer(chloes[0], Self.dance, by: ben) == .notYours(chloes[0]))
        #expect(try answer(bens[0], Self.dog, by: ben) == .unknownMission(Self.dog.id))
        try set([Self.dance, Self.dog], by: anna)
        try swarm.drive { chloe.replica?.state.charter?.missions.last == Self.dog }
        #expect(try answer(chloes[0], Self.dog, by: chloe) == nil)
        #expect(try answer(chloes[1], Self.dance, by: chloe) == nil)

        swarm.healAll()
        swarm.introduceAll()
        try swarm.settle()
        let states = swarm.nodes.compactMap { $0.replica?.state }
        let answers = states.map { state in
            Dictionary(uniqueKeysWithValues: state.photos.map { ($0.id, state.mission(of: $0.id)?.id) })
        }
        #expect(answers.allSatisfy { $0 == answers[0] })
        #expect(Set(states.map(\.digest)).count == 1)
        // The cake is off the list, so nothing answers it.
        let state = try #require(states.first)
        #expect(state.mission(of: bens[0]) == Self.dance && state.mission(of: bens[1]) == nil)
        #expect(state.mission(of: bens[2]) == nil)
        #expect(state.mission(of: chloes[0]) == Self.dog && state.mission(of: chloes[1]) == Self.dance)
        // It is listed again, and the photo that answered it still does.
        try set([Self.dance, Self.dog, Self.cake], by: host)
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.mission(of: bens[1]) == Self.cake })
    }
}
