// SPDX-License-Identifier: Apache-2.0
import DisposableSimulation
import Foundation
import Testing

/// A whole node among spoilt bytes; FuzzTests has each decoder by itself. The arguments are the seeds.
@Suite("Spoilt bytes") struct DecoderFuzzTests {
    /// Twenty-five times as many in `make test-long`.
    private static let isLong = ProcessInfo.processInfo.environment["DISPOSABLE_LONG"] != nil
    private static let seeds = 0..<UInt64(isLong ? 500 : 20)

    @Test("a whole node, told things by somebody with the secret that are nearly right", arguments: seeds)
    func node(seed: UInt64) throws {
        let swarm = try Swarm.joined(2, seed: seed)
        let babbler = swarm.addDishonestPeer(.babbler, milliseconds: 20_000)
        for node in swarm.nodes where node.isHonest { swarm.introduce(babbler, to: node) }
        try swarm.add(3, by: swarm.nodes[1])
        try swarm.drive(milliseconds: 21_000)
        try swarm.settle(milliseconds: 120_000)
        #expect(babbler.dishonestPeer?.actionCount ?? 0 > 0)
    }
}
