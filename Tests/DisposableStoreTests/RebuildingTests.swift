// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import DisposableWire
import Foundation
import GRDB
import Synchronization
import Testing

/// A corrupt database is set aside and rebuilt from its readable contents and from the files.
@Suite struct RebuildingTests {
    private let data: TemporaryFolder
    private let keys = EventKeys.makeEvent()
    private let folder: EventFolder
    private let operations: [VerifiedOperation]
    private let original: RemoteBlob
    private let part: RemoteBlob
    private let thumbnail: RemoteBlob

    /// 400 operations, a complete original, a begun one and a thumbnail.
    init() throws {
        data = try TemporaryFolder()
        folder = EventFolder(data: data.path, event: keys.event)
        let store = try EventStore.create(in: data.path, keys: keys)
        var author = Author(keys)
        operations = [try author.join()] + (try (0..<400).map { try author.name("name number \($0)") })
        original = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        part = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 2)
        thumbnail = try RemoteBlob(byteCount: 9_000, blobClass: .thumbnail, seed: 3)
        try store.append(operations, durably: true)
        #expect(store.blobs.write(original.writes + [part.write(1)] + thumbnail.writes).last == .completed)
        try store.setMetadata(Array("Anna".utf8), for: "own name")
        try store.close()
    }

    private var databasePath: String { folder.path + "/event.sqlite" }

    private func damage(_ change: (inout [UInt8]) -> Void) throws {
        var bytes = try data.bytes(at: databasePath)
        change(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: databasePath))
    }

    private func expectOperations(in store: EventStore) throws {
        let found = try store.everything()
        #expect(found.count == operations.count)
        #expect(Set(found.map(\.id)) == Set(operations.map(\.id)))
        #expect(found.allSatisfy { $0.body != nil })
        // A device signs other operations only after its join.
        #expect(found.first?.kind == .join)
    }

    @Test("a database that is whole is opened as it is")
    func whole() throws {
        let store = try EventStore.openRebuilding(folder)
        #expect(store.rebuilding == nil)
        #expect(try !store.mustReconcile)
        #expect(try store.everything() == operations)
    }

    @Test("with the first page destroyed every operation is found by its looks, and every file by its hash")
    func header() throws {
        try damage { bytes in for index in 0..<100 { bytes[index] = 0xFF } }
        #expect(throws: StoreError.self) { try EventStore.open(folder) }
        let store = try EventStore.openRebuilding(folder)
        let done = try #require(store.rebuilding)
        #expect(done.operationCount == operations.count)
        try expectOperations(in: store)
        #expect(try store.mustReconcile)
        let inventory = try store.blobs.inventory()
        #expect(inventory.complete == [original.root: 700_000])
        #expect(try store.blobs.plaintext(of: original.reference, range: 0..<700_000) == original.plaintext)
        // What was damaged lies there still.
        let aside = try #require(done.setAsidePath)
        #expect(try data.bytes(at: aside).prefix(4) == [0xFF, 0xFF, 0xFF, 0xFF])
        try store.hasReconciled()
        #expect(try !store.mustReconcile)
        try store.close()
        #expect(try EventStore.openRebuilding(folder).rebuilding == nil)
    }

    @Test("of a database with destroyed pages everything on the others is kept, chunk lists and thumbnails included")
    func pages() throws {
        // A page in the middle of the operations: their table is read from both ends.
        try damage { bytes in
            let needle = operations[200].signature.bytes
            let place = (0..<bytes.count - 64).first { Array(bytes[$0..<$0 + 64]) == needle }!
            let page = place / 4096 * 4096
            for index in page..<page + 4096 { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        }
        #expect(throws: StoreError.self) {
            let store = try EventStore.open(folder)
            _ = try store.everything()
        }
        let store = try EventStore.openRebuilding(folder, because: "a test")
        let found = try store.everything()
        #expect(found.count > operations.count - 30 && found.count < operations.count)
        let inventory = try store.blobs.inventory()
        #expect(inventory.complete == [original.root: 700_000, thumbnail.root: 9_000])
        #expect(inventory.partial.map(\.chunks.bytes) == [[0b010]])
        #expect(try store.metadata(for: "own name") == Array("Anna".utf8))
    }

    @Test(
        "a flipped byte in a row, its header, signature or body, is found when the row is read",
        arguments: [-100, 5, 80])
    func row(offset: Int) throws {
        let needle = operations[200].signature.bytes
        try damage { bytes in
            let place = (0..<bytes.count - 64).first { Array(bytes[$0..<$0 + 64]) == needle }!
            bytes[place + offset] ^= 1
        }
        let store = try EventStore.open(folder)
        #expect { try store.everything() } throws: { ($0 as? StoreError)?.isDamagedDatabase == true }
        try store.close()
        let rebuilt = try EventStore.openRebuilding(folder, because: "a test")
        // Without its body a name is still an operation, and others have the body.
        let found = try rebuilt.everything()
        #expect(found.count == (offset == 80 ? operations.count : operations.count - 1))
        #expect(found.count { $0.body != nil } == operations.count - 1)
    }

    @Test("a missing database is rebuilt from the files, and none of them is taken for a stray")
    func missing() throws {
        try FileManager.default.removeItem(atPath: databasePath)
        #expect(throws: StoreError.databaseMissing(path: databasePath)) { try EventStore.open(folder) }
        let store = try EventStore.openRebuilding(folder)
        #expect(store.rebuilding?.setAsidePath == nil)
        #expect(try store.operationCount == 0)
        #expect(try store.blobs.inventory().complete == [original.root: 700_000])
        #expect(try store.mustReconcile)
    }

    @Test("a power cut between the two renamings loses nothing")
    func cut() throws {
        try damage { bytes in for index in 0..<100 { bytes[index] = 0xFF } }
        try FileManager.default.moveItem(atPath: databasePath, toPath: databasePath + ".damaged-20261121T120000Z")
        let store = try EventStore.openRebuilding(folder)
        try expectOperations(in: store)
        #expect(try store.blobs.inventory().complete == [original.root: 700_000])
    }

    @Test("what is only in the log of a database that was killed is found as well")
    func log() throws {
        let store = try EventStore.open(folder)
        var author = Author(keys, seed: 9)
        let late = try author.name("said last")
        try store.append([late], durably: true)
        let copy = try data.copy()
        let copied = EventFolder(data: copy.path, event: keys.event)
        try FileManager.default.removeItem(atPath: copied.path + "/event.sqlite")
        let rebuilt = try EventStore.openRebuilding(copied)
        #expect(rebuilt.rebuilding?.setAsidePath != nil)
        #expect(try rebuilt.everything().contains(late))
    }

    private var setAside: [String] {
        data.files(in: folder.path) { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    @Test(
        "what failed, before or after the old database was set aside, can be done again and loses nothing",
        arguments: [".new", "-shm"])
    func again(suffix: String) throws {
        // A folder in the way, which is not removed as a file would be.
        let obstacle = databasePath + suffix
        _ = try? FileManager.default.removeItem(atPath: obstacle)
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        for _ in 0..<3 {
            #expect(throws: StoreError.self) { try EventStore.rebuild(folder, because: "a test") }
            #expect(setAside.count == (suffix == "-shm" ? 1 : 0))
            #expect(data.files(in: folder.path) { $0.contains(".sqlite.new") }.isEmpty)
        }
        try FileManager.default.removeItem(atPath: obstacle)
        let done = try EventStore.rebuild(folder, because: "a test")
        try expectEverything(after: done)
    }

    @Test("a rebuilt database that is corrupt before its first use is replaced, not set aside as well")
    func unused() throws {
        var done = try EventStore.rebuild(folder, because: "a test")
        for _ in 0..<3 {
            try damage { bytes in for index in 0..<100 { bytes[index] = 0xFF } }
            #expect { try EventStore.open(folder) } throws: { ($0 as? StoreError)?.isDamagedDatabase == true }
            done = try EventStore.rebuild(folder, because: "a test", after: done)
        }
        try expectEverything(after: done)
    }

    /// Expects everything from before, and the one database from which it was rebuilt.
    private func expectEverything(after done: Rebuilding) throws {
        let store = try EventStore.open(folder, after: done)
        #expect(store.rebuilding == done)
        let aside = try #require(done.setAsidePath)
        #expect(setAside == [aside])
        try expectOperations(in: store)
        let inventory = try store.blobs.inventory()
        #expect(inventory.complete == [original.root: 700_000, thumbnail.root: 9_000])
        #expect(inventory.partial.map(\.chunks.bytes) == [[0b010]])
        #expect(try store.metadata(for: "own name") == Array("Anna".utf8))
    }

    /// Opens the store like a node: rebuilt even if the corruption shows only when everything is read.
    private func opened() throws -> (EventStore, [VerifiedOperation]) {
        let store = try EventStore.openRebuilding(folder)
        do {
            _ = try store.blobs.inventory()
            return (store, try store.everything())
        } catch {
            guard (error as? StoreError)?.isDamagedDatabase == true else { throw error }
        }
        do { try store.close() } catch {}  // it is damaged
        let rebuilt = try EventStore.openRebuilding(folder, because: "a test")
        return (rebuilt, try rebuilt.everything())
    }

    /// Writes what no row may hold, as damage does on a page that looks whole: without the tables' rules.
    private func write(_ change: String) throws {
        let queue = try DatabaseQueue(path: databasePath)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA ignore_check_constraints = ON;
                    PRAGMA writable_schema = ON;
                    CREATE TEMP TABLE rule AS SELECT name, sql FROM sqlite_schema WHERE type = 'table';
                    UPDATE sqlite_schema
                    SET sql = replace(replace(replace(sql, ' STRICT,', ''), ' STRICT', ''), ' NOT NULL ', ' ')
                    WHERE type = 'table';
                    PRAGMA writable_schema = RESET;
                    """)
            try db.execute(sql: change)
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema AS present SET sql = rule.sql FROM rule
                    WHERE present.type = 'table' AND present.name = rule.name;
                    """)
        }
        try queue.close()
    }

    @Test(
        "a row that holds what none may is damage: it ends no process, and the others stay",
        arguments: [
            "UPDATE blob SET root = NULL WHERE class = 1", "UPDATE blob SET byteCount = 'text' WHERE class = 1",
            "UPDATE blob SET byteCount = NULL WHERE class = 3 AND isComplete",
            "UPDATE blob SET byteCount = -5 WHERE class = 3 AND isComplete",
            "UPDATE blob SET class = 1 WHERE class = 3 AND isComplete",
            "UPDATE blob SET bytes = x'00' WHERE class = 3 AND isComplete",
            "UPDATE blob SET isComplete = NULL WHERE class = 3 AND isComplete",
            "UPDATE blob SET isComplete = 0 WHERE class = 3 AND isComplete",
            "UPDATE blob SET isComplete = 1 WHERE chunks IS NOT NULL",
            "UPDATE blob SET byteCount = -5 WHERE NOT isComplete", "UPDATE blob SET class = 300 WHERE NOT isComplete",
            "UPDATE blob SET chunkHashes = NULL WHERE NOT isComplete",
            "UPDATE blob SET chunks = NULL WHERE NOT isComplete", "UPDATE blob SET chunks = 7 WHERE NOT isComplete",
            "UPDATE operation SET id = NULL WHERE position = 200",
            "UPDATE operation SET header = NULL WHERE position = 200",
            "UPDATE operation SET signature = 7 WHERE position = 200",
            "UPDATE operation SET body = 7 WHERE position = 200",
            "UPDATE operation SET checksum = NULL WHERE position = 200",
        ])
    func impossibleRow(change: String) throws {
        try write(change)
        let (store, found) = try opened()
        #expect(store.rebuilding != nil)
        #expect(found.count >= operations.count - 1)
        #expect(try store.blobs.inventory().complete[original.root] == 700_000)
    }

    @Test("a destruction that cannot be read is damage, and a register that cannot is left out")
    func impossibleNotes() throws {
        try write("INSERT INTO destruction VALUES ('text', NULL); INSERT INTO register VALUES (zeroblob(32), 7, NULL)")
        let store = try EventStore.open(folder)
        #expect { try store.pendingDestructions() } throws: { ($0 as? StoreError)?.isDamagedDatabase == true }
        #expect(try store.registers().isEmpty)
    }

    @Test("a row that is found wrong while the store is in use is told as damage")
    func impossibleRowInUse() throws {
        try write("UPDATE blob SET chunkHashes = 7 WHERE class = 3 AND isComplete")
        let store = try EventStore.open(folder)
        let isTold = Mutex(false)
        store.onDamage { _ in isTold.withLock { $0 = true } }
        #expect(throws: StoreError.damaged(original.root)) { try store.blobs.chunk(0, of: original.root) }
        #expect(!isTold.withLock { $0 })
        #expect { try store.blobs.takeBack(original.root) } throws: {
            ($0 as? StoreError)?.isDamagedDatabase == true
        }
        #expect(isTold.withLock { $0 })
    }

    @Test(
        "whatever bytes are wrong, opening repairs the database and keeps nothing that is not genuine",
        arguments: UInt64(0)..<12)
    func random(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        try damage { bytes in
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8.random(
                    in: 1...255, using: &generator)
            }
        }
        let (store, found) = try opened()
        // A flipped byte destroys a page's worth of rows at most, and each is one of few.
        let genuine = Set(operations.map(\.id))
        #expect(found.allSatisfy { genuine.contains($0.id) })
        for root in try store.blobs.inventory().complete.keys {
            guard let blob = [original, thumbnail].first(where: { $0.root == root }) else {
                Issue.record("not a blob: \(root)")
                continue
            }
            for index in blob.chunks.indices {
                // Refused as damaged, or right.
                if let chunk = try? store.blobs.chunk(index, of: root) { #expect(chunk == blob.chunks[index]) }
            }
        }
        try store.append(operations, durably: true)
        #expect(try store.operationCount == operations.count)
    }
}
