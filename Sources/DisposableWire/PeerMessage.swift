// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// The messages between two authenticated nodes (protocol/disposable-v1.md §7).
public enum PeerMessage: Equatable, Sendable {
    case authentication(Authentication)
    case ping(Ping)
    case pong(Ping)
    case close(ProtocolCode?, retryAfterMilliseconds: UInt32, reason: String)
    case admission(Admission)
    /// The possible addresses of other nodes of the event.
    case addresses([PeerAddress])
    /// A node's inventory of its own disk.
    case register(Register)
    /// The addresses of the sender's pages for browsers; none if it serves none to others.
    case pages([PeerAddress])
    case operations([UncheckedOperation])
    case reconcile(set: OperationSet, isInitiator: Bool, message: [UInt8])
    case want([OperationID], set: OperationSet)
    case have(Have)
    case request(ChunkRequest)
    case list(request: UInt32, hashes: [Bytes32])
    case data(ChunkFragment)
    case refusal(request: UInt32, ProtocolCode?, retryAfterMilliseconds: UInt32)
    case cancel(request: UInt32)
    /// An optional message of a later minor version: types from 0x80 on. It is ignored.
    case later(type: UInt8)

    /// Packs operations in their order into messages within the limits of count and bytes (protocol/disposable-v1.md
    /// §7.6).
    public static func packing(_ operations: [UncheckedOperation]) -> [PeerMessage] {
        var messages: [PeerMessage] = []
        var part: [UncheckedOperation] = []
        var byteCount = 0
        for operation in operations {
            if part.count == Limits.operationsPerMessageMax
                || byteCount + operation.byteCount > Limits.operationsByteCountMax
            {
                messages.append(.operations(part))
                (part, byteCount) = ([], 0)
            }
            part.append(operation)
            byteCount += operation.byteCount
        }
        return part.isEmpty ? messages : messages + [.operations(part)]
    }
}

/// The first frame in each direction: the identity of the sender.
public struct Authentication: Equatable, Sendable {
    /// The claims as bytes, since the signature covers bytes.
    public let claimBytes: [UInt8]
    public let claims: Claims
    public let signature: Signature

    public struct Claims: Equatable, Sendable {
        public let device: DeviceID
        /// 16 random bytes of the process.
        public let instance: [UInt8]
        public let wallClockMilliseconds: UInt64
        /// 0 if the node does not listen.
        public let listenPort: UInt16

        public init(device: DeviceID, instance: [UInt8], wallClockMilliseconds: UInt64, listenPort: UInt16) {
            self.device = device
            self.instance = instance
            self.wallClockMilliseconds = wallClockMilliseconds
            self.listenPort = listenPort
        }
    }

    /// The side of a connection. The two ends sign different bytes, so that no signature can be reflected.
    public enum Side: UInt8, Sendable {
        case dialler = 0
        case listener = 1
    }

    init(claimBytes: [UInt8], claims: Claims, signature: Signature) {
        self.claimBytes = claimBytes
        self.claims = claims
        self.signature = signature
    }

    public func isValid(side: Side, handshakeHash: [UInt8]) -> Bool {
        claims.device.verifyingKey.isValid(
            signature, for: Self.signedBytes(side: side, handshakeHash: handshakeHash, claimBytes: claimBytes))
    }

    static func signedBytes(side: Side, handshakeHash: [UInt8], claimBytes: [UInt8]) -> [UInt8] {
        Domain.authentication + [side.rawValue] + handshakeHash + claimBytes
    }
}

public struct Ping: Equatable, Sendable {
    public var nonce: UInt64
    public var authority: SetSummary
    public var content: SetSummary

    public init(nonce: UInt64, authority: SetSummary, content: SetSummary) {
        self.nonce = nonce
        self.authority = authority
        self.content = content
    }
}

/// A whole set in 24 bytes: equal summaries mean equal sets.
public struct SetSummary: Equatable, Sendable {
    public var count: UInt64
    /// 16 bytes, negentropy's fingerprint.
    public var fingerprint: [UInt8]

    public init(count: UInt64, fingerprint: [UInt8]) {
        self.count = count
        self.fingerprint = fingerprint
    }
}

/// The blobs that a node can serve. A hint: a refusal corrects it.
public struct Have: Equatable, Sendable {
    public var holdings: [Holding]
    public var partials: [PartialHolding]

    public init(holdings: [Holding] = [], partials: [PartialHolding] = []) {
        self.holdings = holdings
        self.partials = partials
    }

    /// Whole blobs of one class, named by the sequence numbers of the operations that describe them.
    public struct Holding: Equatable, Sendable {
        public var device: DeviceID
        public var blobClass: BlobClass
        /// Ascending ranges that neither touch nor overlap.
        public var sequences: [Range<UInt32>]

        public init(device: DeviceID, blobClass: BlobClass, sequences: [Range<UInt32>]) {
            self.device = device
            self.blobClass = blobClass
            self.sequences = sequences
        }
    }

    public struct PartialHolding: Equatable, Sendable {
        public var blob: BlobID
        public var chunks: ChunkBitmap

        public init(blob: BlobID, chunks: ChunkBitmap) {
            self.blob = blob
            self.chunks = chunks
        }
    }
}

/// A set of chunk indices of one blob; chunk 0 is the lowest bit of the first byte.
public struct ChunkBitmap: Equatable, Sendable {
    public private(set) var bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }
    public init(chunkCount: Int) { bytes = [UInt8](repeating: 0, count: (chunkCount + 7) / 8) }

    public subscript(index: Int) -> Bool {
        get { index / 8 < bytes.count && bytes[index / 8] & (1 << (index % 8)) != 0 }
        set {
            if newValue { bytes[index / 8] |= 1 << (index % 8) } else { bytes[index / 8] &= ~(1 << (index % 8)) }
        }
    }

    public var count: Int { bytes.reduce(0) { $0 + $1.nonzeroBitCount } }
}

public struct ChunkRequest: Equatable, Sendable {
    public var request: UInt32
    public var blob: BlobID
    public var firstChunk: UInt32
    public var chunkCount: UInt32
    /// Whether the chunk list is wanted before the chunks.
    public var withList: Bool

    public init(request: UInt32, blob: BlobID, firstChunk: UInt32, chunkCount: UInt32, withList: Bool) {
        self.request = request
        self.blob = blob
        self.firstChunk = firstChunk
        self.chunkCount = chunkCount
        self.withList = withList
    }
}

/// Part of a chunk's ciphertext.
public struct ChunkFragment: Equatable, Sendable {
    public var request: UInt32
    public var chunk: UInt32
    /// The offset of the bytes in the chunk's ciphertext.
    public var offset: UInt32
    public var bytes: ArraySlice<UInt8>

    public init(request: UInt32, chunk: UInt32, offset: UInt32, bytes: ArraySlice<UInt8>) {
        self.request = request
        self.chunk = chunk
        self.offset = offset
        self.bytes = bytes
    }
}
