// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableStore
import Testing

@Suite("VerifiedChunks") struct VerifiedChunksTests {
    @Test("every flipped bit, every exchange of words and every other length changes the checksum", arguments: [1, 31, 64, 333])
    func changes(byteCount: Int) {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 3) }
        let checksum = VerifiedChunks.checksum(of: bytes.span)
        for bit in 0..<8 * byteCount {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(VerifiedChunks.checksum(of: changed.span) != checksum)
        }
        let longer = bytes + [0]
        #expect(VerifiedChunks.checksum(of: longer.span) != checksum)
        guard byteCount >= 48 else { return }
        for distance in [8, 32] {
            var changed = bytes
            for offset in 0..<8 { changed.swapAt(offset, offset + distance) }
            #expect(VerifiedChunks.checksum(of: changed.span) != checksum)
        }
    }

    @Test("a chunk is known by its hash and its checksum, and gives way to others")
    func memory() {
        var verified = VerifiedChunks()
        let hash = { (number: UInt64) in Bytes32(words: number, 1, 2, 3) }
        #expect(!verified.contain(hash(5), 0))
        verified.note(hash(5), 77)
        #expect(verified.contain(hash(5), 77))
        #expect(!verified.contain(hash(5), 78))
        #expect(!verified.contain(hash(6), 77))
        #expect(!verified.contain(hash(5 + UInt64(VerifiedChunks.countMax)), 77))
        verified.note(hash(5 + UInt64(VerifiedChunks.countMax)), 77)
        #expect(!verified.contain(hash(5), 77))
    }
}
