// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import Foundation
internal import GRDB

/// Brings rows and files together again when a store is opened: the table in `BlobStore`'s story.
struct BlobRecovery {
    let paths: BlobPaths
    let database: EventDatabase

    struct Outcome {
        var partials: [BlobRoot: PartialBlob] = [:]
        var lost: [BlobRoot] = []
    }

    /// Costs one look at each file, and hashing only for blobs that were about to be completed.
    func run() throws(StoreError) -> Outcome {
        var outcome = Outcome()
        var finished: [BlobRoot] = []
        var filed: Set<BlobRoot> = []
        for (root, layout) in try completeFiles() {
            if try FileSystem.byteCount(of: paths.path(of: root)) == layout.ciphertextByteCount {
                filed.insert(root)
            } else {
                try setAside(root)
                outcome.lost.append(root)
            }
        }
        for (root, partial) in try partialRows() {
            let wholeByteCount = try FileSystem.byteCount(of: paths.path(of: root))
            if wholeByteCount != nil, try hasAllChunks(root, partial) {
                finished.append(root)
                filed.insert(root)
            } else if wholeByteCount != nil {
                try setAside(root)
                outcome.lost.append(root)
            } else if let byteCount = try FileSystem.byteCount(of: paths.path(of: root, .part)) {
                outcome.partials[root] = partial.limited(to: byteCount)
            } else {
                outcome.lost.append(root)
            }
        }
        outcome.lost.sort()
        try database.write(durably: true) { [outcome, finished] db in
            try BlobRow.delete(outcome.lost, db)
            let complete = try db.cachedStatement(sql: "UPDATE blob SET isComplete = 1, chunks = NULL WHERE root = ?")
            for root in finished { try complete.execute(arguments: [Data(root.bytes)]) }
        }
        try removeStrays(filed: filed, partials: outcome.partials)
        return outcome
    }

    private func completeFiles() throws(StoreError) -> [(BlobRoot, ChunkLayout)] {
        try database.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT root, byteCount FROM blob WHERE isComplete AND class > 1")
            return rows.compactMap { row in
                BlobRoot(row[0] as Data).map { ($0, ChunkLayout(plaintextByteCount: UInt64(row[1] as Int64))) }
            }
        }
    }

    private func partialRows() throws(StoreError) -> [(BlobRoot, PartialBlob)] {
        try database.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT root, class, byteCount, chunkHashes, chunks FROM blob WHERE NOT isComplete")
            return rows.compactMap { row in
                guard let root = BlobRoot(row[0] as Data), let blobClass = BlobClass(rawValue: row[1]) else { return nil }
                return (
                    root,
                    PartialBlob(
                        blobClass: blobClass, byteCount: UInt64(row[2] as Int64),
                        chunkHashes: BlobRow.hashes(row[3]), chunks: ChunkBitmap(bytes: [UInt8](row[4] as Data)))
                )
            }
        }
    }

    private func hasAllChunks(_ root: BlobRoot, _ partial: PartialBlob) throws(StoreError) -> Bool {
        let file = try OpenFile(paths.path(of: root), flags: OpenFile.readOnly)
        guard try file.regularByteCount() == partial.layout.ciphertextByteCount else { return false }
        for (index, hash) in partial.chunkHashes.enumerated() {
            let range = partial.layout.ciphertextRange(ofChunk: index)
            let ciphertext = try file.read(range.count, at: range.lowerBound)
            guard BlobSealing.hash(ofChunk: ciphertext.span) == hash else { return false }
        }
        return true
    }

    private func setAside(_ root: BlobRoot) throws(StoreError) {
        do throws(StoreError) {
            try FileSystem.rename(paths.path(of: root), to: paths.path(of: root, .bad))
        } catch where error.isFileMissing {
            // Nothing there to set aside.
        }
    }

    private func removeStrays(filed: Set<BlobRoot>, partials: [BlobRoot: PartialBlob]) throws(StoreError) {
        try paths.forEachFile { (root, suffix) throws(StoreError) in
            switch suffix {
            case .whole where filed.contains(root): return
            case .part where partials[root] != nil: return
            case .bad: return
            case .whole, .part: try FileSystem.remove(paths.path(of: root, suffix))
            }
        }
    }
}

extension PartialBlob {
    /// Without the chunks that do not fit into a file of `fileByteCount`.
    fileprivate func limited(to fileByteCount: UInt64) -> PartialBlob {
        var limited = self
        limited.chunks = ChunkBitmap(chunkCount: layout.chunkCount)
        for index in 0..<layout.chunkCount where layout.ciphertextRange(ofChunk: index).upperBound <= fileByteCount {
            limited.chunks[index] = chunks[index]
        }
        return limited
    }
}
