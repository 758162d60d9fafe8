// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// A token bucket: a burst, and a long-term rate per second.
package struct TokenBucket: Sendable {
    private let perSecond: UInt64
    private let burst: UInt64
    /// In thousandths, so that a millisecond adds a whole number.
    private var thousandths: UInt64
    private var filledAt: UInt64 = 0

    package init(perSecond: Int, burst: Int) {
        self.perSecond = UInt64(perSecond)
        self.burst = UInt64(burst) * 1_000
        thousandths = self.burst
    }

    /// Takes `count` tokens if there are that many at `now`, in milliseconds.
    package mutating func take(_ count: Int = 1, at now: UInt64) -> Bool {
        fill(at: now)
        guard thousandths >= UInt64(count) * 1_000 else { return false }
        thousandths -= UInt64(count) * 1_000
        return true
    }

    /// Returns the earliest time at which there is a token.
    package func nextToken(at now: UInt64) -> UInt64 {
        thousandths >= 1_000 ? now : max(now, filledAt + (1_000 - thousandths + perSecond - 1) / perSecond)
    }

    private mutating func fill(at now: UInt64) {
        guard now > filledAt else { return }
        // A minute fills every bucket of this module; more could overflow.
        thousandths = min(burst, thousandths + min(now - filledAt, 60_000) * perSecond)
        filledAt = now
    }
}

/// Counts the packets within each second, in total and by source.
struct SourceRates: Sendable {
    private var second: UInt64 = 0
    private var total = 0
    private var counts: [IPAddress: Int] = [:]
    private var others = 0

    /// Whether to handle one more packet.
    mutating func admits(_ source: IPAddress, at now: UInt64) -> Bool {
        if now / 1_000 != second {
            second = now / 1_000
            total = 0
            others = 0
            counts.removeAll(keepingCapacity: true)
        }
        guard total < MDNSLimits.packetsPerSecondMax else { return false }
        let isCounted = counts[source] != nil || counts.count < MDNSLimits.sourceCountMax
        let count = isCounted ? counts[source, default: 0] : others
        guard count < MDNSLimits.packetsPerSourcePerSecondMax else { return false }
        total += 1
        if isCounted { counts[source] = count + 1 } else { others += 1 }
        return true
    }
}
