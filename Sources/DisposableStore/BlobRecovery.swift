// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWire
internal import Foundation
internal import GRDB

/// Makes rows and files consistent when a store is opened: the table in the documentation of `BlobStore`.
struct BlobRecovery {
    let paths: BlobPaths
    let database: EventDatabase

    struct Outcome {
        var partials: [BlobRoot: PartialBlob] = [:]
        var lost: [BlobRoot] = []
        fileprivate var finished: [BlobRoot] = []
        /// Files under a complete blob's name that are incomplete: they become `.part` once the rows say so.
        fileprivate var takenBack: [BlobRoot] = []
        fileprivate var gone: [BlobRoot] = []
    }

    /// Stats each file, and hashes only blobs that were about to be completed or have changed length.
    func run() throws(StoreError) -> Outcome {
        var outcome = Outcome()
        var filed: Set<BlobRoot> = []
        for (root, layout) in try completeFiles() {
            if try StoreFileSystem.byteCount(of: paths.path(of: root)) == layout.ciphertextByteCount {
                filed.insert(root)
            } else if let row = try database.read({ db in try BlobRow.complete(root, db) }) {
                try examine(row, &outcome)
            }
        }
        for (row, chunks) in try partialRows() {
            if try StoreFileSystem.byteCount(of: paths.path(of: row.root)) != nil {
                try examine(row, &outcome)
            } else if let byteCount = try StoreFileSystem.byteCount(of: paths.path(of: row.root, .part)) {
                outcome.partials[row.root] = PartialBlob(row, chunks: chunks).limited(to: byteCount)
            } else {
                outcome.lost.append(row.root)
                outcome.gone.append(row.root)
            }
        }
        outcome.lost.sort()
        try database.write(durably: true) { [outcome] db in
            try BlobRow.delete(outcome.gone, db)
            let complete = try db.cachedStatement(sql: "UPDATE blob SET isComplete = 1, chunks = NULL WHERE root = ?")
            for root in outcome.finished { try complete.execute(arguments: [Data(root.bytes)]) }
            for root in outcome.takenBack {
                if let partial = outcome.partials[root] { try BlobRow.takeBack(root, to: partial.chunks, db) }
            }
        }
        for root in outcome.takenBack {
            try StoreFileSystem.rename(paths.path(of: root), to: paths.path(of: root, .part))
            try StoreFileSystem.synchronizeFolder(paths.folder(of: root))
        }
        try removeStrays(filed: filed.union(outcome.finished), partials: outcome.partials)
        return outcome
    }

    /// Decides by the bytes of a complete file whose row does not match it.
    private func examine(_ row: BlobRow, _ outcome: inout Outcome) throws(StoreError) {
        try StoreFileSystem.cut(
            paths.path(of: row.root), to: ChunkLayout(plaintextByteCount: row.byteCount).ciphertextByteCount)
        let found = try BlobExamination(of: paths.path(of: row.root), row)
        if found.isWhole {
            outcome.finished.append(row.root)
            return
        }
        outcome.lost.append(row.root)
        if found.chunks.count > 0 {
            outcome.partials[row.root] = PartialBlob(row, chunks: found.chunks)
            outcome.takenBack.append(row.root)
        } else {
            outcome.gone.append(row.root)
        }
    }

    // By the contents of a row, not by its flag: a row that neither of the two finds would lose its file.

    private func completeFiles() throws(StoreError) -> [(BlobRoot, ChunkLayout)] {
        try database.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT root, byteCount, class, isComplete, bytes IS NULL FROM blob
                    WHERE chunks IS NULL AND (bytes IS NULL OR class <> 1)
                    """)
            return try rows.map { row in
                let isSound = row.number(2) != 1 && row.number(3) == 1 && row.number(4) == 1
                return (
                    try row.root(0), ChunkLayout(plaintextByteCount: try row.known(isSound ? row.byteCount(1) : nil))
                )
            }
        }
    }

    private func partialRows() throws(StoreError) -> [(row: BlobRow, chunks: ChunkBitmap)] {
        try database.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(BlobRow.columns), isComplete FROM blob WHERE chunks IS NOT NULL")
            return try rows.map { row in
                let blob = try BlobRow(row)
                guard case .partial(let chunks) = blob.contents, row.number(6) == 0 else { throw row.isImpossible }
                return (blob, chunks)
            }
        }
    }

    private func removeStrays(filed: Set<BlobRoot>, partials: [BlobRoot: PartialBlob]) throws(StoreError) {
        try paths.forEachFile { (root, suffix) throws(StoreError) in
            switch suffix {
            case .whole where filed.contains(root): return
            case .part where partials[root] != nil: return
            case .whole, .part: try StoreFileSystem.remove(paths.path(of: root, suffix))
            }
        }
    }
}

extension PartialBlob {
    fileprivate init(_ row: BlobRow, chunks: ChunkBitmap) {
        self.init(blobClass: row.blobClass, byteCount: row.byteCount, chunkHashes: row.chunkHashes, chunks: chunks)
    }

    /// Returns the blob without the chunks that do not fit into a file of `fileByteCount`.
    fileprivate func limited(to fileByteCount: UInt64) -> PartialBlob {
        var limited = self
        limited.chunks = ChunkBitmap(chunkCount: layout.chunkCount)
        for index in 0..<layout.chunkCount where layout.ciphertextRange(ofChunk: index).upperBound <= fileByteCount {
            limited.chunks[index] = chunks[index]
        }
        return limited
    }
}
