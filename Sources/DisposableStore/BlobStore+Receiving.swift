// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWire
internal import Synchronization

/// Storage of chunks from other nodes.
extension BlobStore {
    private enum Placement {
        case inFile
        case thumbnail(BlobRow)
        case alreadyComplete
    }

    /// Writes a batch of chunks and returns their outcomes in the same order.
    ///
    /// The batch shares its disk synchronization and its one transaction, so larger batches cost less for each chunk.
    public func write(_ chunks: [ChunkWrite]) -> [ChunkOutcome] {
        do throws(StoreError) { try DiskRoom(at: incomingPath).check() } catch {
            return chunks.map { _ in .failed(error) }
        }
        return writing.withLock { unsyncedFolders in
            var outcomes: [ChunkOutcome] = []
            var thumbnails: [BlobRow] = []
            var touched: Set<BlobRoot> = []
            for chunk in chunks {
                do throws(StoreError) {
                    switch try place(chunk, unsyncedFolders: &unsyncedFolders) {
                    case .inFile: touched.insert(chunk.root)
                    case .thumbnail(let row): thumbnails.append(row)
                    case .alreadyComplete: break
                    }
                    outcomes.append(.stored)
                } catch {
                    outcomes.append(.failed(error))
                }
            }
            let due = index.withLock { index in
                touched.filter { root in
                    guard let partial = index.partials[root] else { return false }
                    return partial.isComplete || partial.unsyncedByteCount >= Self.unsyncedByteCountMax
                }
            }
            let failures = settle(due, thumbnails: thumbnails, unsyncedFolders: &unsyncedFolders)
            let partials = index.withLock { index in touched.filter { index.partials[$0] != nil } }
            var named: Set<BlobRoot> = []
            for position in chunks.indices.reversed() where outcomes[position] == .stored {
                let root = chunks[position].root
                if let error = failures[root] {
                    outcomes[position] = .failed(error)
                } else if !partials.contains(root), named.insert(root).inserted {
                    outcomes[position] = .completed
                }
            }
            return outcomes
        }
    }

    /// Makes everything written so far durable and commits its rows. Called every two seconds and before stopping.
    ///
    /// Tries all blobs, then throws the first error in the order of the roots.
    public func flush() throws(StoreError) {
        let failures = writing.withLock { unsyncedFolders in
            let due = index.withLock { index in
                Set(index.partials.filter { $0.value.chunks != $0.value.lastingChunks || $0.value.isComplete }.keys)
            }
            return settle(due, thumbnails: [], unsyncedFolders: &unsyncedFolders)
        }
        if let first = failures.keys.min(), let error = failures[first] { throw error }
    }

    private func place(
        _ chunk: ChunkWrite, unsyncedFolders: inout Set<String>
    ) throws(StoreError) -> Placement {
        let root = chunk.root
        let known = index.withLock { $0.partials[root] }
        if known == nil, try database.read({ db in try BlobRow.isComplete(root, db) }) { return .alreadyComplete }
        var partial = if let known { known } else { try Self.begin(chunk) }
        guard (0..<partial.layout.chunkCount).contains(chunk.index),
            chunk.ciphertext.count == partial.layout.ciphertextRange(ofChunk: chunk.index).count
        else { throw .malformedChunk(root, chunk: chunk.index) }
        if partial.blobClass == .thumbnail {
            return .thumbnail(
                BlobRow(
                    root: root, blobClass: .thumbnail, byteCount: chunk.byteCount, chunkHashes: chunk.chunkHashes,
                    contents: .bytes(chunk.ciphertext)))
        }
        if partial.chunks[chunk.index] { return .inFile }
        if known == nil { unsyncedFolders.formUnion(try paths.makeFolder(of: root)) }
        try partFile(of: root).write(
            chunk.ciphertext.span, at: partial.layout.ciphertextRange(ofChunk: chunk.index).lowerBound)
        verified.withLock {
            $0.note(partial.chunkHashes[chunk.index], VerifiedChunks.checksum(of: chunk.ciphertext.span))
        }
        partial.chunks[chunk.index] = true
        partial.unsyncedByteCount += chunk.ciphertext.count
        index.withLock { $0.partials[root] = partial }
        return .inFile
    }

    private static func begin(_ chunk: ChunkWrite) throws(StoreError) -> PartialBlob {
        guard (1...chunk.blobClass.byteCountMax).contains(chunk.byteCount) else {
            throw .blobByteCount(chunk.byteCount, limit: chunk.blobClass.byteCountMax)
        }
        let chunkCount = ChunkLayout(plaintextByteCount: chunk.byteCount).chunkCount
        guard chunk.chunkHashes.count == chunkCount,
            BlobSealing.root(byteCount: chunk.byteCount, chunkHashes: chunk.chunkHashes) == chunk.root
        else { throw .malformedChunk(chunk.root, chunk: chunk.index) }
        return PartialBlob(blobClass: chunk.blobClass, byteCount: chunk.byteCount, chunkHashes: chunk.chunkHashes)
    }

    /// Makes the written chunks of `roots` durable: the data of each, then their names, then the rows in one
    /// transaction.
    /// - Returns: the blobs for which that failed, with the error. Their chunks still count as written, unless a disk
    ///   error has made them doubtful.
    private func settle(
        _ roots: Set<BlobRoot>, thumbnails: [BlobRow], unsyncedFolders: inout Set<String>
    ) -> [BlobRoot: StoreError] {
        var failures: [BlobRoot: StoreError] = [:]
        var rows = thumbnails
        for root in roots.sorted() {
            do throws(StoreError) {
                if let row = try synchronize(root, unsyncedFolders: &unsyncedFolders) { rows.append(row) }
            } catch {
                failures[root] = error
            }
        }
        guard !rows.isEmpty else { return failures }
        do throws(StoreError) {
            try synchronize(&unsyncedFolders)
            try database.write(durably: false) { db in for row in rows { try row.save(db) } }
        } catch {
            for row in rows { failures[row.root] = error }
            return failures
        }
        index.withLock { index in
            for row in rows {
                switch row.contents {
                case .partial(let chunks): index.partials[row.root]?.lastingChunks = chunks
                case .file: index.partials[row.root] = nil
                case .bytes: break
                }
            }
        }
        return failures
    }

    /// Makes the blob's data durable and, if it is complete, gives the file its final name.
    /// - Returns: the row that may be committed once the folders are synchronized.
    private func synchronize(
        _ root: BlobRoot, unsyncedFolders: inout Set<String>
    ) throws(StoreError) -> BlobRow? {
        guard let partial = index.withLock({ $0.partials[root] }) else { return nil }
        if partial.unsyncedByteCount > 0 {
            do throws(StoreError) {
                try partFile(of: root).synchronize()
            } catch {
                index.withLock { index in
                    index.partials[root]?.chunks = partial.lastingChunks
                    index.partials[root]?.unsyncedByteCount = 0
                }
                throw error
            }
            index.withLock { $0.partials[root]?.unsyncedByteCount = 0 }
        }
        if partial.isComplete, !partial.isRenamed {
            try index.withLock { (index) throws(StoreError) in
                try StoreFileSystem.rename(paths.path(of: root, .part), to: paths.path(of: root))
                index.partials[root]?.isRenamed = true
            }
            unsyncedFolders.insert(paths.folder(of: root))
        }
        return BlobRow(
            root: root, blobClass: partial.blobClass, byteCount: partial.layout.plaintextByteCount,
            chunkHashes: partial.chunkHashes, contents: partial.isComplete ? .file : .partial(partial.chunks))
    }

    /// Makes the names in `folders` durable; those that remain in it failed.
    func synchronize(_ folders: inout Set<String>) throws(StoreError) {
        for folder in folders.sorted() {
            try StoreFileSystem.synchronizeFolder(folder)
            folders.remove(folder)
        }
    }
}
