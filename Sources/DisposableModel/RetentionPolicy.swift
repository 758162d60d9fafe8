// SPDX-License-Identifier: Apache-2.0

/// When a node forgets an event whose retention is over: this cannot be undone, so neither a wrong clock nor an
/// organizer's key that was stolen a moment ago may suffice (protocol/disposable-v1.md §9.10).
///
/// 1. A device must vouch for the time (`CorroboratedClock.vouched`), and by that time retention is over. The device
///    may have disconnected since, and may correct its time later.
/// 2. This node has been running for a day since it stored what makes the event due: time to receive corrections.
/// 3. If no device vouches, and retention is over by this machine's clock, the node asks a person.
public enum RetentionPolicy {
    public static let standardGraceMilliseconds: UInt64 = 86_400_000

    public enum Verdict: Equatable, Sendable {
        /// Retention is not over yet.
        case keep
        /// Retention is over; the node runs for this many milliseconds more before it forgets.
        case waits(milliseconds: UInt64)
        /// Retention is over by this machine's clock, and no device vouches for the time.
        case unvouched
        case due
    }

    /// - Parameters:
    ///   - expiresAt: by the current charter; milliseconds since 1970 UTC, like `own` and `vouched`.
    ///   - own: this machine's wall clock.
    ///   - vouched: the earliest plausible time, `nil` if no device vouches for it.
    ///   - wasVouched: whether a device has vouched before that retention is over, and none has disagreed since.
    ///   - ranFor: how long nodes have been running on this folder since that `expiresAt` was stored, in milliseconds.
    ///   - grace: how long they must have been running before the event is forgotten, in milliseconds.
    public static func verdict(
        expiresAt: UInt64, own: UInt64, vouched: UInt64?, wasVouched: Bool, ranFor: UInt64,
        grace: UInt64 = standardGraceMilliseconds
    ) -> Verdict {
        if vouched == nil, !wasVouched { return own >= expiresAt ? .unvouched : .keep }
        if let vouched, vouched < expiresAt { return .keep }
        return ranFor >= grace ? .due : .waits(milliseconds: grace - ranFor)
    }
}

extension CorroboratedClock {
    /// As `time`, for acts that a lone machine must never do: an organizer's own clock counts only if a peer's agrees
    /// with it.
    public static func vouched(own: UInt64, standing: Standing, witnesses: [Witness]) -> UInt64? {
        guard let time = Self.time(own: own, standing: standing, witnesses: witnesses) else { return nil }
        guard standing == .organizer, !witnesses.contains(where: { $0.standing == .organizer }) else { return time }
        let isAlone = !witnesses.contains {
            max(own, $0.milliseconds) - min(own, $0.milliseconds) <= toleranceMilliseconds
        }
        return isAlone ? nil : time
    }
}
