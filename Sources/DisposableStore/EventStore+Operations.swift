// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import Foundation
internal import GRDB
internal import Synchronization

/// Operations are kept as the exact bytes that were signed, in the order in which they came.
extension EventStore {
    /// Adds operations in one transaction. One that is here already is left as it is, except that its body is filled in
    /// where it was missing.
    /// - Parameter durably: for operations of our own, which must be on disk before their first byte leaves the node.
    public func append(_ operations: [VerifiedOperation], durably: Bool) throws(StoreError) {
        try database.write(durably: durably) { db in try OperationRow.insert(operations, storedBody, db) }
    }

    /// Throws `StoreError.belowReserve` unless the operations leave a quarter of the disk's reserve free. A byte costs
    /// up to three on disk: in the log, in the database, and in its indexes.
    public func checkRoom(for operations: [VerifiedOperation]) throws(StoreError) {
        let byteCount = operations.reduce(0) { $0 + UncheckedOperation($1).byteCount }
        try DiskRoom(at: folder.path).checkForOperations(3 * UInt64(byteCount))
    }

    public var operationCount: Int {
        get throws(StoreError) {
            try database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM operation") ?? 0 }
        }
    }

    /// Every operation in the order in which they came, for starting up.
    ///
    /// Not one snapshot: what is appended meanwhile is met as well. `body` may call the store.
    /// - Parameters:
    ///   - bodies: the kinds whose bodies are wanted; those that the fold reads are always there, others come without.
    ///   - body: gets at most `batchSize` at a time, never none; what it throws ends the walk and is thrown on.
    /// Throws `StoreError.corruptOperation` and `.bodyDoesNotOpen`.
    public func forEachOperation(
        batchSize: Int = 1_000, bodies: (OperationKind) -> Bool, _ body: ([VerifiedOperation]) throws -> Void
    ) throws {
        var position = Int64.min
        while true {
            let rows = try database.read { db in
                try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT position, id, header, signature, body, checksum FROM operation
                            WHERE position > ? ORDER BY position LIMIT ?
                            """),
                    arguments: [position, batchSize])
            }
            guard let last = rows.last else { return }
            position = last[0]
            try body(
                rows.map { row in
                    try operation(from: row) { kind in kind.map { $0.foldReadsBody || bodies($0) } ?? false }
                })
        }
    }

    /// The operations of these ids with the bodies that are here, in the order asked for; unknown ones are left out.
    public func operations(_ ids: [OperationID]) throws(StoreError) -> [VerifiedOperation] {
        let rows = try database.read { db in
            let select = try db.cachedStatement(
                sql: "SELECT position, id, header, signature, body, checksum FROM operation WHERE id = ?")
            return try ids.compactMap { try Row.fetchOne(select, arguments: [Data($0.bytes)]) }
        }
        var operations: [VerifiedOperation] = []
        operations.reserveCapacity(rows.count)
        do throws(StoreError) {
            for row in rows { operations.append(try operation(from: row) { _ in true }) }
        } catch {
            database.damage.withLock(\.self)?(error)
            throw error
        }
        return operations
    }

    private func operation(
        from row: Row, withBody: (OperationKind?) -> Bool
    ) throws(StoreError) -> VerifiedOperation {
        let position: Int64 = row[0]
        guard let id = row.bytes(1).flatMap({ OperationID($0) }), let headerBytes = row.bytes(2),
            let signature = row.bytes(3).flatMap({ Signature($0) })
        else { throw .corruptOperation(position: position, nil) }
        do {
            let kind = OperationKind(rawValue: try OperationHeader(headerBytes).kind)
            var body: [UInt8]?
            // What is no bytes does not open either.
            if withBody(kind), !row.hasNull(atIndex: 4) { body = try storedBody.open(row.bytes(4) ?? [], of: id) }
            let unchecked = try UncheckedOperation(headerBytes: headerBytes, signature: signature, body: body)
            let isAsWritten = row.bytes(5) == OperationRow.checksum(headerBytes, signature)
            guard unchecked.id == id, isAsWritten else { throw StoreError.corruptOperation(position: position, nil) }
            return unchecked.verifiedBefore
        } catch let error as OperationError {
            throw .corruptOperation(position: position, error)
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("neither an operation's error nor the store's: \(error)")
        }
    }
}

enum OperationRow {
    static func insert(_ operations: some Sequence<VerifiedOperation>, _ storedBody: StoredBody, _ db: Database) throws
    {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO operation (id, header, signature, body, checksum) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET body = excluded.body
                WHERE operation.body IS NULL AND excluded.body IS NOT NULL
                """)
        for operation in operations {
            var body: Data?
            if let bytes = operation.body, !bytes.isEmpty { body = Data(storedBody.seal(bytes, of: operation.id)) }
            let header = operation.header.bytes
            try insert.execute(arguments: [
                Data(operation.id.bytes), Data(header), Data(operation.signature.bytes), body,
                Data(checksum(header, operation.signature)),
            ])
        }
    }

    /// Against disks that flip bits, since checking a signature at each reading takes a hundred times as long and
    /// whoever is sent a wrong one hangs up. A body is sealed, which tells as much.
    static func checksum(_ headerBytes: [UInt8], _ signature: Signature) -> [UInt8] {
        let bytes = headerBytes + signature.bytes
        return Array(BLAKE2b.hash(bytes).bytes.prefix(8))
    }
}
