// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// The cover, the plan and photos on it, where nodes are apart.
@Suite("Pictures of an event") struct PictureStoryTests {
    private func say(_ saying: Saying, by node: SimulatedNode, _ swarm: Swarm) throws {
        let ticket = swarm.say(.say(saying, salt: swarm.random.bytes(16)), by: node)
        try swarm.drive("the operation") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        try #require(node.person.refused[ticket] == nil, "\(node.person.refused[ticket].map { "\($0)" } ?? "")")
    }

    @Test("two organizers pick plans apart, guests put photos on both: all see the later plan with its photos")
    func twoPlans() throws {
        let swarm = try Swarm.joined(4, seed: 1_401)
        let (host, anna, ben, chloe) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2], swarm.nodes[3])
        let grant = Statement.rule(.grant(.organizer, to: anna.device.bytes32), salt: swarm.random.bytes(16))
        swarm.say(grant, by: host, swarm.founding.eventKey)
        let (hosts, annas) = (try swarm.add(1, by: host)[0], try swarm.add(1, by: anna)[0])
        let (bens, chloes) = (try swarm.add(1, by: ben)[0], try swarm.add(1, by: chloe)[0])
        try swarm.settle()
        swarm.partition([host, ben])
        try say(.picture(.plan, hosts), by: host, swarm)
        try swarm.drive("the plan") { ben.replica?.state.picture(.plan)?.id == hosts }
        try say(.spot(bens, Spot(x: 1, y: 2)), by: ben, swarm)
        try swarm.drive(milliseconds: 5_000)
        try say(.picture(.plan, annas), by: anna, swarm)
        try swarm.drive("the plan") { chloe.replica?.state.picture(.plan)?.id == annas }
        try say(.spot(chloes, Spot(x: 3, y: 4)), by: chloe, swarm)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            let state = try #require(node.replica?.state)
            #expect(state.picture(.plan)?.id == annas)
            #expect(Set(state.gallery.map(\.id)) == [hosts, bens, chloes])
            #expect(state.spot(of: chloes) == Spot(x: 3, y: 4) && state.spot(of: bens) == nil)
        }
        try say(.picture(.plan, hosts), by: anna, swarm)
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            let state = try #require(node.replica?.state)
            #expect(state.spot(of: bens) == Spot(x: 1, y: 2) && state.spot(of: chloes) == nil)
        }
    }
}
