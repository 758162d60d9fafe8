// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableSystem
public import DisposableWire
internal import Foundation
internal import GRDB
internal import Synchronization

/// Repair of corrupt blobs. All bytes are verified before they are given to anyone; a corrupt blob is reduced to its
/// valid chunks, so that only the others have to be fetched again.
extension BlobStore {
    /// The valid part of a blob after an examination of all its bytes.
    public enum Remainder: Equatable, Sendable {
        /// Nothing is corrupt.
        case whole
        case partial(ChunkBitmap, chunkHashes: [Bytes32])
        case nothing
    }

    /// Sets a function that is called with each blob that is found corrupt while it is read, on the reading thread;
    /// repeatedly until `takeBack` is called for the blob.
    public func onDamage(_ report: @escaping @Sendable (BlobRoot) -> Void) { damage.withLock { $0 = report } }

    /// Examines every byte of the blob and drops the corrupt chunks.
    ///
    /// Reads the whole file. After an error nothing has changed, or the next opening repairs it.
    public func takeBack(_ root: BlobRoot) throws(StoreError) -> Remainder {
        try writing.withLock { (unsyncedFolders) throws(StoreError) in
            if let partial = index.withLock({ $0.partials[root] }) {
                return try takeBack(root, partial, &unsyncedFolders)
            }
            guard let row = try database.read({ db in try BlobRow.complete(root, db) }) else { return .nothing }
            if case .bytes(let ciphertext) = row.contents {
                if BlobExamination.isRight(ciphertext, row) { return .whole }
                return try forget(root)
            }
            return try takeBack(row, &unsyncedFolders)
        }
    }

    private func takeBack(_ row: BlobRow, _ unsyncedFolders: inout Set<String>) throws(StoreError) -> Remainder {
        let root = row.root
        try StoreFileSystem.cut(
            paths.path(of: root), to: ChunkLayout(plaintextByteCount: row.byteCount).ciphertextByteCount)
        let found = try BlobExamination(of: paths.path(of: root), row)
        if found.isWhole {
            guard found.chunkHashes != row.chunkHashes else { return .whole }
            try database.write(durably: true) { db in try BlobRow.correct(root, chunkHashes: found.chunkHashes, db) }
            index.withLock { $0.files.forget(root) }
            return .whole
        }
        guard found.chunks.count > 0 else { return try forget(root) }
        // First the row: a complete file with a row that says partial is examined when the store is opened.
        try database.write(durably: true) { db in try BlobRow.takeBack(root, to: found.chunks, db) }
        try index.withLock { (index) throws(StoreError) in
            index.files.forget(root)
            try StoreFileSystem.rename(paths.path(of: root), to: paths.path(of: root, .part))
            index.partials[root] = PartialBlob(
                blobClass: row.blobClass, byteCount: row.byteCount, chunkHashes: row.chunkHashes, chunks: found.chunks)
        }
        unsyncedFolders.insert(paths.folder(of: root))
        return .partial(found.chunks, chunkHashes: row.chunkHashes)
    }

    private func takeBack(
        _ root: BlobRoot, _ partial: PartialBlob, _ unsyncedFolders: inout Set<String>
    ) throws(StoreError) -> Remainder {
        let row = BlobRow(
            root: root, blobClass: partial.blobClass, byteCount: partial.layout.plaintextByteCount,
            chunkHashes: partial.chunkHashes, contents: .partial(partial.chunks))
        let found = try BlobExamination(of: paths.path(of: root, partial.isRenamed ? .whole : .part), row)
        guard found.chunks.count > 0 else { return try forget(root) }
        // Only durable chunks: a file may hold valid bytes from before a crash that are not on disk for certain.
        var chunks = found.chunks
        for index in 0..<partial.layout.chunkCount where !partial.chunks[index] { chunks[index] = false }
        let kept = chunks
        try database.write(durably: true) { db in
            try BlobRow(
                root: root, blobClass: row.blobClass, byteCount: row.byteCount, chunkHashes: row.chunkHashes,
                contents: .partial(kept)
            ).save(db)
        }
        try index.withLock { (index) throws(StoreError) in
            if partial.isRenamed {
                index.files.forget(root)
                try StoreFileSystem.rename(paths.path(of: root), to: paths.path(of: root, .part))
                unsyncedFolders.insert(paths.folder(of: root))
            }
            index.partials[root]?.isRenamed = false
            index.partials[root]?.chunks = kept
            index.partials[root]?.lastingChunks = kept
        }
        return .partial(kept, chunkHashes: partial.chunkHashes)
    }

    /// Deletes a blob without any valid chunk.
    private func forget(_ root: BlobRoot) throws(StoreError) -> Remainder {
        try database.write(durably: true) { db in try BlobRow.delete([root], db) }
        try index.withLock { (index) throws(StoreError) in
            index.partials[root] = nil
            index.files.forget(root)
            try StoreFileSystem.remove(paths.path(of: root))
            try StoreFileSystem.remove(paths.path(of: root, .part))
        }
        return .nothing
    }
}

/// The valid part of a blob's file.
struct BlobExamination {
    /// The chunks whose bytes match their hashes.
    private(set) var chunks: ChunkBitmap
    /// The hashes of the file itself, if it has the blob's length and root; otherwise those given.
    private(set) var chunkHashes: [Bytes32]
    private(set) var isWhole: Bool

    /// Examines a file. A missing one has no chunks, and one with read errors has those that can be read.
    init(of path: String, _ row: BlobRow) throws(StoreError) {
        let layout = ChunkLayout(plaintextByteCount: row.byteCount)
        chunks = ChunkBitmap(chunkCount: layout.chunkCount)
        chunkHashes = row.chunkHashes
        isWhole = false
        guard let fileByteCount = try StoreFileSystem.byteCount(of: path) else { return }
        let file = try StoreFile(path, flags: StoreFile.readOnly)
        var found: [Bytes32?] = []
        for index in 0..<layout.chunkCount {
            let range = layout.ciphertextRange(ofChunk: index)
            let bytes: [UInt8]
            do throws(StoreError) {
                bytes = try file.read(range.count, at: range.lowerBound)
            } catch  where error.isUnreadableMedium {
                found.append(nil)
                continue
            }
            found.append(bytes.count == range.count ? BlobSealing.hash(ofChunk: bytes.span) : nil)
        }
        let hashes = found.compactMap(\.self)
        if fileByteCount == layout.ciphertextByteCount, hashes.count == layout.chunkCount,
            BlobSealing.root(byteCount: row.byteCount, chunkHashes: hashes) == row.root
        {
            isWhole = true
            chunkHashes = hashes
        }
        // A corrupt list proves nothing about a chunk.
        guard isWhole || BlobSealing.root(byteCount: row.byteCount, chunkHashes: row.chunkHashes) == row.root else {
            return
        }
        for index in 0..<layout.chunkCount where found[index] == chunkHashes[index] { chunks[index] = true }
    }

    /// Whether `ciphertext` is the complete content of a blob of one chunk.
    static func isRight(_ ciphertext: [UInt8], _ row: BlobRow) -> Bool {
        BlobSealing.root(byteCount: row.byteCount, chunkHashes: [BlobSealing.hash(ofChunk: ciphertext.span)])
            == row.root
            && row.chunkHashes == [BlobSealing.hash(ofChunk: ciphertext.span)]
    }
}
