// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import Foundation
import Testing

@Suite("Random swarms") struct RandomSwarmTests {
    /// Three to five nodes that add and remove photos while connections, machines and the network fail; then peace.
    private func run(seed: UInt64) throws -> Swarm {
        let swarm = Swarm(seed: seed)
        swarm.medium.latencies = 1...(seed % 3 == 0 ? 300 : 20)
        swarm.medium.hostRate = seed % 4 == 0 ? 3_000 : nil
        let count = 3 + Int(seed % 3)
        for _ in 0..<count { swarm.addNode() }
        swarm.introduceAll()
        var photos: [(PhotoID, SimulatedNode)] = []
        for _ in 0..<25 {
            let node = swarm.nodes[Int.random(in: 0..<count, using: &swarm.random)]
            let other = swarm.nodes[Int.random(in: 0..<count, using: &swarm.random)]
            switch Int.random(in: 0..<12, using: &swarm.random) {
            case 0...4 where node.replica?.isAdmitted == true:
                let isLarge = UInt8.random(in: 0..<4, using: &swarm.random) == 0
                let sizes = isLarge ? Swarm.Sizes.large : Swarm.Sizes()
                for photo in try swarm.add(by: node, sizes) { photos.append((photo, node)) }
            case 5 where !photos.isEmpty:
                let (photo, author) = photos.remove(at: Int.random(in: 0..<photos.count, using: &swarm.random))
                if author.replica != nil { swarm.say(.remove(photo), by: author) }
            case 6...7 where node !== other: swarm.cut(node, other, isNoticed: Bool.random(using: &swarm.random))
            case 8 where node !== other: swarm.heal(node, other)
            case 9 where node.replica != nil: swarm.crash(node, isNoticed: Bool.random(using: &swarm.random))
            case 10 where node.replica == nil: swarm.start(node)
            case 11 where !swarm.links.isEmpty:
                swarm.sever(Int.random(in: 0..<swarm.links.count, using: &swarm.random))
            default: break
            }
            try swarm.drive(milliseconds: UInt64.random(in: 0...3_000, using: &swarm.random))
        }
        swarm.healAll()
        for node in swarm.nodes where node.replica == nil { swarm.start(node) }
        try swarm.settle(milliseconds: 300_000)
        for (photo, author) in photos { #expect(author.replica?.state.photo(photo) != nil) }
        return swarm
    }

    /// Many more in `make test-long`.
    private static let seeds: Range<UInt64> =
        ProcessInfo.processInfo.environment["DISPOSABLE_LONG"] == nil ? 0..<50 : 0..<2_000

    @Test("whatever fails meanwhile, the states are equal in the end", arguments: seeds)
    func convergence(seed: UInt64) throws { _ = try run(seed: 1_000 + seed) }

    @Test("one seed run twice gives the same inputs, byte for byte", arguments: [UInt64(1_003), 1_004])
    func determinism(seed: UInt64) throws {
        let (first, second) = (try run(seed: seed), try run(seed: seed))
        #expect(first.trace == second.trace)
        #expect(first.stepCount == second.stepCount)
        print("seed \(seed): \(first.stepCount) steps, trace \(String(first.trace, radix: 16))")
    }
}
