// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableStore
import DisposableSync
import DisposableWire

/// A generated event as its operations: for measurements without files.
struct SyntheticEvent {
    let eventKey: SigningKey
    private(set) var operations: [VerifiedOperation] = []

    static func key(_ byte: UInt8) -> SigningKey { SigningKey(seed: secret(byte)) }

    private static func secret(_ byte: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    private static let salt = [UInt8](repeating: 7, count: OperationBody.saltByteCount)

    /// Creates the first operations of the event, then photo, claim and original for each photo.
    init(photoCount: Int, eventKey: SigningKey = key(1), deviceKey: SigningKey = key(2)) throws {
        self.eventKey = eventKey
        let event = EventID(key: eventKey.verifyingKey)
        let charter = Charter(name: "Bench", startsAtMilliseconds: 1_700_000_000_000, frames: 0)
        operations = try Founding.operations(
            charter: charter, eventKey: eventKey, deviceKey: deviceKey, charterSalt: Self.salt, joinSalt: Self.salt,
            wallClockMilliseconds: 1_700_000_000_000)
        operations.reserveCapacity(3 * photoCount + 2)
        var sequence: UInt32 = 0
        var previous = OperationID.none
        func state(_ draft: Draft) throws {
            let operation = try VerifiedOperation(
                draft: draft, event: event, sequence: sequence, previous: previous,
                timestamp: HybridTimestamp(milliseconds: 1_700_000_000_000 + UInt64(sequence), counter: 0),
                key: deviceKey)
            sequence += 1
            previous = operation.id
            operations.append(operation)
        }
        for index in 0..<photoCount {
            let photo = PhotoManifest(
                thumbnail: try Self.reference(index, .thumbnail), preview: try Self.reference(index, .preview),
                takenAtMilliseconds: 1_700_000_000_000, width: 4_000, height: 3_000, mediaType: .jpeg)
            try state(Draft(kind: .photo, body: OperationBody.encode(.photo(photo), salt: Self.salt)))
            let id = previous
            try state(Draft(kind: .claim, subject: id, argument: UInt64(index + 1)))
            let original = OriginalManifest(
                original: try Self.reference(index, .original), sha256: .zero, mediaType: .jpeg)
            try state(
                Draft(kind: .original, subject: id, body: OperationBody.encode(.original(original), salt: Self.salt)))
        }
    }

    var event: EventID { EventID(key: eventKey.verifyingKey) }

    /// Creates the folder of a node that hosts such an event. Returns the number of operations.
    static func fill(_ folder: String, photoCount: Int) throws -> Int {
        let keys = EventKeys.makeEvent()
        guard let eventKey = keys.organizer else { throw Failure("the event has no organizer") }
        let operations = try Self(photoCount: photoCount, eventKey: eventKey, deviceKey: keys.device).operations
        try DataFolder(path: folder).make()
        let store = try EventStore.create(in: folder, keys: keys)
        for start in stride(from: 0, to: operations.count, by: 1_000) {
            try store.append(Array(operations[start..<min(start + 1_000, operations.count)]), durably: false)
        }
        try store.close()
        return operations.count
    }

    private static func reference(_ index: Int, _ blobClass: BlobClass) throws -> BlobReference {
        let root = BLAKE2b.hash(Array("\(index) \(blobClass)".utf8))
        guard
            let reference = BlobReference(
                root: BlobRoot(root), byteCount: 20_000, chunkLog2: ChunkLayout.chunkLog2, key: secret(9),
                blobClass: blobClass)
        else { throw Failure("a synthetic blob was refused") }
        return reference
    }
}
