// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import Foundation
import Testing

@Suite struct EventKeysTests {
    @Test("the keys of a new event come back from their files, and say who organizes it")
    func roundTrip() throws {
        let data = try TemporaryFolder()
        let organizer = EventKeys.makeEvent()
        try EventStore.create(in: data.path, keys: organizer).close()
        let folder = EventFolder(data: data.path, event: organizer.event)
        let loaded = try EventKeys(loadingFrom: folder)
        #expect(loaded.device.verifyingKey == organizer.device.verifyingKey)
        #expect(loaded.organizer?.verifyingKey == organizer.eventKey)
        #expect(loaded.eventKey == organizer.eventKey)
        #expect(loaded.importSecret.isEqual(to: organizer.importSecret))
        #expect(loaded.storageKey.isEqual(to: organizer.storageKey))
        #expect(loaded.eventSecret.isEqual(to: organizer.eventSecret))
        #expect(try EventFolder.all(in: data.path) == [folder])
    }

    @Test("a guest's device has its own keys and the event's secret, and no organizer's key")
    func guest() throws {
        let data = try TemporaryFolder()
        let organizer = EventKeys.makeEvent()
        let guest = EventKeys.makeDevice(eventKey: organizer.eventKey, eventSecret: organizer.eventSecret)
        #expect(guest.device.verifyingKey != organizer.device.verifyingKey)
        #expect(!guest.storageKey.isEqual(to: organizer.storageKey))
        try EventStore.create(in: data.path, keys: guest).close()
        let loaded = try EventKeys(loadingFrom: EventFolder(data: data.path, event: organizer.event))
        #expect(loaded.organizer == nil)
        #expect(loaded.eventSecret.isEqual(to: organizer.eventSecret))
    }

    @Test("a secret that is replaced is overwritten where it was on the disk, and the new one is in its place")
    func replacedSecret() throws {
        let data = try TemporaryFolder()
        let keys = EventKeys.makeEvent()
        let store = try EventStore.create(in: data.path, keys: keys)
        let path = "\(store.folder.path)/keys/event.secret"
        let old = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        #expect(try old.read(upToCount: 32) != Data(repeating: 0, count: 32))
        var bytes = [UInt8](repeating: 7, count: 32)
        let secret = SecretBytes(consuming: &bytes)
        // What an interrupted replacement left behind.
        try Data(repeating: 9, count: 32).write(to: URL(fileURLWithPath: path + ".new"))
        let interrupted = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + ".new"))
        try store.take(secret)
        for file in [old, interrupted] {
            try file.seek(toOffset: 0)
            #expect(try file.read(upToCount: 32) == Data(repeating: 0, count: 32))
        }
        try store.close()
        let loaded = try EventKeys(loadingFrom: store.folder)
        #expect(loaded.eventSecret.isEqual(to: secret))
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(store.folder.path)/keys").count == 6)
    }

    @Test("the database and its log are for their owner only, also where an earlier version made them for all")
    func databaseMode() throws {
        let data = try TemporaryFolder()
        let store = try EventStore.create(in: data.path, keys: EventKeys.makeEvent())
        func modes() throws -> [mode_t] {
            try ["", "-wal", "-shm"].map { suffix in
                var status = stat()
                try #require(stat(store.folder.path + "/event.sqlite" + suffix, &status) == 0, "\(suffix)")
                return status.st_mode & 0o777
            }
        }
        #expect(try modes() == [0o600, 0o600, 0o600])
        try store.close()
        #expect(chmod(store.folder.path + "/event.sqlite", 0o644) == 0)
        let again = try EventStore.open(store.folder)
        #expect(try modes() == [0o600, 0o600, 0o600])
        try again.close()
    }

    @Test(
        "a missing or short key file is named",
        arguments: ["device.seed", "import.secret", "storage.key", "event.secret", "event.key"])
    func missingKey(name: String) throws {
        let data = try TemporaryFolder()
        let keys = EventKeys.makeEvent()
        try EventStore.create(in: data.path, keys: keys).close()
        let folder = EventFolder(data: data.path, event: keys.event)
        let path = "\(folder.path)/keys/\(name)"
        try Data(repeating: 7, count: 31).write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreError.keyByteCount(path: path, byteCount: 31)) { try EventStore.open(folder) }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: StoreError.keyMissing(path: path)) { try EventStore.open(folder) }
        #expect(try EventFolder.all(in: data.path).isEmpty == (name == "event.key"))
    }

    @Test("the key of another event is refused", arguments: ["event.key", "event.seed"])
    func foreignKey(name: String) throws {
        let data = try TemporaryFolder()
        let keys = EventKeys.makeEvent()
        try EventStore.create(in: data.path, keys: keys).close()
        let folder = EventFolder(data: data.path, event: keys.event)
        let path = "\(folder.path)/keys/\(name)"
        try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreError.keyMismatch(path: path)) { try EventStore.open(folder) }
    }

    @Test("an event is created once, so that no key of it is ever replaced")
    func createdOnce() throws {
        let data = try TemporaryFolder()
        let keys = EventKeys.makeEvent()
        let store = try EventStore.create(in: data.path, keys: keys)
        try store.close()
        let again = EventKeys.makeDevice(eventKey: keys.eventKey, eventSecret: keys.eventSecret)
        #expect(throws: StoreError.eventExists(path: store.folder.path)) {
            try EventStore.create(in: data.path, keys: again)
        }
        #expect(try EventStore.open(store.folder).keys.device.verifyingKey == keys.device.verifyingKey)
    }

    @Test("an event that is only read stays one when its database is lost, until its person takes part")
    func reader() throws {
        let data = try TemporaryFolder()
        let store = try EventStore.create(in: data.path, keys: .makeEvent(), isReader: true)
        try store.close()
        try FileManager.default.removeItem(atPath: store.folder.path + "/event.sqlite")
        let rebuilt = try EventStore.openRebuilding(store.folder)
        #expect(try rebuilt.isReader)
        try rebuilt.endReading()
        try rebuilt.close()
        #expect(try !EventStore.open(store.folder).isReader)
    }

    @Test("of an event whose keys were never completed nothing stays, also not that it was only to be read")
    func interruptedReader() throws {
        let data = try TemporaryFolder()
        let keys = EventKeys.makeEvent()
        let store = try EventStore.create(in: data.path, keys: keys, isReader: true)
        try store.close()
        try FileManager.default.removeItem(atPath: store.folder.path + "/keys/event.key")
        #expect(try !EventStore.create(in: data.path, keys: keys).isReader)
    }

    @Test("a closed store's folder is free at once, though a program that is just being started holds its descriptors")
    func freeAtOnce() throws {
        let data = try TemporaryFolder()
        let store = try EventStore.create(in: data.path, keys: .makeEvent())
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let lock = try #require(
            names.first {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target?.hasSuffix(store.folder.path + "/lock") == true
            }.flatMap { Int32($0) })
        let inherited = dup(lock)
        defer { close(inherited) }
        try store.close()
        try EventStore.open(store.folder).close()
    }

    @Test("folders are for their owner only, and so are key files")
    func permissions() throws {
        let data = try TemporaryFolder()
        let keys = EventKeys.makeEvent()
        let store = try EventStore.create(in: data.path, keys: keys)
        func mode(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        for folder in ["", "/keys", "/blobs", "/incoming"] { #expect(try mode(store.folder.path + folder) == 0o700) }
        let files = data.files(in: store.folder.path + "/keys")
        #expect(files.count == 6)
        for file in files { #expect(try mode(file) == 0o600) }
    }
}
