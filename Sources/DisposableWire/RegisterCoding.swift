// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import Foundation
internal import SwiftProtobuf

extension Register {
    /// Signs claims; they must be within the limits.
    public init(_ claims: Claims, of event: EventID, key: SigningKey) {
        var message = Disposable_V1_RegisterClaims()
        message.device = Data(claims.device.bytes)
        message.instance = Data(claims.instance)
        message.counter = claims.counter
        message.originals = claims.originals.map(\.message)
        message.destroyed = claims.destroyed.map(\.message)
        guard let bytes: [UInt8] = try? message.serializedBytes() else { preconditionFailure("claims not serialised") }
        self.init(
            claimBytes: bytes, claims: claims, signature: key.signature(for: Self.signedBytes(event, bytes)))
    }

    var message: Disposable_V1_Register {
        var message = Disposable_V1_Register()
        message.claims = Data(claimBytes)
        message.signature = Data(signature.bytes)
        return message
    }

    init(_ reader: PayloadReader) throws(WireError) {
        let message: Disposable_V1_Register = try reader.message()
        try reader.check(byteCount: message.claims.count, limit: Limits.registerByteCountMax)
        try reader.check(
            count: ProtobufFields.count(in: [UInt8](message.claims)[...]), limit: Limits.fieldsPerMessageMax)
        guard let claims = try? Disposable_V1_RegisterClaims(serializedBytes: message.claims),
            claims.instance.count == 16
        else { throw .malformed(type: reader.type) }
        try reader.check(count: claims.originals.count + claims.destroyed.count, limit: Limits.registerPlacesMax)
        self.init(
            claimBytes: [UInt8](message.claims),
            claims: Claims(
                device: try reader.identifier(claims.device), instance: [UInt8](claims.instance),
                counter: claims.counter,
                originals: try claims.originals.map { (item) throws(WireError) in try Places(item, reader) },
                destroyed: try claims.destroyed.map { (item) throws(WireError) in try Places(item, reader) }),
            signature: try reader.signature(message.signature))
    }
}

extension Register.Places {
    fileprivate var message: Disposable_V1_Places {
        var message = Disposable_V1_Places()
        message.device = Data(device.bytes)
        message.bits = Data(bits.bytes)
        return message
    }

    fileprivate init(_ message: Disposable_V1_Places, _ reader: PayloadReader) throws(WireError) {
        guard message.bits.count <= Int(OperationHeader.contentSequenceLimit) / 8 else {
            throw .malformed(type: reader.type)
        }
        self.init(device: try reader.identifier(message.device), bits: ChunkBitmap(bytes: [UInt8](message.bits)))
    }
}
