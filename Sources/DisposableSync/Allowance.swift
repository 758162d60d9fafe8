// SPDX-License-Identifier: Apache-2.0

/// So many of something a second, and so many at once: a bucket that fills evenly and may be overdrawn once. Who has
/// overdrawn it waits until it is level again; nothing is lost.
package struct Allowance: Equatable, Sendable {
    let perSecond: Int
    let burst: Int
    /// In thousandths, so that a millisecond fills a whole number.
    private var level: Int
    private var filledAt: UInt64

    /// - Parameter level: what may be spent at first; more than `burst` where something has been saved up.
    package init(perSecond: Int, burst: Int, level: Int? = nil, at now: UInt64) {
        self.perSecond = perSecond
        self.burst = burst
        self.level = 1_000 * (level ?? burst)
        filledAt = now
    }

    package mutating func spend(_ count: Int, at now: UInt64) {
        let milliseconds = Int(clamping: now > filledAt ? now - filledAt : 0)
        filledAt = max(filledAt, now)
        // What was saved up is kept, but not added to.
        level = max(level, min(level + min(milliseconds, 86_400_000) * perSecond, 1_000 * burst))
        level -= 1_000 * count
    }

    /// Spends only where the allowance is level. Returns whether it was.
    package mutating func spendIfLevel(_ count: Int, at now: UInt64) -> Bool {
        guard (levelAt ?? 0) <= now else { return false }
        spend(count, at: now)
        return true
    }

    /// What has been saved up by not spending, whatever the burst.
    package func saved(at now: UInt64, atMost limit: Int) -> Int {
        let milliseconds = Int(clamping: now > filledAt ? now - filledAt : 0)
        return min(level / 1_000 + min(milliseconds, 86_400_000) * perSecond / 1_000, limit)
    }

    /// When the allowance is level again, `nil` where it is.
    package var levelAt: UInt64? { level < 0 ? filledAt + UInt64((-level + perSecond - 1) / perSecond) : nil }
}
