// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Joined galleries where nodes are apart: the worked example 24.2 of protocol/rules.md.
@Suite("Joined galleries") struct TwinStoryTests {
    @Test("separated at one side and renewed at the other: the galleries are joined everywhere, until it is known")
    func apart() throws {
        let swarm = try Swarm.joined(4, seed: 1_894)
        let (host, ben, anna) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        func rule(_ ruling: Ruling, by node: SimulatedNode) throws {
            let ticket = swarm.rule(ruling, by: node)
            try swarm.drive("the operation") {
                node.person.authored[ticket] != nil || node.person.refused[ticket] != nil
            }
            try #require(node.person.refused[ticket] == nil, "\(node.person.refused[ticket].map { "\($0)" } ?? "")")
        }
        let organizer = swarm.rule(
            .grant(.organizer, to: ben.device.bytes32), by: host, swarm.founding.eventKey)
        try swarm.drive("the grant") { host.person.authored[organizer] != nil }
        var seed = [UInt8](repeating: 7, count: SigningKey.seedByteCount)
        let other = SigningKey(seed: SecretBytes(consuming: &seed))
        let state = try #require(host.replica?.state)
        let agreement = TwinAgreement(of: other.verifyingKey, with: state.event, by: other)
        let secret = try #require(
            TwinSecret(epoch: .none, nonce: .zero, box: [UInt8](repeating: 2, count: TwinSecret.boxByteCount)))
        let twinning = Twinning(agreement: agreement, name: "The other party", secret: secret)
        try rule(.twin(twinning), by: host)
        try swarm.settle()
        for node in swarm.nodes { #expect(node.replica?.state.twins.map(\.event) == [agreement.event]) }
        swarm.partition([host, anna])
        try rule(.untwin(agreement.event), by: host)
        try rule(.twin(twinning), by: ben)
        try swarm.drive("the separation") { anna.replica?.state.twins.isEmpty == true }
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes { #expect(node.replica?.state.twins.map(\.event) == [agreement.event]) }
        try rule(.untwin(agreement.event), by: host)
        try swarm.settle()
        for node in swarm.nodes {
            #expect(node.replica?.state.twins.isEmpty == true)
            #expect(node.replica?.state.hasEndedTwin(agreement.event) == true)
        }
    }
}
