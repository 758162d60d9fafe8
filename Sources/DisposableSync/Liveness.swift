// SPDX-License-Identifier: Apache-2.0
internal import DisposableWire

/// Whether the other end of a connection still answers. Pings are regular; a connection in doubt is probed, and then
/// has little time for a sign of life. Anything received is one.
package struct Liveness {
    package private(set) var lastReceivedAt: UInt64
    package private(set) var pingDueAt: UInt64 = .max
    package private(set) var roundTripMilliseconds: UInt64?
    private var lastPing: (nonce: UInt64, at: UInt64)?
    /// The deadline for a sign of life, if the connection is in doubt.
    private var answerDueAt: UInt64 = .max

    package init(at now: UInt64) { lastReceivedAt = now }

    package var nextDeadline: UInt64 {
        min(pingDueAt, lastReceivedAt + UInt64(Limits.silenceMillisecondsMax), answerDueAt)
    }
    /// When it was pinged last, 0 if never.
    package var pingedAt: UInt64 { lastPing?.at ?? 0 }
    package var isInDoubt: Bool { answerDueAt != .max }
    package func silence(at now: UInt64) -> UInt64 { max(now, lastReceivedAt) - lastReceivedAt }

    package mutating func received(at now: UInt64) { (lastReceivedAt, answerDueAt) = (now, .max) }
    /// The silence until this time is this machine's own.
    package mutating func excuse(until time: UInt64) { lastReceivedAt = time }

    package mutating func ping(at time: UInt64) { pingDueAt = time }
    package mutating func ping(before time: UInt64) { pingDueAt = min(pingDueAt, time) }

    package mutating func pinged(_ nonce: UInt64, at now: UInt64) {
        lastPing = (nonce, now)
        pingDueAt = now + UInt64(Limits.pingMilliseconds)
    }

    /// Returns whether the answer is that to the last ping.
    package mutating func answered(_ nonce: UInt64, at now: UInt64) -> Bool {
        guard let lastPing, lastPing.nonce == nonce else { return false }
        roundTripMilliseconds = max(now, lastPing.at) - lastPing.at
        return true
    }

    /// Puts the connection in doubt. Input during a pause is not handled before its end.
    package mutating func doubt(at now: UInt64) {
        answerDueAt = max(now, lastReceivedAt) + UInt64(Limits.probeMillisecondsMax)
    }

    /// Whether the other end has been silent for too long.
    /// - Parameter isOwed: whether it owes answers to requests, which it has less time for.
    package func isLost(isOwed: Bool, at now: UInt64) -> Bool {
        let limit = isOwed ? Limits.silenceWhileWaitingMillisecondsMax : Limits.silenceMillisecondsMax
        return silence(at: now) >= UInt64(limit) || now >= answerDueAt
    }

    /// Whether to ping now: regularly, and once when half of the time for an owed answer has passed.
    package func isPingDue(isOwed: Bool, at now: UInt64) -> Bool {
        let isLate = isOwed && silence(at: now) >= UInt64(Limits.silenceWhileWaitingMillisecondsMax) / 2
        return now >= pingDueAt || isLate && pingedAt <= lastReceivedAt
    }
}
