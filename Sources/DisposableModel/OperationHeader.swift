// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The fixed part of an operation: 188 bytes, which are hashed for the id and signed by the device.
///
/// Numbers are big-endian. The encoding is canonical: one header, one sequence of bytes, so decoding and encoding again
/// gives the same bytes (protocol/disposable-v1.md §8).
public struct OperationHeader: Hashable, Sendable {
    public static let version: UInt8 = 1
    public static let byteCount = 188
    /// Content operations have sequence numbers below this: 2^18 a device.
    public static let contentSequenceLimit: UInt32 = 1 << 18

    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The operation belongs to the authority set. This also holds for unknown kinds.
        public static let authority = Flags(rawValue: 1 << 0)
        /// If an organizer has signed the operation, a node that does not know the kind reports that it needs a newer
        /// version, and has no digest.
        public static let critical = Flags(rawValue: 1 << 1)
    }

    /// The raw kind; `knownKind` if this version knows it.
    public var kind: UInt8
    public var flags: Flags
    public var event: EventID
    public var device: DeviceID
    /// Position in the device's chain of this set, from 0.
    public var sequence: UInt32
    /// The previous operation in that chain, `.none` at sequence 0.
    public var previous: OperationID
    public var timestamp: HybridTimestamp
    /// The subject; its meaning depends on the kind, `.none` if there is none.
    public var subject: OperationID
    /// A number; its meaning depends on the kind, 0 if there is none.
    public var argument: UInt64
    /// The hash of the body, zero if there is none.
    public var bodyHash: Bytes32
    /// Length of the body in bytes, 0 if there is none.
    public var bodyByteCount: UInt32

    public init(
        kind: UInt8, flags: Flags, event: EventID, device: DeviceID, sequence: UInt32, previous: OperationID,
        timestamp: HybridTimestamp, subject: OperationID, argument: UInt64, bodyHash: Bytes32, bodyByteCount: UInt32
    ) {
        self.kind = kind
        self.flags = flags
        self.event = event
        self.device = device
        self.sequence = sequence
        self.previous = previous
        self.timestamp = timestamp
        self.subject = subject
        self.argument = argument
        self.bodyHash = bodyHash
        self.bodyByteCount = bodyByteCount
    }

    public var set: OperationSet { flags.contains(.authority) ? .authority : .content }

    /// The kind; `nil` if this version does not know it, and for an operation of a kind that came after the first
    /// release whose set or presence of a body is not the kind's.
    public var knownKind: OperationKind? {
        guard let known = OperationKind(rawValue: kind), known.set == set, known.hasBody == (bodyByteCount > 0) else {
            return nil
        }
        return known
    }

    /// The 188 bytes.
    public var bytes: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(Self.byteCount)
        bytes.append(Self.version)
        bytes.append(kind)
        bytes.appendBigEndian(flags.rawValue)
        bytes.appendBigEndian(bodyByteCount)
        bytes.appendBigEndian(sequence)
        bytes.appendBigEndian(argument)
        bytes.appendBigEndian(timestamp.packed)
        event.bytes32.append(to: &bytes)
        device.bytes32.append(to: &bytes)
        previous.bytes32.append(to: &bytes)
        subject.bytes32.append(to: &bytes)
        bodyHash.append(to: &bytes)
        return bytes
    }

    /// Decodes a header.
    ///
    /// Throws if the length or the version is wrong, or if a kind of the first release is in the wrong set, has a body
    /// that it must not have, or lacks one.
    public init(_ bytes: [UInt8]) throws(OperationError) {
        guard bytes.count == Self.byteCount else { throw .headerByteCount(bytes.count) }
        guard bytes[0] == Self.version else { throw .unsupportedVersion(bytes[0]) }
        func number<Number: FixedWidthInteger>(at offset: Int, as _: Number.Type) -> Number {
            bytes[offset..<offset + Number.bitWidth / 8].reduce(0) { $0 << 8 | Number($1) }
        }
        func bytes32(at offset: Int) -> Bytes32 { Bytes32(bytes[offset..<offset + 32])! }  // the slice has 32 bytes
        self.init(
            kind: bytes[1], flags: Flags(rawValue: number(at: 2, as: UInt16.self)), event: EventID(bytes32(at: 28)),
            device: DeviceID(bytes32(at: 60)), sequence: number(at: 8, as: UInt32.self),
            previous: OperationID(bytes32(at: 92)), timestamp: HybridTimestamp(packed: number(at: 20, as: UInt64.self)),
            subject: OperationID(bytes32(at: 124)), argument: number(at: 12, as: UInt64.self),
            bodyHash: bytes32(at: 156), bodyByteCount: number(at: 4, as: UInt32.self))
        try check()
    }

    private func check() throws(OperationError) {
        guard (bodyByteCount == 0) == (bodyHash == .zero) else { throw .bodyMismatch }
        guard (sequence == 0) == (previous == .none) else { throw .brokenChain(sequence: sequence) }
        if set == .content, sequence >= Self.contentSequenceLimit { throw .sequenceTooLarge(sequence) }
        guard let known = OperationKind(rawValue: kind), known.isOfFirstRelease else { return }
        guard known.set == set else { throw .wrongSet(kind: kind) }
        guard known.hasBody == (bodyByteCount > 0) else { throw .bodyMismatch }
    }

    /// The operation's id: BLAKE2b-256 over the domain and the header.
    public var id: OperationID { Self.id(ofBytes: bytes) }

    /// Returns the id of the operation with these 188 bytes as header.
    public static func id(ofBytes bytes: [UInt8]) -> OperationID {
        OperationID(BLAKE2b.hash(Domain.operationID, bytes))
    }

    /// The bytes that the device signs.
    public var signedBytes: [UInt8] { Domain.operationSignature + bytes }

    /// Returns the value of `bodyHash` for `body`.
    public static func hash(ofBody body: [UInt8]) -> Bytes32 { BLAKE2b.hash(Domain.body, body) }
}

extension [UInt8] {
    package mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        var shift = number.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

/// The reason why bytes are not an operation of this event.
public enum OperationError: Error, Equatable, Sendable {
    case headerByteCount(Int)
    /// In a file of operations: truncated, too large, or not an operation at all.
    case malformedRecord
    case unsupportedVersion(UInt8)
    case wrongSet(kind: UInt8)
    case bodyMismatch
    case bodyTooLarge(byteCount: Int, limit: Int)
    /// A body of a known kind that does not decode as that kind.
    case malformedBody(kind: UInt8)
    case brokenChain(sequence: UInt32)
    case sequenceTooLarge(UInt32)
    case invalidSignature
    case foreignEvent
}
