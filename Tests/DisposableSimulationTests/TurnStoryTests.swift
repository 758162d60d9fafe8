// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// Photos that their authors turn, where nodes are apart.
@Suite("Turned photos") struct TurnStoryTests {
    @Test("turned while apart, twice: all nodes show the last turn, and the digest is that of before")
    func apart() throws {
        let swarm = try Swarm.joined(3, seed: 1_601)
        let (host, ben) = (swarm.nodes[0], swarm.nodes[1])
        let photo = try swarm.add(1, by: ben)[0]
        try swarm.settle()
        let digest = host.replica?.state.digest
        swarm.partition([host])
        for turn in [PhotoTurn.quarter, .threeQuarters] {
            let ticket = swarm.say(.say(.turn(photo, turn), salt: swarm.random.bytes(16)), by: ben)
            try swarm.drive("the operation") { ben.person.authored[ticket] != nil }
        }
        #expect(host.replica?.state.album.turn(of: photo) == PhotoTurn.none)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes {
            #expect(node.replica?.state.album.turn(of: photo) == .threeQuarters)
            #expect(node.replica?.state.digest == digest)
        }
    }
}
