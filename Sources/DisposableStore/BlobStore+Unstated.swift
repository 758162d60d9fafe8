// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import Foundation
internal import GRDB

/// Imported blobs that no operation may describe: their photo was refused at the last moment, or the node stopped
/// between the two. Otherwise no process would ever read or delete them.
extension BlobStore {
    private static let keyPrefix = "unstated blob "

    private static func key(_ root: BlobRoot) -> String { keyPrefix + root.description }

    static func noteUnstated(_ root: BlobRoot, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO metadata (key, value) VALUES (?, ?)",
            arguments: [key(root), Data(root.bytes)])
    }

    /// Records that operations which describe these blobs are stored.
    public func noteStated(_ roots: [BlobRoot]) throws(StoreError) {
        try database.write(durably: false) { db in
            for root in roots {
                try db.execute(sql: "DELETE FROM metadata WHERE key = ?", arguments: [Self.key(root)])
            }
        }
    }

    /// Returns the blobs that were imported and not recorded as described.
    public func unstated() throws(StoreError) -> [BlobRoot] {
        try database.read { db in
            try Data.fetchAll(
                db, sql: "SELECT value FROM metadata WHERE key >= ? AND key < ?",
                arguments: [Self.keyPrefix, Self.keyPrefix + "g"]
            ).compactMap { BlobRoot([UInt8]($0)) }
        }
    }

    /// Deletes those of them that no operation describes. Call this before any import: a blob whose operation is just
    /// being stored is one of them.
    public func sweepUnstated(except isDescribed: (BlobRoot) -> Bool) throws(StoreError) {
        let roots = try unstated()
        guard !roots.isEmpty else { return }
        let orphans = roots.filter { !isDescribed($0) }
        if !orphans.isEmpty { try delete(orphans) }
        try noteStated(roots)
    }
}
