// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSystem
internal import Foundation
internal import GRDB

/// Purging of withdrawn data. An interrupted purge starts again: its subjects stay recorded until all of it is gone,
/// bodies are purged after the blobs that they name, and opening after a crash empties the log.
extension EventStore {
    private static let uptimeKey = "uptime"

    /// The milliseconds for which nodes have been running for the event on this folder, as last recorded.
    public var uptimeMilliseconds: UInt64 {
        get throws(StoreError) {
            let bytes = try metadata(for: Self.uptimeKey) ?? []
            return bytes.count == 8 ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : 0
        }
    }

    /// Returns the subjects that wait for their purge, and since when this node knows, by the clock of
    /// `uptimeMilliseconds`.
    public func pendingDestructions() throws(StoreError) -> [OperationID: UInt64] {
        try database.read { db in
            var pending: [OperationID: UInt64] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT subject, since FROM destruction") {
                let subject = try row.known(row.bytes(0).flatMap { OperationID($0) })
                pending[subject] = UInt64(clamping: try row.known(row.number(1)))
            }
            return pending
        }
    }

    /// Records the clock and the changes since the last time. Durable when this returns.
    public func noteDestructions(
        uptimeMilliseconds: UInt64, begun: [OperationID: UInt64] = [:], ended: [OperationID] = []
    ) throws(StoreError) {
        let uptime = withUnsafeBytes(of: uptimeMilliseconds.bigEndian) { Data($0) }
        try database.write(durably: true) { db in
            try db.execute(
                sql: "INSERT INTO metadata (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2",
                arguments: [Self.uptimeKey, uptime])
            let insert = try db.cachedStatement(sql: "INSERT OR IGNORE INTO destruction (subject, since) VALUES (?, ?)")
            for (subject, since) in begun {
                try insert.execute(arguments: [Data(subject.bytes), Int64(clamping: since)])
            }
            let delete = try db.cachedStatement(sql: "DELETE FROM destruction WHERE subject = ?")
            for subject in ended { try delete.execute(arguments: [Data(subject.bytes)]) }
        }
    }

    /// Purges what is left of `subjects`: their blobs, then the bodies with the blobs' keys, and databases that an
    /// earlier repair has set aside, which contain copies. Headers stay.
    ///
    /// The data is gone from the files, the database and its log when this returns; after an error call it again.
    public func destroy(
        _ subjects: [OperationID], bodies: [OperationID], blobs roots: [BlobRoot]
    ) throws(StoreError) {
        if !roots.isEmpty { try blobs.delete(roots) }
        try removeOldDatabases()
        try database.write(durably: true) { db in
            let update = try db.cachedStatement(sql: "UPDATE operation SET body = NULL WHERE id = ?")
            for id in bodies { try update.execute(arguments: [Data(id.bytes)]) }
            let delete = try db.cachedStatement(sql: "DELETE FROM destruction WHERE subject = ?")
            for subject in subjects { try delete.execute(arguments: [Data(subject.bytes)]) }
        }
        try database.truncateLog()
    }

    /// Removes corrupt databases that were set aside, and an unfinished one of an interrupted rebuild: their readable
    /// contents are in the present one.
    private func removeOldDatabases() throws(StoreError) {
        for name in try StoreFileSystem.names(in: folder.path) where Self.isOldDatabase(name) {
            try StoreFileSystem.remove("\(folder.path)/\(name)")
        }
    }

    static func isOldDatabase(_ name: String) -> Bool {
        ["event.sqlite.damaged-", "event.sqlite.new"].contains { name.hasPrefix($0) }
    }
}
