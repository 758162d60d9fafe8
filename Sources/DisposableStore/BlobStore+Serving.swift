// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableSystem
internal import DisposableWire
internal import Foundation
internal import GRDB
internal import Synchronization

/// Reading of chunks for other nodes.
extension BlobStore {
    /// Returns a chunk's ciphertext, which was verified: disks flip bits, and peers ban a node that sends wrong chunks.
    /// Bytes with the checksum of a chunk whose hash this process has verified are not hashed again.
    ///
    /// Throws `StoreError.notHere`, or `.damaged` if its bytes cannot be read or are wrong.
    public func chunk(_ chunk: Int, of root: BlobRoot) throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            return try locateAndRead(chunk, of: root)
        } catch  where error.isFileMissing || error == .damaged(root) {
            // The file may have been renamed or reduced between the look-up and the read; if not, the result is final.
            index.withLock { $0.files.forget(root) }
            do throws(StoreError) {
                return try locateAndRead(chunk, of: root)
            } catch  where error.isFileMissing || error == .damaged(root) {
                damage.withLock(\.self)?(root)
                throw .damaged(root)
            }
        }
    }

    /// Returns the hashes of the blob's chunks in order. Throws `StoreError.notHere` if nothing of the blob is stored.
    public func chunkHashes(of root: BlobRoot) throws(StoreError) -> [Bytes32] {
        if let partial = index.withLock({ $0.partials[root] }) { return partial.chunkHashes }
        guard let hashes = try database.read({ db in try BlobRow.chunkHashes(root, db) }) else {
            throw .notHere(root, chunk: 0)
        }
        return hashes
    }

    private func locateAndRead(_ chunk: Int, of root: BlobRoot) throws(StoreError) -> [UInt8] {
        let (bytes, hash) = try find(chunk, of: root)
        guard let hash else { throw .damaged(root) }
        let checksum = VerifiedChunks.checksum(of: bytes.span)
        if verified.withLock({ $0.contain(hash, checksum) }) { return bytes }
        guard BlobSealing.hash(ofChunk: bytes.span) == hash else { throw .damaged(root) }
        verified.withLock { $0.note(hash, checksum) }
        return bytes
    }

    /// Returns the chunk's stored bytes, and their expected hash.
    private func find(_ chunk: Int, of root: BlobRoot) throws(StoreError) -> ([UInt8], Bytes32?) {
        let (partial, complete) = index.withLock { ($0.partials[root], $0.files.complete(root)) }
        if let partial {
            guard partial.chunkHashes.indices.contains(chunk), partial.chunks[chunk] else {
                throw .notHere(root, chunk: chunk)
            }
            let range = partial.layout.ciphertextRange(ofChunk: chunk)
            return (try read(range, of: root, partial.isRenamed ? .whole : .part), partial.chunkHashes[chunk])
        }
        if let complete { return try read(chunk, of: root, complete) }
        switch try completeBlob(root) {
        case nil: throw .notHere(root, chunk: chunk)
        case .thumbnail(let bytes, let hash):
            guard chunk == 0 else { throw .notHere(root, chunk: chunk) }
            return (bytes, hash)
        case .file(let complete):
            let found = try read(chunk, of: root, complete)
            index.withLock { $0.files.note(complete, of: root) }
            return found
        }
    }

    private func read(
        _ chunk: Int, of root: BlobRoot, _ blob: OpenFileCache.Complete
    ) throws(StoreError) -> ([UInt8], Bytes32?) {
        guard (0..<blob.layout.chunkCount).contains(chunk) else { throw .notHere(root, chunk: chunk) }
        let hash = blob.chunkHashes.indices.contains(chunk) ? blob.chunkHashes[chunk] : nil
        return (try read(blob.layout.ciphertextRange(ofChunk: chunk), of: root, .whole), hash)
    }

    private enum CompleteBlob {
        /// A thumbnail's ciphertext, its only chunk.
        case thumbnail([UInt8], hash: Bytes32?)
        case file(OpenFileCache.Complete)
    }

    /// Returns the row of a complete blob, `nil` if there is none.
    private func completeBlob(_ root: BlobRoot) throws(StoreError) -> CompleteBlob? {
        try database.read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT byteCount, bytes, chunkHashes FROM blob WHERE root = ? AND isComplete"),
                arguments: [Data(root.bytes)])
            guard let row else { return nil }
            let hashes = BlobRow.hashes(Data(row.bytes(2) ?? []))
            if let bytes = row.bytes(1) { return .thumbnail(bytes, hash: hashes.first) }
            return .file(.init(layout: ChunkLayout(plaintextByteCount: try row.byteCount(0)), chunkHashes: hashes))
        }
    }

    private func read(
        _ range: Range<UInt64>, of root: BlobRoot, _ suffix: BlobPaths.Suffix
    ) throws(StoreError) -> [UInt8] {
        let file = try index.withLock { (index) throws(StoreError) in
            try index.files.file(of: root) { () throws(StoreError) in
                // A partial blob's file is opened for writing, because the next chunk will use it from the cache.
                try StoreFile(
                    paths.path(of: root, suffix), flags: suffix == .part ? StoreFile.readWrite : StoreFile.readOnly)
            }
        }
        do throws(StoreError) {
            let bytes = try file.read(range.count, at: range.lowerBound)
            guard bytes.count == range.count else { throw .damaged(root) }
            return bytes
        } catch  where error.isUnreadableMedium {
            throw .damaged(root)
        }
    }
}
