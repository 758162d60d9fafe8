// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import DisposableWire
import Foundation
import GRDB
import Testing

/// A data folder that goes when the test ends.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }

    /// The folder as a kill at this moment leaves it: a copy, database, log and blobs.
    func copy() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        try FileManager.default.removeItem(atPath: copy.path)
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        return copy
    }

    func bytes(at path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Every file below that is named as `isWanted` says, by path.
    func files(in folder: String, where isWanted: (String) -> Bool = { _ in true }) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                && isWanted(path)
        }.sorted()
    }
}

/// SplitMix64: the same numbers for the same seed on every run.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func bytes(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }
}

/// The operations of one device, each the next of its chain.
struct Author {
    let keys: EventKeys
    private var generator: SplitMix64
    private var sequence: [OperationSet: UInt32] = [:]
    private var previous: [OperationSet: OperationID] = [:]

    init(_ keys: EventKeys, seed: UInt64 = 1) {
        self.keys = keys
        generator = SplitMix64(seed: seed)
    }

    mutating func name(_ name: String) throws -> VerifiedOperation { try operation(.name, .name(name)) }

    mutating func claim(of photo: PhotoID, slot: UInt64) throws -> VerifiedOperation {
        try operation(.claim, .none, subject: photo.operationID, argument: slot)
    }

    mutating func join() throws -> VerifiedOperation {
        let organizer = try #require(keys.organizer)
        let device = DeviceID(keys.device.verifyingKey)
        return try operation(.join, .join(Admission(of: device, to: keys.event, by: organizer), nil))
    }

    private mutating func operation(
        _ kind: OperationKind, _ content: OperationContent, subject: OperationID = .none, argument: UInt64 = 0
    ) throws -> VerifiedOperation {
        let body = OperationBody.encode(content, salt: generator.bytes(count: OperationBody.saltByteCount))
        let number = sequence[kind.set, default: 0]
        let operation = try VerifiedOperation(
            draft: Draft(kind: kind, subject: subject, argument: argument, body: body), event: keys.event,
            sequence: number, previous: previous[kind.set, default: .none],
            timestamp: HybridTimestamp(milliseconds: 1_000 + UInt64(number), counter: 0), key: keys.device)
        sequence[kind.set] = number + 1
        previous[kind.set] = operation.id
        return operation
    }
}

extension VerifiedOperation {
    /// As a node has it that has not got the body.
    var withoutBody: VerifiedOperation {
        get throws {
            try UncheckedOperation(headerBytes: header.bytes, signature: signature, body: nil).verifiedBefore
        }
    }
}

extension EventStore {
    /// Everything, with the bodies of all kinds.
    func everything(batchSize: Int = 100) throws -> [VerifiedOperation] {
        var all: [VerifiedOperation] = []
        try forEachOperation(batchSize: batchSize, bodies: { _ in true }) { all += $0 }
        return all
    }
}

extension EventStore {
    /// Lets every transaction that saves a blob fail, as a failing disk would.
    func refuseBlobRows() throws {
        try database.write(durably: false) { db in
            try db.execute(
                sql: "CREATE TRIGGER refusal BEFORE INSERT ON blob BEGIN SELECT RAISE(ABORT, 'refused'); END")
        }
    }

    func acceptBlobRows() throws {
        try database.write(durably: false) { db in try db.execute(sql: "DROP TRIGGER refusal") }
    }
}

/// A blob as another node has it: its ciphertext by chunks.
struct RemoteBlob {
    let reference: BlobReference
    let blobClass: BlobClass
    let plaintext: [UInt8]
    let chunks: [[UInt8]]
    let hashes: [Bytes32]

    init(byteCount: Int, blobClass: BlobClass, seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var secret = generator.bytes(count: 32)
        let key = SecretBytes(consuming: &secret)
        // A key stream serves as a photo: no two chunks alike, and fast without optimization, too.
        let zeros = [UInt8](repeating: 0, count: byteCount)
        let nothing: [UInt8] = []
        let nonce = [UInt8](repeating: 9, count: 24)
        let stream = XChaCha20Poly1305.seal(zeros.span, authenticating: nothing.span, key: key, nonce: nonce)
        let plaintext = Array(stream.prefix(byteCount))
        let layout = ChunkLayout(plaintextByteCount: UInt64(byteCount))
        chunks = (0..<layout.chunkCount).map { index in
            let range = layout.plaintextRange(ofChunk: index)
            let part = Array(plaintext[Int(range.lowerBound)..<Int(range.upperBound)])
            var ciphertext: [UInt8] = []
            BlobSealing.sealChunk(
                part.span, index: index, isLast: index == layout.chunkCount - 1, key: key, appendingTo: &ciphertext)
            return ciphertext
        }
        hashes = chunks.map { chunk in BlobSealing.hash(ofChunk: chunk.span) }
        reference = try #require(
            BlobReference(
                root: BlobSealing.root(byteCount: UInt64(byteCount), chunkHashes: hashes), byteCount: UInt64(byteCount),
                chunkLog2: ChunkLayout.chunkLog2, key: key, blobClass: blobClass))
        self.plaintext = plaintext
        self.blobClass = blobClass
    }

    var root: BlobRoot { reference.root }

    func write(_ index: Int) -> ChunkWrite {
        ChunkWrite(
            root: root, blobClass: blobClass, byteCount: reference.byteCount, index: index, ciphertext: chunks[index],
            chunkHashes: hashes)
    }

    var writes: [ChunkWrite] { chunks.indices.map(write) }
}
