// SPDX-License-Identifier: Apache-2.0

/// A token bucket: a rate per second and a burst. It fills evenly and may be overdrawn once; its user then waits until
/// it is level again. Nothing is lost.
package struct Allowance: Equatable, Sendable {
    let perSecond: Int
    let burst: Int
    /// In thousandths, so that a millisecond fills a whole number.
    private var level: Int
    private var filledAt: UInt64

    /// - Parameter level: the initial tokens; more than `burst` if some were saved up.
    package init(perSecond: Int, burst: Int, level: Int? = nil, at now: UInt64) {
        self.perSecond = perSecond
        self.burst = burst
        self.level = 1_000 * (level ?? burst)
        filledAt = now
    }

    package mutating func spend(_ count: Int, at now: UInt64) {
        let milliseconds = Int(clamping: now > filledAt ? now - filledAt : 0)
        filledAt = max(filledAt, now)
        // Saved tokens are kept, but not added to.
        level = max(level, min(level + min(milliseconds, 86_400_000) * perSecond, 1_000 * burst))
        level -= 1_000 * count
    }

    /// Spends only if the allowance is level. Returns whether it was.
    package mutating func spendIfLevel(_ count: Int, at now: UInt64) -> Bool {
        guard (levelAt ?? 0) <= now else { return false }
        spend(count, at: now)
        return true
    }

    /// Returns the tokens that have been saved up by not spending, whatever the burst.
    package func saved(at now: UInt64, atMost limit: Int) -> Int {
        let milliseconds = Int(clamping: now > filledAt ? now - filledAt : 0)
        return min(level / 1_000 + min(milliseconds, 86_400_000) * perSecond / 1_000, limit)
    }

    /// The time at which the allowance is level again, `nil` if it is.
    package var levelAt: UInt64? { level < 0 ? filledAt + UInt64((-level + perSecond - 1) / perSecond) : nil }
}
