// SPDX-License-Identifier: Apache-2.0

/// Random numbers that a seed repeats.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// `bytes` with a few bytes changed, cut, doubled or swapped for telling values.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0..<8, using: &self) {
            guard !bytes.isEmpty else { return bytes }
            // Structure is in front, so most changes go there.
            let reach = Bool.random(using: &self) ? bytes.count : min(bytes.count, 700)
            let index = Int.random(in: 0..<reach, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes[index] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &self)!
            case 3: bytes.removeSubrange(index..<min(index + Int.random(in: 1..<40, using: &self), bytes.count))
            case 4: bytes.insert(contentsOf: bytes[index..<min(index + 30, bytes.count)], at: index)
            default: if Int.random(in: 0..<6, using: &self) == 0 { bytes.removeSubrange(index...) }
            }
        }
        return bytes
    }
}
