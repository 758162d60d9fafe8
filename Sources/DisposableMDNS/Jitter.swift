// SPDX-License-Identifier: Apache-2.0

/// The stack's source of delays, and of names that nobody else has. Tests give it a seed.
struct Jitter: Sendable {
    private var source: any RandomNumberGenerator & Sendable

    init(_ source: any RandomNumberGenerator & Sendable) { self.source = source }

    /// A number of milliseconds, or of what else there is.
    mutating func draw(_ range: ClosedRange<UInt64>) -> UInt64 {
        // An inclusive range of all numbers would overflow; none is drawn from here.
        range.lowerBound + source.next() % (range.upperBound - range.lowerBound + 1)
    }

    /// 64 random bits as text of digits and letters.
    mutating func name() -> String { String(source.next(), radix: 36) }
}
