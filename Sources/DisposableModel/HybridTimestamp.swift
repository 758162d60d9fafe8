// SPDX-License-Identifier: Apache-2.0

/// A hybrid logical timestamp (Kulkarni et al. 2014): wall-clock milliseconds and a counter that orders what one
/// device did within the same millisecond or while its clock stood still.
///
/// It serves display order and reconciliation only. No operation is void because of its time.
public struct HybridTimestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01 UTC in the upper 48 bits, the counter in the lower 16.
    public let packed: UInt64

    public static let millisecondsMax: UInt64 = 1 << 48 - 1

    public init(packed: UInt64) { self.packed = packed }
    /// Milliseconds beyond 48 bits become the largest value.
    public init(milliseconds: UInt64, counter: UInt16) {
        packed = min(milliseconds, Self.millisecondsMax) << 16 | UInt64(counter)
    }

    public var milliseconds: UInt64 { packed >> 16 }
    public var counter: UInt16 { UInt16(truncatingIfNeeded: packed) }

    public static func < (left: Self, right: Self) -> Bool { left.packed < right.packed }
}

/// A clock that gives each of the device's operations a timestamp later than the one before.
public struct HybridClock: Sendable {
    /// A timestamp further ahead of the own wall clock than this never moves the own clock: 60 seconds.
    public static let driftMillisecondsMax: UInt64 = 60_000

    private var latest: HybridTimestamp

    public init(latest: HybridTimestamp = HybridTimestamp(packed: 0)) { self.latest = latest }

    /// Returns the timestamp for an operation signed at `wallClockMilliseconds`.
    public mutating func next(wallClockMilliseconds: UInt64) -> HybridTimestamp {
        let now = HybridTimestamp(milliseconds: wallClockMilliseconds, counter: 0)
        // Adding one to the packed form carries a full counter into the milliseconds.
        latest = now > latest ? now : HybridTimestamp(packed: min(latest.packed, .max - 1) + 1)
        return latest
    }

    /// Continues after an own operation, whatever the wall clock shows: a device's timestamps never go back.
    public mutating func restore(_ own: HybridTimestamp) { latest = max(latest, own) }

    /// Advances to the timestamp of another device, unless it is too far ahead to be plausible.
    public mutating func observe(_ stamp: HybridTimestamp, wallClockMilliseconds: UInt64) {
        guard stamp.milliseconds <= wallClockMilliseconds &+ Self.driftMillisecondsMax else { return }
        latest = max(latest, stamp)
    }
}
