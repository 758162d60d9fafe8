// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import Foundation
import GRDB
import Testing

@Suite struct BlobImportTests {
    private let data: TemporaryFolder
    private let keys = EventKeys.makeEvent()
    private let store: EventStore
    private let blobs: BlobStore

    init() throws {
        data = try TemporaryFolder()
        store = try EventStore.create(in: data.path, keys: keys)
        blobs = store.blobs
    }

    private func file(_ bytes: [UInt8], name: String = "photo") throws -> String {
        let path = "\(data.path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private var blobFiles: [String] { data.files(in: store.folder.path + "/blobs") }

    /// Exports the blob through a file of the test's own.
    private func exported(_ reference: BlobReference, from blobs: BlobStore) throws -> [UInt8] {
        let path = "\(data.path)/export-\(UUID())"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try blobs.copyPlaintext(of: reference, toDescriptor: handle.fileDescriptor, path: path)
        try handle.close()
        return try data.bytes(at: path)
    }

    @Test(
        "an imported file comes back byte for byte, its chunks give its root, and its SHA-256 is right",
        arguments: [1, 262_143, 262_144, 262_145, 3 * 262_144, 1_000_000])
    func fileRoundTrip(byteCount: Int) throws {
        var generator = SplitMix64(seed: UInt64(byteCount))
        let bytes = generator.bytes(count: byteCount)
        let prepared = try blobs.prepare(
            fileAt: file(bytes), blobClass: .original, importSecret: keys.importSecret)
        let reference = prepared.reference
        #expect(throws: StoreError.incomplete(reference.root)) { try exported(reference, from: blobs) }
        try blobs.commit([prepared])

        var sha256 = SHA256()
        sha256.update(bytes.span)
        #expect(prepared.sha256 == sha256.finalize())
        #expect(reference.byteCount == UInt64(byteCount))
        let hashes = try blobs.chunkHashes(of: reference.root)
        #expect(BlobSealing.root(byteCount: reference.byteCount, chunkHashes: hashes) == reference.root)
        for (index, hash) in hashes.enumerated() {
            let chunk = try blobs.chunk(index, of: reference.root)
            #expect(BlobSealing.hash(ofChunk: chunk.span) == hash)
        }
        #expect(throws: StoreError.notHere(reference.root, chunk: hashes.count)) {
            try blobs.chunk(hashes.count, of: reference.root)
        }
        try store.close()
        let store = try EventStore.open(store.folder)
        #expect(try exported(reference, from: store.blobs) == bytes)
        #expect(try store.blobs.inventory().complete.keys.sorted() == [reference.root])
    }

    @Test("thumbnails lie in the database, previews in files, and both come back", arguments: [1, 24 << 10])
    func bytesRoundTrip(byteCount: Int) throws {
        var generator = SplitMix64(seed: UInt64(byteCount))
        let bytes = generator.bytes(count: byteCount)
        let thumbnail = try blobs.prepare(bytes, blobClass: .thumbnail, importSecret: keys.importSecret)
        let preview = try blobs.prepare(bytes, blobClass: .preview, importSecret: keys.importSecret)
        #expect(thumbnail.reference.root != preview.reference.root)
        try blobs.commit([thumbnail, preview])
        #expect(blobFiles.map { $0.suffix(64) } == ["\(preview.reference.root)"[...]])
        #expect(try blobs.plaintext(of: thumbnail.reference) == bytes)
        #expect(try blobs.plaintext(of: preview.reference) == bytes)
        #expect(try blobs.chunk(0, of: thumbnail.reference.root).count == byteCount + 16)
    }

    @Test("the same content imported again is the same blob, and no second file")
    func again() throws {
        let bytes = [UInt8](repeating: 5, count: 300_000)
        let path = try file(bytes)
        let first = try blobs.prepare(fileAt: path, blobClass: .original, importSecret: keys.importSecret)
        let second = try blobs.prepare(fileAt: path, blobClass: .original, importSecret: keys.importSecret)
        try blobs.commit([first, second])
        let third = try blobs.prepare(fileAt: path, blobClass: .original, importSecret: keys.importSecret)
        try blobs.commit([third])
        #expect(Set([first, second, third].map(\.reference.root)).count == 1)
        #expect(blobFiles.count == 1)
        #expect(try exported(third.reference, from: blobs) == bytes)
    }

    @Test("another device makes another blob of the same content")
    func otherDevice() throws {
        let bytes = [UInt8](repeating: 5, count: 1_000)
        let mine = try blobs.prepare(bytes, blobClass: .preview, importSecret: keys.importSecret)
        let other = try blobs.prepare(bytes, blobClass: .preview, importSecret: EventKeys.makeEvent().importSecret)
        #expect(mine.reference.root != other.reference.root)
    }

    @Test("a prepared blob that is dropped leaves nothing behind")
    func dropped() throws {
        var prepared: PreparedBlob? = try blobs.prepare(
            [1, 2, 3], blobClass: .preview, importSecret: keys.importSecret)
        #expect(prepared != nil)
        #expect(data.files(in: store.folder.incomingPath).count == 1)
        prepared = nil
        #expect(data.files(in: store.folder.incomingPath).isEmpty)
        #expect(blobFiles.isEmpty)
    }

    @Test("an import batch that came no further than its files is forgotten by opening")
    func uncommitted() throws {
        let prepared = try blobs.prepare([1, 2, 3], blobClass: .preview, importSecret: keys.importSecret)
        try blobs.commit([prepared])
        try store.database.write(durably: false) { db in try db.execute(sql: "DELETE FROM blob") }
        try store.close()
        let store = try EventStore.open(store.folder)
        #expect(blobFiles.isEmpty)
        #expect(try store.blobs.inventory().complete.isEmpty)
    }

    @Test("a batch whose transaction failed can be committed again")
    func committedAgain() throws {
        let bytes = [UInt8](repeating: 3, count: 300_000)
        let prepared = try blobs.prepare(bytes, blobClass: .preview, importSecret: keys.importSecret)
        try store.refuseBlobRows()
        #expect(throws: StoreError.self) { try blobs.commit([prepared]) }
        #expect(throws: StoreError.incomplete(prepared.reference.root)) { try blobs.plaintext(of: prepared.reference) }
        try store.acceptBlobRows()
        try blobs.commit([prepared])
        #expect(try blobs.plaintext(of: prepared.reference) == bytes)
    }

    @Test("what is no file of a fitting size is refused")
    func refused() throws {
        func importing(_ path: String) throws {
            _ = try blobs.prepare(fileAt: path, blobClass: .original, importSecret: keys.importSecret)
        }
        let limit = BlobClass.original.byteCountMax
        let empty = try file([], name: "empty")
        #expect(throws: StoreError.blobByteCount(0, limit: limit)) { try importing(empty) }
        let large = try file([], name: "large")
        let handle = try #require(FileHandle(forWritingAtPath: large))
        try handle.truncate(atOffset: limit + 1)
        #expect(throws: StoreError.blobByteCount(limit + 1, limit: limit)) { try importing(large) }
        #expect(throws: StoreError.notRegularFile(path: data.path)) { try importing(data.path) }
        let pipe = data.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: StoreError.notRegularFile(path: pipe)) { try importing(pipe) }
        let missing = data.path + "/missing"
        #expect(
            throws: StoreError.file(
                operation: "open", path: missing, code: ENOENT, reason: "No such file or directory")
        ) { try importing(missing) }
        #expect(data.files(in: store.folder.incomingPath).isEmpty)
    }

    @Test("a file that is written to during its import gives no blob")
    func changedFile() throws {
        // The last byte keeps changing, so that the two passes read different files.
        let path = try file([UInt8](repeating: 1, count: 1 << 20))
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        let stop = DispatchSemaphore(value: 0)
        let stopped = DispatchSemaphore(value: 0)
        let descriptor = handle.fileDescriptor
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while stop.wait(timeout: .now()) == .timedOut {
                byte &+= 1
                _ = pwrite(descriptor, &byte, 1, 1 << 20 - 1)
            }
            stopped.signal()
        }
        defer {
            stop.signal()
            stopped.wait()
        }
        let end = ContinuousClock.now + .seconds(120)
        #expect(throws: StoreError.changedWhileReading(path: path)) {
            while ContinuousClock.now < end {
                _ = try blobs.prepare(fileAt: path, blobClass: .original, importSecret: keys.importSecret)
            }
        }
    }

    @Test("a blob on its way from another node becomes whole by importing it")
    func importCompletesPartial() throws {
        let bytes = [UInt8](repeating: 8, count: 600_000)
        let path = try file(bytes)
        let other = try TemporaryFolder()
        let source = try EventStore.create(in: other.path, keys: keys)
        let prepared = try source.blobs.prepare(fileAt: path, blobClass: .original, importSecret: keys.importSecret)
        try source.blobs.commit([prepared])
        let root = prepared.reference.root
        let write = ChunkWrite(
            root: root, blobClass: .original, byteCount: 600_000, index: 1,
            ciphertext: try source.blobs.chunk(1, of: root), chunkHashes: try source.blobs.chunkHashes(of: root))
        #expect(blobs.write([write]) == [.stored])
        try blobs.flush()
        try blobs.commit([try blobs.prepare(fileAt: path, blobClass: .original, importSecret: keys.importSecret)])
        #expect(blobFiles.map { $0.suffix(64) } == ["\(root)"[...]])
        #expect(blobs.write([write]) == [.completed])
        #expect(try exported(prepared.reference, from: blobs) == bytes)
        #expect(try blobs.inventory().partial.isEmpty)
    }
}
