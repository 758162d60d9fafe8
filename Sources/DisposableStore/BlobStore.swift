// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSystem
internal import DisposableWire
internal import Synchronization

/// The ciphertext of an event's blobs: thumbnails in the database, previews and originals in files.
///
/// The order of three steps decides what a power cut may do, the same for arriving chunks and for imported files: first
/// the *data* is durable, then the file's *name*, then the *row* that records it. So a row may lag behind the files,
/// never lead. Opening repairs interrupted sequences:
///
/// | on disk | becomes |
/// |---|---|
/// | file complete, row says partial | complete if every chunk has its hash, else partial with those that have |
/// | row complete, file of another length | partial with the chunks that have their hashes, reported as lost |
/// | row complete, file missing | not here, reported as lost |
/// | `.part` shorter than the row's chunks | the chunks that are beyond its end are not here |
/// | `.part` or whole file without a row | removed |
///
/// Chunks that are written but not yet synchronized are served at once; after a power cut at most
/// `unsyncedByteCountMax` of a blob, and the chunks since the last `flush`, are fetched again. A chunk is checked
/// when it is read (`VerifiedChunks`): wrong bytes leave the store neither for a peer nor for a person.
public final class BlobStore: Sendable {
    /// Bytes of one blob written after which its data is synchronized and its bitmap committed: 8 MiB.
    public static let unsyncedByteCountMax = 8 << 20
    /// The number of file descriptors that are kept open for blobs.
    public static let openFileCountMax = 64

    let database: EventDatabase
    let paths: BlobPaths
    let incomingPath: String
    /// Held while blobs are changed, disk waits included. Its value: folders with names that may not be durable yet.
    let writing = Mutex<Set<String>>([])
    /// Held for look-ups, and while a file is renamed: never during disk waits. Taken after `writing`.
    let index: Mutex<Index>
    let verified = Mutex(VerifiedChunks())
    private let lost: [BlobRoot]
    let damage = Mutex<(@Sendable (BlobRoot) -> Void)?>(nil)

    struct Index {
        var partials: [BlobRoot: PartialBlob]
        var files = OpenFileCache(capacity: BlobStore.openFileCountMax)
    }

    init(_ folder: EventFolder, database: EventDatabase) throws(StoreError) {
        self.database = database
        paths = BlobPaths(base: folder.blobsPath)
        incomingPath = folder.incomingPath
        let recovered = try BlobRecovery(paths: paths, database: database).run()
        index = Mutex(Index(partials: recovered.partials))
        lost = recovered.lost
    }

    /// Returns the present blobs, lists in the order of the roots.
    public func inventory() throws(StoreError) -> BlobInventory {
        let partials = index.withLock { $0.partials }
        let complete = try database.read { db in try BlobRow.completeByteCounts(db) }
        return BlobInventory(
            complete: complete,
            partial: partials.map { root, partial in
                .init(
                    root: root, byteCount: partial.layout.plaintextByteCount, chunks: partial.chunks,
                    chunkHashes: partial.chunkHashes)
            }.sorted { $0.root < $1.root },
            lost: lost)
    }

    /// Deletes blobs, complete or partial: first the rows, overwritten in the database and its log, then the files.
    public func delete(_ roots: [BlobRoot]) throws(StoreError) {
        try writing.withLock { (_) throws(StoreError) in
            try database.write(durably: true) { db in try BlobRow.delete(roots, db) }
            for root in roots {
                try index.withLock { (index) throws(StoreError) in
                    index.partials[root] = nil
                    index.files.forget(root)
                    try StoreFileSystem.remove(paths.path(of: root))
                    try StoreFileSystem.remove(paths.path(of: root, .part))
                }
            }
        }
        try database.truncateLog()
    }

    /// Returns the open file of a partial blob, created if it is missing. Requires `writing`.
    func partFile(of root: BlobRoot) throws(StoreError) -> StoreFile {
        try index.withLock { (index) throws(StoreError) in
            try index.files.file(of: root) { () throws(StoreError) in
                try StoreFile(paths.path(of: root, .part), flags: StoreFile.readWriteCreating)
            }
        }
    }
}
