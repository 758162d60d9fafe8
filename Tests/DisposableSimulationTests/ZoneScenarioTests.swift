// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Zones that organizers give nodes while they are apart.
@Suite("Zones") struct ZoneScenarioTests {
    @Test("while two organizers name zones apart, photos come in on both sides, and all nodes end with the same zones")
    func apart() throws {
        let swarm = try Swarm.joined(4, seed: 1_901)
        let (host, anna, ben, chloe) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2], swarm.nodes[3])
        swarm.rule(.grant(.organizer, to: anna.device.bytes32), by: host, swarm.founding.eventKey)
        try swarm.drive { anna.replica?.state.membership.rank(of: anna.device) == .organizer }
        func name(_ zones: [(SimulatedNode, String)], by organizer: SimulatedNode) throws {
            var charter = try #require(organizer.replica?.state.charter)
            for (node, name) in zones { charter.zones[node.device] = name }
            let ticket = swarm.say(.edit([.zones], charter, salt: swarm.random.bytes(16)), by: organizer)
            try swarm.drive { organizer.person.authored[ticket] != nil }
        }
        try name([(host, "Kitchen")], by: host)
        try swarm.drive { swarm.agree() }

        // The host and Ben are on one side, Anna and Chloe on the other.
        for (one, other) in [(host, anna), (host, chloe), (ben, anna), (ben, chloe)] { swarm.cut(one, other) }
        try name([(ben, "Garden")], by: host)
        try name([(chloe, "Hall")], by: anna)
        let photos = try swarm.add(1, by: ben) + swarm.add(1, by: chloe) + swarm.add(1, by: host)

        swarm.healAll()
        swarm.introduceAll()
        try swarm.settle()
        func zones(_ node: SimulatedNode) throws -> [String?] {
            let state = try #require(node.replica?.state)
            return try photos.map { state.zone(of: try #require(state.photo($0))) }
        }
        let agreed = try zones(host)
        for node in swarm.nodes { #expect(try zones(node) == agreed) }
        #expect(Set(swarm.nodes.map { $0.replica?.state.digest }).count == 1)
        // One of the two lists counts as a whole; the zone from before is in both.
        #expect(agreed == ["Garden", nil, "Kitchen"] || agreed == [nil, "Hall", "Kitchen"])
        try name([(ben, "Garden"), (chloe, "Hall")], by: anna)
        try swarm.settle()
        for node in swarm.nodes { #expect(try zones(node) == ["Garden", "Hall", "Kitchen"]) }
    }
}
