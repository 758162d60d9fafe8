// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSystem

/// The location of all data of one event: `<data>/events/<event id>/`.
///
/// ```
/// lock                       held while a store has the folder open
/// event.sqlite (-wal, -shm)  operations, thumbnails, what is known of the other blobs
/// keys/                      `EventKeys`, one file a key, outside the database
/// reader                     there while the node only reads the event: it must outlast a lost database
/// blobs/ab/cd/<root>         ciphertext of previews and originals; `.part` while not complete
/// map/                       the map of this node's pages, which no operation describes (`MapStore`)
/// incoming/                  temporary copies, overwritten and removed whenever the folder is opened
/// album/                     an album that the desk makes or offers; removed whenever the folder is opened
/// ```
/// All names are hashes, never texts from people or peers.
public struct EventFolder: Equatable, Sendable {
    public let event: EventID
    public let path: String
    private let dataPath: String

    /// - Parameter data: the node's data folder.
    public init(data: String, event: EventID) {
        self.event = event
        dataPath = data
        path = "\(data)/events/\(event)"
    }

    /// Returns the events of the data folder, in the order of their ids, without those whose keys were never completed.
    public static func all(in data: String) throws(StoreError) -> [EventFolder] {
        var folders: [EventFolder] = []
        for name in try StoreFileSystem.names(in: "\(data)/events") {
            guard let event = EventID(hex: name) else { continue }
            let folder = EventFolder(data: data, event: event)
            if try StoreFileSystem.byteCount(of: folder.keyPath(.event)) != nil { folders.append(folder) }
        }
        return folders.sorted { $0.event < $1.event }
    }

    /// Returns the same as `all`, including events with incomplete keys.
    public static func allWithOrWithoutKeys(in data: String) throws(StoreError) -> [EventFolder] {
        try StoreFileSystem.names(in: "\(data)/events").compactMap { EventID(hex: $0) }.sorted()
            .map { EventFolder(data: data, event: $0) }
    }

    /// For temporary copies of the shell. On the same volume as the blobs, cleared whenever the folder is opened.
    public var incomingPath: String { path + "/incoming" }
    /// For an album to save, in plaintext. Removed whenever the folder is opened.
    public var albumPath: String { path + "/album" }
    var databasePath: String { path + "/event.sqlite" }
    var blobsPath: String { path + "/blobs" }
    var eventsPath: String { dataPath + "/events" }
    var mapPath: String { path + "/map" }
    var lockPath: String { path + "/lock" }
    var keysPath: String { path + "/keys" }
    var readerPath: String { path + "/reader" }
    func keyPath(_ file: EventKeys.File) -> String { "\(keysPath)/\(file.rawValue)" }

    /// Creates the missing folders durably.
    func make() throws(StoreError) {
        for (parent, folder) in [
            (dataPath, eventsPath), (eventsPath, path), (path, keysPath), (path, blobsPath), (path, incomingPath),
        ] where try StoreFileSystem.makeFolder(folder) {
            try StoreFileSystem.synchronizeFolder(parent)
        }
    }

    /// Whether the event is one that the node only reads, for the gallery of another (protocol/disposable-v1.md §9.28).
    var isReader: Bool {
        get throws(StoreError) { try StoreFileSystem.byteCount(of: readerPath) != nil }
    }

    /// Durable when this returns.
    func setReader(_ isReader: Bool) throws(StoreError) {
        guard try self.isReader != isReader else { return }
        let mark: [UInt8] = [1]
        if isReader {
            try StoreFileSystem.replaceFile(readerPath, with: mark.span)
        } else {
            try StoreFileSystem.remove(readerPath)
        }
        try StoreFileSystem.synchronizeFolder(path)
    }

    /// Removes what a killed process has left.
    func clearTemporary() throws(StoreError) {
        try StoreFileSystem.removeTree(albumPath)
        for name in try StoreFileSystem.names(in: incomingPath) { try StoreFileSystem.erase("\(incomingPath)/\(name)") }
    }

    /// Writes a temporary copy of the shell; the name must be unused.
    public func writeIncoming(_ bytes: [UInt8], to path: String) throws(StoreError) {
        try StoreFile(path, .creating).write(bytes, at: 0)
    }

    /// Overwrites a temporary copy of the shell, then removes it; a missing one is no error. Blocks for as long as the
    /// disk takes. Copy-on-write file systems and flash memory may keep the overwritten data.
    public func eraseIncoming(_ path: String) throws(StoreError) { try StoreFileSystem.erase(path) }
}
