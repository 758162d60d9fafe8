// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import DisposableWire
import Foundation
import GRDB
import Synchronization
import Testing

@Suite struct BlobRecoveryTests {
    private let data: TemporaryFolder
    private let keys = EventKeys.makeEvent()
    private let store: EventStore

    init() throws {
        data = try TemporaryFolder()
        store = try EventStore.create(in: data.path, keys: keys)
    }

    private func path(of root: BlobRoot, suffix: String = "") -> String {
        let hex = root.description
        return "\(store.folder.path)/blobs/\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))/\(hex)\(suffix)"
    }

    private func flipByte(at offset: UInt64, of path: String) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: offset)
        let byte = try #require(try handle.read(upToCount: 1)?.first)
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: [byte ^ 1])
        try handle.close()
    }

    private func truncate(_ path: String, to byteCount: UInt64) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.truncate(atOffset: byteCount)
        try handle.close()
    }

    /// A store with one complete original of three chunks.
    private func completeBlob() throws -> RemoteBlob {
        let blob = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        #expect(store.blobs.write(blob.writes).last == .completed)
        return blob
    }

    private func reopened(after change: () throws -> Void) throws -> EventStore {
        try store.close()
        try change()
        return try EventStore.open(store.folder)
    }

    @Test("after a kill at any moment, every chunk that the store says it has is right", arguments: UInt64(0)..<4)
    func killed(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let remote = try (0..<6).map { index in
            try RemoteBlob(
                byteCount: [9_000, 400_000, 3_000_000][index % 3], blobClass: BlobClass.allCases[index % 3],
                seed: seed * 10 + UInt64(index))
        }
        var writes = remote.flatMap(\.writes).shuffled(using: &generator)
        while !writes.isEmpty {
            let batch = Array(writes.prefix(Int.random(in: 1...8, using: &generator)))
            writes.removeFirst(batch.count)
            let outcomes = store.blobs.write(batch)
            if Bool.random(using: &generator) { try store.blobs.flush() }
            let copy = try data.copy()
            let survivor = try EventStore.open(EventFolder(data: copy.path, event: keys.event))
            let inventory = try survivor.blobs.inventory()
            #expect(inventory.lost.isEmpty)
            for (write, outcome) in zip(batch, outcomes) where outcome == .completed {
                #expect(inventory.complete.keys.contains(write.root))
            }
            for blob in remote {
                let chunks = inventory.partial.first { $0.root == blob.root }?.chunks
                let isComplete = inventory.complete.keys.contains(blob.root)
                for index in blob.chunks.indices where isComplete || chunks?[index] == true {
                    #expect(try survivor.blobs.chunk(index, of: blob.root) == blob.chunks[index])
                }
            }
        }
        #expect(try store.blobs.inventory().complete.keys.sorted() == remote.map(\.root).sorted())
    }

    @Test("a partial blob goes on where it was after stopping")
    func resumed() throws {
        let blob = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        #expect(store.blobs.write([blob.write(0), blob.write(2)]) == [.stored, .stored])
        let store = try reopened {}
        let partial = try #require(try store.blobs.inventory().partial.first)
        #expect(partial.root == blob.root)
        #expect(partial.chunks.bytes == [0b101])
        #expect(store.blobs.write([blob.write(1)]) == [.completed])
        for index in 0..<3 { #expect(try store.blobs.chunk(index, of: blob.root) == blob.chunks[index]) }
    }

    @Test("a file that was renamed before its row was written is checked and complete")
    func renamedWithoutRow() throws {
        let blob = try completeBlob()
        let store = try reopened { try markPartial(blob) }
        let inventory = try store.blobs.inventory()
        #expect(inventory.complete.keys.sorted() == [blob.root])
        #expect(inventory.partial.isEmpty && inventory.lost.isEmpty)
        #expect(try store.blobs.chunk(2, of: blob.root) == blob.chunks[2])
    }

    @Test("a renamed file with a wrong byte is partial with its other chunks, and only that one is fetched again")
    func renamedAndDamaged() throws {
        let blob = try completeBlob()
        let store = try reopened {
            try markPartial(blob)
            try flipByte(at: 300_000, of: path(of: blob.root))
        }
        let inventory = try store.blobs.inventory()
        #expect(inventory.lost == [blob.root])
        #expect(inventory.complete.isEmpty)
        #expect(inventory.partial.map(\.chunks.bytes) == [[0b101]])
        #expect(data.files(in: store.folder.path + "/blobs") == [path(of: blob.root, suffix: ".part")])
        #expect(store.blobs.write([blob.write(1)]) == [.completed])
        #expect(try store.blobs.chunk(1, of: blob.root) == blob.chunks[1])
        try store.blobs.delete([blob.root])
        #expect(data.files(in: store.folder.path + "/blobs").isEmpty)
    }

    /// Makes the row say what it said before the blob was completed, while the store is closed.
    private func markPartial(_ blob: RemoteBlob) throws {
        let queue = try DatabaseQueue(path: store.folder.path + "/event.sqlite")
        try queue.write { db in
            try db.execute(
                sql: "UPDATE blob SET isComplete = 0, chunks = x'01' WHERE root = ?",
                arguments: [Data(blob.root.bytes)])
        }
        try queue.close()
    }

    @Test("a complete blob whose file is missing or too short is reported as lost, with the chunks that are left")
    func lostFile() throws {
        let blob = try completeBlob()
        let short = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 2)
        #expect(store.blobs.write(short.writes).last == .completed)
        let store = try reopened {
            try FileManager.default.removeItem(atPath: path(of: blob.root))
            try truncate(path(of: short.root), to: short.reference.layout.ciphertextByteCount - 1)
        }
        let inventory = try store.blobs.inventory()
        #expect(inventory.lost == [blob.root, short.root].sorted())
        #expect(inventory.complete.isEmpty)
        #expect(inventory.partial.map(\.root) == [short.root])
        #expect(inventory.partial.map(\.chunks.bytes) == [[0b011]])
        #expect(throws: StoreError.notHere(blob.root, chunk: 0)) { try store.blobs.chunk(0, of: blob.root) }
        #expect(store.blobs.write(blob.writes + [short.write(2)]).suffix(2) == [.completed, .completed])
        #expect(try store.blobs.inventory().complete.keys.sorted() == [blob.root, short.root].sorted())
    }

    @Test("a look at a folder whose database says what no row may say finds that, and does not end there")
    func impossibleRow() throws {
        _ = try completeBlob()
        try store.close()
        let queue = try DatabaseQueue(path: store.folder.path + "/event.sqlite")
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON; UPDATE blob SET byteCount = -5")
        }
        try queue.close()
        let inspection = try EventInspection(of: store.folder, isInUse: false) { _, _ in }
        #expect(
            inspection.damages.contains {
                if case .database(let words) = $0 { words.contains("cannot be read") } else { false }
            })
    }

    @Test("a complete blob whose file has grown is cut to its length")
    func longFile() throws {
        let blob = try completeBlob()
        let byteCount = blob.reference.layout.ciphertextByteCount
        let store = try reopened { try truncate(path(of: blob.root), to: byteCount + 1) }
        #expect(try store.blobs.inventory().complete.keys.sorted() == [blob.root])
        #expect(try data.bytes(at: path(of: blob.root)).count == Int(byteCount))
    }

    @Test("a part file shorter than its row says has the chunks that fit; a missing one has none")
    func shortPart() throws {
        let blob = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        let other = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 2)
        _ = store.blobs.write([blob.write(0), blob.write(1), other.write(0)])
        let store = try reopened {
            try truncate(path(of: blob.root, suffix: ".part"), to: UInt64(blob.chunks[0].count) + 5)
            try FileManager.default.removeItem(atPath: path(of: other.root, suffix: ".part"))
        }
        let inventory = try store.blobs.inventory()
        #expect(inventory.partial.map(\.root) == [blob.root])
        #expect(inventory.partial.map(\.chunks.bytes) == [[0b001]])
        #expect(inventory.lost == [other.root])
        #expect(store.blobs.write(blob.writes).last == .completed)
    }

    @Test("files without a row are removed, others of the folder are left alone")
    func strays() throws {
        let blob = try completeBlob()
        let stray = BlobRoot(.zero)
        let folder = "\(store.folder.path)/blobs/00/00"
        let store = try reopened {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["\(stray)", "\(stray).part", "notes.txt"] {
                try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
        }
        #expect(data.files(in: store.folder.path + "/blobs") == ["\(folder)/notes.txt", path(of: blob.root)].sorted())
    }

    @Test("every reader finds a flipped byte; the reduced blob has its other chunks and can be completed")
    func damaged() throws {
        let blob = try completeBlob()
        let reports = Mutex<[BlobRoot]>([])
        store.blobs.onDamage { root in reports.withLock { $0.append(root) } }
        try flipByte(at: 262_160 + 100, of: path(of: blob.root))
        #expect(try store.blobs.chunk(0, of: blob.root) == blob.chunks[0])
        #expect(reports.withLock(\.self).isEmpty)
        #expect(throws: StoreError.damaged(blob.root)) { try store.blobs.chunk(1, of: blob.root) }
        #expect(throws: StoreError.damaged(blob.root)) {
            try store.blobs.plaintext(of: blob.reference, range: 262_144..<262_145)
        }
        #expect(try store.blobs.plaintext(of: blob.reference, range: 0..<2) == Array(blob.plaintext.prefix(2)))
        let output = data.path + "/output"
        #expect(FileManager.default.createFile(atPath: output, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: output))
        #expect(throws: StoreError.damaged(blob.root)) {
            try store.blobs.copyPlaintext(of: blob.reference, toDescriptor: handle.fileDescriptor, path: output)
        }
        #expect(try data.bytes(at: output) == Array(blob.plaintext.prefix(262_144)))
        #expect(reports.withLock(\.self) == [blob.root, blob.root, blob.root])

        #expect(
            try store.blobs.takeBack(blob.root) == .partial(ChunkBitmap(bytes: [0b101]), chunkHashes: blob.hashes))
        #expect(throws: StoreError.notHere(blob.root, chunk: 1)) { try store.blobs.chunk(1, of: blob.root) }
        #expect(try store.blobs.chunk(2, of: blob.root) == blob.chunks[2])
        // The same after a kill at this moment.
        let copy = try data.copy()
        let survivor = try EventStore.open(EventFolder(data: copy.path, event: keys.event))
        #expect(try survivor.blobs.inventory().partial.map(\.chunks.bytes) == [[0b101]])
        #expect(store.blobs.write([blob.write(1)]) == [.completed])
        #expect(try store.blobs.plaintext(of: blob.reference, range: 0..<700_000) == blob.plaintext)
        #expect(try store.blobs.takeBack(blob.root) == .whole)
    }

    @Test("a wrong byte in a partial blob, a thumbnail or a chunk list is found and reduced as well")
    func damagedElsewhere() throws {
        let part = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 3)
        let thumbnail = try RemoteBlob(byteCount: 5_000, blobClass: .thumbnail, seed: 4)
        let listed = try completeBlob()
        #expect(store.blobs.write([part.write(0), part.write(1)] + thumbnail.writes).last == .completed)
        try store.blobs.flush()
        try flipByte(at: 5, of: path(of: part.root, suffix: ".part"))
        try store.database.write(durably: false) { db in
            try db.execute(
                sql: "UPDATE blob SET bytes = zeroblob(length(bytes)) WHERE root = ?",
                arguments: [Data(thumbnail.root.bytes)])
            try db.execute(
                sql: "UPDATE blob SET chunkHashes = zeroblob(length(chunkHashes)) WHERE root = ?",
                arguments: [Data(listed.root.bytes)])
        }
        for root in [part.root, thumbnail.root, listed.root] {
            #expect(throws: StoreError.damaged(root)) { try store.blobs.chunk(0, of: root) }
        }
        #expect(
            try store.blobs.takeBack(part.root) == .partial(ChunkBitmap(bytes: [0b010]), chunkHashes: part.hashes))
        #expect(try store.blobs.takeBack(thumbnail.root) == .nothing)
        // The file is right and its root says so: only the list was wrong.
        #expect(try store.blobs.takeBack(listed.root) == .whole)
        #expect(try store.blobs.chunk(0, of: listed.root) == listed.chunks[0])
        #expect(
            store.blobs.write([part.write(0), part.write(2)] + thumbnail.writes).suffix(2) == [.completed, .completed])
        #expect(try store.blobs.plaintext(of: thumbnail.reference) == thumbnail.plaintext)
    }

    @Test("a file that disappears while the store is open is reported as damaged")
    func disappeared() throws {
        let blob = try completeBlob()
        try store.close()
        let store = try EventStore.open(store.folder)
        try FileManager.default.removeItem(atPath: path(of: blob.root))
        #expect(throws: StoreError.damaged(blob.root)) { try store.blobs.chunk(0, of: blob.root) }
    }

    @Test("a reference with a wrong key or length does not open, and the blob is not called damaged")
    func wrongReference() throws {
        let blob = try RemoteBlob(byteCount: 300_000, blobClass: .preview, seed: 1)
        #expect(store.blobs.write(blob.writes).last == .completed)
        let other = try RemoteBlob(byteCount: 1, blobClass: .preview, seed: 2)
        let wrongKey = try #require(
            BlobReference(
                root: blob.root, byteCount: 300_000, chunkLog2: 18, key: other.reference.key!, blobClass: .preview))
        let wrongLength = try #require(
            BlobReference(
                root: blob.root, byteCount: 200_000, chunkLog2: 18, key: blob.reference.key!, blobClass: .preview))
        #expect(throws: StoreError.unreadable(blob.root)) { try store.blobs.plaintext(of: wrongKey) }
        #expect(throws: StoreError.unreadable(blob.root)) { try store.blobs.plaintext(of: wrongLength) }
        #expect(try store.blobs.plaintext(of: blob.reference) == blob.plaintext)
    }
}
