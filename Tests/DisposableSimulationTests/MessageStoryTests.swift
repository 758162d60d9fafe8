// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Messages to the organizers, where nodes are apart.
@Suite("Messages to the organizers") struct MessageStoryTests {
    private func write(_ text: String, by node: SimulatedNode, _ swarm: Swarm) throws -> OperationID {
        let entropy = MessageEntropy(key: swarm.random.secret(), seed: swarm.random.secret())
        return try say(.say(.message(text, about: nil, entropy), salt: swarm.random.bytes(16)), by: node, swarm)
    }

    @discardableResult
    private func say(_ statement: Statement, by node: SimulatedNode, _ swarm: Swarm) throws -> OperationID {
        let ticket = swarm.say(statement, by: node)
        try swarm.drive("the operation") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        return try #require(node.person.authored[ticket]?.first, "\(node.person.refused[ticket].map { "\($0)" } ?? "")")
    }

    @Test("written and withdrawn while apart: all nodes list the same, and the digest is that of before")
    func apart() throws {
        let swarm = try Swarm.joined(4, seed: 1_701)
        let (host, ben, chloe) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        try swarm.settle()
        let digest = host.replica?.state.digest
        let first = try write("first", by: ben, swarm)
        try swarm.settle()
        swarm.partition([host])
        // The host hears neither of the second message, nor that the first one is withdrawn.
        let second = try write("second", by: chloe, swarm)
        try say(.remove(PhotoID(first)), by: ben, swarm)
        #expect(host.replica?.state.album.messages.map(\.id) == [first])
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            #expect(node.replica?.state.album.messages.map(\.id) == [second])
            #expect(node.replica?.state.digest == digest)
        }
        try say(.rule(.erase(PhotoID(second)), salt: swarm.random.bytes(16)), by: host, swarm)
        try swarm.settle()
        for node in swarm.nodes { #expect(node.replica?.state.album.messages.isEmpty == true) }
    }
}
