// SPDX-License-Identifier: Apache-2.0

/// A small generator whose whole state is one number, so that a seed in a test name or a trace replays every choice.
///
/// The replica draws its jitter and tie-breaks from it, tests and vectors their data (Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014). Period 2^64.
///
/// - Important: Its output is predictable from eight bytes of it. Never make a key, nonce, salt or token with it.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
