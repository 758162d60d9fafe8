// SPDX-License-Identifier: Apache-2.0

/// Rates by key, for instance by address: each key has a bucket of tokens that fills with time. Pure: time is an
/// argument.
///
/// It keeps a bounded number of buckets. When a key more comes, the fullest buckets are forgotten: a key that asks for
/// little loses nothing by that, and a new key has a bucket of its own in any case, however many others there are.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: ContinuousClock.Instant
    }

    private let rate: PortalLimits.Rate
    private let keyCountMax: Int
    private var buckets: [Key: Bucket] = [:]

    package init(_ rate: PortalLimits.Rate, keyCountMax: Int) {
        self.rate = rate
        self.keyCountMax = keyCountMax
    }

    package var keyCount: Int { buckets.count }

    /// Takes one token, and returns `nil`; or takes none, and returns after how long there will be one.
    package mutating func take(for key: Key, at now: ContinuousClock.Instant) -> Duration? {
        let wait = wait(for: key, at: now)
        if wait == nil { change(key, at: now) { $0.tokens -= 1 } }
        return wait
    }

    /// After how long there will be a token; `nil` when there is one now.
    package mutating func wait(for key: Key, at now: ContinuousClock.Instant) -> Duration? {
        let tokens = change(key, at: now) { _ in }
        return tokens >= 1 ? nil : .seconds((1 - tokens) / rate.perSecond)
    }

    @discardableResult
    private mutating func change(_ key: Key, at now: ContinuousClock.Instant, _ body: (inout Bucket) -> Void) -> Double
    {
        if buckets[key] == nil, buckets.count >= keyCountMax { forgetFullest(at: now) }
        var bucket = buckets[key] ?? Bucket(tokens: rate.burst, filledAt: now)
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

    /// Forgets full buckets, which are as good as none; where none is full, the fullest quarter, so that the sorting is
    /// paid for by many new keys.
    private mutating func forgetFullest(at now: ContinuousClock.Instant) {
        buckets = buckets.filter { tokens(in: $0.value, at: now) < rate.burst }
        guard buckets.count >= keyCountMax else { return }
        let fullest = buckets.map { (key: $0.key, tokens: tokens(in: $0.value, at: now)) }
            .sorted { $0.tokens > $1.tokens }.prefix(max(1, keyCountMax / 4))
        for (key, _) in fullest { buckets[key] = nil }
    }
}
