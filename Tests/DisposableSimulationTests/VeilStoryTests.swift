// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Photos that guests do not want to be in, where nodes are apart.
@Suite("Veiled photos") struct VeilStoryTests {
    private func say(_ statement: Statement, by node: SimulatedNode, _ swarm: Swarm) throws {
        let ticket = swarm.say(statement, by: node)
        try swarm.drive("the operation") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        try #require(node.person.refused[ticket] == nil, "\(node.person.refused[ticket].map { "\($0)" } ?? "")")
    }

    @Test("asked for at one side and lifted at the other, undecided, hidden: all nodes come to the same")
    func apart() throws {
        let swarm = try Swarm.joined(4, seed: 1_501)
        let (host, anna, ben, chloe) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2], swarm.nodes[3])
        func rule(_ ruling: Ruling, by node: SimulatedNode) throws {
            try say(.rule(ruling, salt: swarm.random.bytes(16)), by: node, swarm)
        }
        func veil(_ photo: PhotoID, by node: SimulatedNode) throws {
            try say(.say(.veil(photo, isOn: true), salt: swarm.random.bytes(16)), by: node, swarm)
        }
        try rule(.veils(isOn: true), by: host)
        try rule(.grant(.moderator, to: anna.device.bytes32), by: host)
        let photos = try swarm.add(4, by: host)
        try swarm.settle()
        try veil(photos[0], by: ben)
        try veil(photos[1], by: ben)
        try swarm.settle()
        for node in swarm.nodes {
            #expect(node.replica?.state.gallery.map(\.id).sorted() == photos[2...].sorted())
        }
        swarm.partition([host, anna])
        try rule(.lift([photos[0]]), by: anna)
        try rule(.hide(photos[1]), by: host)
        // Chloe hears of neither, and asks for the lifted one, and for one that nobody has decided about.
        try veil(photos[2], by: chloe)
        try say(.say(.veil(photos[0], isOn: false), salt: swarm.random.bytes(16)), by: ben, swarm)
        try veil(photos[0], by: chloe)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            let state = try #require(node.replica?.state)
            #expect(state.photo(photos[0])?.status.slot != nil && state.photo(photos[0])?.status.isVeiled == false)
            #expect(state.photo(photos[1])?.status == .hidden)
            #expect(state.photo(photos[2])?.status.isVeiled == true)
            #expect(state.gallery.map(\.id).sorted() == [photos[0], photos[3]].sorted())
        }
    }
}
