// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import Foundation
internal import GRDB
internal import Synchronization

/// Reading of chunks for other nodes.
extension BlobStore {
    /// Returns a chunk's ciphertext, whose hash has just been verified: disks flip bits, and peers ban a node that
    /// sends wrong chunks.
    ///
    /// Throws `StoreError.notHere`, or `.damaged` if its bytes cannot be read or are wrong.
    public func chunk(_ chunk: Int, of root: BlobRoot) throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            return try locateAndRead(chunk, of: root)
        } catch  where error.isFileMissing || error == .damaged(root) {
            // The file may have been renamed or reduced between the look-up and the read; if not, the result is final.
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
        guard BlobSealing.hash(ofChunk: bytes.span) == hash else { throw .damaged(root) }
        return bytes
    }

    /// Returns the chunk's stored bytes, and their expected hash.
    private func find(_ chunk: Int, of root: BlobRoot) throws(StoreError) -> ([UInt8], Bytes32?) {
        if let partial = index.withLock({ $0.partials[root] }) {
            guard partial.chunkHashes.indices.contains(chunk), partial.chunks[chunk] else {
                throw .notHere(root, chunk: chunk)
            }
            let range = partial.layout.ciphertextRange(ofChunk: chunk)
            return (try read(range, of: root, partial.isRenamed ? .whole : .part), partial.chunkHashes[chunk])
        }
        guard let stored = try completeBlob(root, chunk: chunk) else { throw .notHere(root, chunk: chunk) }
        if let bytes = stored.bytes { return (bytes, stored.hash) }
        return (try read(stored.range, of: root, .whole), stored.hash)
    }

    private struct StoredChunk {
        let range: Range<UInt64>
        let hash: Bytes32?
        /// The ciphertext of a thumbnail.
        let bytes: [UInt8]?
    }

    /// Returns one chunk by the row of a complete blob; `nil` if there is no such row or chunk.
    private func completeBlob(_ root: BlobRoot, chunk: Int) throws(StoreError) -> StoredChunk? {
        try database.read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT byteCount, bytes, substr(chunkHashes, ?, 32) FROM blob WHERE root = ? AND isComplete
                        """), arguments: [32 * chunk + 1, Data(root.bytes)])
            guard let row else { return nil }
            let layout = ChunkLayout(plaintextByteCount: try row.byteCount(0))
            guard (0..<layout.chunkCount).contains(chunk) else { return nil }
            return StoredChunk(
                range: layout.ciphertextRange(ofChunk: chunk), hash: row.bytes(2).flatMap { Bytes32($0) },
                bytes: row.bytes(1))
        }
    }

    private func read(
        _ range: Range<UInt64>, of root: BlobRoot, _ suffix: BlobPaths.Suffix
    ) throws(StoreError) -> [UInt8] {
        let file = try index.withLock { (index) throws(StoreError) in
            try index.files.file(of: root) { () throws(StoreError) in
                // A partial blob's file is opened for writing, because the next chunk will use it from the cache.
                try OpenFile(
                    paths.path(of: root, suffix), flags: suffix == .part ? OpenFile.readWrite : OpenFile.readOnly)
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
