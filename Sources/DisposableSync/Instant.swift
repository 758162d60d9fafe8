// SPDX-License-Identifier: Apache-2.0

/// The time of an input: the engine's only source of time, always an argument.
///
/// The standard library's instants cannot be made from a number, and a simulator must do that.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds of a clock that never goes back, from an arbitrary start.
    public let milliseconds: UInt64
    /// Milliseconds since 1970 UTC according to the machine; may be wrong by years, and may jump.
    public let wallClockMilliseconds: UInt64

    public init(milliseconds: UInt64, wallClockMilliseconds: UInt64) {
        self.milliseconds = milliseconds
        self.wallClockMilliseconds = wallClockMilliseconds
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    public func milliseconds(since earlier: UInt64) -> UInt64 { milliseconds > earlier ? milliseconds - earlier : 0 }
}
