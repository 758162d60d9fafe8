// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWire
internal import GRDB
internal import Glibc

/// The contents of a corrupt database that can still be read and verified: operations by their ids and signatures,
/// thumbnails and chunk lists by their roots.
///
/// First SQLite reads each table from both ends until it reaches corruption. Then the bytes of the file and its log are
/// searched for operations, whatever the state of the tables: each names the event in its header, with its id before it
/// and its signature behind.
struct Salvage {
    private(set) var operations: [OperationID: VerifiedOperation] = [:]
    /// The rows of blobs in files.
    private(set) var blobs: [BlobRoot: BlobRow] = [:]
    private(set) var metadata: [String: [UInt8]] = [:]

    private let event: EventID
    private let storedBody: StoredBody
    private var thumbnails: [BlobRow] = []

    /// - Parameters:
    ///   - paths: of databases, each with its log beside it; missing ones are skipped.
    ///   - save: gets thumbnails a few at a time, since all of them may not fit into memory.
    init(
        from paths: [String], event: EventID, storedBody: StoredBody, save: ([BlobRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        self.event = event
        self.storedBody = storedBody
        for path in paths {
            if try StoreFileSystem.byteCount(of: path) ?? 0 > 0 { try readTables(of: path, save) }
            try search(path)
            try search(path + "-wal")
        }
    }

    /// The operations in the order of their timestamps, so that a device joins before it signs.
    var operationsInOrder: [VerifiedOperation] {
        func place(_ operation: VerifiedOperation) -> (HybridTimestamp, Int, OperationID) {
            (operation.header.timestamp, operation.header.set == .authority ? 0 : 1, operation.id)
        }
        return operations.values.sorted { place($0) < place($1) }
    }

    // By SQLite

    private mutating func readTables(
        of path: String, _ save: ([BlobRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var configuration = Configuration()
        configuration.readonly = true
        // A database that cannot be opened is only searched.
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return }
        for order in ["ASC", "DESC"] {
            try read("SELECT id, header, signature, body FROM operation ORDER BY position \(order)", queue) {
                (salvage, row) throws(StoreError) in
                salvage.take(
                    id: row.bytes(0), header: row.bytes(1), signature: row.bytes(2), sealedBody: row.bytes(3))
            }
            try read("SELECT \(BlobRow.columns) FROM blob ORDER BY rowid \(order)", queue) {
                (salvage, row) throws(StoreError) in
                salvage.take(blob: row)
                if salvage.thumbnails.count >= 200 { try salvage.saveThumbnails(save) }
            }
            try saveThumbnails(save)
            try read("SELECT key, value FROM metadata ORDER BY key \(order)", queue) {
                (salvage, row) throws(StoreError) in
                if case .string(let key) = (row[0] as DatabaseValue).storage, let value = row.bytes(1) {
                    salvage.metadata[key] = value
                }
            }
        }
        try? queue.close()
    }

    /// Reads rows until SQLite cannot continue. Throws only the errors of `take`.
    private mutating func read(
        _ sql: String, _ queue: DatabaseQueue, _ take: (inout Salvage, Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        do {
            try queue.read { db in
                let rows = try Row.fetchCursor(db, sql: sql)
                while let row = try rows.next() { try take(&self, row) }
            }
        } catch let error as StoreError {
            throw error
        } catch {}  // corrupt: the other end of the table is read next, and then the bytes themselves
    }

    private mutating func saveThumbnails(_ save: ([BlobRow]) throws(StoreError) -> Void) throws(StoreError) {
        if !thumbnails.isEmpty { try save(thumbnails) }
        thumbnails = []
    }

    private mutating func take(id: [UInt8]?, header: [UInt8]?, signature: [UInt8]?, sealedBody: [UInt8]?) {
        guard let id = id.flatMap({ OperationID($0) }), let header,
            let signature = signature.flatMap({ Signature($0) }),
            operations[id]?.body == nil
        else { return }
        let body = sealedBody.flatMap { try? storedBody.open($0, of: id) }
        // With its body, or without if that is corrupt and the kind does not need it.
        for body in body == nil ? [nil] : [body, nil] {
            guard let unchecked = try? UncheckedOperation(headerBytes: header, signature: signature, body: body),
                unchecked.id == id, let operation = try? unchecked.verified(event: event)
            else { continue }
            operations[id] = operation
            return
        }
    }

    private mutating func take(blob row: Row) {
        guard let found = try? BlobRow(row),
            BlobSealing.root(byteCount: found.byteCount, chunkHashes: found.chunkHashes) == found.root
        else { return }
        if found.blobClass != .thumbnail {
            blobs[found.root] = found
        } else if case .bytes(let bytes) = found.contents, BlobExamination.isRight(bytes, found) {
            thumbnails.append(found)
        }
    }

    // By searching the bytes

    private static let windowByteCount = 4 << 20
    /// The offset of the event's id in a stored operation, and the maximum size of one.
    private static let eventOffset = 32 + 28
    private static let reachByteCount = 32 + OperationHeader.byteCount + 64 + 64 + Limits.operationBodyByteCountMax

    private mutating func search(_ path: String) throws(StoreError) {
        guard let byteCount = try StoreFileSystem.byteCount(of: path), byteCount > 0 else { return }
        let file = try StoreFile(path, flags: StoreFile.readOnly)
        let name = event.bytes
        var start: UInt64 = 0
        while start < byteCount {
            let window = (try? file.read(Self.windowByteCount + Self.reachByteCount, at: start)) ?? []
            var place = 0
            while let found = Self.first(name, in: window, from: place) {
                place = found + 1
                guard found >= Self.eventOffset else { continue }
                take(at: found - Self.eventOffset, of: window)
            }
            start += UInt64(Self.windowByteCount)
        }
    }

    private mutating func take(at start: Int, of window: [UInt8]) {
        func part(_ offset: Int, _ count: Int) -> [UInt8]? {
            let range = start + offset..<start + offset + count
            return range.upperBound <= window.count ? Array(window[range]) : nil
        }
        guard let header = part(32, OperationHeader.byteCount), let known = try? OperationHeader(header) else { return }
        var sealed: [UInt8]?
        if known.bodyByteCount > 0, known.bodyByteCount <= Limits.operationBodyByteCountMax {
            sealed = part(
                32 + OperationHeader.byteCount + 64, Int(known.bodyByteCount) + StoredBody.overheadByteCount)
        }
        take(
            id: part(0, 32), header: header, signature: part(32 + OperationHeader.byteCount, 64), sealedBody: sealed)
    }

    private static func first(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var place = start
            while place + needle.count <= bytes.count {
                let rest = bytes.baseAddress! + place
                let count = bytes.count - place - needle.count + 1
                guard let next = memchr(rest, Int32(needle[0]), count) else { return nil }
                place = UnsafeRawPointer(next) - bytes.baseAddress!
                if memcmp(next, needle, needle.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }
}
