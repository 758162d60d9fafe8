// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import Foundation
internal import GRDB
internal import Synchronization

/// Chunks for other nodes.
extension BlobStore {
    /// A chunk's ciphertext, whose hash has just been checked: disks flip bits, and whoever gets wrong chunks has
    /// nothing more to do with their sender.
    ///
    /// Throws `StoreError.notHere`, or `.damaged` where its bytes cannot be read or are wrong.
    public func chunk(_ chunk: Int, of root: BlobRoot) throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            return try locateAndRead(chunk, of: root)
        } catch  where error.isFileMissing || error == .damaged(root) {
            // Renamed or taken back between the look-up and the reading; if not, it is as it seems.
            do throws(StoreError) {
                return try locateAndRead(chunk, of: root)
            } catch  where error.isFileMissing || error == .damaged(root) {
                damage.withLock(\.self)?(root)
                throw .damaged(root)
            }
        }
    }

    /// The hashes of the blob's chunks in order. Throws `StoreError.notHere` where nothing of the blob is here.
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

    /// The chunk's bytes as they are on disk, and what their hash should be.
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

    /// What the row of a complete blob says of one of its chunks; `nil` where there is no such row or no such chunk.
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
                // A partial blob's file is opened for writing, because the next chunk will find it in the cache.
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
