// SPDX-License-Identifier: Apache-2.0

/// The lifetime of a received record and the times of its refresh queries: at 80, 85, 90 and 95 % of its time, and up
/// to 2 % later, so that not all hosts query at once (RFC 6762 §5.2).
struct Lifetime: Equatable, Sendable {
    let receivedAt: UInt64
    private(set) var end: UInt64
    private let milliseconds: UInt64
    private let jitterPerMille: UInt64
    private var refreshCount: UInt64 = 0

    /// Records with a shorter time to live expire without a refresh: any host chooses the time.
    private static let refreshedMillisecondsMin: UInt64 = 20_000

    /// - Parameters:
    ///   - seconds: the time to live as received, not 0.
    ///   - jitterPerMille: 0 to 20, one for all records of a packet, so that one query refreshes them.
    init(seconds: UInt32, at now: UInt64, jitterPerMille: UInt64) {
        receivedAt = now
        milliseconds = UInt64(min(seconds, MDNSLimits.timeToLiveMax)) * 1_000
        end = now + milliseconds
        self.jitterPerMille = jitterPerMille
    }

    var isLeaving: Bool { end < receivedAt + milliseconds }

    /// Lets the record expire in a second, unless it is received again (RFC 6762 §10.1, §10.2).
    mutating func leave(at now: UInt64) { end = min(end, now + 1_000) }

    /// Whether more than half of its time is left, so that it may be a known answer (RFC 6762 §7.1).
    func isFresh(at now: UInt64) -> Bool { !isLeaving && now < receivedAt + milliseconds / 2 }

    func secondsLeft(at now: UInt64) -> UInt32 { end > now ? UInt32((end - now) / 1_000) : 0 }

    private var nextRefresh: UInt64? {
        guard refreshCount < 4, !isLeaving, milliseconds >= Self.refreshedMillisecondsMin else { return nil }
        return receivedAt + milliseconds * (800 + 50 * refreshCount + jitterPerMille) / 1_000
    }

    var nextDeadline: UInt64 { min(end, nextRefresh ?? end) }

    /// Whether a refresh query is due now. Returns true once for each due time.
    mutating func takeRefresh(at now: UInt64) -> Bool {
        var isDue = false
        while let next = nextRefresh, next <= now {
            refreshCount += 1
            isDue = true
        }
        return isDue
    }
}
