// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import Foundation
internal import SwiftProtobuf

/// What a node says of its own disk: which originals are whole on it, and of which photos that were taken away nothing is
/// left. A claim by a device, and no operation: only the newest counts (protocol/disposable-v0.md §7.16).
public struct Register: Equatable, Sendable {
    /// The claims as bytes, because they are signed as bytes.
    public let claimBytes: [UInt8]
    public let claims: Claims
    public let signature: Signature

    public struct Claims: Equatable, Sendable {
        public let device: DeviceID
        /// 16 random bytes a process.
        public let instance: [UInt8]
        public let counter: UInt64
        /// The original operations whose blobs are whole here, by device.
        public let originals: [Places]
        /// The photos taken away of which nothing is here any more, by device.
        public let destroyed: [Places]

        public init(device: DeviceID, instance: [UInt8], counter: UInt64, originals: [Places], destroyed: [Places]) {
            self.device = device
            self.instance = instance
            self.counter = counter
            self.originals = originals
            self.destroyed = destroyed
        }
    }

    /// Operations of one device by their sequence numbers.
    public struct Places: Equatable, Sendable {
        public let device: DeviceID
        /// A bit for each sequence number.
        public let bits: ChunkBitmap

        public init(device: DeviceID, bits: ChunkBitmap) {
            self.device = device
            self.bits = bits
        }
    }

    /// Signs claims; they must be within the limits.
    public init(_ claims: Claims, of event: EventID, key: SigningKey) {
        var message = Disposable_V0_RegisterClaims()
        message.device = Data(claims.device.bytes)
        message.instance = Data(claims.instance)
        message.counter = claims.counter
        message.originals = claims.originals.map(\.message)
        message.destroyed = claims.destroyed.map(\.message)
        guard let bytes: [UInt8] = try? message.serializedBytes() else { preconditionFailure("claims not serialised") }
        claimBytes = bytes
        self.claims = claims
        signature = key.signature(for: Self.signedBytes(event, bytes))
    }

    public func isValid(for event: EventID) -> Bool {
        claims.device.verifyingKey.isValid(signature, for: Self.signedBytes(event, claimBytes))
    }

    /// Of two registers of one device.
    public func supersedes(_ other: Register) -> Bool {
        if claims.counter != other.claims.counter { return claims.counter > other.claims.counter }
        return other.claims.instance.lexicographicallyPrecedes(claims.instance)
    }

    private static func signedBytes(_ event: EventID, _ claimBytes: [UInt8]) -> [UInt8] {
        Domain.register + event.bytes + claimBytes
    }
}

extension Register {
    var message: Disposable_V0_Register {
        var message = Disposable_V0_Register()
        message.claims = Data(claimBytes)
        message.signature = Data(signature.bytes)
        return message
    }

    init(_ reader: PayloadReader) throws(WireError) {
        let message: Disposable_V0_Register = try reader.message()
        try reader.check(byteCount: message.claims.count, limit: Limits.registerByteCountMax)
        guard let claims = try? Disposable_V0_RegisterClaims(serializedBytes: message.claims),
            claims.instance.count == 16
        else { throw .malformed(type: reader.type) }
        try reader.check(count: claims.originals.count + claims.destroyed.count, limit: Limits.registerPlacesMax)
        self.claims = Claims(
            device: try reader.identifier(claims.device), instance: [UInt8](claims.instance), counter: claims.counter,
            originals: try claims.originals.map { (item) throws(WireError) in try Places(item, reader) },
            destroyed: try claims.destroyed.map { (item) throws(WireError) in try Places(item, reader) })
        claimBytes = [UInt8](message.claims)
        signature = try reader.signature(message.signature)
    }
}

extension Register.Places {
    fileprivate var message: Disposable_V0_Places {
        var message = Disposable_V0_Places()
        message.device = Data(device.bytes)
        message.bits = Data(bits.bytes)
        return message
    }

    fileprivate init(_ message: Disposable_V0_Places, _ reader: PayloadReader) throws(WireError) {
        guard message.bits.count <= Int(OperationHeader.contentSequenceLimit) / 8 else { throw .malformed(type: reader.type) }
        self.init(device: try reader.identifier(message.device), bits: ChunkBitmap(bytes: [UInt8](message.bits)))
    }
}
