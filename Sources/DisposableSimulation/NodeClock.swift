// SPDX-License-Identifier: Apache-2.0
internal import DisposableSync

/// The clocks of a simulated machine: the one on its wall, and the one of its uptime, which stands still in its sleep.
package struct NodeClock {
    /// 2026-06-06 12:00 UTC, from which the wall clocks of every run count.
    package static let epochMilliseconds: UInt64 = 1_780_747_200_000

    /// The difference of the wall clock to the true time, in milliseconds; positive if ahead.
    package var offset: Int64
    /// The time of the alarm that the replica has set.
    private(set) var wakesAt: UInt64?
    private(set) var sleepsUntil: UInt64 = 0
    /// The time that the machine has slept, which its clock of uptime does not count.
    private var sleptMilliseconds: UInt64 = 0

    init(offset: Int64) { self.offset = offset }

    func isAsleep(at now: UInt64) -> Bool { sleepsUntil > now }

    /// Returns what the clocks show.
    func instant(at now: UInt64) -> Instant {
        let wallClock = Int64(Self.epochMilliseconds + now) + offset
        return Instant(milliseconds: now - sleptMilliseconds, wallClockMilliseconds: UInt64(max(wallClock, 0)))
    }

    /// Returns the true time of a deadline on the clock of uptime, if the machine does not sleep before.
    func time(of deadline: UInt64) -> UInt64 { deadline + sleptMilliseconds }

    mutating func setAlarm(at time: UInt64?) { wakesAt = time }

    mutating func sleep(_ milliseconds: UInt64, at now: UInt64) {
        sleepsUntil = now + milliseconds
        sleptMilliseconds += milliseconds
        wakesAt = wakesAt.map { $0 + milliseconds }
    }

    /// Ends sleep and alarm, when the machine is switched off.
    mutating func reset() {
        wakesAt = nil
        sleepsUntil = 0
    }
}
