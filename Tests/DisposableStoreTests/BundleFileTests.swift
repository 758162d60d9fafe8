// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import DisposableWire
import Foundation
import Testing

@Suite("The file of a bundle") struct BundleFileTests {
    private let folder: TemporaryFolder
    private let event = EventID(Bytes32(words: 1, 2, 3, 4))
    private let chunks: [(root: BlobRoot, index: Int, ciphertext: [UInt8])]

    private var secret: SecretBytes {
        var bytes = [UInt8](repeating: 7, count: 32)
        return SecretBytes(consuming: &bytes)
    }
    private var path: String { folder.path + "/party.carry" }

    init() throws {
        folder = try TemporaryFolder()
        var random = SplitMix64(seed: 7)
        // Shorter and longer than a block, and one that ends with it.
        let counts = [
            1, 100, EventBundle.payloadByteCount - 41 - 242 - 46, 5, ChunkLayout.chunkCiphertextByteCount, 3, 70_000, 9,
        ]
        chunks = counts.enumerated().map { index, count in
            (BlobRoot(Bytes32(words: UInt64(index), 0, 0, 9)), index, random.bytes(count: count))
        }
        let writer = try BundleWriter(
            path: path, salt: random.bytes(count: EventBundle.Header.saltByteCount), event: event, secret: secret)
        for chunk in chunks {
            try writer.append(.chunk(chunk.root, index: chunk.index, ciphertext: chunk.ciphertext))
        }
        try writer.finish()
    }

    private func reader(_ path: String? = nil) throws -> BundleReader {
        let path = path ?? self.path
        let key = try #require(try BundleReader.header(of: path).key(event: event, secret: secret))
        return try BundleReader(path: path, key: key)
    }

    /// Returns the indices of the chunks that can be read, each also by its place.
    private func readable(_ reader: BundleReader) throws -> (indices: [Int], survey: BundleReader.Survey) {
        var indices: [Int] = []
        let survey = try reader.forEachRecord { record, place in
            guard case .chunk(let root, let index, let ciphertext) = record else { return }
            #expect(root == chunks[index].root && ciphertext == chunks[index].ciphertext)
            guard case .chunk(root, index, ciphertext)? = try reader.record(at: place) else {
                Issue.record("not at its place: \(index)")
                return
            }
            indices.append(index)
        }
        return (indices, survey)
    }

    @Test("all records come back, in order and by their places")
    func roundTrip() throws {
        let (indices, survey) = try readable(reader())
        #expect(indices == Array(chunks.indices))
        #expect(survey.damagedBlockCount == 0 && survey.truncatedAt == nil)
    }

    @Test("another secret, and another event, do not open it")
    func key() throws {
        let header = try BundleReader.header(of: path)
        var other = [UInt8](repeating: 8, count: 32)
        #expect(header.key(event: event, secret: SecretBytes(consuming: &other)) == nil)
        #expect(header.key(event: EventID(Bytes32.zero), secret: secret) == nil)
    }

    @Test("a changed block costs the records in it, and no others")
    func damage() throws {
        let bytes = try folder.bytes(at: path)
        let blockCount = (bytes.count - EventBundle.Header.byteCount) / EventBundle.sealedBlockByteCount + 1
        var lost: Set<Int> = []
        for block in 0..<blockCount {
            var changed = bytes
            let place = EventBundle.Header.byteCount + block * EventBundle.sealedBlockByteCount
            changed[place] ^= 0x80
            let copy = folder.path + "/\(block).carry"
            try Data(changed).write(to: URL(fileURLWithPath: copy))
            let (indices, survey) = try readable(reader(copy))
            if block == blockCount - 1 {
                // A last block that does not open may be the end of a file that was cut.
                #expect(survey.truncatedAt == UInt64(bytes.count))
            } else {
                #expect(survey.damages == [UInt64(place)] && survey.damagedBlockCount == 1)
            }
            let missing = Set(chunks.indices).subtracting(indices)
            // The largest record spans five blocks; each block has at most four records, and the first one small ones.
            let countMax = block == 0 ? chunks.count : 4
            #expect((1...countMax).contains(missing.count), "\(missing) of block \(block)")
            lost.formUnion(missing)
        }
        #expect(lost == Set(chunks.indices))
    }

    @Test("a file of any shorter length is known to be cut")
    func cut() throws {
        let bytes = try folder.bytes(at: path)
        let block = EventBundle.sealedBlockByteCount
        let first = EventBundle.Header.byteCount
        for count in [first, first + 1, first + block - 1, first + block, first + 3 * block, bytes.count - 1] {
            let copy = folder.path + "/\(count).carry"
            try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: copy))
            let (indices, survey) = try readable(reader(copy))
            #expect(survey.truncatedAt == UInt64(count) && survey.damagedBlockCount == 0)
            #expect(indices == Array(0..<indices.count) && indices.count < chunks.count)
        }
        for count in [0, 5, 16, first - 1] {
            let copy = folder.path + "/\(count).carry"
            try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: copy))
            #expect(throws: count < 16 ? BundleError.noBundle : .truncated(at: UInt64(count))) {
                try BundleReader.header(of: copy)
            }
        }
    }

    @Test("an existing file is not replaced, and an unfinished one leaves nothing")
    func names() throws {
        #expect(throws: StoreError.self) {
            try BundleWriter(path: path, salt: [UInt8](repeating: 1, count: 16), event: event, secret: secret)
        }
        do {
            let writer = try BundleWriter(
                path: folder.path + "/half", salt: [UInt8](repeating: 1, count: 16), event: event, secret: secret)
            try writer.append(.chunk(chunks[0].root, index: 0, ciphertext: chunks[0].ciphertext))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["party.carry"])
    }
}
