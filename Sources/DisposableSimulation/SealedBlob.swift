// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
internal import DisposableSync

/// A blob as made by its author's node.
package struct SealedBlob: Sendable {
    package enum Content: Sendable {
        case chunks([[UInt8]])
        /// Generated again for each read: thousands of originals need no memory.
        case synthetic(seed: UInt64)
    }

    package let reference: BlobReference
    package let hashes: [Bytes32]
    package let content: Content

    /// Seals `plaintext` as a node does.
    package init(_ plaintext: [UInt8], _ blobClass: BlobClass, importSecret: SecretBytes) {
        let key = BlobSealing.key(
            importSecret: importSecret, blobClass: blobClass, plaintextHash: BLAKE2b.hash(plaintext.span))
        let layout = ChunkLayout(plaintextByteCount: UInt64(plaintext.count))
        let chunks = (0..<layout.chunkCount).map { index in
            let range = layout.plaintextRange(ofChunk: index)
            let part = Array(plaintext[Int(range.lowerBound)..<Int(range.upperBound)])
            var chunk: [UInt8] = []
            BlobSealing.sealChunk(
                part.span, index: index, isLast: index == layout.chunkCount - 1, key: key, appendingTo: &chunk)
            return chunk
        }
        self.init(
            byteCount: plaintext.count, blobClass, key: key, hashes: chunks.map { BlobSealing.hash(ofChunk: $0.span) },
            content: .chunks(chunks))
    }

    /// A blob whose ciphertext is a function of `seed`: there is no plaintext, and no engine needs one.
    package init(synthetic seed: UInt64, byteCount: Int, _ blobClass: BlobClass, key: SecretBytes) {
        let layout = ChunkLayout(plaintextByteCount: UInt64(byteCount))
        self.init(
            byteCount: byteCount, blobClass, key: key,
            hashes: (0..<layout.chunkCount).map {
                BlobSealing.hash(ofChunk: Self.synthesize(seed, $0, layout).span)
            },
            content: .synthetic(seed: seed))
    }

    private init(byteCount: Int, _ blobClass: BlobClass, key: SecretBytes, hashes: [Bytes32], content: Content) {
        self.hashes = hashes
        self.content = content
        reference = BlobReference(
            root: BlobSealing.root(byteCount: UInt64(byteCount), chunkHashes: hashes), byteCount: UInt64(byteCount),
            chunkLog2: ChunkLayout.chunkLog2, key: key, blobClass: blobClass)!  // sizes are the simulation's own
    }

    package var chunks: [[UInt8]] { hashes.indices.map(chunk) }

    package func chunk(_ index: Int) -> [UInt8] {
        switch content {
        case .chunks(let chunks): chunks[index]
        case .synthetic(let seed): Self.synthesize(seed, index, reference.layout)
        }
    }

    private static func synthesize(_ seed: UInt64, _ index: Int, _ layout: ChunkLayout) -> [UInt8] {
        var random = SplitMix64(seed: seed &+ UInt64(index) &* 0x9E37_79B9)
        return random.plaintext(layout.ciphertextRange(ofChunk: index).count)
    }
}
