// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// A name of 32 bytes. Each kind of thing has its own type, so that one cannot be used for another.
public protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    var bytes32: Bytes32 { get }
    init(_ bytes: Bytes32)
}

extension Identifier {
    public static func < (left: Self, right: Self) -> Bool { left.bytes32 < right.bytes32 }
    /// `nil` unless `bytes` holds exactly 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard let bytes32 = Bytes32(bytes) else { return nil }
        self.init(bytes32)
    }
    public init?(hex: some StringProtocol) {
        guard let bytes32 = Bytes32(hex: hex) else { return nil }
        self.init(bytes32)
    }
    public var bytes: [UInt8] { bytes32.bytes }
    /// 64 lower-case hexadecimal digits.
    public var description: String { bytes32.description }
    /// The first eight hexadecimal digits, for logs and for people.
    public var short: String { bytes32.short }
}

/// The identifier of an event: the hash of its key, so that nobody can squat it (protocol/disposable-v1.md §4).
public struct EventID: Identifier {
    public let bytes32: Bytes32
    public init(_ bytes: Bytes32) { bytes32 = bytes }
    public init(key: VerifyingKey) { bytes32 = BLAKE2b.hash(Domain.event, key.bytes32.bytes) }
}

/// The identifier of a device in one event: its Ed25519 public key, created for that event only.
public struct DeviceID: Identifier {
    public let bytes32: Bytes32
    public init(_ bytes: Bytes32) { bytes32 = bytes }
    public init(_ key: VerifyingKey) { bytes32 = key.bytes32 }
    public var verifyingKey: VerifyingKey { VerifyingKey(bytes32) }
}

/// The owner of photos, names and a quota: a page guest's own key, or that of a device without a delegation.
///
/// A guest without a node signs through sub-keys, one for each node that serves it; all of them are one author.
public struct AuthorID: Identifier {
    public let bytes32: Bytes32
    public init(_ bytes: Bytes32) { bytes32 = bytes }
    public init(_ device: DeviceID) { bytes32 = device.bytes32 }
    public init(_ key: VerifyingKey) { bytes32 = key.bytes32 }
    public var verifyingKey: VerifyingKey { VerifyingKey(bytes32) }
}

/// The identifier of an operation: the hash of its header.
public struct OperationID: Identifier {
    public let bytes32: Bytes32
    public init(_ bytes: Bytes32) { bytes32 = bytes }
    /// The reference of an operation that names no other: 32 zero bytes.
    public static let none = OperationID(Bytes32.zero)
}

/// The identifier of a photo: that of the operation that added it. It never changes, whatever happens to the photo's
/// frame.
public struct PhotoID: Identifier {
    public let bytes32: Bytes32
    public init(_ bytes: Bytes32) { bytes32 = bytes }
    public init(_ operation: OperationID) { bytes32 = operation.bytes32 }
    public var operationID: OperationID { OperationID(bytes32) }
}

/// The root over a blob's length and its ciphertext's chunk hashes (protocol/disposable-v1.md §11).
public struct BlobRoot: Identifier {
    public let bytes32: Bytes32
    public init(_ bytes: Bytes32) { bytes32 = bytes }
}
