// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

private func secret(_ byte: UInt8) -> SecretBytes {
    var bytes = [UInt8](repeating: byte, count: 32)
    return SecretBytes(consuming: &bytes)
}

@Suite struct ChunkLayoutTests {
    static let chunk: UInt64 = 262_144

    @Test(
        "chunks cover the plaintext and the ciphertext without gap or overlap, 16 bytes more a chunk",
        arguments: [
            (1, 1), (chunk - 1, 1), (chunk, 1), (chunk + 1, 2), (2 * chunk, 2), (2 * chunk + 1, 3),
            (BlobClass.original.byteCountMax - 1, 1_024), (BlobClass.original.byteCountMax, 1_024),
        ] as [(UInt64, Int)])
    func boundaries(byteCount: UInt64, chunkCount: Int) {
        let layout = ChunkLayout(plaintextByteCount: byteCount)
        #expect(layout.chunkCount == chunkCount)
        #expect(layout.ciphertextByteCount == byteCount + 16 * UInt64(chunkCount))
        var plaintextEnd: UInt64 = 0
        var ciphertextEnd: UInt64 = 0
        for index in 0..<chunkCount {
            let plaintext = layout.plaintextRange(ofChunk: index)
            let ciphertext = layout.ciphertextRange(ofChunk: index)
            #expect(plaintext.lowerBound == plaintextEnd)
            #expect(ciphertext.lowerBound == ciphertextEnd)
            #expect(!plaintext.isEmpty)
            #expect(ciphertext.count == plaintext.count + 16)
            if index < chunkCount - 1 { #expect(plaintext.count == Int(Self.chunk)) }
            plaintextEnd = plaintext.upperBound
            ciphertextEnd = ciphertext.upperBound
        }
        #expect(plaintextEnd == byteCount)
        #expect(ciphertextEnd == layout.ciphertextByteCount)
    }

    @Test("a blob reference takes 1 byte to the limit of its class, chunks of 256 KiB and a key of 32 bytes only")
    func referenceRanges() {
        func isAccepted(_ byteCount: UInt64, _ blobClass: BlobClass, log2: UInt8 = 18, keyByteCount: Int = 32) -> Bool {
            var bytes = [UInt8](repeating: 7, count: keyByteCount)
            return BlobReference(
                root: BlobRoot(Bytes32.zero), byteCount: byteCount, chunkLog2: log2,
                key: SecretBytes(consuming: &bytes),
                blobClass: blobClass) != nil
        }
        let limits: [(BlobClass, UInt64)] = [
            (.thumbnail, 24_576), (.preview, 524_288), (.original, 268_435_456),
        ]
        for (blobClass, limit) in limits {
            #expect(!isAccepted(0, blobClass))
            #expect(isAccepted(1, blobClass))
            #expect(isAccepted(limit, blobClass))
            #expect(!isAccepted(limit + 1, blobClass))
            #expect(!isAccepted(.max, blobClass))
        }
        #expect(!isAccepted(1, .original, log2: 17))
        #expect(!isAccepted(1, .original, log2: 19))
        #expect(!isAccepted(1, .original, keyByteCount: 31))
        #expect(!isAccepted(1, .original, keyByteCount: 33))
    }
}

@Suite struct BlobReferenceTests {
    @Test("as many references as a large event has live at once, and each still tells its key")
    func manyReferences() throws {
        let key = secret(5)
        let references = try (0..<40_000).map { number in
            try #require(
                BlobReference(
                    root: BlobRoot(Bytes32.zero), byteCount: 1 + UInt64(number % 100), chunkLog2: 18, key: key,
                    blobClass: .thumbnail))
        }
        #expect(references.count == 40_000)
        #expect(references[39_999].key?.isEqual(to: key) == true)
    }

    @Test("a reference never prints its key")
    func description() throws {
        let reference = try #require(
            BlobReference(
                root: BlobRoot(Bytes32.zero), byteCount: 9, chunkLog2: 18, key: secret(0xAB), blobClass: .thumbnail))
        #expect("\(reference)" == "BlobReference(00000000, 9 bytes)")
        #expect("\([reference])" == "[BlobReference(00000000, 9 bytes)]")
    }
}

@Suite struct BlobSealingTests {
    private func sealed(_ plaintext: [UInt8], index: Int, isLast: Bool, key: SecretBytes = secret(1)) -> [UInt8] {
        var output = [UInt8]()
        BlobSealing.sealChunk(plaintext.span, index: index, isLast: isLast, key: key, appendingTo: &output)
        return output
    }

    @Test("a chunk opens under its own key, index and last-flag and under no other")
    func opens() throws {
        let plaintext = [UInt8](0..<100)
        let chunk = sealed(plaintext, index: 3, isLast: false)
        #expect(chunk.count == 116)
        #expect(try BlobSealing.openChunk(chunk.span, index: 3, isLast: false, key: secret(1)) == plaintext)
        for (index, isLast, key) in [
            (3, true, UInt8(1)), (2, false, 1), (4, false, 1), (3 << 8, false, 1), (3, false, 2),
        ] {
            #expect(throws: CryptoError.authenticationFailed) {
                _ = try BlobSealing.openChunk(chunk.span, index: index, isLast: isLast, key: secret(key))
            }
        }
    }

    @Test("a blob cut off after a whole chunk does not open: the chunk before does not say it is the last")
    func cutOff() {
        let first = sealed([1, 2, 3], index: 0, isLast: false)
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try BlobSealing.openChunk(first.span, index: 0, isLast: true, key: secret(1))
        }
    }

    @Test("a chunk with any bit changed or any byte missing does not open")
    func tampering() {
        let chunk = sealed([9, 8, 7], index: 0, isLast: true)
        for bit in 0..<chunk.count * 8 {
            var changed = chunk
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptoError.authenticationFailed) {
                _ = try BlobSealing.openChunk(changed.span, index: 0, isLast: true, key: secret(1))
            }
        }
        for count in chunk.indices {
            let part = Array(chunk.prefix(count))
            #expect(throws: CryptoError.authenticationFailed) {
                _ = try BlobSealing.openChunk(part.span, index: 0, isLast: true, key: secret(1))
            }
        }
    }

    @Test("the root changes with the length, the order, the number and any hash of the chunks")
    func root() {
        let hashes = (0..<4).map { BLAKE2b.hash([UInt8($0)]) }
        let root = BlobSealing.root(byteCount: 1_000_000, chunkHashes: hashes)
        #expect(BlobSealing.root(byteCount: 1_000_000, chunkHashes: hashes) == root)
        var others = [
            BlobSealing.root(byteCount: 1_000_001, chunkHashes: hashes),
            BlobSealing.root(byteCount: 1_000_000, chunkHashes: hashes.reversed()),
            BlobSealing.root(byteCount: 1_000_000, chunkHashes: hashes.dropLast()),
            BlobSealing.root(byteCount: 1_000_000, chunkHashes: hashes + [.zero]),
            BlobSealing.root(byteCount: 1_000_000, chunkHashes: []),
        ]
        for index in hashes.indices {
            var changed = hashes
            changed[index] = .zero
            others.append(BlobSealing.root(byteCount: 1_000_000, chunkHashes: changed))
        }
        #expect(Set(others + [root]).count == others.count + 1)
    }

    @Test("a blob's key is the same for the same import and differs by secret, class and plaintext")
    func keys() {
        let hash = BLAKE2b.hash([1])
        let key = BlobSealing.key(importSecret: secret(1), blobClass: .original, plaintextHash: hash)
        #expect(
            key.isEqual(to: BlobSealing.key(importSecret: secret(1), blobClass: .original, plaintextHash: hash)))
        #expect(!key.isEqual(to: BlobSealing.key(importSecret: secret(2), blobClass: .original, plaintextHash: hash)))
        #expect(!key.isEqual(to: BlobSealing.key(importSecret: secret(1), blobClass: .preview, plaintextHash: hash)))
        #expect(!key.isEqual(to: BlobSealing.key(importSecret: secret(1), blobClass: .original, plaintextHash: .zero)))
    }
}
