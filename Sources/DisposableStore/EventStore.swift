// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import Foundation
internal import GRDB
internal import Synchronization

/// The stored data of one event on one node: keys, operations, blobs and a few values of the shell.
///
/// Synchronous and thread-safe; calls block until the work is done, so they belong on queues that may block. Only one
/// store may have a folder open, in this process and any other. It throws `StoreError`.
public final class EventStore: Sendable {
    public let folder: EventFolder
    public var keys: EventKeys { held.withLock(\.self) }
    private let held: Mutex<EventKeys>
    public let blobs: BlobStore
    /// The map of this node's pages.
    public let maps: MapStore
    package let database: EventDatabase
    let storedBody: StoredBody
    /// The rebuild before opening, if the database had to be rebuilt.
    public let rebuilding: Rebuilding?
    /// `nil` once the store is closed.
    private let lock: Mutex<StoreFile?>

    /// Creates the event's folder below `data`, writes the keys and opens it. The data folder must exist.
    ///
    /// Throws `StoreError.eventExists` instead of replacing the keys of an existing event.
    /// - Parameter isReader: whether the node only reads the event.
    public static func create(
        in data: String, keys: EventKeys, isReader: Bool = false
    ) throws(StoreError) -> EventStore {
        let folder = EventFolder(data: data, event: keys.event)
        try folder.make()
        let lock = try takeLock(folder)
        guard try StoreFileSystem.byteCount(of: folder.keyPath(.event)) == nil else {
            throw .eventExists(path: folder.path)
        }
        // Before the keys: after an interruption the folder is either a reader's or no event.
        try folder.setReader(isReader)
        try keys.write(to: folder)
        return try EventStore(folder, keys: keys, lock: lock)
    }

    /// Opens the folder of an event and repairs the effects of a crash (see `BlobStore`). After a crash it checks the
    /// database first, which reads all of it.
    ///
    /// Throws an error that `isDamagedDatabase` if the database must be rebuilt (`openRebuilding`).
    /// - Parameter rebuilding: the result of a `rebuild` just before.
    public static func open(
        _ folder: EventFolder, after rebuilding: Rebuilding? = nil
    ) throws(StoreError) -> EventStore {
        let keys = try EventKeys(loadingFrom: folder)
        let lock = try takeLock(folder)
        try folder.make()
        guard try StoreFileSystem.byteCount(of: folder.databasePath) ?? 0 > 0 else {
            throw .databaseMissing(path: folder.databasePath)
        }
        return try EventStore(folder, keys: keys, lock: lock, rebuilding: rebuilding)
    }

    static func takeLock(_ folder: EventFolder) throws(StoreError) -> StoreFile {
        let file = try StoreFile(folder.lockPath, flags: StoreFile.readWriteCreating)
        try file.lock()
        return file
    }

    init(
        _ folder: EventFolder, keys: EventKeys, lock: StoreFile, rebuilding: Rebuilding? = nil
    ) throws(StoreError) {
        try folder.clearTemporary()
        let wasLeftOpen = try StoreFileSystem.byteCount(of: folder.databasePath + "-wal") ?? 0 > 0
        database = try EventDatabase(folder.databasePath)
        if wasLeftOpen {
            try database.check("quick_check")
            // The log may still contain purged data.
            do throws(StoreError) { try database.truncateLog() } catch  where error.isDiskFull {}  // on closing, then
        }
        self.rebuilding = rebuilding
        blobs = try BlobStore(folder, database: database)
        maps = MapStore(folder)
        storedBody = StoredBody(storageKey: keys.storageKey)
        self.folder = folder
        held = Mutex(keys)
        self.lock = Mutex(lock)
    }

    /// Releases the folder of a store that nobody has closed, as `close` does: see `OpenFile.unlock`.
    deinit { lock.withLock { $0?.unlock() } }

    /// Commits unfinished work, moves the log into the database and releases the folder. Later calls throw.
    ///
    /// If the disk prevents the commit, the store is closed nevertheless; opening treats it as a crash.
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

    /// Frees cached pages of the database, which a start has read and seldom needs again, and what else is free.
    public func releaseMemory() { database.releaseMemory() }

    /// Stores the event key durably: this node is an organizer's from now on.
    /// - Precondition: it is this event's.
    public func take(_ organizer: SigningKey) throws(StoreError) {
        precondition(organizer.verifyingKey == keys.eventKey, "the event key of another event")
        try EventKeys.write(organizer, to: folder)
        held.withLock { $0.organizer = organizer }
    }

    /// Replaces the invitation's secret by that of another invitation, durably.
    public func take(_ eventSecret: SecretBytes) throws(StoreError) {
        try EventKeys.write(eventSecret: eventSecret, to: folder)
        held.withLock { $0.eventSecret = eventSecret }
    }

    /// Whether the node only reads the event, for the gallery of another.
    public var isReader: Bool {
        get throws(StoreError) { try folder.isReader }
    }

    /// Records that the person takes part in an event that the node has only read. Durable when this returns.
    public func endReading() throws(StoreError) { try folder.setReader(false) }

    /// Sets a function that is called with each sign that the database is corrupt, on any thread.
    public func onDamage(_ report: @escaping @Sendable (StoreError) -> Void) {
        database.damage.withLock { $0 = report }
    }

    /// Stores a value for the shell, `nil` to remove it. Durable when this returns.
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

    /// Returns the value under `key`, `nil` if there is none.
    public func metadata(for key: String) throws(StoreError) -> [UInt8]? {
        try database.read { db in
            try Data.fetchOne(db, sql: "SELECT value FROM metadata WHERE key = ?", arguments: [key]).map { [UInt8]($0) }
        }
    }
}
