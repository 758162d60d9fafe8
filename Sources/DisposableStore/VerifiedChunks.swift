// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto

/// Checksums of chunks whose hashes this process has verified: of those that it made, received or read before.
///
/// A cryptographic hash costs as much as encryption, and a node serves the same chunk to many. A checksum detects what
/// disks and memory do to bytes; it does not stop someone who can write to the disk and chooses the bytes. A receiver
/// verifies the hash in any case.
package struct VerifiedChunks {
    /// The number of chunks that are remembered: 16 GiB of photos in 1 MiB. A chunk takes the place of an older one.
    package static let countMax = 65_536

    private struct Entry {
        var key: UInt64 = 0
        var checksum: UInt64 = 0
    }
    private var entries: [Entry] = []

    package init() {}

    /// - Parameter hash: the hash of the chunk's ciphertext, which was verified.
    package mutating func note(_ hash: Bytes32, _ checksum: UInt64) {
        if entries.isEmpty { entries = Array(repeating: Entry(), count: Self.countMax) }
        entries[place(of: hash)] = Entry(key: hash.words.0, checksum: checksum)
    }

    /// Whether bytes with this checksum had this hash.
    package func contain(_ hash: Bytes32, _ checksum: UInt64) -> Bool {
        guard !entries.isEmpty else { return false }
        let entry = entries[place(of: hash)]
        return entry.key == hash.words.0 && entry.checksum == checksum
    }

    /// Hashes are evenly distributed, and so are their parts.
    private func place(of hash: Bytes32) -> Int { Int(hash.words.0 % UInt64(Self.countMax)) }

    /// Returns a checksum. Bytes of one length that differ in one place have different ones, as have others with a
    /// probability of 1 - 2^-64.
    package static func checksum(of bytes: Span<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            // Four independent sums, so that the processor works on four words at once.
            var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
            var offset = 0
            while offset + 32 <= bytes.count {
                first = mix(first, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                second = mix(second, bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
                third = mix(third, bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
                fourth = mix(fourth, bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
                offset += 32
            }
            while offset < bytes.count {
                first = mix(first, UInt64(bytes[offset]))
                offset += 1
            }
            return mix(mix(mix(mix(UInt64(bytes.count), first), second), third), fourth)
        }
    }

    /// A bijection of `sum` for each `word`, and of `word` for each `sum`: one that differs is never forgotten.
    private static func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x9E37_79B1_85EB_CA87
        return product << 29 | product >> 35
    }
}
