// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import Foundation
internal import GRDB

/// The row of one blob in the table.
struct BlobRow {
    var root: BlobRoot
    var blobClass: BlobClass
    /// The length of the plaintext.
    var byteCount: UInt64
    var chunkHashes: [Bytes32]
    var contents: Contents

    enum Contents {
        case partial(ChunkBitmap)
        /// Complete, in the blob's file.
        case file
        /// Complete, in the row: a thumbnail's ciphertext.
        case bytes([UInt8])
    }

    /// Inserts the row, or updates an incomplete one. A complete one is left unchanged.
    func save(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO blob (root, class, byteCount, chunkHashes, isComplete, chunks, bytes)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                ON CONFLICT (root) DO UPDATE
                SET class = ?2, isComplete = ?5, chunks = ?6, bytes = ?7
                WHERE NOT blob.isComplete
                """)
        var hashes = [UInt8]()
        hashes.reserveCapacity(32 * chunkHashes.count)
        for hash in chunkHashes { hash.append(to: &hashes) }
        var chunks: Data?
        var bytes: Data?
        switch contents {
        case .partial(let bitmap): chunks = Data(bitmap.bytes)
        case .file: break
        case .bytes(let ciphertext): bytes = Data(ciphertext)
        }
        try statement.execute(arguments: [
            Data(root.bytes), Int64(blobClass.rawValue), Int64(byteCount), Data(hashes), chunks == nil, chunks, bytes,
        ])
    }

    static func delete(_ roots: [BlobRoot], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM blob WHERE root = ?")
        for root in roots { try statement.execute(arguments: [Data(root.bytes)]) }
    }

    /// Returns the row of a complete blob.
    static func complete(_ root: BlobRoot, _ db: Database) throws -> BlobRow? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM blob WHERE root = ? AND isComplete"),
            arguments: [Data(root.bytes)]
        ).map { row in try BlobRow(row) }
    }

    /// Marks a complete blob as incomplete, with only `chunks`.
    static func takeBack(_ root: BlobRoot, to chunks: ChunkBitmap, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE blob SET isComplete = 0, chunks = ? WHERE root = ?")
            .execute(arguments: [Data(chunks.bytes), Data(root.bytes)])
    }

    static func correct(_ root: BlobRoot, chunkHashes: [Bytes32], _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE blob SET chunkHashes = ? WHERE root = ?")
            .execute(arguments: [Data(chunkHashes.flatMap(\.bytes)), Data(root.bytes)])
    }

    static func isComplete(_ root: BlobRoot, _ db: Database) throws -> Bool {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM blob WHERE root = ? AND isComplete"),
            arguments: [Data(root.bytes)]) != nil
    }

    /// Returns the lengths of complete blobs' plaintexts.
    static func completeByteCounts(_ db: Database) throws -> [BlobRoot: UInt64] {
        var byteCounts: [BlobRoot: UInt64] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT root, byteCount FROM blob WHERE isComplete")
        while let row = try rows.next() {
            let root = try row.root(0)
            byteCounts[root] = try row.byteCount(1)
        }
        return byteCounts
    }

    static func chunkHashes(_ root: BlobRoot, _ db: Database) throws -> [Bytes32]? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT chunkHashes FROM blob WHERE root = ?"), arguments: [Data(root.bytes)]
        ).map(hashes)
    }

    static func hashes(_ bytes: Data) -> [Bytes32] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: 32).compactMap { Bytes32(bytes[$0...].prefix(32)) }
    }
}

extension BlobRow {
    /// The columns of a row, in this order.
    static let columns = "root, class, byteCount, chunkHashes, chunks, bytes"

    /// Throws the same error as `Row.known`.
    init(_ row: Row) throws {
        let blobClass = try row.known(row.number(1).flatMap { UInt8(exactly: $0) }.flatMap(BlobClass.init))
        let byteCount = try row.byteCount(2, of: blobClass)
        let chunkCount = ChunkLayout(plaintextByteCount: byteCount).chunkCount
        let list = try row.known(row.bytes(3).flatMap { $0.count == 32 * chunkCount ? $0 : nil })
        let contents: Contents
        if let bytes = row.bytes(5) {
            contents = .bytes(bytes)
        } else if let chunks = row.bytes(4) {
            contents = .partial(ChunkBitmap(bytes: try row.known(chunks.count == (chunkCount + 7) / 8 ? chunks : nil)))
        } else {
            contents = .file
        }
        self.init(
            root: try row.root(0), blobClass: blobClass, byteCount: byteCount, chunkHashes: Self.hashes(Data(list)),
            contents: contents)
    }
}
