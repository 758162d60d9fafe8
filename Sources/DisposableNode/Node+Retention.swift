// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Foundation

/// The end of an event's time: the node forgets it (`RetentionPolicy` says when), and says so long before.
extension Node {
    private static let metadataKey = "expiry"
    /// How long a node that is due stays: it may be the only one that vouches for the clock of another, which looks
    /// once a second and has as much to forget.
    private static let stayMilliseconds: UInt64 = 10_000

    /// When the event's time is over by the charter as it is, and since when this node knows that, by the clock of
    /// `EventSession.uptimeMilliseconds`.
    struct Expiry: Codable, Sendable, Equatable {
        var expiresAt: UInt64
        var since: UInt64
        /// Whether somebody has vouched that it is over.
        var isVouched = false
    }

    static func expiry(_ store: EventStore) throws -> Expiry? {
        try store.metadata(for: metadataKey).flatMap { try? JSONDecoder().decode(Expiry.self, from: Data($0)) }
    }

    /// Every second.
    func forgetWhatIsOver() async {
        if let seconds = configuration.retentionGraceSeconds {
            note(problem: "events are forgotten here after \(seconds) s of grace instead of a day: for tests only")
        }
        repeat {
            for event in sessions.keys.sorted() {
                do { if try isOver(event) { try await forget(event, .expired) } } catch {
                    note(.expiry(event), "the event \(event.short) is over and not forgotten yet: \(error)")
                }
            }
        } while (try? await Task.sleep(for: .seconds(1))) != nil && !isStopped
    }

    private func isOver(_ event: EventID) throws -> Bool {
        guard let session = sessions[event], let charter = session.replica.state.charter else { return false }
        let uptime = session.uptimeMilliseconds
        if session.expiry?.expiresAt != charter.expiresAtMilliseconds {
            let expiry = Expiry(expiresAt: charter.expiresAtMilliseconds, since: uptime)
            // The clock first: at the next start it must not be before what was noted by it.
            try session.store.noteDestructions(uptimeMilliseconds: uptime)
            try session.store.setMetadata([UInt8](JSONEncoder().encode(expiry)), for: Self.metadataKey)
            session.expiry = expiry
        }
        let vouched = session.replica.vouchedTime
        if let vouched, session.expiry?.isVouched != (vouched >= charter.expiresAtMilliseconds) {
            session.expiry?.isVouched = vouched >= charter.expiresAtMilliseconds
            try session.store.setMetadata([UInt8](JSONEncoder().encode(session.expiry)), for: Self.metadataKey)
        }
        guard let expiry = session.expiry else { return false }
        let grace = configuration.retentionGraceMilliseconds
        // The clock may have been lost with a database that was damaged.
        let ranFor = uptime - min(expiry.since, uptime)
        session.countsUptime = ranFor < grace
        let name = session.name
        switch RetentionPolicy.verdict(
            expiresAt: expiry.expiresAt, own: now.wallClockMilliseconds, vouched: vouched,
            wasVouched: expiry.isVouched, ranFor: ranFor, grace: grace)
        {
        case .due:
            let dueAt = session.dueAtMilliseconds ?? now.milliseconds
            session.dueAtMilliseconds = dueAt
            return now.milliseconds - dueAt >= Self.stayMilliseconds
        case .keep: solve(.expiry(event), "\(name) is not over yet")
        case .waits:
            note(.expiry(event), "the time of \(name) is over: this node forgets it once it has run for a day since it knew")
        case .unvouched:
            note(
                .expiry(event),
                "the time of \(name) is over by this machine's clock, but nobody vouches for that: nothing is destroyed; "
                    + "`disposable event expire` forgets it if the clock is right")
        }
        session.dueAtMilliseconds = nil
        return false
    }

    /// A person at this machine says that its clock is right, and that the event is to be forgotten here.
    func expire(_ event: EventID) async throws -> String {
        guard let session = sessions[event] else { throw NodeError.stopped }
        guard let charter = session.replica.state.charter else { throw NodeError.notAdmitted }
        let time = session.replica.vouchedTime ?? now.wallClockMilliseconds
        guard time >= charter.expiresAtMilliseconds else {
            throw NodeError.notExpired(until: Timestamps.iso8601(charter.expiresAtMilliseconds))
        }
        let name = session.name
        try await forget(event, .expired)
        while forgotten[event] != nil, !isStopped {
            // Where the node runs, it does so by itself.
            if configuration.listen == .none { try await destroyForgotten() }
            try await Task.sleep(for: .milliseconds(50))
        }
        return name
    }
}
