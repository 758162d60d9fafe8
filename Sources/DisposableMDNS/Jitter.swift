// SPDX-License-Identifier: Apache-2.0

/// The stack's source of random delays and unique names. Tests give it a seed.
struct Jitter: Sendable {
    private var source: any RandomNumberGenerator & Sendable

    init(_ source: any RandomNumberGenerator & Sendable) { self.source = source }

    /// Draws a number, for instance of milliseconds.
    mutating func draw(_ range: ClosedRange<UInt64>) -> UInt64 {
        // An inclusive range of all numbers would overflow; it is never used here.
        range.lowerBound + source.next() % (range.upperBound - range.lowerBound + 1)
    }

    /// Returns 64 random bits as text of digits and letters.
    mutating func name() -> String { String(source.next(), radix: 36) }
}
