// SPDX-License-Identifier: Apache-2.0

/// Damages bytes as transmission errors and attackers do.
enum DamagedForms {
    /// Protobuf numbers: 2^32 - 1, and one of 64 bits: larger than any length.
    private static let numbers: [[UInt8]] = [
        [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [UInt8](repeating: 0xFF, count: 9) + [0x01],
    ]
    /// The length up to which every offset is tried.
    static let byteCountMax = 512

    /// Returns truncated forms at every offset; of long inputs at as many offsets. For valid, short inputs also forms
    /// with each bit changed and with a number that is too large instead of each byte, lengths included.
    static func of(_ bytes: [UInt8], isWhole: Bool) -> some Sequence<[UInt8]> {
        let step = max(1, bytes.count / byteCountMax)
        let changed = isWhole && bytes.count <= byteCountMax ? bytes.count : 0
        let cuts = stride(from: 0, to: bytes.count, by: step).lazy.map { Array(bytes[..<$0]) }
        let flips = (0..<changed * 8).lazy.map { bit in
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            return changed
        }
        let large = (0..<changed).lazy.flatMap { index in
            numbers.lazy.map { Array(bytes[..<index]) + $0 + bytes[(index + 1)...] }
        }
        return [AnySequence(cuts), AnySequence(flips), AnySequence(large)].lazy.joined()
    }
}
