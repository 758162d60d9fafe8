// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableSystem
internal import DisposableWire
internal import Foundation
internal import GRDB
internal import Glibc

/// A finding in an event's folder.
public enum Damage: Equatable, Sendable {
    /// A key that is missing, too short, or another event's. Only a copy of it helps.
    case key(StoreError)
    /// A key that others on this machine can read.
    case openKey(path: String)
    /// SQLite's message.
    case database(String)
    /// A stored operation does not match its id or signature, or its body does not open.
    case operation(position: Int64, reason: String)
    /// Own operations are missing before the last one.
    case gap(OperationSet, sequence: UInt32)
    /// This device has signed two operations with one sequence: a copy of its folder has been in use.
    case fork(OperationSet, sequence: UInt32)
    /// The number of a blob's chunks that are wrong or missing.
    case blob(BlobRoot, wrongCount: Int, chunkCount: Int, isFileMissing: Bool)
    /// Left over from interrupted work.
    case stray(path: String)
    /// Not created by this program; left alone.
    case unknownFile(path: String)
    /// A corrupt database that was set aside.
    case setAside(path: String, byteCount: UInt64)
}

/// A read-only inspection of everything in an event's folder: keys, database, every operation's id, signature and body,
/// the own chain, every byte of every blob, and all other files.
public struct EventInspection: Sendable {
    public private(set) var damages: [Damage] = []
    public private(set) var operationCount = 0
    public private(set) var blobCount = 0
    /// The number of ciphertext bytes of blobs.
    public private(set) var byteCount: UInt64 = 0

    /// - Parameters:
    ///   - isInUse: whether a node has the folder open: apparent leftovers may be in use.
    ///   - progress: called with the number of examined bytes and their total.
    /// Throws `StoreError.file` if the inspection is impossible.
    public init(
        of folder: EventFolder, isInUse: Bool, progress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws(StoreError) {
        let keys: EventKeys
        do throws(StoreError) { keys = try EventKeys(loadingFrom: folder) } catch {
            damages.append(.key(error))
            return
        }
        for file in EventKeys.File.allCases where Self.isReadableByOthers(folder.keyPath(file)) {
            damages.append(.openKey(path: folder.keyPath(file)))
        }
        guard try StoreFileSystem.byteCount(of: folder.databasePath) ?? 0 > 0 else {
            damages.append(.database("\(StoreError.databaseMissing(path: folder.databasePath))"))
            try lookAtFiles(of: folder, rows: nil, isInUse: isInUse)
            return
        }
        var rows: [BlobRoot: BlobRow]?
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: folder.databasePath, configuration: configuration)
            for finding in try queue.read({ db in try String.fetchAll(db, sql: "PRAGMA integrity_check(10)") })
            where finding != "ok" {
                damages.append(.database(finding))
            }
            try lookAtOperations(queue, keys)
            rows = try lookAtThumbnails(queue)
            try queue.close()
        } catch let error as StoreError {
            throw error
        } catch {
            damages.append(.database("\(error)"))
        }
        if let rows { try lookAtBlobs(rows, of: folder, progress) }
        try lookAtFiles(of: folder, rows: rows, isInUse: isInUse)
    }

    /// Returns the event's name, if its database can be read; changes nothing.
    public static func name(of folder: EventFolder) -> String? {
        for operation in operations(of: folder, [.charter]) {
            if case .charter(let charter) = operation.content { return charter.name }
        }
        return nil
    }

    /// Returns the operations of some kinds, as far as the database can be read; changes nothing.
    public static func operations(of folder: EventFolder, _ kinds: [OperationKind]) -> [VerifiedOperation] {
        var configuration = Configuration()
        configuration.readonly = true
        guard let keys = try? EventKeys(loadingFrom: folder),
            let queue = try? DatabaseQueue(path: folder.databasePath, configuration: configuration)
        else { return [] }
        let rows = try? queue.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT position, id, header, signature, body FROM operation WHERE substr(header, 2, 1) IN "
                    + "(\(kinds.map { _ in "?" }.joined(separator: ", "))) ORDER BY id",
                arguments: StatementArguments(kinds.map { Data([$0.rawValue]) }))
        }
        let storedBody = StoredBody(storageKey: keys.storageKey)
        return (rows ?? []).compactMap { try? operation($0, storedBody, keys.event) }
    }

    /// The reason to rebuild the database, `nil` if there is none.
    public var reasonToRebuild: String? {
        for damage in damages {
            switch damage {
            case .database(let reason): return reason
            case .operation(let position, let reason): return "the operation at position \(position): \(reason)"
            default: continue
            }
        }
        return nil
    }

    /// Restricts keys that others can read to their owner.
    public func closeKeys() throws(StoreError) {
        for case .openKey(let path) in damages where chmod(path, 0o600) != 0 { throw .system("restrict", path) }
    }

    private static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    // Operations

    private mutating func lookAtOperations(_ queue: DatabaseQueue, _ keys: EventKeys) throws {
        let storedBody = StoredBody(storageKey: keys.storageKey)
        var chains: [OperationSet: [UInt32: [(id: OperationID, previous: OperationID)]]] = [:]
        let device = DeviceID(keys.device.verifyingKey)
        var position = Int64.min
        while true {
            let batch = try queue.read { db in
                try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT position, id, header, signature, body FROM operation
                            WHERE position > ? ORDER BY position LIMIT 1000
                            """), arguments: [position])
            }
            guard let last = batch.last else { break }
            position = last[0]
            for row in batch {
                operationCount += 1
                do {
                    let operation = try Self.operation(row, storedBody, keys.event)
                    guard operation.header.device == device else { continue }
                    chains[operation.header.set, default: [:]][operation.header.sequence, default: []].append(
                        (operation.id, operation.header.previous))
                } catch {
                    damages.append(.operation(position: row[0], reason: "\(error)"))
                }
            }
        }
        for set in OperationSet.allCases {
            guard let chain = chains[set], let end = chain.keys.max() else { continue }
            for sequence in 0...end {
                switch chain[sequence]?.count ?? 0 {
                case 0: damages.append(.gap(set, sequence: sequence))
                case 1: break
                default: damages.append(.fork(set, sequence: sequence))
                }
            }
        }
    }

    private static func operation(_ row: Row, _ storedBody: StoredBody, _ event: EventID) throws -> VerifiedOperation {
        let position: Int64 = row[0]
        guard let id = row.bytes(1).flatMap({ OperationID($0) }), let header = row.bytes(2),
            let signature = row.bytes(3).flatMap({ Signature($0) })
        else { throw StoreError.corruptOperation(position: position, nil) }
        let body = try row.bytes(4).map { try storedBody.open($0, of: id) }
        let unchecked = try UncheckedOperation(headerBytes: header, signature: signature, body: body)
        guard unchecked.id == id else { throw StoreError.corruptOperation(position: position, nil) }
        return try unchecked.verified(event: event)
    }

    // Blobs

    /// - Returns: the rows of blobs in files.
    private mutating func lookAtThumbnails(_ queue: DatabaseQueue) throws -> [BlobRoot: BlobRow] {
        var inFiles: [BlobRoot: BlobRow] = [:]
        var wrong: [BlobRoot] = []
        var unreadable: [String] = []
        var count = 0
        try queue.read { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT \(BlobRow.columns) FROM blob")
            while let row = try rows.next() {
                guard let blob = try? BlobRow(row) else {
                    unreadable.append(row.bytes(0)?.hex ?? "unnamed")
                    continue
                }
                guard case .bytes(let bytes) = blob.contents else {
                    inFiles[blob.root] = blob
                    continue
                }
                count += 1
                if !BlobExamination.isRight(bytes, blob) { wrong.append(blob.root) }
            }
        }
        blobCount += count
        damages += unreadable.map { .database("the row of the file \($0) cannot be read") }
        damages += wrong.sorted().map { .blob($0, wrongCount: 1, chunkCount: 1, isFileMissing: false) }
        return inFiles
    }

    private mutating func lookAtBlobs(
        _ rows: [BlobRoot: BlobRow], of folder: EventFolder, _ progress: (UInt64, UInt64) -> Void
    ) throws(StoreError) {
        let paths = BlobPaths(base: folder.blobsPath)
        let total = rows.values.reduce(0) { $0 + $1.byteCount }
        for row in rows.values.sorted(by: { $0.root < $1.root }) {
            let layout = ChunkLayout(plaintextByteCount: row.byteCount)
            var path = paths.path(of: row.root, row.isPartial ? .part : .whole)
            // Completed, or reduced, since the row was read.
            if try StoreFileSystem.byteCount(of: path) == nil {
                path = paths.path(of: row.root, row.isPartial ? .whole : .part)
            }
            let isFileMissing = try StoreFileSystem.byteCount(of: path) == nil
            let found = try BlobExamination(of: path, row)
            var expected = layout.chunkCount
            var right = found.chunks.count
            if case .partial(let chunks) = row.contents {
                let claimed = (0..<layout.chunkCount).filter { chunks[$0] }
                expected = claimed.count
                right = claimed.count { found.chunks[$0] }
            } else if !found.isWhole {
                right = min(right, expected - 1)
            }
            if right < expected || isFileMissing || (found.isWhole && found.chunkHashes != row.chunkHashes) {
                damages.append(
                    .blob(
                        row.root, wrongCount: expected - right, chunkCount: layout.chunkCount,
                        isFileMissing: isFileMissing))
            }
            blobCount += 1
            byteCount += row.byteCount
            progress(byteCount, total)
        }
    }

    // Files

    private mutating func lookAtFiles(
        of folder: EventFolder, rows: [BlobRoot: BlobRow]?, isInUse: Bool
    ) throws(StoreError) {
        let known: Set<String> = [
            "lock", "keys", "blobs", "incoming", "album", "map", "portal", "event.sqlite",
            "event.sqlite-wal", "event.sqlite-shm",
        ]
        for name in try StoreFileSystem.names(in: folder.path).sorted() where !known.contains(name) {
            let path = "\(folder.path)/\(name)"
            if name.hasPrefix("event.sqlite.new") {
                if !isInUse { damages.append(.stray(path: path)) }
            } else if name.hasPrefix("event.sqlite.damaged-") {
                let byteCount = try StoreFileSystem.byteCount(of: path) ?? 0
                if !name.hasSuffix("-shm"), byteCount > 0 {
                    damages.append(.setAside(path: path, byteCount: byteCount))
                }
            } else {
                damages.append(.unknownFile(path: path))
            }
        }
        let keyNames = Set(EventKeys.File.allCases.map(\.rawValue))
        for name in try StoreFileSystem.names(in: folder.keysPath).sorted() where !keyNames.contains(name) {
            damages.append(.unknownFile(path: "\(folder.keysPath)/\(name)"))
        }
        let paths = BlobPaths(base: folder.blobsPath)
        var unknown: [String] = []
        var strays: [String] = []
        try paths.forEachPath { (path, blob) throws(StoreError) in
            guard let (root, suffix) = blob else { return unknown.append(path) }
            // Without the database no file can be identified as a stray.
            guard !isInUse, let rows else { return }
            let isWholeThere = try StoreFileSystem.byteCount(of: paths.path(of: root)) != nil
            let isExpected = rows[root].map { suffix == .whole || ($0.isPartial && !isWholeThere) } ?? false
            if !isExpected { strays.append(path) }
        }
        damages += unknown.sorted().map { .unknownFile(path: $0) }
        guard !isInUse else { return }
        for name in try StoreFileSystem.names(in: folder.incomingPath).sorted() {
            damages.append(.stray(path: "\(folder.incomingPath)/\(name)"))
        }
        damages += strays.sorted().map { .stray(path: $0) }
    }
}

/// The result of repairing an event's folder.
public struct EventRepair: Sendable {
    public let rebuilding: Rebuilding?
    /// Blobs with missing chunks, to be fetched from other nodes.
    public let incomplete: [BlobRoot]

    /// Repairs the findings of an inspection of the folder, which must not be open: the database, blobs and leftover
    /// files. Findings that `Damage` describes as left alone are not changed.
    public init(
        of folder: EventFolder, after inspection: EventInspection, progress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws(StoreError) {
        try inspection.closeKeys()
        // A gap in the own chain means that part of the database is lost, even if the rest is valid.
        let store = try EventStore.openRebuilding(folder, because: inspection.reasonToRebuild, progress: progress)
        var incomplete: [BlobRoot] = []
        if inspection.damages.contains(where: { if case .gap = $0 { true } else { false } }) {
            try store.setMetadata([1], for: EventStore.mustReconcileKey)
        }
        for case .blob(let root, _, _, _) in inspection.damages where try store.blobs.takeBack(root) != .whole {
            incomplete.append(root)
        }
        for case .stray(let path) in inspection.damages { try StoreFileSystem.remove(path) }
        rebuilding = store.rebuilding
        self.incomplete = incomplete
        try store.close()
    }
}
