// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import DisposableSystem
package import GRDB
internal import Synchronization

/// The event's SQLite file: opening, and the two strengths of writing.
///
/// It uses a write-ahead log, with one writer at a time and concurrent readers. A transaction always survives the end
/// of the process, and a power cut if it was written `durably`; otherwise SQLite may lose the last ones, in order, and
/// nothing else.
package final class EventDatabase: Sendable {
    private let path: String
    private let pool: DatabasePool
    /// Called with every sign that the file is corrupt.
    let damage = Mutex<(@Sendable (StoreError) -> Void)?>(nil)

    /// Opens or creates the file, and migrates it to this version's schema.
    ///
    /// Throws `StoreError.foreignDatabase`, `.newerDatabase` and `.olderDatabase` before anything in it is changed.
    init(_ path: String) throws(StoreError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA temp_store = MEMORY;
                    PRAGMA mmap_size = 0;
                    PRAGMA cache_size = -16000;
                    """)
            guard !db.configuration.readonly else { return }
            try Self.checkOwner(db, path: path)
            try db.execute(
                sql: """
                    PRAGMA auto_vacuum = INCREMENTAL;
                    PRAGMA secure_delete = ON;
                    PRAGMA journal_size_limit = \(8 << 20);
                    """)
        }
        self.path = path
        // SQLite gives the log files the permissions of the database, which it would create readable for all.
        try StoreFileSystem.makeFile(path)
        for file in [path, path + "-wal", path + "-shm"] { try StoreFileSystem.restrictToOwner(file) }
        do throws(StoreError) {
            pool = try StoreError.mapping(path) {
                let pool = try DatabasePool(path: path, configuration: configuration)
                try Schema.migrator.migrate(pool)
                return pool
            }
        } catch .database(path: path, code: ResultCode.SQLITE_ERROR.rawValue, let message) {
            // Our own statements are correct, so the file's schema is not.
            throw .database(path: path, code: ResultCode.SQLITE_CORRUPT.rawValue, message: message)
        }
    }

    private static func checkOwner(_ db: Database, path: String) throws {
        let applicationID = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let tableCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        if applicationID == 0, version == 0, tableCount == 0 { return }  // new
        guard applicationID == Schema.applicationID else {
            throw StoreError.foreignDatabase(path: path, applicationID: applicationID)
        }
        if version > Schema.versions.upperBound { throw StoreError.newerDatabase(path: path, version: version) }
        if version < Schema.versions.lowerBound { throw StoreError.olderDatabase(path: path) }
    }

    /// Runs SQLite's `quick_check`, or `integrity_check`, which also checks the indexes.
    ///
    /// Throws `StoreError.database` with the code of a corrupt database and the first finding.
    func check(_ pragma: String) throws(StoreError) {
        let findings = try read { db in try String.fetchAll(db, sql: "PRAGMA \(pragma)(1)") }
        guard findings == ["ok"] else {
            throw .database(
                path: path, code: ResultCode.SQLITE_CORRUPT.rawValue, message: findings.first ?? "no finding")
        }
    }

    package func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try reporting { try pool.read(body) }
    }

    /// Runs one transaction.
    ///
    /// The pragma is set before each, because it has no effect inside one.
    /// - Parameter durably: whether it must survive a power cut once this returns.
    package func write<Result>(
        durably: Bool, _ body: (Database) throws -> Result
    ) throws(StoreError) -> Result {
        try reporting {
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(durably ? "FULL" : "NORMAL")")
                var result: Result?
                try db.inTransaction(.immediate) {
                    result = try body(db)
                    return .commit
                }
                return result!  // set, or the transaction has thrown
            }
        }
    }

    /// Moves the log into the file and empties it, so that overwritten data is in neither; releases free pages.
    func truncateLog() throws(StoreError) {
        try StoreError.mapping(path) {
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA incremental_vacuum")
                _ = try db.checkpoint(.truncate)
            }
        }
    }

    /// Frees the cached pages, after running reads and writes.
    func releaseMemory() {
        pool.releaseMemory()
        // glibc by itself returns only the end of the heap to the system, and these pages lie between objects that stay.
        malloc_trim(0)
    }

    private func reporting<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do throws(StoreError) { return try StoreError.mapping(path, body) } catch {
            if error.isDamagedDatabase { damage.withLock(\.self)?(error) }
            throw error
        }
    }

    func close() throws(StoreError) { try StoreError.mapping(path) { try pool.close() } }
}

extension StoreError {
    /// Runs `body` and throws its SQLite errors as errors of this module.
    fileprivate static func mapping<Result>(
        _ path: String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_FULL { throw .diskFull(path: path) }
            throw .database(
                path: path, code: error.extendedResultCode.rawValue, message: error.message ?? "no message")
        } catch {
            throw .database(path: path, code: DatabaseError().resultCode.rawValue, message: "\(error)")
        }
    }
}
