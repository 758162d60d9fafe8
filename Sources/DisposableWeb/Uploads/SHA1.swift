// SPDX-License-Identifier: Apache-2.0

/// SHA-1, for the checksum of a slice (`UploadChecksum`).
package struct SHA1: Sendable {
    package static let byteCount = 20
    private static let blockByteCount = 64

    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )
    /// The start of an incomplete block.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    package init() {}

    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA1()
        hash.update(bytes)
        return hash.finish()
    }

    package mutating func update(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        rest += bytes
        let wholeByteCount = rest.count - rest.count % Self.blockByteCount
        rest.withUnsafeBytes { buffer in
            for start in stride(from: 0, to: wholeByteCount, by: Self.blockByteCount) {
                Self.mix(UnsafeRawBufferPointer(rebasing: buffer[start..<start + Self.blockByteCount]), into: &state)
            }
        }
        rest.removeFirst(wholeByteCount)
    }

    package mutating func finish() -> [UInt8] {
        let bitCount = byteCount * 8
        let zeroCount = (119 - rest.count) % Self.blockByteCount
        update([0x80] + [UInt8](repeating: 0, count: zeroCount) + bitCount.bigEndianBytes)
        return [state.0, state.1, state.2, state.3, state.4].flatMap(\.bigEndianBytes)
    }

    private static func mix(
        _ block: UnsafeRawBufferPointer, into state: inout (UInt32, UInt32, UInt32, UInt32, UInt32)
    ) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
            for index in 0..<16 {
                words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
            }
            for index in 16..<80 {
                let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
                words[index] = word << 1 | word >> 31
            }
            var (a, b, c, d, e) = state
            for index in 0..<80 {
                let (function, constant): (UInt32, UInt32) =
                    switch index {
                    case ..<20: (d ^ (b & (c ^ d)), 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: ((b & c) | (d & (b | c)), 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                let next = (a << 5 | a >> 27) &+ function &+ e &+ constant &+ words[index]
                (a, b, c, d, e) = (next, a, b << 30 | b >> 2, c, d)
            }
            state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
        }
    }
}

extension FixedWidthInteger {
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
