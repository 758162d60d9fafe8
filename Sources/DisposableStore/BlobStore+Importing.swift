// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableSystem
internal import Glibc
internal import Synchronization

/// Imports of this node. `prepare` does the work and may run on several threads; `commit` makes a whole batch durable
/// at once. The same device importing the same bytes again gets the same blob.
extension BlobStore {
    /// Seals a regular file, which is read twice and never held in memory: 256 KiB at a time.
    ///
    /// Throws `StoreError.notRegularFile`, `.blobByteCount` for an empty file or one above the class's limit, and
    /// `.changedWhileReading`.
    public func prepare(
        fileAt path: String, blobClass: BlobClass, importSecret: SecretBytes
    ) throws(StoreError) -> PreparedBlob {
        let file = try StoreFile(path, flags: O_RDONLY | O_NONBLOCK)  // a pipe is refused, not waited for
        return try prepare(
            .file(file), byteCount: file.regularByteCount(), blobClass: blobClass, importSecret: importSecret)
    }

    /// Seals bytes: thumbnails and previews. Throws `StoreError.blobByteCount`.
    public func prepare(
        _ bytes: [UInt8], blobClass: BlobClass, importSecret: SecretBytes
    ) throws(StoreError) -> PreparedBlob {
        try prepare(.bytes(bytes), byteCount: UInt64(bytes.count), blobClass: blobClass, importSecret: importSecret)
    }

    /// Adds a batch to the store; durable when this returns. Existing blobs are left unchanged. Each new blob counts as
    /// undescribed until `noteStated`.
    ///
    /// After an error the same batch may be committed again.
    public func commit(_ blobs: [PreparedBlob]) throws(StoreError) {
        try writing.withLock { (unsyncedFolders) throws(StoreError) in
            let missing = try database.read { db in
                try blobs.filter { try !BlobRow.isComplete($0.reference.root, db) }
            }
            for blob in missing {
                guard case .file(let temporary) = blob.contents else { continue }
                try temporary.file.synchronize()
                unsyncedFolders.formUnion(try paths.makeFolder(of: blob.reference.root))
                // The file is already renamed if an earlier commit of it has failed at the database.
                guard try StoreFileSystem.byteCount(of: temporary.file.path) != nil else { continue }
                try StoreFileSystem.rename(temporary.file.path, to: paths.path(of: blob.reference.root))
            }
            try synchronize(&unsyncedFolders)
            try database.write(durably: true) { db in
                for blob in missing {
                    try blob.row.save(db)
                    try Self.noteUnstated(blob.reference.root, db)
                }
            }
            verified.withLock { verified in
                for blob in missing {
                    for (hash, checksum) in zip(blob.chunkHashes, blob.checksums) { verified.note(hash, checksum) }
                }
            }
            for root in missing.map(\.reference.root) {
                // Another node may have been sending it as well.
                try index.withLock { (index) throws(StoreError) in
                    guard index.partials.removeValue(forKey: root) != nil else { return }
                    index.files.forget(root)
                    try StoreFileSystem.remove(paths.path(of: root, .part))
                }
            }
        }
    }

    private enum Plaintext {
        case bytes([UInt8])
        case file(StoreFile)

        /// Returns fewer bytes than requested if a file ends early.
        func read(_ range: Range<UInt64>) throws(StoreError) -> [UInt8] {
            switch self {
            case .bytes(let bytes): Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            case .file(let file): try file.read(range.count, at: range.lowerBound)
            }
        }

        var path: String {
            switch self {
            case .bytes: "memory"
            case .file(let file): file.path
            }
        }
    }

    private func prepare(
        _ plaintext: Plaintext, byteCount: UInt64, blobClass: BlobClass, importSecret: SecretBytes
    ) throws(StoreError) -> PreparedBlob {
        guard (1...blobClass.byteCountMax).contains(byteCount) else {
            throw .blobByteCount(byteCount, limit: blobClass.byteCountMax)
        }
        try DiskRoom(at: incomingPath).check(for: byteCount)
        let layout = ChunkLayout(plaintextByteCount: byteCount)
        let (plaintextHash, sha256) = try Self.hash(plaintext, layout)
        let key = BlobSealing.key(importSecret: importSecret, blobClass: blobClass, plaintextHash: plaintextHash)

        let temporary = blobClass == .thumbnail ? nil : try TemporaryFile(in: incomingPath)
        var hashes: [Bytes32] = []
        var checksums: [UInt64] = []
        var sealedHash = BLAKE2b()
        var ciphertext: [UInt8] = []
        for chunk in 0..<layout.chunkCount {
            let bytes = try plaintext.read(layout.plaintextRange(ofChunk: chunk))
            sealedHash.update(bytes.span)
            ciphertext.removeAll(keepingCapacity: true)
            BlobSealing.sealChunk(
                bytes.span, index: chunk, isLast: chunk == layout.chunkCount - 1, key: key, appendingTo: &ciphertext)
            hashes.append(BlobSealing.hash(ofChunk: ciphertext.span))
            checksums.append(VerifiedChunks.checksum(of: ciphertext.span))
            try temporary?.file.write(ciphertext.span, at: layout.ciphertextRange(ofChunk: chunk).lowerBound)
        }
        // The key belongs to the bytes that were hashed first. Other bytes under it would reuse its nonces, so they
        // must not leave this function.
        guard Bytes32(sealedHash.finalize()) == plaintextHash else { throw .changedWhileReading(path: plaintext.path) }
        let reference = BlobReference(
            root: BlobSealing.root(byteCount: byteCount, chunkHashes: hashes), byteCount: byteCount,
            chunkLog2: ChunkLayout.chunkLog2, key: key, blobClass: blobClass)!  // the length was checked above
        return PreparedBlob(
            reference: reference, blobClass: blobClass, sha256: sha256, chunkHashes: hashes,
            checksums: checksums, contents: temporary.map { .file($0) } ?? .bytes(ciphertext))
    }

    private static func hash(
        _ plaintext: Plaintext, _ layout: ChunkLayout
    ) throws(StoreError) -> (blake2b: Bytes32, sha256: Bytes32) {
        var blake2b = BLAKE2b()
        var sha256 = SHA256()
        for chunk in 0..<layout.chunkCount {
            let bytes = try plaintext.read(layout.plaintextRange(ofChunk: chunk))
            blake2b.update(bytes.span)
            sha256.update(bytes.span)
        }
        return (Bytes32(blake2b.finalize())!, sha256.finalize())  // 32 bytes by construction
    }
}

extension PreparedBlob {
    fileprivate var row: BlobRow {
        let contents: BlobRow.Contents
        switch self.contents {
        case .bytes(let ciphertext): contents = .bytes(ciphertext)
        case .file: contents = .file
        }
        return BlobRow(
            root: reference.root, blobClass: blobClass, byteCount: reference.byteCount, chunkHashes: chunkHashes,
            contents: contents)
    }
}
