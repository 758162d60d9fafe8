// SPDX-License-Identifier: Apache-2.0
internal import DisposableWire

/// The comparison of the sets with one peer: its last summaries, the session that runs, and when the next may begin.
struct PeerReconciliation {
    /// The peer's last summary of its sets.
    var summaries: Ping?
    var session: ReconciliationSession?
    /// Whether both sets were equal on this connection.
    var isSynchronized = false
    private var endedAt: UInt64?
    /// The start of the delay of a session while operations are being verified or stored.
    private var delayedSince: UInt64?

    var nextDeadline: UInt64 {
        session.map { $0.lastProgress + UInt64(Limits.reconciliationIdleMillisecondsMax) } ?? .max
    }
    var hasEnded: Bool { endedAt != nil }
    /// When the next session may begin.
    var dueAt: UInt64 { endedAt.map { $0 + UInt64(Limits.reconciliationPauseMilliseconds) } ?? 0 }

    mutating func begin(_ session: ReconciliationSession) {
        self.session = session
        delayedSince = nil
    }

    mutating func end(at now: UInt64) { (session, endedAt) = (nil, now) }

    mutating func setsAreEqual() { delayedSince = nil }

    /// Whether to wait, since operations are being verified or stored that may explain why the sets differ. The wait is
    /// bounded: a member may sign operations without end.
    mutating func waits(at now: UInt64) -> Bool {
        let since = delayedSince ?? now
        delayedSince = since
        return now < since + UInt64(Limits.reconciliationDelayMillisecondsMax)
    }
}
