// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import DisposableWire
import Foundation
import Testing

@Suite struct BlobReceivingTests {
    private let data: TemporaryFolder
    private let keys = EventKeys.makeEvent()
    private let store: EventStore
    private var blobs: BlobStore { store.blobs }

    init() throws {
        data = try TemporaryFolder()
        store = try EventStore.create(in: data.path, keys: keys)
    }

    private var blobFiles: [String] { data.files(in: store.folder.path + "/blobs") }

    @Test("chunks that come in any order and grouping make the blob", arguments: UInt64(0)..<6)
    func anyOrder(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let remote = [
            try RemoteBlob(byteCount: 20_000, blobClass: .thumbnail, seed: seed),
            try RemoteBlob(byteCount: 500_000, blobClass: .preview, seed: seed + 100),
            try RemoteBlob(byteCount: 1_400_000, blobClass: .original, seed: seed + 200),
            try RemoteBlob(byteCount: 2 * 262_144, blobClass: .original, seed: seed + 300),
        ]
        var writes = remote.flatMap(\.writes).shuffled(using: &generator)
        writes += [writes[0], writes[3]]  // what comes twice does no harm
        var completed: [BlobRoot] = []
        while !writes.isEmpty {
            let batch = Array(writes.prefix(Int.random(in: 1...5, using: &generator)))
            writes.removeFirst(batch.count)
            for (write, outcome) in zip(batch, blobs.write(batch)) {
                switch outcome {
                case .stored: break
                case .completed: completed.append(write.root)
                case .failed(let error): Issue.record("\(error)")
                }
            }
        }
        #expect(Set(completed) == Set(remote.map(\.root)))
        for blob in remote {
            for index in blob.chunks.indices { #expect(try blobs.chunk(index, of: blob.root) == blob.chunks[index]) }
            #expect(try blobs.chunkHashes(of: blob.root) == blob.hashes)
        }
        #expect(try blobs.plaintext(of: remote[1].reference) == remote[1].plaintext)
        let inventory = try blobs.inventory()
        #expect(inventory.complete.keys.sorted() == remote.map(\.root).sorted())
        #expect(inventory.partial.isEmpty)
        #expect(!blobFiles.contains { $0.hasSuffix(".part") })
    }

    @Test("only the last chunk of a blob in a batch says that it is complete")
    func oneCompletion() throws {
        let blob = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        let thumbnail = try RemoteBlob(byteCount: 700, blobClass: .thumbnail, seed: 2)
        let batch = [blob.write(2), blob.write(0), thumbnail.write(0), blob.write(1)]
        #expect(blobs.write(batch) == [.stored, .stored, .completed, .completed])
        #expect(blobs.write([blob.write(0)]) == [.completed])
    }

    @Test("chunks of a partial blob are served at once, and others are not here")
    func partial() throws {
        let blob = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        #expect(blobs.write([blob.write(1)]) == [.stored])
        #expect(try blobs.chunk(1, of: blob.root) == blob.chunks[1])
        for index in [0, 2, 3, 1_000_000] {
            #expect(throws: StoreError.notHere(blob.root, chunk: index)) { try blobs.chunk(index, of: blob.root) }
        }
        #expect(throws: StoreError.notHere(BlobRoot(.zero), chunk: 0)) { try blobs.chunk(0, of: BlobRoot(.zero)) }
        #expect(try blobs.chunkHashes(of: blob.root) == blob.hashes)
        var chunks = ChunkBitmap(chunkCount: 3)
        chunks[1] = true
        let inventory = try blobs.inventory()
        #expect(inventory.partial.map(\.root) == [blob.root])
        #expect(inventory.partial.map(\.chunks) == [chunks])
        #expect(inventory.partial.map(\.chunkHashes) == [blob.hashes])
        #expect(throws: StoreError.incomplete(blob.root)) {
            try blobs.copyPlaintext(of: blob.reference, toDescriptor: -1, path: "nowhere")
        }
    }

    @Test("a chunk that does not fit its blob is refused, and the others of its batch are not harmed")
    func malformed() throws {
        let blob = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        func chunk(
            _ index: Int, root: BlobRoot? = nil, byteCount: UInt64? = nil, ciphertext: [UInt8]? = nil,
            hashes: [Bytes32]? = nil, blobClass: BlobClass = .original
        ) -> ChunkWrite {
            ChunkWrite(
                root: root ?? blob.root, blobClass: blobClass, byteCount: byteCount ?? blob.reference.byteCount,
                index: index, ciphertext: ciphertext ?? blob.chunks[0], chunkHashes: hashes ?? blob.hashes)
        }
        let outcomes = blobs.write([
            chunk(3), chunk(-1), chunk(0, ciphertext: Array(blob.chunks[0].dropLast())), chunk(0, hashes: []),
            chunk(0, hashes: blob.hashes.reversed()), chunk(0, root: BlobRoot(.zero)), chunk(0, byteCount: 700_001),
            chunk(0, blobClass: .preview), chunk(0, byteCount: 0), chunk(0),
        ])
        let refused = ChunkOutcome.failed(.malformedChunk(blob.root, chunk: 0))
        #expect(
            outcomes == [
                .failed(.malformedChunk(blob.root, chunk: 3)), .failed(.malformedChunk(blob.root, chunk: -1)), refused,
                refused, refused, .failed(.malformedChunk(BlobRoot(.zero), chunk: 0)), refused,
                .failed(.blobByteCount(700_000, limit: BlobClass.preview.byteCountMax)),
                .failed(.blobByteCount(0, limit: BlobClass.original.byteCountMax)), .stored,
            ])
        #expect(blobFiles.count == 1)
    }

    @Test("a blob that two operations describe in different classes is taken in once", arguments: [false, true])
    func twoClasses(isThumbnailFirst: Bool) throws {
        let blob = try RemoteBlob(byteCount: 5_000, blobClass: .thumbnail, seed: 1)
        let asPreview = ChunkWrite(
            root: blob.root, blobClass: .preview, byteCount: 5_000, index: 0, ciphertext: blob.chunks[0],
            chunkHashes: blob.hashes)
        let batch = isThumbnailFirst ? [blob.write(0), asPreview] : [asPreview, blob.write(0)]
        #expect(blobs.write(batch) == [.stored, .completed])
        #expect(blobs.write(batch) == [.stored, .completed])
        #expect(try blobs.plaintext(of: blob.reference) == blob.plaintext)
        try store.close()
        let store = try EventStore.open(store.folder)
        #expect(try store.blobs.inventory().complete.keys.sorted() == [blob.root])
        #expect(blobFiles.count == (isThumbnailFirst ? 0 : 1))
    }

    @Test("chunks whose transaction failed are still served, and the blob is complete once it works")
    func failedTransaction() throws {
        let blob = try RemoteBlob(byteCount: 500_000, blobClass: .preview, seed: 1)
        let thumbnail = try RemoteBlob(byteCount: 500, blobClass: .thumbnail, seed: 2)
        try store.refuseBlobRows()
        for outcome in blobs.write(blob.writes + thumbnail.writes) {
            guard case .failed(.database) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        #expect(throws: StoreError.self) { try blobs.flush() }
        #expect(try blobs.chunk(1, of: blob.root) == blob.chunks[1])
        #expect(try blobs.inventory().complete.isEmpty)
        try store.acceptBlobRows()
        #expect(blobs.write([blob.write(1), thumbnail.write(0)]) == [.completed, .completed])
        #expect(try blobs.inventory().complete.keys.sorted() == [blob.root, thumbnail.root].sorted())
        #expect(try blobs.plaintext(of: blob.reference) == blob.plaintext)
    }

    @Test("bitmaps are committed after 8 MiB of a blob or by flush, not before")
    func lag() throws {
        let blob = try RemoteBlob(byteCount: 40 * 262_144, blobClass: .original, seed: 1)
        func committedCount() throws -> Int {
            let copy = try data.copy()
            let survivor = try EventStore.open(EventFolder(data: copy.path, event: keys.event))
            return try survivor.blobs.inventory().partial.map(\.chunks.count).reduce(0, +)
        }
        #expect(blobs.write((0..<31).map(blob.write)) == Array(repeating: .stored, count: 31))
        #expect(try committedCount() == 0)
        #expect(blobs.write([blob.write(31)]) == [.stored])
        #expect(try committedCount() == 32)
        #expect(blobs.write([blob.write(32)]) == [.stored])
        #expect(try committedCount() == 32)
        try blobs.flush()
        #expect(try committedCount() == 33)
    }

    @Test("more blobs than descriptors may be on their way at once")
    func descriptors() throws {
        let remote = try (0..<80).map { try RemoteBlob(byteCount: 262_145, blobClass: .preview, seed: UInt64($0)) }
        for blob in remote { #expect(blobs.write([blob.write(0)]) == [.stored]) }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        }
        #expect(open.count { $0.hasPrefix(store.folder.path + "/blobs/") } == BlobStore.openFileCountMax)
        #expect(blobs.write(remote.map { $0.write(1) }) == Array(repeating: .completed, count: 80))
        for blob in remote { #expect(try blobs.plaintext(of: blob.reference) == blob.plaintext) }
    }

    @Test("chunks are read by other threads while blobs come in, are completed and deleted")
    func concurrent() throws {
        let remote = try (0..<12).map { try RemoteBlob(byteCount: 600_000, blobClass: .original, seed: UInt64($0)) }
        DispatchQueue.concurrentPerform(iterations: 6) { [blobs] thread in
            var generator = SplitMix64(seed: UInt64(thread))
            for _ in 0..<60 {
                guard let blob = remote.randomElement(using: &generator) else { continue }
                let index = Int.random(in: 0..<3, using: &generator)
                if thread < 2 {
                    for case .failed(let error) in blobs.write([blob.write(index)]) { Issue.record("\(error)") }
                } else if thread == 2, index == 0 {
                    do { try blobs.delete([blob.root]) } catch { Issue.record("\(error)") }
                } else {
                    do throws(StoreError) {
                        let chunk = try blobs.chunk(index, of: blob.root)
                        if chunk != blob.chunks[index] { Issue.record("wrong bytes") }
                    } catch {
                        if error != .notHere(blob.root, chunk: index) { Issue.record("\(error)") }
                    }
                }
            }
        }
        #expect(
            blobs.write(remote.flatMap(\.writes)).allSatisfy { outcome in
                if case .failed = outcome { false } else { true }
            })
        #expect(try blobs.inventory().complete.keys.sorted() == remote.map(\.root).sorted())
        for blob in remote { #expect(try blobs.chunk(2, of: blob.root) == blob.chunks[2]) }
    }

    @Test("a deleted blob is gone from database and disk, and can come again")
    func deletion() throws {
        let remote = [
            try RemoteBlob(byteCount: 20_000, blobClass: .thumbnail, seed: 1),
            try RemoteBlob(byteCount: 300_000, blobClass: .preview, seed: 2),
            try RemoteBlob(byteCount: 800_000, blobClass: .original, seed: 3),
        ]
        _ = blobs.write(remote[0].writes + remote[1].writes + [remote[2].write(0)])
        try blobs.flush()
        try blobs.delete(remote.map(\.root))
        #expect(blobFiles.isEmpty)
        for blob in remote {
            #expect(throws: StoreError.notHere(blob.root, chunk: 0)) { try blobs.chunk(0, of: blob.root) }
        }
        let ciphertext = Data(remote[0].chunks[0])
        for file in data.files(in: store.folder.path) {
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: ciphertext) == nil)
        }
        for blob in remote { #expect(blobs.write(blob.writes).last == .completed) }
        #expect(try blobs.plaintext(of: remote[0].reference) == remote[0].plaintext)
    }
}
