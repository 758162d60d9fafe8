// SPDX-License-Identifier: Apache-2.0

/// Durations, counted in buckets with fixed bounds. Pure: durations are arguments.
package struct Histogram: Equatable, Sendable {
    package struct Bucket: Equatable, Sendable {
        /// The longest duration that counts here; `nil` for the last bucket, which has no bound.
        package let boundMilliseconds: Int?
        /// The durations that are longer than the bound before and no longer than this one.
        package let count: UInt64
    }

    /// In milliseconds, ascending.
    package static let bounds = [5, 25, 100, 250, 1_000, 2_500, 10_000, 60_000]
    private static let durations = bounds.map { Duration.milliseconds($0) }

    /// One for each bound, and one for all longer durations.
    private var counts = [UInt64](repeating: 0, count: Self.bounds.count + 1)
    private var sum = Duration.zero

    package init() {}

    /// The sum of all durations.
    package var seconds: Double { sum / .seconds(1) }
    /// With ascending bounds.
    package var buckets: [Bucket] {
        counts.indices.map {
            Bucket(boundMilliseconds: $0 < Self.bounds.count ? Self.bounds[$0] : nil, count: counts[$0])
        }
    }

    /// Counts a duration; a negative one as zero.
    package mutating func record(_ duration: Duration) {
        let duration = max(.zero, duration)
        var index = 0
        while index < Self.durations.count, duration > Self.durations[index] { index += 1 }
        counts[index] += 1
        sum += duration
    }
}
