// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import Foundation
internal import GRDB
internal import Synchronization

/// Operations are stored as the exact bytes that were signed, in their order of arrival.
extension EventStore {
    /// Adds operations in one transaction. An existing one is left unchanged, except that a missing body is added.
    /// - Parameter durably: for own operations, which must be durable before their first byte leaves the node.
    public func append(_ operations: [VerifiedOperation], durably: Bool) throws(StoreError) {
        try database.write(durably: durably) { db in try OperationRow.insert(operations, storedBody, db) }
    }

    /// Throws `StoreError.belowReserve` unless the operations leave a quarter of the disk's reserve free. A byte uses
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

    /// Visits every operation in its order of arrival, for starting up. The next batch is read while one is visited.
    ///
    /// Not one snapshot: operations that are appended meanwhile are visited as well. `body` may call the store.
    /// - Parameters:
    ///   - bodies: the kinds whose bodies are needed; those that the fold reads are always present, others come
    ///     without.
    ///   - body: gets at most `batchSize` at a time, never none; an error that it throws ends the visit and is
    ///     rethrown.
    /// Throws `StoreError.corruptOperation` and `.bodyDoesNotOpen`.
    public func forEachOperation(
        batchSize: Int = 1_000, bodies: @escaping @Sendable (OperationKind) -> Bool,
        _ body: ([VerifiedOperation]) throws -> Void
    ) throws {
        let reader = reader
        var current = try reader.batch(after: .min, count: batchSize, bodies)
        while let visited = current {
            let next = Ahead { try reader.batch(after: visited.last, count: batchSize, bodies) }
            let result = Result { try body(visited.operations) }
            let read = next.wait()
            try result.get()
            // The last batch may have been read before `body` appended to it.
            current = try read.get() ?? reader.batch(after: visited.last, count: batchSize, bodies)
        }
    }

    /// Returns the operations of these ids with their stored bodies, in the requested order; unknown ones are left out.
    public func operations(_ ids: [OperationID]) throws(StoreError) -> [VerifiedOperation] {
        let rows = try database.read { db in
            let select = try db.cachedStatement(
                sql: "SELECT position, id, header, signature, body, checksum FROM operation WHERE id = ?")
            return try ids.compactMap { try Row.fetchOne(select, arguments: [Data($0.bytes)]) }
        }
        var operations: [VerifiedOperation] = []
        operations.reserveCapacity(rows.count)
        do throws(StoreError) {
            for row in rows { operations.append(try reader.operation(from: row) { _ in true }) }
        } catch {
            database.damage.withLock(\.self)?(error)
            throw error
        }
        return operations
    }

    private var reader: OperationReader { OperationReader(database: database, storedBody: storedBody) }
}

/// Reads operations, on any thread. Without the store: a thread that is about to end would keep the folder locked.
private struct OperationReader: Sendable {
    let database: EventDatabase
    let storedBody: StoredBody

    struct Batch: Sendable {
        let operations: [VerifiedOperation]
        let last: Int64
    }

    /// Returns up to `count` operations after a position, `nil` without one.
    func batch(after position: Int64, count: Int, _ bodies: (OperationKind) -> Bool) throws -> Batch? {
        let rows = try database.read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT position, id, header, signature, body, checksum FROM operation
                        WHERE position > ? ORDER BY position LIMIT ?
                        """),
                arguments: [position, count])
        }
        guard let last = rows.last else { return nil }
        let operations = try rows.map { row in
            try operation(from: row) { kind in kind.map { $0.foldReadsBody || bodies($0) } ?? false }
        }
        return Batch(operations: operations, last: last[0])
    }

    func operation(
        from row: Row, withBody: (OperationKind?) -> Bool
    ) throws(StoreError) -> VerifiedOperation {
        let position: Int64 = row[0]
        guard let id = row.bytes(1).flatMap({ OperationID($0) }), let headerBytes = row.bytes(2),
            let signature = row.bytes(3).flatMap({ Signature($0) })
        else { throw .corruptOperation(position: position, nil) }
        do {
            let kind = try OperationHeader(headerBytes).knownKind
            var body: [UInt8]?
            // A value that is no blob does not open either.
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

    /// Detects flipped bits of disks: verifying a signature at each read takes a hundred times as long, and peers
    /// disconnect from a node that sends a wrong one. A body is sealed, which detects them as well.
    static func checksum(_ headerBytes: [UInt8], _ signature: Signature) -> [UInt8] {
        let bytes = headerBytes + signature.bytes
        return Array(BLAKE2b.hash(bytes).bytes.prefix(8))
    }
}

/// A computation on a thread of its own: threads of the shared pool may all be waiting for one.
private final class Ahead<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () throws -> Value) {
        DispatchQueue(label: "disposable.store.ahead").async { [self] in
            let outcome = Result(catching: work)
            result.withLock { $0 = outcome }
            isDone.signal()
        }
    }

    /// Waits for the result; to be called once.
    func wait() -> Result<Value, any Error> {
        isDone.wait()
        return result.withLock(\.self)!  // set before the signal
    }
}
