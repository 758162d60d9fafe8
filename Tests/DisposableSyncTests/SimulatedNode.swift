// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import DisposableWire

/// One machine of a swarm: its replica while it is up, its disk always, and what its person would have seen.
final class SimulatedNode {
    let index: Int
    let deviceKey: SigningKey
    let secret: SecretBytes
    let keptClasses: Set<BlobClass>
    let importSecret: SecretBytes
    let clockOffset: Int64
    var replica: Replica?
    var incarnation = 0
    var disk = SimulatedDisk()
    var addresses: SortedAddresses = []
    var wakeAt: UInt64?
    var writesUntil: UInt64 = 0

    /// A disk that lies, or (`nil`) never answers.
    var answerRead: (Replica.BlobRead, Replica.ReadResult) -> Replica.ReadResult? = { $1 }
    var alterLoad: ([VerifiedOperation]) -> [VerifiedOperation] = { $0 }

    private(set) var closings: [ProtocolCode] = []
    private(set) var clockWarnings: [Int64] = []
    private(set) var completed: [BlobID] = []
    private var ticketCount: UInt64 = 0
    var authored: [Ticket: [OperationID]] = [:]
    var refused: [Ticket: AuthoringError] = [:]

    init(
        index: Int, deviceKey: SigningKey, secret: SecretBytes, keptClasses: Set<BlobClass>, importSecret: SecretBytes,
        clockOffset: Int64
    ) {
        self.index = index
        self.deviceKey = deviceKey
        self.secret = secret
        self.keptClasses = keptClasses
        self.importSecret = importSecret
        self.clockOffset = clockOffset
    }

    var address: PeerAddress { PeerAddress(host: "10.0.0.\(index + 1)", port: 8028) }
    var device: DeviceID { DeviceID(deviceKey.verifyingKey) }

    func credentials(for event: FoundedEvent) -> EventCredentials { EventCredentials(event: event.id, secret: secret) }

    func newTicket() -> Ticket {
        ticketCount += 1
        return Ticket(ticketCount)
    }

    func note(_ change: Replica.Change) {
        switch change {
        case .closed(_, let code): closings.append(code)
        case .clockDiffers(_, let milliseconds): clockWarnings.append(milliseconds)
        case .blobComplete(let blob): completed.append(blob)
        case .album, .peers, .admitted, .rejected: break
        }
    }

    /// Both sets in one line of text: equal lines, equal sets.
    var sets: String {
        guard let replica else { return "down" }
        return OperationSet.allCases.map { set in
            let summary = replica.summary(of: set)
            return "\(summary.count):\(summary.fingerprint.hex)"
        }.joined(separator: " ")
    }

    /// For the text of a failure.
    var summary: String {
        guard let replica else { return "\(index) down" }
        let peers = replica.livePeers.count
        return "\(index)\(replica.isAdmitted ? "" : " outside") peers \(peers) missing \(replica.missingBlobCount) "
            + "sets \(OperationSet.allCases.map { replica.summary(of: $0).count })"
    }
}

/// Addresses in their order, each once.
typealias SortedAddresses = [PeerAddress]
extension SortedAddresses {
    mutating func insert(_ address: PeerAddress) {
        guard !contains(address) else { return }
        append(address)
        sort()
    }
}

/// A disk with the promises of SQLite's WAL: transactions reach it in order, and what was not written durably may be
/// gone after a power cut, the latest first.
struct SimulatedDisk {
    private(set) var operations: [VerifiedOperation] = []
    private var places: [OperationID: Int] = [:]
    private var durableCount = 0
    private(set) var files: [BlobID: File] = [:]
    var isFull = false

    struct File {
        let byteCount: UInt64
        var hashes: [Bytes32]
        var chunks: [Int: [UInt8]]
        var isComplete: Bool { chunks.count == hashes.count }
    }

    mutating func write(_ new: [VerifiedOperation], durably: Bool) {
        for operation in new {
            if let place = places[operation.id] {
                // A body that comes late is added.
                if operations[place].body == nil { operations[place] = operation }
            } else {
                places[operation.id] = operations.count
                operations.append(operation)
            }
        }
        if durably { durableCount = operations.count }
    }

    mutating func losePower(_ random: inout SplitMix64) {
        let count = Int.random(in: durableCount...operations.count, using: &random)
        for operation in operations[count...] { places[operation.id] = nil }
        operations.removeSubrange(count...)
    }

    func load(_ ids: [OperationID]) -> [VerifiedOperation] { ids.compactMap { places[$0].map { operations[$0] } } }

    mutating func store(_ chunk: ArrivedChunk) {
        files[chunk.blob, default: File(byteCount: chunk.blob.byteCount, hashes: chunk.hashes, chunks: [:])]
            .chunks[chunk.index] = chunk.ciphertext
    }

    mutating func put(_ blob: SealedBlob) {
        files[blob.reference.id] = File(
            byteCount: blob.reference.byteCount, hashes: blob.hashes,
            chunks: Dictionary(uniqueKeysWithValues: blob.chunks.enumerated().map { ($0, $1) }))
    }

    func read(_ read: Replica.BlobRead) -> Replica.ReadResult {
        switch read {
        case .list(let blob): files[blob].map { .list($0.hashes) } ?? .notHere
        case .chunk(let blob, let index): files[blob]?.chunks[index].map { .chunk($0) } ?? .notHere
        }
    }

    func state(of blob: BlobID) -> Replica.StoredBlob {
        guard let file = files[blob] else { return .absent }
        if file.isComplete { return .complete }
        var present = ChunkBitmap(chunkCount: file.hashes.count)
        for index in file.chunks.keys { present[index] = true }
        return .partial(present, hashes: file.hashes)
    }

    /// Whether the blob is whole, and is what its root says.
    func holds(_ reference: BlobReference) -> Bool {
        guard let file = files[reference.id], file.isComplete else { return false }
        let hashes = file.chunks.sorted { $0.key < $1.key }.map { BlobSealing.hash(ofChunk: $0.value.span) }
        return BlobSealing.root(byteCount: reference.byteCount, chunkHashes: hashes) == reference.root
    }
}

/// An event's keys, secret and first operations.
struct FoundedEvent {
    let eventKey: SigningKey
    let deviceKey: SigningKey
    let secret: SecretBytes
    let operations: [VerifiedOperation]
    var id: EventID { EventID(key: eventKey.verifyingKey) }

    init(frames: UInt32 = 27, random: inout SplitMix64) {
        eventKey = SigningKey(seed: random.secret())
        deviceKey = SigningKey(seed: random.secret())
        secret = random.secret()
        let charter = Charter(name: "Anna & Ben", startsAtMilliseconds: Swarm.epochMilliseconds, frames: frames)
        do throws(AuthoringError) {
            operations = try Founding.operations(
                charter: charter, eventKey: eventKey, deviceKey: deviceKey, charterSalt: random.bytes(16),
                joinSalt: random.bytes(16), wallClockMilliseconds: Swarm.epochMilliseconds)
        } catch {
            preconditionFailure("founding failed: \(error)")
        }
    }
}

/// A blob as its author's node makes it.
struct SealedBlob {
    let reference: BlobReference
    let chunks: [[UInt8]]
    let hashes: [Bytes32]

    init(_ plaintext: [UInt8], _ blobClass: BlobClass, importSecret: SecretBytes) {
        let key = BlobSealing.key(
            importSecret: importSecret, blobClass: blobClass, plaintextHash: BLAKE2b.hash(plaintext.span))
        let layout = ChunkLayout(plaintextByteCount: UInt64(plaintext.count))
        chunks = (0..<layout.chunkCount).map { index in
            let range = layout.plaintextRange(ofChunk: index)
            let part = Array(plaintext[Int(range.lowerBound)..<Int(range.upperBound)])
            var chunk: [UInt8] = []
            BlobSealing.sealChunk(
                part.span, index: index, isLast: index == layout.chunkCount - 1, key: key, appendingTo: &chunk)
            return chunk
        }
        hashes = chunks.map { BlobSealing.hash(ofChunk: $0.span) }
        reference = BlobReference(
            root: BlobSealing.root(byteCount: UInt64(plaintext.count), chunkHashes: hashes),
            byteCount: UInt64(plaintext.count), chunkLog2: ChunkLayout.chunkLog2, key: key, blobClass: blobClass)!
    }
}

extension SplitMix64 {
    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            let word = next()
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return Array(bytes.prefix(count))
    }

    /// Bytes unlike any other plaintext's, made fast: a random block over and over.
    mutating func plaintext(_ count: Int) -> [UInt8] {
        var bytes = bytes(64)
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count))
    }

    mutating func secret() -> SecretBytes {
        var bytes = bytes(32)
        return SecretBytes(consuming: &bytes, in: .ordinary)
    }

    mutating func entropy() -> Replica.Entropy { Replica.Entropy(ephemeral: secret(), salt: bytes(16)) }
}
