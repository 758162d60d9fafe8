// SPDX-License-Identifier: Apache-2.0

/// When a node forgets an event whose time of keeping is over: what it does cannot be undone, so neither a clock that
/// is wrong nor an organizer's key that was stolen a moment ago may be enough (protocol/disposable-v1.md §9.10).
///
/// 1. Somebody must vouch for the time (`CorroboratedClock.vouched`), and by that time it is over. Who has done so may
///    be gone since, and may say better later.
/// 2. This node has been running for a day since it stored what makes it due: time in which it could have heard better.
/// 3. Where nobody vouches, and it is over by this machine's clock, a person is asked.
public enum RetentionPolicy {
    public static let standardGraceMilliseconds: UInt64 = 86_400_000

    public enum Verdict: Equatable, Sendable {
        /// It is not over yet.
        case keep
        /// It is over; the node runs so many milliseconds more before it forgets.
        case waits(milliseconds: UInt64)
        /// It is over by this machine's clock, and nobody vouches for the time.
        case unvouched
        case due
    }

    /// - Parameters:
    ///   - expiresAt: by the charter as it is; milliseconds since 1970 UTC, like `own` and `vouched`.
    ///   - own: this machine's wall clock.
    ///   - vouched: what time it is at the earliest, `nil` where nobody vouches for it.
    ///   - wasVouched: whether somebody has vouched before that it is over, and nobody otherwise since.
    ///   - ranFor: for how many milliseconds nodes have been running on this folder since that `expiresAt` was stored.
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
    /// As `time`, for what a lone machine must never do: an organizer's own clock counts where a peer's agrees with it.
    public static func vouched(own: UInt64, standing: Standing, witnesses: [Witness]) -> UInt64? {
        guard let time = Self.time(own: own, standing: standing, witnesses: witnesses) else { return nil }
        guard standing == .organizer, !witnesses.contains(where: { $0.standing == .organizer }) else { return time }
        let isAlone = !witnesses.contains {
            max(own, $0.milliseconds) - min(own, $0.milliseconds) <= toleranceMilliseconds
        }
        return isAlone ? nil : time
    }
}
