// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableModel
internal import Foundation
internal import GRDB
internal import Glibc
internal import Synchronization

/// Everything that one node keeps of one event: keys, operations, blobs and a few notes of its shell.
///
/// Synchronous and thread-safe; calls block until the work is done, so they belong on queues that may block.
/// One store a folder at a time, in this process and any other. What is thrown is a `StoreError`.
public final class EventStore: Sendable {
    public let folder: EventFolder
    public var keys: EventKeys { held.withLock(\.self) }
    private let held: Mutex<EventKeys>
    public let blobs: BlobStore
    package let database: EventDatabase
    let storedBody: StoredBody
    /// What was done before opening, where the database had to be made anew.
    public let rebuilding: Rebuilding?
    /// `nil` once the store is closed.
    private let lock: Mutex<OpenFile?>

    /// Makes the event's folder below `data`, writes the keys and opens it. The data folder must exist.
    ///
    /// Throws `StoreError.eventExists` rather than replace the keys of an event that is here.
    public static func create(in data: String, keys: EventKeys) throws(StoreError) -> EventStore {
        let folder = EventFolder(data: data, event: keys.event)
        try folder.make()
        let lock = try takeLock(folder)
        guard try FileSystem.byteCount(of: folder.keyPath(.event)) == nil else {
            throw .eventExists(path: folder.path)
        }
        try keys.write(to: folder)
        return try EventStore(folder, keys: keys, lock: lock)
    }

    /// Opens the folder of an event and puts right what a crash has left behind (see `BlobStore`). After a crash the
    /// database is looked through first, which reads all of it.
    ///
    /// Throws an error that `isDamagedDatabase` where the database has to be made anew (`openRebuilding`).
    /// - Parameter rebuilding: what `rebuild` has just done, to be told.
    public static func open(
        _ folder: EventFolder, after rebuilding: Rebuilding? = nil
    ) throws(StoreError) -> EventStore {
        let keys = try EventKeys(loadingFrom: folder)
        let lock = try takeLock(folder)
        try folder.make()
        guard try FileSystem.byteCount(of: folder.databasePath) ?? 0 > 0 else {
            throw .databaseMissing(path: folder.databasePath)
        }
        return try EventStore(folder, keys: keys, lock: lock, rebuilding: rebuilding)
    }

    static func takeLock(_ folder: EventFolder) throws(StoreError) -> OpenFile {
        let file = try OpenFile(folder.lockPath, flags: O_RDWR | O_CREAT)
        try file.lock()
        return file
    }

    init(
        _ folder: EventFolder, keys: EventKeys, lock: OpenFile, rebuilding: Rebuilding? = nil
    ) throws(StoreError) {
        try folder.clearIncoming()
        let wasLeftOpen = try FileSystem.byteCount(of: folder.databasePath + "-wal") ?? 0 > 0
        database = try EventDatabase(folder.databasePath)
        if wasLeftOpen {
            try database.check("quick_check")
            // What was being destroyed may stand in it still.
            do throws(StoreError) { try database.truncateLog() } catch  where error.isDiskFull {}  // when it is closed, then
        }
        self.rebuilding = rebuilding
        blobs = try BlobStore(folder, database: database)
        storedBody = StoredBody(storageKey: keys.storageKey)
        self.folder = folder
        held = Mutex(keys)
        self.lock = Mutex(lock)
    }

    /// Commits what is unfinished, moves the log into the database and gives the folder free. Later calls throw.
    ///
    /// Where the disk does not let it commit, the store is closed all the same; opening treats it as a crash.
    public func close() throws(StoreError) {
        defer {
            lock.withLock { lock in
                lock?.unlock()
                lock = nil
            }
        }
        do throws(StoreError) {
            try blobs.flush()
            try database.truncateLog()
        } catch {
            try database.close()
            throw error
        }
        try database.close()
    }

    /// Takes the event key, lastingly: this node is an organizer's from now on.
    /// - Precondition: it is this event's.
    public func take(_ organizer: SigningKey) throws(StoreError) {
        precondition(organizer.verifyingKey == keys.eventKey, "the event key of another event")
        try EventKeys.write(organizer, to: folder)
        held.withLock { $0.organizer = organizer }
    }

    /// Takes the secret of another invitation in the place of the one before, lastingly.
    public func take(_ eventSecret: SecretBytes) throws(StoreError) {
        try EventKeys.write(eventSecret: eventSecret, to: folder)
        held.withLock { $0.eventSecret = eventSecret }
    }

    /// Has `report` called with each sign that the database is damaged, on whatever thread it is met.
    public func onDamage(_ report: @escaping @Sendable (StoreError) -> Void) {
        database.damage.withLock { $0 = report }
    }

    /// Notes a value for the shell, `nil` to forget it. On disk when this returns.
    public func setMetadata(_ value: [UInt8]?, for key: String) throws(StoreError) {
        try database.write(durably: true) { db in
            if let value {
                try db.execute(
                    sql: "INSERT INTO metadata (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2",
                    arguments: [key, Data(value)])
            } else {
                try db.execute(sql: "DELETE FROM metadata WHERE key = ?", arguments: [key])
            }
        }
    }

    /// What was noted under `key`, `nil` if nothing was.
    public func metadata(for key: String) throws(StoreError) -> [UInt8]? {
        try database.read { db in
            try Data.fetchOne(db, sql: "SELECT value FROM metadata WHERE key = ?", arguments: [key]).map { [UInt8]($0) }
        }
    }
}
