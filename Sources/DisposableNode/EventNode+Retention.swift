// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Foundation

/// The end of retention: the node forgets the event (`RetentionPolicy` says when), and announces that long before.
extension EventNode {
    /// The time for which a node that is due stays: it may be the only one that vouches for the clock of another, which
    /// checks once a second and has as much to forget.
    private static let stayMilliseconds: UInt64 = 10_000

    /// Returns whether the event is to be forgotten now. Called every second.
    func isOver() throws -> Bool {
        guard let charter = replica.state.charter else { return false }
        let uptime = destruction.uptimeMilliseconds
        if departure.expiry?.expiresAt != charter.expiresAtMilliseconds {
            let expiry = EventDeparture.Expiry(expiresAt: charter.expiresAtMilliseconds, since: uptime)
            // The clock first: at the next start it must not be before a time that was recorded with it.
            try store.noteDestructions(uptimeMilliseconds: uptime)
            try store.setMetadata([UInt8](JSONEncoder().encode(expiry)), for: EventDeparture.expiryKey)
            departure.expiry = expiry
        }
        let vouched = replica.vouchedTime
        if let vouched, departure.expiry?.isVouched != (vouched >= charter.expiresAtMilliseconds) {
            departure.expiry?.isVouched = vouched >= charter.expiresAtMilliseconds
            try store.setMetadata([UInt8](JSONEncoder().encode(departure.expiry)), for: EventDeparture.expiryKey)
        }
        guard let expiry = departure.expiry else { return false }
        let grace = configuration.retentionGraceMilliseconds
        // The clock may have been lost with a corrupt database.
        let ranFor = uptime - min(expiry.since, uptime)
        departure.countsUptime = ranFor < grace
        switch RetentionPolicy.verdict(
            expiresAt: expiry.expiresAt, own: now.wallClockMilliseconds, vouched: vouched,
            wasVouched: expiry.isVouched, ranFor: ranFor, grace: grace)
        {
        case .due:
            let dueAt = departure.dueAtMilliseconds ?? now.milliseconds
            departure.dueAtMilliseconds = dueAt
            return now.milliseconds - dueAt >= Self.stayMilliseconds
        case .keep: solve(.expiry, "the retention of \(name) is not over yet")
        case .waits:
            note(
                .expiry,
                "the retention of \(name) is over: this node forgets it after running for a day since then")
        case .unvouched:
            note(
                .expiry,
                "the retention of \(name) is over by this machine's clock, which no other node confirms; "
                    + "`disposable event expire` forgets it if the clock is right")
        }
        departure.dueAtMilliseconds = nil
        return false
    }

    /// Throws `NodeError.notExpired` while retention is not over by the available clocks.
    func checkExpired() throws {
        guard let charter = replica.state.charter else { throw NodeError.refused(.notAdmitted) }
        let time = replica.vouchedTime ?? now.wallClockMilliseconds
        guard time >= charter.expiresAtMilliseconds else {
            throw NodeError.notExpired(until: Timestamps.iso8601(charter.expiresAtMilliseconds))
        }
    }
}
