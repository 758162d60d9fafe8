// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Page sealing where nodes are apart.
@Suite("Photos sealed by pages") struct PageSealingStoryTests {
    @Test("switched off at one side, off and on at the other: it is on everywhere")
    func apart() throws {
        let swarm = try Swarm.joined(4, seed: 1_891)
        let (host, ben, anna) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        func rule(_ ruling: Ruling, by node: SimulatedNode) throws {
            let ticket = swarm.rule(ruling, by: node)
            try swarm.drive("the operation") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
            try #require(node.person.refused[ticket] == nil, "\(node.person.refused[ticket].map { "\($0)" } ?? "")")
        }
        let organizer = swarm.rule(
            .grant(.organizer, to: ben.device.bytes32), by: host, swarm.founding.eventKey)
        try swarm.drive("the grant") { host.person.authored[organizer] != nil }
        try rule(.pageSealing(isOn: true), by: host)
        try swarm.settle()
        for node in swarm.nodes { #expect(node.replica?.state.album.pageSealingSettings.count == 1) }
        swarm.partition([host, anna])
        try rule(.pageSealing(isOn: false), by: host)
        try rule(.pageSealing(isOn: false), by: ben)
        try rule(.pageSealing(isOn: true), by: ben)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes { #expect(node.replica?.state.album.pageSealingSettings.count == 1) }
        try rule(.pageSealing(isOn: false), by: host)
        try swarm.settle()
        for node in swarm.nodes { #expect(node.replica?.state.album.pageSealingSettings.isEmpty == true) }
    }
}
