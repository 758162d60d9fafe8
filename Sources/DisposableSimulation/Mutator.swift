// SPDX-License-Identifier: Apache-2.0
package import DisposableSync

/// Corrupts bytes as chance and attackers do: a decoder must answer with a named error and nothing worse.
package struct Mutator {
    package private(set) var random: SplitMix64
    /// Complete inputs of the same kind, from which parts are copied into wrong places.
    private let samples: [[UInt8]]
    /// The maximum length of an input.
    private let byteCountMax: Int

    package init(seed: UInt64, samples: [[UInt8]], byteCountMax: Int = 1 << 16) {
        random = SplitMix64(seed: seed)
        self.samples = samples
        self.byteCountMax = byteCountMax
    }

    /// Returns one of the samples with one to four mutations.
    package mutating func next() -> [UInt8] {
        guard var bytes = samples.randomElement(using: &random) else { return [] }
        for _ in 0..<Int.random(in: 1...4, using: &random) { spoil(&bytes) }
        return Array(bytes.prefix(byteCountMax))
    }

    private mutating func place(_ bytes: [UInt8]) -> Int { Int.random(in: 0...bytes.count, using: &random) }

    private mutating func range(_ bytes: [UInt8]) -> Range<Int> {
        let (one, other) = (place(bytes), place(bytes))
        // Short ranges more often than long ones.
        let end = Bool.random(using: &random) ? max(one, other) : min(bytes.count, min(one, other) + 8)
        return min(one, other)..<max(end, min(one, other))
    }

    private mutating func spoil(_ bytes: inout [UInt8]) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: bytes.removeLast(bytes.count - place(bytes))
        case 1...2:
            guard !bytes.isEmpty else { return }
            bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3:
            guard !bytes.isEmpty else { return }
            let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF]
            bytes[Int.random(in: bytes.indices, using: &random)] = values.randomElement(using: &random) ?? 0
        case 4: bytes.removeSubrange(range(bytes))
        case 5: bytes.insert(contentsOf: bytes[range(bytes)], at: place(bytes))
        case 6:
            guard let other = samples.randomElement(using: &random) else { return }
            bytes.replaceSubrange(range(bytes), with: other[range(other)])
        case 7: overwrite(&bytes)
        case 8:
            // Repeat a part many times.
            let part = Array(bytes[range(bytes)])
            guard !part.isEmpty, part.count < 4_096 else { return }
            let count = min(1 << Int.random(in: 1...12, using: &random), byteCountMax / part.count)
            bytes.insert(contentsOf: (0..<count).flatMap { _ in part }, at: place(bytes))
        default:
            let noise = (0..<Int.random(in: 1...16, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            bytes.insert(contentsOf: noise, at: place(bytes))
        }
    }

    /// Writes lengths that are far too large, or slightly wrong: as big-endian numbers, and as varints of both kinds.
    private mutating func overwrite(_ bytes: inout [UInt8]) {
        let lengths: [[UInt8]] = [
            [0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF],
            [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x80, 0x80, 0x80, 0x80, 0x08],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], [0, 0, 0, 0, 0, 0, 0, 0],
        ]
        guard let length = lengths.randomElement(using: &random) else { return }
        let start = place(bytes)
        bytes.replaceSubrange(start..<min(start + length.count, bytes.count), with: length)
    }
}
