// SPDX-License-Identifier: Apache-2.0

/// A burst, and a rate per second.
package struct Rate: Equatable, Sendable {
    package let burst: Double
    package let perSecond: Double
    package init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }
}

/// Rates by key, for instance by address: each key has a bucket of tokens that fills with time. Pure: time is an
/// argument.
///
/// It keeps a bounded number of buckets. Beyond it, the fullest buckets are forgotten: a quiet key loses nothing by
/// that, and a new key always gets its own bucket.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: ContinuousClock.Instant
    }

    private let rate: Rate
    private let initialCount: Double
    private let keyCountMax: Int
    private var buckets: [Key: Bucket] = [:]

    /// - Parameter initialCount: the tokens of a new key; a full bucket by default.
    package init(_ rate: Rate, keyCountMax: Int, initialCount: Double? = nil) {
        self.rate = rate
        self.initialCount = min(initialCount ?? rate.burst, rate.burst)
        self.keyCountMax = keyCountMax
    }

    package var keyCount: Int { buckets.count }

    /// Takes `count` tokens, and returns `nil`; or takes none, and returns the time until there will be that many.
    package mutating func take(
        _ count: Double = 1, for key: Key, at now: ContinuousClock.Instant
    ) -> Duration? {
        let wait = wait(for: key, at: now, count: count)
        if wait == nil { change(key, at: now) { $0.tokens -= count } }
        return wait
    }

    /// Returns the time until there will be `count` tokens; `nil` if there are that many now.
    package mutating func wait(
        for key: Key, at now: ContinuousClock.Instant, count: Double = 1
    ) -> Duration? {
        let tokens = change(key, at: now) { _ in }
        return tokens >= count ? nil : .seconds((count - tokens) / rate.perSecond)
    }

    @discardableResult
    private mutating func change(_ key: Key, at now: ContinuousClock.Instant, _ body: (inout Bucket) -> Void) -> Double
    {
        if buckets[key] == nil, buckets.count >= keyCountMax { forgetFullest(at: now) }
        var bucket = buckets[key] ?? Bucket(tokens: initialCount, filledAt: now)
        bucket.tokens = tokens(in: bucket, at: now)
        bucket.filledAt = max(now, bucket.filledAt)
        body(&bucket)
        buckets[key] = bucket
        return bucket.tokens
    }

    private func tokens(in bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
        let elapsed = max(.zero, now - bucket.filledAt)
        return min(rate.burst, bucket.tokens + elapsed / .seconds(1) * rate.perSecond)
    }

    /// Forgets full buckets, which are equivalent to none; if none is full, the fullest quarter, so that many new keys
    /// share the cost of sorting.
    private mutating func forgetFullest(at now: ContinuousClock.Instant) {
        buckets = buckets.filter { tokens(in: $0.value, at: now) < rate.burst }
        guard buckets.count >= keyCountMax else { return }
        let fullest = buckets.map { (key: $0.key, tokens: tokens(in: $0.value, at: now)) }
            .sorted { $0.tokens > $1.tokens }.prefix(max(1, keyCountMax / 4))
        for (key, _) in fullest { buckets[key] = nil }
    }
}
