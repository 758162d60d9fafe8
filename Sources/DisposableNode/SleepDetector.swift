// SPDX-License-Identifier: Apache-2.0
package import DisposableSync

/// Detects from the clocks that the machine, or this process, was suspended. Called once a second and before any use of
/// time.
package struct SleepDetector {
    /// A second between two checks, plus five for a busy machine.
    private static let gapMilliseconds: UInt64 = 6_000
    private var last: Instant?

    package init() {}

    /// Returns whether more time has passed since the last check than is plausible: on the clock that continues while
    /// the machine sleeps, or on the wall clock alone, as when a virtual machine was suspended. A wall clock that is
    /// set forward looks the same, and costs every peer one ping.
    package mutating func look(at now: Instant) -> Bool {
        defer { last = now }
        guard let last else { return false }
        let elapsed = now.milliseconds(since: last.milliseconds)
        let wallElapsed =
            now.wallClockMilliseconds > last.wallClockMilliseconds
            ? now.wallClockMilliseconds - last.wallClockMilliseconds : 0
        return max(elapsed, wallElapsed) > Self.gapMilliseconds
    }
}
