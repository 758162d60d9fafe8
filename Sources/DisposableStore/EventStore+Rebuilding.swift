// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import Foundation
internal import GRDB

/// The result of rebuilding a corrupt database.
public struct Rebuilding: Equatable, Sendable {
    /// The reason for the rebuild.
    public let reason: String
    /// The new path of the old database; `nil` if there was none.
    public let setAsidePath: String?
    public let operationCount: Int
    /// The number of complete blobs.
    public let completeCount: Int
}

extension EventStore {
    static let mustReconcileKey = "must reconcile"

    /// Whether operations may have been lost, this device's own among them, since it last had all operations of the
    /// others.
    public var mustReconcile: Bool {
        get throws(StoreError) { try metadata(for: Self.mustReconcileKey) != nil }
    }

    /// Records that a member has sent all of its operations.
    public func hasReconciled() throws(StoreError) { try setMetadata(nil, for: Self.mustReconcileKey) }

    /// Opens the folder of an event like `open`; a corrupt database is set aside and rebuilt from its readable contents
    /// and from the files of blobs. Other nodes provide the rest.
    ///
    /// - Parameters:
    ///   - reason: rebuild in any case, because of this finding after opening.
    ///   - progress: called with the number of examined blob bytes and their total.
    public static func openRebuilding(
        _ folder: EventFolder, because reason: String? = nil,
        progress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(StoreError) -> EventStore {
        var reason = reason
        if reason == nil {
            do throws(StoreError) { return try open(folder) } catch {
                guard error.isDamagedDatabase else { throw error }
                reason = "\(error)"
            }
        }
        return try open(folder, after: rebuild(folder, because: reason ?? "it is corrupt", progress: progress))
    }

    /// Rebuilds the database like `openRebuilding`, and leaves the folder closed. After an error nothing is lost, and
    /// it can be called again.
    ///
    /// - Parameter previous: an earlier rebuild, if the event has not been used since. Its result came from the
    ///   database that was set aside then: that one is read again, and the result is replaced, not set aside as well.
    public static func rebuild(
        _ folder: EventFolder, because reason: String, after previous: Rebuilding? = nil,
        progress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(StoreError) -> Rebuilding {
        let keys = try EventKeys(loadingFrom: folder)
        let lock = try takeLock(folder)
        defer { lock.unlock() }
        try folder.make()
        return try DatabaseRebuilder(folder: folder, keys: keys, reason: reason, replaces: previous != nil)
            .run(progress: progress)
    }
}

/// Rebuilds a database. The old one stays in place until the new one is complete, and is then renamed: after a power
/// cut at any moment one of the two is found, and none of the blobs' files is taken for a stray.
struct DatabaseRebuilder {
    let folder: EventFolder
    let keys: EventKeys
    let reason: String
    /// Whether the present database is replaced, not set aside.
    let replaces: Bool

    private static let batchSize = 500
    private var newPath: String { folder.databasePath + ".new" }

    func run(progress: (UInt64, UInt64) -> Void) throws(StoreError) -> Rebuilding {
        try removeNew()
        do throws(StoreError) { return try make(progress) } catch {
            // The next attempt starts again, so release the space until then.
            do throws(StoreError) { try removeNew() } catch {}
            throw error
        }
    }

    private func removeNew() throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] { try StoreFileSystem.remove(newPath + suffix) }
    }

    private func make(_ progress: (UInt64, UInt64) -> Void) throws(StoreError) -> Rebuilding {
        var old: [String] = []
        for suffix in replaces ? [] : ["", "-wal"]
        where try StoreFileSystem.byteCount(of: folder.databasePath + suffix) ?? 0 > 0 {
            old.append(suffix)
        }
        let database = try EventDatabase(newPath)
        let storedBody = StoredBody(storageKey: keys.storageKey)
        // Without one, a power cut may have interrupted the two renames: then the database that was set aside is all
        // there is.
        let salvage = try Salvage(
            from: (old.contains("") ? [] : try setAsidePaths()) + [folder.databasePath], event: folder.event,
            storedBody: storedBody
        ) { (thumbnails) throws(StoreError) in
            try database.write(durably: false) { db in for blob in thumbnails { try blob.save(db) } }
        }
        let operations = salvage.operationsInOrder
        for start in stride(from: 0, to: operations.count, by: Self.batchSize) {
            let batch = operations[start..<min(start + Self.batchSize, operations.count)]
            try database.write(durably: false) { db in try OperationRow.insert(batch, storedBody, db) }
        }
        let blobs = try blobRows(salvage, progress)
        let metadata = salvage.metadata.merging([EventStore.mustReconcileKey: [1]]) { $1 }
        let completeCount = try database.write(durably: true) { db in
            for blob in blobs { try blob.save(db) }
            for (key, value) in metadata {
                try db.execute(
                    sql: "INSERT INTO metadata (key, value) VALUES (?, ?)", arguments: [key, Data(value)])
            }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM blob WHERE isComplete") ?? 0
        }
        try database.truncateLog()
        try database.close()
        let setAsidePath = try setAside(old)
        // The logs of another database, or empty ones.
        for suffix in ["-wal", "-shm"] { try StoreFileSystem.remove(folder.databasePath + suffix) }
        try StoreFileSystem.rename(newPath, to: folder.databasePath)
        try StoreFileSystem.synchronizeFolder(folder.path)
        return Rebuilding(
            reason: reason, setAsidePath: setAsidePath, operationCount: operations.count,
            completeCount: completeCount)
    }

    /// Returns the rows of every file: from its old row if that was read and matches, otherwise from its own bytes.
    private func blobRows(_ salvage: Salvage, _ progress: (UInt64, UInt64) -> Void) throws(StoreError) -> [BlobRow] {
        var rows: [BlobRow] = []
        var unknown: [(root: BlobRoot, byteCount: UInt64)] = []
        let paths = BlobPaths(base: folder.blobsPath)
        try paths.forEachFile { (root, suffix) throws(StoreError) in
            let byteCount = try StoreFileSystem.byteCount(of: paths.path(of: root, suffix)) ?? 0
            switch (suffix, salvage.blobs[root]) {
            case (.whole, let row?)
            where ChunkLayout(plaintextByteCount: row.byteCount).ciphertextByteCount == byteCount:
                rows.append(
                    BlobRow(
                        root: root, blobClass: row.blobClass, byteCount: row.byteCount, chunkHashes: row.chunkHashes,
                        contents: .file))
            case (.whole, _): unknown.append((root, byteCount))
            case (.part, let row?) where row.isPartial: rows.append(row)
            case (.part, _): break  // nothing tells which of its chunks are present, nor their hashes
            }
        }
        let total = unknown.reduce(0) { $0 + $1.byteCount }
        var done: UInt64 = 0
        for (root, byteCount) in unknown {
            if let row = try Self.row(of: root, byteCount, at: paths.path(of: root)) { rows.append(row) }
            done += byteCount
            progress(done, total)
        }
        return rows.sorted { $0.root < $1.root }
    }

    /// Returns the row of a file that matches its name, from the file alone: its length determines the layout.
    private static func row(
        of root: BlobRoot, _ ciphertextByteCount: UInt64, at path: String
    ) throws(StoreError) -> BlobRow? {
        let chunk = UInt64(ChunkLayout.chunkCiphertextByteCount)
        let chunkCount = (ciphertextByteCount + chunk - 1) / chunk
        let tags = chunkCount * UInt64(ChaCha20Poly1305.tagByteCount)
        guard ciphertextByteCount > tags else { return nil }
        let byteCount = ciphertextByteCount - tags
        guard byteCount <= BlobClass.original.byteCountMax else { return nil }
        // Previews are files as well; the class is irrelevant once the blob is complete.
        var row = BlobRow(root: root, blobClass: .original, byteCount: byteCount, chunkHashes: [], contents: .file)
        let found = try BlobExamination(of: path, row)
        row.chunkHashes = found.chunkHashes
        return found.isWhole ? row : nil
    }

    private func setAsidePaths() throws(StoreError) -> [String] {
        let names = try StoreFileSystem.names(in: folder.path)
            .filter { $0.hasPrefix("event.sqlite.damaged-") && !$0.hasSuffix("-shm") }
        // A log may be alone: set aside by a later attempt than its database.
        return Set(names.map { $0.hasSuffix("-wal") ? String($0.dropLast(4)) : $0 })
            .sorted().map { "\(folder.path)/\($0)" }
    }

    /// Keeps the old database for manual recovery, until data has to be purged.
    /// - Parameter suffixes: of the existing files.
    private func setAside(_ suffixes: [String]) throws(StoreError) -> String? {
        guard !suffixes.isEmpty else { return try setAsidePaths().last }
        let time = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        var path = "\(folder.databasePath).damaged-\(time)"
        while try StoreFileSystem.byteCount(of: path) != nil { path += "-2" }
        // The database first: without it no process takes the rest for an older state of it.
        for suffix in suffixes { try StoreFileSystem.rename(folder.databasePath + suffix, to: path + suffix) }
        try StoreFileSystem.synchronizeFolder(folder.path)
        return path
    }
}

extension BlobRow {
    var isPartial: Bool { if case .partial = contents { true } else { false } }
}

extension StoreError {
    /// Whether the database itself is corrupt, which a rebuild repairs.
    public var isDamagedDatabase: Bool {
        switch self {
        case .database(_, let code, _): [11, 26].contains(code & 0xFF)  // SQLITE_CORRUPT, SQLITE_NOTADB
        case .foreignDatabase, .databaseMissing, .corruptOperation, .bodyDoesNotOpen: true
        default: false
        }
    }
}
