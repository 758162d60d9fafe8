// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The random bytes with which an organizer seals a secret.
public struct EpochEntropy: Equatable, Sendable {
    /// 32 bytes: the new secret. Not used if the current one is given to one more device.
    public let secret: SecretBytes
    /// 32 bytes, from which the ephemeral keys of the boxes are derived.
    public let seed: SecretBytes
    /// 16 bytes for the bodies.
    public let salt: [UInt8]

    public init(secret: SecretBytes, seed: SecretBytes, salt: [UInt8]) {
        self.secret = secret
        self.seed = seed
        self.salt = salt
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.secret.isEqual(to: right.secret) && left.seed.isEqual(to: right.seed) && left.salt == right.salt
    }
}
