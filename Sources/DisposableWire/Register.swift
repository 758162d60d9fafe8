// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// A node's inventory of its own disk: the originals that are complete on it, and the withdrawn photos of which nothing
/// is left. A claim by a device, and not an operation: only the newest counts (protocol/disposable-v1.md §7.16).
public struct Register: Equatable, Sendable {
    /// The claims as bytes, since the signature covers bytes.
    public let claimBytes: [UInt8]
    public let claims: Claims
    public let signature: Signature

    public struct Claims: Equatable, Sendable {
        public let device: DeviceID
        /// 16 random bytes of the process.
        public let instance: [UInt8]
        public let counter: UInt64
        /// The original operations whose blobs are complete here, by device.
        public let originals: [Places]
        /// The withdrawn photos that were purged here, by device.
        public let destroyed: [Places]

        public init(device: DeviceID, instance: [UInt8], counter: UInt64, originals: [Places], destroyed: [Places]) {
            self.device = device
            self.instance = instance
            self.counter = counter
            self.originals = originals
            self.destroyed = destroyed
        }
    }

    /// The operations of one device by their sequence numbers.
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

    /// The size of claims and signature.
    public var byteCount: Int { claimBytes.count + Signature.byteCount }

    public func isValid(for event: EventID) -> Bool {
        claims.device.verifyingKey.isValid(signature, for: Self.signedBytes(event, claimBytes))
    }

    /// Whether this is the newer one of two inventories of one device.
    public func supersedes(_ other: Register) -> Bool {
        if claims.counter != other.claims.counter { return claims.counter > other.claims.counter }
        return other.claims.instance.lexicographicallyPrecedes(claims.instance)
    }

    static func signedBytes(_ event: EventID, _ claimBytes: [UInt8]) -> [UInt8] {
        Domain.register + event.bytes + claimBytes
    }
}
