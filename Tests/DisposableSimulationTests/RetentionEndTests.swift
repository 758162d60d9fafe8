// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// The end of an event, as nodes come to it that run, stop and meet: who forgets it when.
@Suite("An event is forgotten") struct RetentionEndTests {
    private static let hour: UInt64 = 3_600_000
    private static let year: Int64 = 365 * 86_400_000

    /// The data about the end that a node keeps on disk: since when it knows it, for how long it has run, and whether a
    /// device has vouched.
    private final class Keeper {
        private let node: SimulatedNode
        private let swarm: Swarm
        private var expiresAt: UInt64?
        private var ranFor: UInt64 = 0
        private var lookedAt: UInt64
        private var wasVouched = false

        init(_ node: SimulatedNode, in swarm: Swarm) {
            (self.node, self.swarm) = (node, swarm)
            lookedAt = swarm.now
        }

        /// As a node does now and then.
        func look() throws -> RetentionPolicy.Verdict {
            let replica = try #require(node.replica)
            let expiresAt = try #require(replica.state.charter).expiresAtMilliseconds
            ranFor += swarm.now - lookedAt
            lookedAt = swarm.now
            if self.expiresAt != expiresAt { (self.expiresAt, ranFor, wasVouched) = (expiresAt, 0, false) }
            let vouched = replica.vouchedTime
            if let vouched { wasVouched = vouched >= expiresAt }
            return RetentionPolicy.verdict(
                expiresAt: expiresAt, own: NodeClock.epochMilliseconds + UInt64(Int64(swarm.now) + node.clock.offset),
                vouched: vouched, wasVouched: wasVouched, ranFor: ranFor)
        }
    }

    /// Looks every hour, for so many hours.
    private func verdicts(
        _ keeper: Keeper, in swarm: Swarm, hours: Int
    ) throws -> [RetentionPolicy.Verdict] {
        try (0..<hours).map { _ in
            try swarm.drive(milliseconds: Self.hour)
            return try keeper.look()
        }
    }

    private func edit(_ field: CharterField, by node: SimulatedNode, in swarm: Swarm, _ change: (inout Charter) -> Void)
        throws
    {
        var charter = try #require(node.replica?.state.charter)
        change(&charter)
        swarm.say(.edit([field], charter, salt: swarm.random.bytes(16)), by: node)
    }

    /// An event of one hour, whose photos are kept for one more, with a guest whose clock is ahead.
    private func shortEvent(seed: UInt64, clockOffset: Int64 = 0) throws -> (
        Swarm, host: SimulatedNode, guest: SimulatedNode
    ) {
        let swarm = Swarm(seed: seed)
        let (host, guest) = (swarm.addNode(), swarm.addNode(clockOffset: clockOffset))
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        try edit(.durationHours, by: host, in: swarm) { $0.schedule.durationHours = 1 }
        try edit(.retentionHours, by: host, in: swarm) { $0.schedule.retentionHours = 1 }
        try swarm.drive { guest.replica?.state.charter?.schedule.retentionHours == 1 && swarm.agree() }
        return (swarm, host, guest)
    }

    @Test(
        "a lone node with a clock a year ahead forgets nothing however long it runs, and does a day after it was told")
    func loneNode() throws {
        let (swarm, host, guest) = try shortEvent(seed: 81, clockOffset: Self.year)
        swarm.cut(host, guest)
        let keeper = Keeper(guest, in: swarm)
        for verdict in try verdicts(keeper, in: swarm, hours: 48) { #expect(verdict == .unvouched) }
        // The host is there for a minute; its word is enough, and the two days count.
        swarm.healAll()
        swarm.introduceAll()
        try swarm.drive("they meet") { guest.replica?.livePeers.isEmpty == false }
        #expect(try keeper.look() == .due)
    }

    @Test(
        "a node that was told when the time was over runs for a day before it forgets, whether or not the other stays")
    func grace() throws {
        let (swarm, host, guest) = try shortEvent(seed: 82)
        let keeper = Keeper(guest, in: swarm)
        #expect(try keeper.look() == .keep)
        try swarm.drive(milliseconds: 3 * Self.hour)
        guard case .waits = try keeper.look() else {
            Issue.record("it does not wait for a day")
            return
        }
        swarm.cut(host, guest)
        let later = try verdicts(keeper, in: swarm, hours: 24)
        #expect(later.first != .due)
        #expect(later.last == .due)
    }

    @Test(
        "what an organizer makes longer while somebody is away puts nothing off there or here, and a shorter keeping counts"
    )
    func prolonged() throws {
        let swarm = try Swarm.joined(3, seed: 83)
        let (host, away) = (swarm.nodes[0], swarm.nodes[2])
        let told = try #require(away.replica?.state.charter).expiresAtMilliseconds
        for node in swarm.nodes where node !== away { swarm.cut(away, node) }
        try edit(.durationHours, by: host, in: swarm) { $0.schedule.durationHours += 100 }
        try edit(.startsAt, by: host, in: swarm) { $0.schedule.startsAtMilliseconds += 24 * Self.hour }
        try swarm.drive("the host's edits") {
            swarm.nodes[1].replica?.state.charter?.endsAtMilliseconds == told - 68 * Self.hour
        }
        #expect(away.replica?.state.charter?.endsAtMilliseconds == told - 192 * Self.hour)
        for node in swarm.nodes { #expect(node.replica?.state.charter?.expiresAtMilliseconds == told) }
        swarm.healAll()
        swarm.introduceAll()
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes { #expect(node.replica?.state.charter?.expiresAtMilliseconds == told) }
        try edit(.retentionHours, by: host, in: swarm) { $0.schedule.retentionHours -= 2 }
        try swarm.settle(milliseconds: 120_000)
        for node in swarm.nodes { #expect(node.replica?.state.charter?.expiresAtMilliseconds == told - 2 * Self.hour) }
    }
}
