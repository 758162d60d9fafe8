// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import Foundation
import GRDB
import Testing

/// Purging of withdrawn data: no byte of them is left in any file, after any interruption.
@Suite struct DestructionTests {
    private let data: TemporaryFolder
    private let store: EventStore
    private let operations: [VerifiedOperation]
    private let original: RemoteBlob
    private let part: RemoteBlob
    private let thumbnail: RemoteBlob

    /// Twenty operations, a complete original, a begun one and a thumbnail.
    init() throws {
        data = try TemporaryFolder()
        let keys = EventKeys.makeEvent()
        store = try EventStore.create(in: data.path, keys: keys)
        var author = Author(keys)
        operations = try (0..<20).map { try author.name("name number \($0)") }
        original = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        part = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 2)
        thumbnail = try RemoteBlob(byteCount: 9_000, blobClass: .thumbnail, seed: 3)
        try store.append(operations, durably: true)
        #expect(store.blobs.write(original.writes + [part.write(1)] + thumbnail.writes).last == .completed)
        try store.blobs.flush()
    }

    private var subject: OperationID { operations[3].id }
    private var bodies: [OperationID] { [3, 5].map { operations[$0].id } }
    private var roots: [BlobRoot] { [original.root, part.root, thumbnail.root] }

    /// By their names, the traces of what is to be destroyed that may be on disk.
    private func traces() throws -> [String: Data] {
        var traces = [
            "original": Data(original.chunks[1].prefix(64)), "last chunk": Data(original.chunks[2].suffix(64)),
            "part": Data(part.chunks[1].prefix(64)), "thumbnail": Data(thumbnail.chunks[0].suffix(64)),
        ]
        for id in bodies {
            traces["body \(id.short)"] = try store.database.read { db in
                try Data.fetchOne(db, sql: "SELECT body FROM operation WHERE id = ?", arguments: [Data(id.bytes)])
            }
        }
        return traces
    }

    private func found(_ traces: [String: Data], in folder: String) throws -> Set<String> {
        var found: Set<String> = []
        for path in data.files(in: folder) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for (name, trace) in traces where bytes.range(of: trace) != nil { found.insert(name) }
        }
        return found
    }

    @Test("bodies and blobs leave no byte in any file, also none in what repairs have set aside, and the rest stays")
    func destroys() throws {
        let traces = try traces()
        #expect(traces.count == 6)
        // What a repair, and one that was interrupted, leave behind.
        for name in ["damaged-20260101T000000Z", "damaged-20260101T000000Z-wal", "new", "new-wal"] {
            try FileManager.default.copyItem(
                atPath: store.folder.path + "/event.sqlite", toPath: store.folder.path + "/event.sqlite.\(name)")
        }
        #expect(try found(traces, in: data.path) == Set(traces.keys))
        try store.noteDestructions(uptimeMilliseconds: 5, begun: [subject: 4])
        try store.destroy([subject], bodies: bodies, blobs: roots)
        #expect(try found(traces, in: data.path).isEmpty)
        #expect(try store.pendingDestructions().isEmpty)
        let left = try store.everything()
        #expect(left.map(\.id) == operations.map(\.id))
        #expect(left.filter { $0.body == nil }.map(\.id) == bodies)
        let inventory = try store.blobs.inventory()
        #expect(inventory.complete.isEmpty && inventory.partial.isEmpty)
        #expect(!data.files(in: store.folder.path).contains { $0.contains("event.sqlite.") })
        try store.close()
        let reopened = try EventStore.open(store.folder)
        #expect(try found(traces, in: data.path).isEmpty)
        #expect(try reopened.blobs.inventory().lost.isEmpty)
    }

    @Test("killed after any of its steps, it is known to be unfinished at the next start and is finished then")
    func interrupted() throws {
        let traces = try traces()
        try store.noteDestructions(uptimeMilliseconds: 5, begun: [subject: 4])
        for step in 0...2 {
            if step == 1 { try store.blobs.delete(Array(roots.prefix(1))) }
            if step == 2 { try store.blobs.delete(roots) }
            let copy = try data.copy()
            #expect(try !found(traces, in: copy.path).isEmpty)
            let store = try EventStore.open(EventFolder(data: copy.path, event: store.folder.event))
            #expect(try store.pendingDestructions() == [subject: 4])
            try store.destroy([subject], bodies: bodies, blobs: roots)
            #expect(try found(traces, in: copy.path).isEmpty)
            #expect(try store.pendingDestructions().isEmpty)
        }
    }

    @Test("killed before the log was emptied, opening empties it")
    func log() throws {
        let traces = try traces().filter { $0.key.hasPrefix("body") }
        let bodies = bodies
        try store.database.write(durably: true) { db in
            for id in bodies {
                try db.execute(sql: "UPDATE operation SET body = NULL WHERE id = ?", arguments: [Data(id.bytes)])
            }
        }
        let copy = try data.copy()
        #expect(try found(traces, in: copy.path) == Set(traces.keys))
        let store = try EventStore.open(EventFolder(data: copy.path, event: store.folder.event))
        #expect(try found(traces, in: copy.path).isEmpty)
        try store.close()
    }

    @Test("what was destroyed does not come back from a database that is damaged later")
    func salvage() throws {
        let traces = try traces()
        try store.destroy([subject], bodies: bodies, blobs: roots)
        try store.close()
        let path = store.folder.path + "/event.sqlite"
        var bytes = try data.bytes(at: path)
        for index in 0..<100 { bytes[index] = 0xFF }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let rebuilt = try EventStore.openRebuilding(store.folder)
        #expect(rebuilt.rebuilding?.operationCount == operations.count)
        #expect(Set(try rebuilt.everything().filter { $0.body == nil }.map(\.id)) == Set(bodies))
        #expect(try found(traces, in: data.path).isEmpty)
    }

    @Test("what waits and for how long it has waited are kept, and survive the end of the process")
    func notes() throws {
        #expect(try store.uptimeMilliseconds == 0)
        let ids = operations.map(\.id)
        try store.noteDestructions(uptimeMilliseconds: 1 << 40, begun: [ids[0]: 7, ids[1]: 1 << 39])
        // Known already: since the first time.
        try store.noteDestructions(uptimeMilliseconds: 1 << 41, begun: [ids[0]: 1 << 41, ids[2]: 9], ended: [ids[1]])
        let copy = try data.copy()
        let store = try EventStore.open(EventFolder(data: copy.path, event: store.folder.event))
        #expect(try store.uptimeMilliseconds == 1 << 41)
        #expect(try store.pendingDestructions() == [ids[0]: 7, ids[2]: 9])
    }
}
