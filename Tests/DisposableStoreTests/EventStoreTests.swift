// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import DisposableWire
import Foundation
import GRDB
import Testing

@Suite struct EventStoreTests {
    private let data: TemporaryFolder
    private let keys = EventKeys.makeEvent()
    private let store: EventStore

    init() throws {
        data = try TemporaryFolder()
        store = try EventStore.create(in: data.path, keys: keys)
    }

    private func reopened() throws -> EventStore {
        try store.close()
        return try EventStore.open(store.folder)
    }

    @Test("operations come back as they were appended, in their order, also after opening again")
    func roundTrip() throws {
        var author = Author(keys)
        var operations = [try author.join()]
        for index in 0..<250 {
            operations.append(try author.name("Anna \(index)"))
            operations.append(try author.claim(of: PhotoID(operations[1].id), slot: UInt64(index) + 1))
        }
        try store.append(operations, durably: true)
        #expect(try store.everything(batchSize: 7) == operations)
        let store = try reopened()
        #expect(try store.everything() == operations)
        #expect(try store.operationCount == operations.count)
    }

    @Test("only the bodies asked for are opened, and those the fold reads")
    func selectedBodies() throws {
        var author = Author(keys)
        let operations = [try author.join(), try author.name("Anna"), try author.claim(of: PhotoID(.zero), slot: 1)]
        try store.append(operations, durably: false)
        var loaded: [VerifiedOperation] = []
        try store.forEachOperation(bodies: { _ in false }) { loaded += $0 }
        #expect(loaded == [operations[0], try operations[1].withoutBody, operations[2]])
        #expect(loaded[2].body == [])
    }

    @Test("operations that are appended while others are visited are visited as well", arguments: [1, 2, 3, 100])
    func appendedMeanwhile(batchSize: Int) throws {
        var author = Author(keys)
        var expected = try (0..<6).map { try author.name("Anna \($0)") }
        try store.append(expected, durably: false)
        var visited: [VerifiedOperation] = []
        try store.forEachOperation(batchSize: batchSize, bodies: { _ in true }) { batch in
            visited += batch
            guard expected.count < 9, visited.count >= 6 else { return }
            let later = try author.name("Emil \(expected.count)")
            expected.append(later)
            try store.append([later], durably: false)
        }
        #expect(visited == expected)
        #expect(expected.count == 9)
    }

    @Test("an error ends the visit of operations")
    func endedVisit() throws {
        struct Enough: Error {}
        var author = Author(keys)
        try store.append(try (0..<6).map { try author.name("Anna \($0)") }, durably: false)
        var count = 0
        #expect(throws: Enough.self) {
            try store.forEachOperation(batchSize: 2, bodies: { _ in true }) { batch in
                count += batch.count
                if count == 4 { throw Enough() }
            }
        }
        #expect(count == 4)
    }

    @Test("sets of operations appended twice, in any order, are there once", arguments: UInt64(0)..<8)
    func idempotent(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var author = Author(keys, seed: seed)
        let operations = try (0..<60).map { try author.name("n\($0)") }
        for _ in 0..<6 {
            let some = Array(operations.shuffled(using: &generator).prefix(Int.random(in: 1...60, using: &generator)))
            try store.append(some + some, durably: Bool.random(using: &generator))
        }
        try store.append(operations, durably: false)
        #expect(try store.everything().map(\.id).sorted() == operations.map(\.id).sorted())
        #expect(try store.operations(operations.map(\.id)) == operations)
    }

    @Test("a body that comes later is filled in, and one that is here is not lost to an operation without")
    func lateBody() throws {
        var author = Author(keys)
        let operation = try author.name("Anna")
        try store.append([try operation.withoutBody], durably: false)
        #expect(try store.operations([operation.id]) == [try operation.withoutBody])
        try store.append([operation], durably: false)
        try store.append([try operation.withoutBody], durably: false)
        #expect(try store.operations([operation.id]) == [operation])
        #expect(try store.operationCount == 1)
    }

    @Test("1,024 operations are found in the order asked for, and unknown ones are left out")
    func byID() throws {
        var author = Author(keys)
        var generator = SplitMix64(seed: 3)
        let operations = try (0..<1_024).map { try author.name("n\($0)") }
        try store.append(operations, durably: false)
        let wanted = operations.shuffled(using: &generator)
        var ids = wanted.map(\.id)
        ids.insert(OperationID(.zero), at: 500)
        #expect(try store.operations(ids) == wanted)
    }

    @Test("an erased body is gone from the database and its log, and its header stays")
    func erasure() throws {
        var author = Author(keys)
        let operations = try (0..<50).map { try author.name("n\($0)") }
        try store.append(operations, durably: false)
        let erased = operations[20]
        let sealed = try #require(
            try store.database.read { db in
                try Data.fetchOne(
                    db, sql: "SELECT body FROM operation WHERE id = ?", arguments: [Data(erased.id.bytes)])
            })
        #expect(try isOnDisk(sealed))
        try store.destroy([], bodies: [erased.id], blobs: [])
        #expect(try !isOnDisk(sealed))
        #expect(try store.operations([erased.id]) == [try erased.withoutBody])
        #expect(try store.operations([operations[21].id]) == [operations[21]])
    }

    @Test("what people write is not on disk in plain text")
    func sealedBodies() throws {
        var author = Author(keys)
        let name = "a caption to search for"
        let operation = try author.name(name)
        try store.append([operation], durably: true)
        #expect(try isOnDisk(Data(operation.header.bytes)))
        #expect(try !isOnDisk(Data(name.utf8)))
        try store.close()
        #expect(try isOnDisk(Data(operation.header.bytes)))
        #expect(try !isOnDisk(Data(name.utf8)))
    }

    private func isOnDisk(_ bytes: Data) throws -> Bool {
        try data.files(in: store.folder.path).contains { path in
            try Data(contentsOf: URL(fileURLWithPath: path)).range(of: bytes) != nil
        }
    }

    @Test("once the storage key is replaced, bodies do not open, and headers are still read")
    func replacedStorageKey() throws {
        var author = Author(keys)
        let operation = try author.name("Anna")
        try store.append([operation], durably: false)
        try store.close()
        try Data(repeating: 9, count: 32).write(to: URL(fileURLWithPath: store.folder.path + "/keys/storage.key"))
        let store = try EventStore.open(store.folder)
        #expect(throws: StoreError.bodyDoesNotOpen(operation.id)) { try store.operations([operation.id]) }
        var headers: [OperationHeader] = []
        try store.forEachOperation(bodies: { _ in false }) { headers += $0.map(\.header) }
        #expect(headers == [operation.header])
    }

    @Test("a body moved to another operation's row does not open")
    func swappedBodies() throws {
        var author = Author(keys)
        let operations = [try author.name("Anna"), try author.name("Emil")]
        try store.append(operations, durably: false)
        try store.database.write(durably: false) { db in
            try db.execute(
                sql: "UPDATE operation SET body = (SELECT body FROM operation WHERE position = 1) WHERE position = 2")
        }
        #expect(throws: StoreError.bodyDoesNotOpen(operations[1].id)) { try store.operations([operations[1].id]) }
    }

    @Test(
        "a damaged row is reported with its position",
        arguments: [
            ("header = CAST(x'02' || substr(header, 2) AS BLOB)", OperationError.unsupportedVersion(2)),
            ("header = CAST(substr(header, 1, 187) || x'00' AS BLOB)", nil),
            ("header = zeroblob(188)", .unsupportedVersion(0)),
            ("id = zeroblob(32)", nil),
        ])
    func corruptRow(change: String, reason: OperationError?) throws {
        var author = Author(keys)
        try store.append([try author.name("Anna"), try author.name("Emil")], durably: false)
        try store.database.write(durably: false) { db in
            try db.execute(sql: "UPDATE operation SET \(change) WHERE position = 2")
        }
        #expect(throws: StoreError.corruptOperation(position: 2, reason)) {
            try store.forEachOperation(bodies: { _ in false }) { _ in }
        }
    }

    @Test("own operations are written with synchronous FULL, others with NORMAL")
    func durability() throws {
        func synchronous(durably: Bool) throws -> Int? {
            try store.database.write(durably: durably) { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") }
        }
        #expect(try synchronous(durably: true) == 2)
        #expect(try synchronous(durably: false) == 1)
        #expect(try synchronous(durably: true) == 2)
    }

    @Test("the database is set up as it must be")
    func pragmas() throws {
        func pragma(_ name: String) throws -> String? {
            try store.database.write(durably: false) { db in try String.fetchOne(db, sql: "PRAGMA \(name)") }
        }
        let expected = [
            "journal_mode": "wal", "auto_vacuum": "2", "secure_delete": "1", "foreign_keys": "1", "temp_store": "2",
            "mmap_size": "0", "busy_timeout": "5000", "journal_size_limit": "8388608", "user_version": "5",
            "application_id": "\(0x4453_5043)", "page_size": "4096",
        ]
        for (name, value) in expected { #expect(try pragma(name) == value, "\(name)") }
    }

    @Test("the schema refuses rows that break its rules")
    func schema() throws {
        for sql in [
            "INSERT INTO operation (id, header, signature, checksum) VALUES (zeroblob(31), zeroblob(188), zeroblob(64), zeroblob(8))",
            "INSERT INTO operation (id, header, signature, checksum) VALUES (zeroblob(32), zeroblob(187), zeroblob(64), zeroblob(8))",
            "INSERT INTO operation (id, header, signature, checksum) VALUES ('text', zeroblob(188), zeroblob(64), zeroblob(8))",
            "INSERT INTO blob VALUES (zeroblob(32), 4, 1, 1, NULL, zeroblob(32), NULL)",
            "INSERT INTO blob VALUES (zeroblob(32), 2, 262145, 1, NULL, zeroblob(32), NULL)",
            "INSERT INTO blob VALUES (zeroblob(32), 2, 1, 1, zeroblob(1), zeroblob(32), NULL)",
            "INSERT INTO blob VALUES (zeroblob(32), 1, 1, 1, NULL, zeroblob(32), NULL)",
            "INSERT INTO destruction VALUES (zeroblob(31), 0)", "INSERT INTO destruction VALUES (zeroblob(32), -1)",
        ] {
            #expect(throws: StoreError.self, "\(sql)") {
                try store.database.write(durably: false) { db in try db.execute(sql: sql) }
            }
        }
    }

    @Test("of each device's registers the last is kept, and what is none of this event's is left out")
    func registers() throws {
        func register(_ counter: UInt64, of event: EventID) -> Register {
            Register(
                .init(
                    device: DeviceID(keys.device.verifyingKey), instance: [UInt8](0..<16), counter: counter,
                    originals: [.init(device: DeviceID(keys.device.verifyingKey), bits: ChunkBitmap(bytes: [3]))],
                    destroyed: []), of: event, key: keys.device)
        }
        for counter in UInt64(1)...3 {
            try store.keep(register(counter, of: keys.event), heardAtMilliseconds: counter, durably: counter == 3)
        }
        let again = try reopened()
        let kept = try again.registers()
        #expect(kept.map(\.register) == [register(3, of: keys.event)])
        #expect(kept.map(\.heardAtMilliseconds) == [3])
        try again.forget(registersOf: [DeviceID(keys.device.verifyingKey)])
        #expect(try again.registers().isEmpty)
        let elsewhere = try TemporaryFolder()
        let store = try EventStore.create(in: elsewhere.path, keys: EventKeys.makeEvent())
        try store.keep(register(4, of: keys.event), heardAtMilliseconds: 4, durably: false)
        #expect(try store.registers().isEmpty)
    }

    @Test("the database of another program, of a later version and from before version 1 are left alone")
    func foreignDatabase() throws {
        let path = store.folder.path + "/event.sqlite"
        try store.database.write(durably: false) { db in try db.execute(sql: "PRAGMA user_version = 6") }
        try store.close()
        #expect(throws: StoreError.newerDatabase(path: path, version: 6)) { try EventStore.open(store.folder) }
        try DatabaseQueue(path: path).write { db in try db.execute(sql: "PRAGMA user_version = 4") }
        #expect(throws: StoreError.olderDatabase(path: path)) { try EventStore.open(store.folder) }
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        let other = try DatabaseQueue(path: path)
        try other.write { db in try db.execute(sql: "CREATE TABLE song (title TEXT); PRAGMA application_id = 77") }
        try other.close()
        #expect(throws: StoreError.foreignDatabase(path: path, applicationID: 77)) { try EventStore.open(store.folder) }
    }

    @Test("a folder is open once, and free again after closing")
    func lock() throws {
        #expect(throws: StoreError.inUse(path: store.folder.path + "/lock")) { try EventStore.open(store.folder) }
        let again = try reopened()
        #expect(try again.operationCount == 0)
        #expect(throws: StoreError.self) { try store.operationCount }
    }

    @Test("10,000 operations are stored and loaded")
    func many() throws {
        var author = Author(keys)
        let operations = try (0..<10_000).map { try author.name("n\($0)") }
        for start in stride(from: 0, to: operations.count, by: 256) {
            try store.append(Array(operations[start..<min(start + 256, operations.count)]), durably: false)
        }
        #expect(try store.everything(batchSize: 1_000) == operations)
    }

    @Test("notes of the shell are kept, replaced and forgotten")
    func metadata() throws {
        #expect(try store.metadata(for: "port") == nil)
        try store.setMetadata([1, 2], for: "port")
        try store.setMetadata([3], for: "port")
        try store.setMetadata([], for: "empty")
        let store = try reopened()
        #expect(try store.metadata(for: "port") == [3])
        #expect(try store.metadata(for: "empty") == [])
        try store.setMetadata(nil, for: "port")
        #expect(try store.metadata(for: "port") == nil)
    }

    @Test("a node killed at any moment has a prefix of its batches, whole ones only")
    func killed() throws {
        var author = Author(keys)
        var batches: [[VerifiedOperation]] = []
        for size in [1, 40, 3, 256] {
            batches.append(try (0..<size).map { try author.name("n\($0)") })
            try store.append(batches[batches.count - 1], durably: false)
            let copy = try data.copy()
            let survivor = try EventStore.open(EventFolder(data: copy.path, event: keys.event))
            #expect(try survivor.everything() == Array(batches.joined()))
        }
    }

    @Test("temporary copies do not outlive opening, and are overwritten")
    func incoming() throws {
        let path = store.folder.incomingPath + "/upload"
        let byteCount = 3 << 20 + 5
        try Data(repeating: 1, count: byteCount).write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        _ = try reopened()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try file.readToEnd() == Data(repeating: 0, count: byteCount))
    }
}
