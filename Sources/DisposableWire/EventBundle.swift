// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import SwiftProtobuf

/// A bundle: a file that carries the operations and blobs of an event between two places that never meet, sealed under
/// the event secret (protocol/bundle.md).
///
/// A header in the clear, then blocks of one size, each sealed by itself: a damaged block costs only the records in it,
/// and a shorter file is noticed, because only the last block is sealed as the last. The blocks hold one stream of
/// records.
public enum EventBundle {
    /// Sealed bytes of a block, without its tag.
    public static let blockByteCount = 65_536
    static let startByteCount = 4
    /// The bytes of a block's part of the stream of records.
    public static let payloadByteCount = blockByteCount - startByteCount
    public static let sealedBlockByteCount = blockByteCount + ChaCha20Poly1305.tagByteCount
    /// The content of one record: a full chunk of a blob, and what names it.
    public static let recordByteCountMax = 270_336
    /// The operations of one bundle.
    public static let operationsMax = 1_048_576

    /// The bytes before the blocks: 49.
    public struct Header: Equatable, Sendable {
        static let magic = Array("disposable carry".utf8)
        static let version: UInt8 = 1
        public static let saltByteCount = 16
        public static let byteCount = magic.count + 1 + saltByteCount + 16

        public let salt: [UInt8]
        let tag: [UInt8]

        public var bytes: [UInt8] { Self.prefix(salt) + tag }

        private static func prefix(_ salt: [UInt8]) -> [UInt8] { magic + [version] + salt }

        /// Throws `BundleError` unless the bytes are the header of a bundle that this version reads.
        public init(_ bytes: [UInt8]) throws(BundleError) {
            let place = Self.magic.count
            guard bytes.prefix(place).elementsEqual(Self.magic) else { throw .noBundle }
            guard bytes.count > place, bytes[place] == Self.version else {
                throw bytes.count > place ? .otherVersion(bytes[place]) : .truncated(at: UInt64(bytes.count))
            }
            guard bytes.count == Self.byteCount else { throw .truncated(at: UInt64(bytes.count)) }
            salt = Array(bytes[(place + 1)..<(place + 1 + Self.saltByteCount)])
            tag = Array(bytes.suffix(16))
        }

        /// Creates the header and the key of a new bundle.
        /// - Parameters:
        ///   - salt: 16 random bytes, never used before.
        ///   - event: the event of the bundle.
        ///   - secret: a secret of the event: a node that has it can read the bundle.
        public static func make(
            salt: [UInt8], event: EventID, secret: SecretBytes
        ) -> (header: Header, key: SecretBytes) {
            let key = key(salt: salt, event: event, secret: secret)
            return (Header(salt: salt, tag: KeyDerivation.tag(of: prefix(salt), key: key)), key)
        }

        private init(salt: [UInt8], tag: [UInt8]) { (self.salt, self.tag) = (salt, tag) }

        /// Returns the bundle's key if it was sealed under this secret of this event.
        public func key(event: EventID, secret: SecretBytes) -> SecretBytes? {
            let key = Self.key(salt: salt, event: event, secret: secret)
            return KeyDerivation.tag(of: Self.prefix(salt), key: key).isEqualInConstantTime(to: tag) ? key : nil
        }

        private static func key(salt: [UInt8], event: EventID, secret: SecretBytes) -> SecretBytes {
            KeyDerivation.key(from: secret, context: Domain.Key.bundle, input: event.bytes + salt)
        }
    }

    /// Seals a block.
    /// - Parameters:
    ///   - start: the place in the payload where the first record begins that begins in this block.
    ///   - payload: the next bytes of the stream of records, `payloadByteCount` unless it is the last block.
    ///   - index: the number of the block in the bundle, from 0.
    ///   - isLast: whether no block follows.
    ///   - key: the key of the bundle, 32 bytes.
    public static func seal(
        _ payload: ArraySlice<UInt8>, start: Int?, index: UInt64, isLast: Bool, key: SecretBytes
    ) -> [UInt8] {
        var plaintext: [UInt8] = []
        plaintext.reserveCapacity(payload.count + startByteCount)
        plaintext.appendBigEndian(start.map { UInt32($0) } ?? .max)
        plaintext += payload
        var sealed: [UInt8] = []
        let nothing: [UInt8] = []
        ChaCha20Poly1305.seal(
            plaintext.span, authenticating: nothing.span, key: key, nonce: nonce(index, isLast), appendingTo: &sealed)
        return sealed
    }

    /// Returns the payload of a block, and the place where its first record begins; `nil` if it does not open.
    public static func open(
        _ sealed: [UInt8], index: UInt64, isLast: Bool, key: SecretBytes
    ) -> (payload: [UInt8], start: Int?)? {
        let nothing: [UInt8] = []
        guard
            var plaintext = try? ChaCha20Poly1305.open(
                sealed.span, authenticating: nothing.span, key: key, nonce: nonce(index, isLast)),
            plaintext.count >= startByteCount
        else { return nil }
        let start = plaintext.prefix(startByteCount).reduce(0) { $0 << 8 | Int($1) }
        plaintext.removeFirst(startByteCount)
        return (plaintext, start < plaintext.count ? start : nil)
    }

    /// Three zero bytes, the index, and whether the block is the last.
    private static func nonce(_ index: UInt64, _ isLast: Bool) -> [UInt8] {
        var nonce: [UInt8] = [0, 0, 0]
        nonce.appendBigEndian(index)
        nonce.append(isLast ? 1 : 0)
        return nonce
    }
}

/// The reason why a file cannot be read as a bundle.
public enum BundleError: Error, Equatable, Sendable {
    case noBundle
    case otherVersion(UInt8)
    /// The file ends at this byte, before the bundle's end.
    case truncated(at: UInt64)
    case tooManyOperations(limit: Int)
}

/// One entry of a bundle.
public enum BundleRecord: Sendable {
    /// The writer of the bundle, and the time. The first record.
    case about(About)
    case operation(UncheckedOperation)
    /// The hashes of a blob's chunks.
    case list(BlobID, [Bytes32])
    case chunk(BlobRoot, index: Int, ciphertext: [UInt8])

    public struct About: Equatable, Sendable {
        public let event: EventID
        public let device: DeviceID
        public let writtenAtMilliseconds: UInt64
        public let operationCount: UInt64
        public let blobCount: UInt64

        public init(
            event: EventID, device: DeviceID, writtenAtMilliseconds: UInt64, operationCount: UInt64, blobCount: UInt64
        ) {
            self.event = event
            self.device = device
            self.writtenAtMilliseconds = writtenAtMilliseconds
            self.operationCount = operationCount
            self.blobCount = blobCount
        }
    }

    /// Type and length of the content.
    public static let headByteCount = 5

    private enum Kind: UInt8 {
        case about = 1
        case operation = 2
        case list = 3
        case chunk = 4
    }

    /// The record's head and content.
    public var bytes: [UInt8] {
        var content: [UInt8] = []
        let kind: Kind
        switch self {
        case .about(let about):
            kind = .about
            content += about.event.bytes + about.device.bytes
            for number in [about.writtenAtMilliseconds, about.operationCount, about.blobCount] {
                content.appendBigEndian(number)
            }
        case .operation(let operation):
            kind = .operation
            // A message of bytes alone always serializes.
            let bytes: [UInt8]? = try? operation.message.serializedBytes()
            content += bytes ?? []
        case .list(let blob, let hashes):
            kind = .list
            content.append(blob.blobClass.rawValue)
            content.appendBigEndian(blob.byteCount)
            content += blob.root.bytes
            for hash in hashes { content += hash.bytes }
        case .chunk(let root, let index, let ciphertext):
            kind = .chunk
            content += root.bytes
            content.appendBigEndian(UInt32(index))
            content += ciphertext
        }
        var record = [kind.rawValue]
        record.appendBigEndian(UInt32(content.count))
        return record + content
    }

    /// Returns the length of the content that follows a head; `nil` for one that is too long.
    public static func contentByteCount(_ head: ArraySlice<UInt8>) -> Int? {
        let count = head.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return count <= EventBundle.recordByteCountMax ? count : nil
    }

    /// Decodes a record; `nil` for one of a later version, or a malformed one.
    public init?(kind: UInt8, _ content: ArraySlice<UInt8>) {
        var rest = content
        func take(_ byteCount: Int) -> UInt64? {
            guard rest.count >= byteCount else { return nil }
            defer { rest = rest.dropFirst(byteCount) }
            return rest.prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
        }
        func takeName() -> Bytes32? {
            guard rest.count >= Bytes32.byteCount else { return nil }
            defer { rest = rest.dropFirst(Bytes32.byteCount) }
            return Bytes32(rest.prefix(Bytes32.byteCount))
        }
        switch Kind(rawValue: kind) {
        case .about:
            guard let event = takeName(), let device = takeName(), let writtenAt = take(8),
                let operationCount = take(8), let blobCount = take(8)
            else { return nil }
            self = .about(
                About(
                    event: EventID(event), device: DeviceID(device), writtenAtMilliseconds: writtenAt,
                    operationCount: operationCount, blobCount: blobCount))
        case .operation:
            guard let message = try? Disposable_V1_SignedOperation(serializedBytes: Array(rest)),
                let operation = try? UncheckedOperation(message)
            else { return nil }
            self = .operation(operation)
        case .list:
            guard let blobClass = take(1).flatMap({ BlobClass(rawValue: UInt8($0)) }), let byteCount = take(8),
                (1...blobClass.byteCountMax).contains(byteCount), let root = takeName()
            else { return nil }
            let blob = BlobID(root: BlobRoot(root), blobClass: blobClass, byteCount: byteCount)
            let count = blob.layout.chunkCount
            guard rest.count == count * Bytes32.byteCount else { return nil }
            self = .list(blob, (0..<count).compactMap { _ in takeName() })
        case .chunk:
            guard let root = takeName(), let index = take(4) else { return nil }
            self = .chunk(BlobRoot(root), index: Int(index), ciphertext: Array(rest))
        case nil: return nil
        }
    }
}
