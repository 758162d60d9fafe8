// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The tables, with their invariants. Migrations are append-only: a step that has left the house is never changed.
enum Schema {
    /// "DSPC", at a fixed place in the file, so that `file` and a mistaken open can tell what it is.
    static let applicationID: Int32 = 0x4453_5043
    /// Counts the migrations; a file with more is from a later version.
    static let version: Int32 = 4

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v0") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: v0)
        }
        migrator.registerMigration("checksum") { db in
            try db.execute(sql: "ALTER TABLE operation ADD COLUMN checksum BLOB NULL CHECK (length(checksum) = 8)")
        }
        migrator.registerMigration("destruction") { db in
            try db.execute(sql: destruction)
        }
        migrator.registerMigration("register") { db in
            try db.execute(sql: register)
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        return migrator
    }

    /// What is taken away and not yet destroyed, by its operation, and since when this node knows: milliseconds of the clock
    /// that `EventStore.uptime` keeps.
    private static let destruction = """
        CREATE TABLE destruction (
            subject BLOB NOT NULL PRIMARY KEY CHECK (length(subject) = 32),
            since INTEGER NOT NULL CHECK (since >= 0)
        ) STRICT, WITHOUT ROWID;
        """

    /// The newest register of each device as it came on the wire, and when by this node's wall clock.
    private static let register = """
        CREATE TABLE register (
            device BLOB NOT NULL PRIMARY KEY CHECK (length(device) = 32),
            message BLOB NOT NULL,
            heardAt INTEGER NOT NULL CHECK (heardAt >= 0)
        ) STRICT;
        """

    /// `operation.checksum` is over header and signature (`OperationRow`), NULL in rows from before it was kept.
    /// `operation.body` is nonce and ciphertext (`StoredBody`); NULL where the kind has none or it is not here.
    /// In `blob`, one row a blob that is here in part or whole; `bytes` holds the ciphertext of thumbnails. Columns
    /// that a scan reads come before those that spill onto further pages.
    private static let v0 = """
        CREATE TABLE operation (
            position INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
            header BLOB NOT NULL CHECK (length(header) = 188),
            signature BLOB NOT NULL CHECK (length(signature) = 64),
            body BLOB NULL CHECK (length(body) > 40)
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
        CREATE TABLE metadata (
            key TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
