// SPDX-License-Identifier: Apache-2.0
package import DisposableSync

/// Tells from the clocks that the machine, or this process, has stood still for a while. To be asked once a second and
/// before anything that depends on time.
package struct SleepDetector {
    /// A second between two looks, and five that a busy machine may be late.
    private static let gapMilliseconds: UInt64 = 6_000
    private var last: Instant?

    package init() {}

    /// Whether more time has passed since the last look than can be by honest means: on the clock that goes on while
    /// the machine sleeps, or on the wall clock alone, as when a virtual machine was put aside. A wall clock that is
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
