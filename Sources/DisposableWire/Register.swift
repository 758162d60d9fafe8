// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// What a node says of its own disk: which originals are whole on it, and of which photos that were taken away nothing
/// is left. A claim by a device, and no operation: only the newest counts (protocol/disposable-v1.md §7.16).
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

    init(claimBytes: [UInt8], claims: Claims, signature: Signature) {
        self.claimBytes = claimBytes
        self.claims = claims
        self.signature = signature
    }

    /// Of claims and signature.
    public var byteCount: Int { claimBytes.count + Signature.byteCount }

    public func isValid(for event: EventID) -> Bool {
        claims.device.verifyingKey.isValid(signature, for: Self.signedBytes(event, claimBytes))
    }

    /// Of two registers of one device.
    public func supersedes(_ other: Register) -> Bool {
        if claims.counter != other.claims.counter { return claims.counter > other.claims.counter }
        return other.claims.instance.lexicographicallyPrecedes(claims.instance)
    }

    static func signedBytes(_ event: EventID, _ claimBytes: [UInt8]) -> [UInt8] {
        Domain.register + event.bytes + claimBytes
    }
}
