// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableSystem
internal import Glibc

/// Blobs that a guest's page has sealed (protocol/disposable-v1.md §9.26): this node never has their plaintext.
extension BlobStore {
    /// The description of a blob by the page that has sealed it.
    public struct SealedPart: Sendable {
        public let blobClass: BlobClass
        /// Length of the plaintext in bytes.
        public let byteCount: UInt64
        /// The content key in a box sealed to the event's reveal key, 80 bytes.
        public let sealedKey: [UInt8]
        /// SHA-256 of the plaintext; nobody can check it before the reveal.
        public let sha256: Bytes32

        public init(blobClass: BlobClass, byteCount: UInt64, sealedKey: [UInt8], sha256: Bytes32) {
            self.blobClass = blobClass
            self.byteCount = byteCount
            self.sealedKey = sealedKey
            self.sha256 = sha256
        }
    }

    /// Copies the ciphertext of a blob out of a file, one chunk at a time, and computes its root. `commit` adds it.
    ///
    /// Throws `StoreError.blobByteCount` for a length out of the class's range, and `.changedWhileReading` for a file
    /// that ends too early.
    /// - Parameters:
    ///   - part: the description of the blob. Its box has 80 bytes.
    ///   - path: the path of a regular file.
    ///   - start: the offset of the first chunk's ciphertext in bytes.
    public func prepare(
        _ part: SealedPart, in path: String, at start: UInt64
    ) throws(StoreError) -> PreparedBlob {
        guard (1...part.blobClass.byteCountMax).contains(part.byteCount) else {
            throw .blobByteCount(part.byteCount, limit: part.blobClass.byteCountMax)
        }
        try DiskRoom(at: incomingPath).check(for: part.byteCount)
        let file = try StoreFile(path, flags: O_RDONLY | O_NONBLOCK)
        let layout = ChunkLayout(plaintextByteCount: part.byteCount)
        let temporary = part.blobClass == .thumbnail ? nil : try TemporaryFile(in: incomingPath)
        var hashes: [Bytes32] = []
        var checksums: [UInt64] = []
        var ciphertext: [UInt8] = []
        for chunk in 0..<layout.chunkCount {
            let range = layout.ciphertextRange(ofChunk: chunk)
            ciphertext = try file.read(range.count, at: start + range.lowerBound)
            guard ciphertext.count == range.count else { throw .changedWhileReading(path: path) }
            hashes.append(BlobSealing.hash(ofChunk: ciphertext.span))
            checksums.append(VerifiedChunks.checksum(of: ciphertext.span))
            try temporary?.file.write(ciphertext.span, at: range.lowerBound)
        }
        let reference = BlobReference(
            root: BlobSealing.root(byteCount: part.byteCount, chunkHashes: hashes), byteCount: part.byteCount,
            chunkLog2: ChunkLayout.chunkLog2, content: .sealed(part.sealedKey), blobClass: part.blobClass)!  // checked
        return PreparedBlob(
            reference: reference, blobClass: part.blobClass, sha256: part.sha256, chunkHashes: hashes,
            checksums: checksums, contents: temporary.map { .file($0) } ?? .bytes(ciphertext))
    }
}
