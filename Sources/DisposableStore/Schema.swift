// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The tables, with their invariants. Migrations are append-only: released migrations are never edited.
enum Schema {
    /// "DSPC", at a fixed offset in the file, so that `file` and a mistaken open can identify it.
    static let applicationID: Int32 = 0x4453_5043
    /// One more with each migration; a file with more is from a later version, one with less from before version 1,
    /// whose operations have other ids.
    static let versions: ClosedRange<Int32> = 5...5

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: v1)
            try db.execute(sql: "PRAGMA user_version = 5")
        }
        return migrator
    }

    /// `operation.checksum` is over header and signature (`OperationRow`). `operation.body` is nonce and ciphertext
    /// (`StoredBody`); NULL if the kind has none or it is missing.
    /// In `blob`, one row for each blob that is stored in part or completely; `bytes` holds the ciphertext of
    /// thumbnails. Columns that a scan reads come before those that spill onto further pages. In `destruction`,
    /// withdrawn subjects that are not yet purged, by operation, and since when this node knows: milliseconds of the
    /// clock in `EventStore.uptimeMilliseconds`. In `register`, the newest inventory of each device as received, with
    /// the time of arrival by this node's wall clock.
    private static let v1 = """
        CREATE TABLE operation (
            position INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
            header BLOB NOT NULL CHECK (length(header) = 188),
            signature BLOB NOT NULL CHECK (length(signature) = 64),
            body BLOB NULL CHECK (length(body) > 40),
            checksum BLOB NOT NULL CHECK (length(checksum) = 8)
        ) STRICT;
        CREATE TABLE blob (
            root BLOB NOT NULL PRIMARY KEY CHECK (length(root) = 32),
            class INTEGER NOT NULL CHECK (class BETWEEN 1 AND 3),
            byteCount INTEGER NOT NULL CHECK (byteCount > 0),
            isComplete INTEGER NOT NULL CHECK (isComplete IN (0, 1)),
            chunks BLOB NULL CHECK (length(chunks) = (length(chunkHashes) / 32 + 7) / 8),
            chunkHashes BLOB NOT NULL CHECK (length(chunkHashes) = 32 * ((byteCount + 262143) / 262144)),
            bytes BLOB NULL CHECK (length(bytes) = byteCount + 16),
            CHECK (isComplete = (chunks IS NULL)),
            CHECK ((class = 1) = (bytes IS NOT NULL)),
            CHECK (isComplete OR class > 1)
        ) STRICT;
        CREATE TABLE destruction (
            subject BLOB NOT NULL PRIMARY KEY CHECK (length(subject) = 32),
            since INTEGER NOT NULL CHECK (since >= 0)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE register (
            device BLOB NOT NULL PRIMARY KEY CHECK (length(device) = 32),
            message BLOB NOT NULL,
            heardAt INTEGER NOT NULL CHECK (heardAt >= 0)
        ) STRICT;
        CREATE TABLE metadata (
            key TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
