// SPDX-License-Identifier: Apache-2.0

/// A token bucket for each key, all with the same burst. A key without an entry has a full one, so entries that are
/// full again are dropped once there are `countMax` of them.
package struct KeyedAllowances<Key: Hashable & Sendable>: Sendable {
    private var allowances: [Key: Allowance] = [:]
    private let perSecond: Int
    private let burst: Int
    private let countMax: Int

    package init(perSecond: Int, burst: Int, countMax: Int) {
        (self.perSecond, self.burst, self.countMax) = (perSecond, burst, countMax)
    }

    /// Whether the key may spend now: its allowance is not overdrawn.
    package func isLevel(_ key: Key, at now: UInt64) -> Bool { (allowances[key]?.levelAt ?? 0) <= now }

    /// Spends, even if that overdraws the allowance.
    /// - Parameter perSecond: the rate of a new entry, if not the usual one.
    package mutating func spend(_ count: Int, by key: Key, perSecond: Int? = nil, at now: UInt64) {
        if allowances.count >= countMax {
            let burst = burst
            allowances = allowances.filter { $0.value.saved(at: now, atMost: burst) < burst }
        }
        var allowance = allowances[key] ?? full(perSecond, at: now)
        allowance.spend(count, at: now)
        allowances[key] = allowance
    }

    /// Spends if the allowance then is not overdrawn; otherwise returns the milliseconds to wait.
    package mutating func waitToSpend(_ count: Int, by key: Key, at now: UInt64) -> UInt64? {
        var after = allowances[key] ?? full(nil, at: now)
        after.spend(count, at: now)
        if let levelAt = after.levelAt { return levelAt > now ? levelAt - now : 1 }
        spend(count, by: key, at: now)
        return nil
    }

    package mutating func remove(_ key: Key) { allowances[key] = nil }

    private func full(_ perSecond: Int?, at now: UInt64) -> Allowance {
        Allowance(perSecond: perSecond ?? self.perSecond, burst: burst, at: now)
    }
}
