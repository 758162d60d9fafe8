// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Foundation
internal import GRDB

/// What became of a database that was damaged.
public struct Rebuilding: Equatable, Sendable {
    /// What was wrong with it.
    public let reason: String
    /// Where it lies now; `nil` where there was none any more.
    public let setAsidePath: String?
    public let operationCount: Int
    /// Blobs that are here whole.
    public let completeCount: Int
}

extension EventStore {
    static let mustReconcileKey = "must reconcile"

    /// Whether operations may have been lost, this device's own among them, since it last knew all that others had.
    public var mustReconcile: Bool {
        get throws(StoreError) { try metadata(for: Self.mustReconcileKey) != nil }
    }

    /// A member has told all that it has.
    public func hasReconciled() throws(StoreError) { try setMetadata(nil, for: Self.mustReconcileKey) }

    /// Opens the folder of an event as `open` does; a database that turns out to be damaged is set aside and made anew
    /// from what can still be read of it and from the files of blobs. What is in neither is left to the other nodes.
    ///
    /// - Parameters:
    ///   - reason: rebuild in any case, because of this: what was found wrong later than at opening.
    ///   - progress: so many bytes of blobs of so many have been looked at.
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
        return try open(folder, after: rebuild(folder, because: reason ?? "it is damaged", progress: progress))
    }

    /// Makes the database anew as `openRebuilding` does, and leaves the folder closed. After an error nothing is lost,
    /// and it can be called again.
    ///
    /// - Parameter previous: what was done before, where the event has not been used since. All that it made came from
    ///   what was set aside then: that is read again, and the other replaced, not set aside as well.
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

/// Makes a database anew. The old one stays where it is until the new one is complete, and is renamed then: whatever
/// moment a power cut chooses, one of the two is found, and none of the blobs' files is taken for a stray.
struct DatabaseRebuilder {
    let folder: EventFolder
    let keys: EventKeys
    let reason: String
    /// Whether the present one is replaced, not set aside.
    let replaces: Bool

    private static let batchSize = 500
    private var newPath: String { folder.databasePath + ".new" }

    func run(progress: (UInt64, UInt64) -> Void) throws(StoreError) -> Rebuilding {
        try removeNew()
        do throws(StoreError) { return try make(progress) } catch {
            // Until the next attempt, which begins with the same, others have the room.
            do throws(StoreError) { try removeNew() } catch {}
            throw error
        }
    }

    private func removeNew() throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] { try FileSystem.remove(newPath + suffix) }
    }

    private func make(_ progress: (UInt64, UInt64) -> Void) throws(StoreError) -> Rebuilding {
        var old: [String] = []
        for suffix in replaces ? [] : ["", "-wal"]
        where try FileSystem.byteCount(of: folder.databasePath + suffix) ?? 0 > 0 {
            old.append(suffix)
        }
        let database = try EventDatabase(newPath)
        let storedBody = StoredBody(storageKey: keys.storageKey)
        // Without one, a power cut may have come between the two renamings: then what was set aside is all there is.
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
        // Of another database, or empty.
        for suffix in ["-wal", "-shm"] { try FileSystem.remove(folder.databasePath + suffix) }
        try FileSystem.rename(newPath, to: folder.databasePath)
        try FileSystem.synchronizeFolder(folder.path)
        return Rebuilding(
            reason: reason, setAsidePath: setAsidePath, operationCount: operations.count,
            completeCount: completeCount)
    }

    /// Every file: by its row where that was read and fits, else by its own bytes.
    private func blobRows(_ salvage: Salvage, _ progress: (UInt64, UInt64) -> Void) throws(StoreError) -> [BlobRow] {
        var rows: [BlobRow] = []
        var unknown: [(root: BlobRoot, byteCount: UInt64)] = []
        let paths = BlobPaths(base: folder.blobsPath)
        try paths.forEachFile { (root, suffix) throws(StoreError) in
            let byteCount = try FileSystem.byteCount(of: paths.path(of: root, suffix)) ?? 0
            switch (suffix, salvage.blobs[root]) {
            case (.whole, let row?)
            where ChunkLayout(plaintextByteCount: row.byteCount).ciphertextByteCount == byteCount:
                rows.append(
                    BlobRow(
                        root: root, blobClass: row.blobClass, byteCount: row.byteCount, chunkHashes: row.chunkHashes,
                        contents: .file))
            case (.whole, _): unknown.append((root, byteCount))
            case (.part, let row?) where row.isPartial: rows.append(row)
            case (.part, _): break  // nothing says which of its chunks are there, nor what they should be
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

    /// The row of a file that is what its name says, found without anything else: its length gives the layout.
    private static func row(
        of root: BlobRoot, _ ciphertextByteCount: UInt64, at path: String
    ) throws(StoreError) -> BlobRow? {
        let chunk = UInt64(ChunkLayout.chunkCiphertextByteCount)
        let chunkCount = (ciphertextByteCount + chunk - 1) / chunk
        let tags = chunkCount * UInt64(ChaCha20Poly1305.tagByteCount)
        guard ciphertextByteCount > tags else { return nil }
        let byteCount = ciphertextByteCount - tags
        guard byteCount <= BlobClass.original.byteCountMax else { return nil }
        // Previews are files as well; which of the two it is matters to nobody once it is complete.
        var row = BlobRow(root: root, blobClass: .original, byteCount: byteCount, chunkHashes: [], contents: .file)
        let found = try BlobExamination(of: path, row)
        row.chunkHashes = found.chunkHashes
        return found.isWhole ? row : nil
    }

    private func setAsidePaths() throws(StoreError) -> [String] {
        let names = try FileSystem.names(in: folder.path)
            .filter { $0.hasPrefix("event.sqlite.damaged-") && !$0.hasSuffix("-shm") }
        // A log may lie there alone: set aside by a later attempt than its database.
        return Set(names.map { $0.hasSuffix("-wal") ? String($0.dropLast(4)) : $0 })
            .sorted().map { "\(folder.path)/\($0)" }
    }

    /// Kept, as somebody may still want to look for something in it, until something has to be destroyed.
    /// - Parameter suffixes: of the files that are there.
    private func setAside(_ suffixes: [String]) throws(StoreError) -> String? {
        guard !suffixes.isEmpty else { return try setAsidePaths().last }
        let time = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        var path = "\(folder.databasePath).damaged-\(time)"
        while try FileSystem.byteCount(of: path) != nil { path += "-2" }
        // The database first: without it nobody takes what is left for an older state of it.
        for suffix in suffixes { try FileSystem.rename(folder.databasePath + suffix, to: path + suffix) }
        try FileSystem.synchronizeFolder(folder.path)
        return path
    }
}

extension BlobRow {
    var isPartial: Bool { if case .partial = contents { true } else { false } }
}

extension StoreError {
    /// Whether the database itself is wrong, which making it anew repairs.
    public var isDamagedDatabase: Bool {
        switch self {
        case .database(_, let code, _): [11, 26].contains(code & 0xFF)  // SQLITE_CORRUPT, SQLITE_NOTADB
        case .foreignDatabase, .databaseMissing, .corruptOperation, .bodyDoesNotOpen: true
        default: false
        }
    }
}
