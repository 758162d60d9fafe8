// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Views") struct ViewTests {
    private func peerCounts(_ swarm: Swarm) -> [Int] { swarm.nodes.map { $0.replica?.livePeers.count ?? 0 } }

    /// Nodes that know where the first one is, and nothing else.
    private func event(of count: Int, seed: UInt64) -> Swarm {
        let swarm = Swarm(seed: seed)
        let host = swarm.addNode(keeping: [.thumbnail])
        for _ in 1..<count { swarm.introduce(swarm.addNode(keeping: [.thumbnail]), to: host) }
        return swarm
    }

    @Test("in an event of 32 everybody is connected to everybody")
    func mesh() throws {
        let swarm = event(of: Limits.meshNodesMax, seed: 1)
        try swarm.drive(within: 2_000_000, milliseconds: 60_000, "a full mesh") {
            peerCounts(swarm).allSatisfy { $0 == Limits.meshNodesMax - 1 }
        }
        try swarm.drive(milliseconds: 60_000, within: 2_000_000)
        #expect(peerCounts(swarm).allSatisfy { $0 == Limits.meshNodesMax - 1 })
    }

    @Test("in a larger one everybody keeps a few connections, the host too, and everybody gets everything")
    func view() throws {
        let swarm = event(of: 70, seed: 2)
        try swarm.drive(within: 2_000_000, milliseconds: 60_000, "admission of all") { swarm.agree() }
        try swarm.drive(within: 4_000_000, milliseconds: 300_000, "views") {
            peerCounts(swarm).allSatisfy { (Limits.viewPeersMin...Limits.viewPeersMax + 2).contains($0) }
        }
        let began = swarm.now
        try swarm.add(2, by: swarm.nodes[69], .small)
        try swarm.drive(within: 2_000_000, milliseconds: 2_000, "the photo everywhere") { swarm.isComplete() }
        #expect(swarm.now - began < 2_000)
        // Nobody comes and goes for want of something to do.
        let links = swarm.network.links.count
        try swarm.drive(milliseconds: 120_000, within: 4_000_000)
        let added = swarm.network.links.count - links
        #expect(added < 70 * 6, "\(added) new connections in two minutes")
        try swarm.settle(milliseconds: 30_000)
    }

    @Test("a third of the nodes goes at once, and the rest finds together again")
    func loss() throws {
        let swarm = event(of: 60, seed: 3)
        try swarm.drive(within: 2_000_000, milliseconds: 60_000, "admission of all") { swarm.agree() }
        try swarm.drive(milliseconds: 120_000, within: 4_000_000)
        for node in swarm.nodes.suffix(20) { swarm.crash(node) }
        let rest = Array(swarm.nodes.prefix(40))
        try swarm.drive(milliseconds: 30_000, within: 2_000_000)
        try swarm.add(1, by: rest[39], .small)
        try swarm.drive(within: 2_000_000, milliseconds: 30_000, "the photo everywhere") { swarm.isComplete(rest) }
    }

    @Test("two halves that each look complete become one event when somebody knows the way")
    func halves() throws {
        let swarm = event(of: 80, seed: 4)
        try swarm.drive(within: 4_000_000, milliseconds: 60_000, "admission of all") { swarm.agree() }
        let half = Array(swarm.nodes.prefix(40))
        let other = Array(swarm.nodes.suffix(40))
        for node in half { for far in other { swarm.cut(node, far) } }
        try swarm.drive(milliseconds: 180_000, within: 8_000_000)
        try swarm.add(1, by: half[3], .small)
        try swarm.add(1, by: other[3], .small)
        try swarm.drive(within: 2_000_000, milliseconds: 20_000, "both halves") {
            swarm.isComplete(half) && swarm.isComplete(other)
        }
        #expect(!swarm.agree())
        swarm.healAll()
        try swarm.drive(within: 8_000_000, milliseconds: 180_000, "one event") { swarm.isComplete() }
        try swarm.check()
    }
}
