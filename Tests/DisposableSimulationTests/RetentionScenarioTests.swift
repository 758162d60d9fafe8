// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// The knowledge of the time at the end of retention.
@Suite("At the end of the time of keeping") struct RetentionScenarioTests {
    private static let year: Int64 = 365 * 86_400_000

    private func verdict(_ node: SimulatedNode, in swarm: Swarm, expiresAt: UInt64) throws -> RetentionPolicy.Verdict {
        RetentionPolicy.verdict(
            expiresAt: expiresAt, own: NodeClock.epochMilliseconds + UInt64(Int64(swarm.now) + node.clock.offset),
            vouched: try #require(node.replica).vouchedTime, wasVouched: false, ranFor: .max)
    }

    @Test(
        "a lone node whose clock runs a year ahead does not act, the host's no more than a guest's; together they know")
    func loneNodes() throws {
        let swarm = Swarm(seed: 71)
        let (host, guest) = (swarm.addNode(), swarm.addNode(clockOffset: Self.year))
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        let over = NodeClock.epochMilliseconds + 384 * 3_600_000
        // The host's word counts, which is right; so the guest knows that its own clock is wrong.
        #expect(try verdict(guest, in: swarm, expiresAt: over) == .keep)
        swarm.cut(host, guest)
        try swarm.drive(milliseconds: 60_000)
        #expect(try verdict(guest, in: swarm, expiresAt: over) == .unvouched)
        #expect(try verdict(host, in: swarm, expiresAt: over) == .keep)
        #expect(try verdict(host, in: swarm, expiresAt: NodeClock.epochMilliseconds) == .unvouched)
    }

    @Test("a host whose clock is wrong does not act where its guests' clocks say otherwise, and neither do they")
    func wrongHost() throws {
        let swarm = Swarm(seed: 72)
        let host = swarm.addNode(clockOffset: Self.year)
        swarm.addNode()
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        let over = NodeClock.epochMilliseconds + 384 * 3_600_000
        #expect(try verdict(host, in: swarm, expiresAt: over) == .unvouched)
    }

    @Test("a node that was away for a week acts when it meets an organizer again, by the organizer's clock")
    func away() throws {
        let swarm = try Swarm.joined(3, seed: 73)
        let (host, away) = (swarm.nodes[0], swarm.nodes[2])
        for other in swarm.nodes where other !== away { swarm.cut(away, other) }
        try swarm.drive(milliseconds: 600_000)
        let over = NodeClock.epochMilliseconds + swarm.now - 1_000
        #expect(try verdict(away, in: swarm, expiresAt: over) == .unvouched)
        #expect(try verdict(host, in: swarm, expiresAt: over) == .due)
        swarm.healAll()
        swarm.introduceAll()
        try swarm.drive("they meet") { away.replica?.livePeers.contains { $0.device == host.device } == true }
        #expect(try verdict(away, in: swarm, expiresAt: over) == .due)
    }
}
