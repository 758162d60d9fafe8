// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// An X25519 public key (RFC 7748): 32 bytes, little-endian u-coordinate.
public struct AgreementPublicKey: Hashable, Sendable {
    public static let byteCount = 32
    public let bytes32: Bytes32

    public init(_ bytes: Bytes32) { bytes32 = bytes }

    /// Converts a signing key to the X25519 key to which one can seal for its holder: the same point in the other
    /// coordinates. Throws `CryptoError.weakPublicKey` if it is not a valid key.
    public init(of key: VerifyingKey) throws(CryptoError) {
        _ = Sodium.ready
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        guard crypto_sign_ed25519_pk_to_curve25519(&bytes, key.bytes32.bytes) == 0 else { throw .weakPublicKey }
        bytes32 = Bytes32(bytes)!  // 32 bytes by construction
    }
}

/// An X25519 key pair.
public final class AgreementKey: Sendable {
    public static let byteCount = 32
    let scalar: SecretBytes
    public let publicKey: AgreementPublicKey
    package var memory: SecretBytes.Memory { scalar.memory }

    /// - Precondition: `scalar` holds 32 bytes.
    public init(scalar: SecretBytes) {
        _ = Sodium.ready
        precondition(scalar.count == Self.byteCount, "an X25519 scalar has 32 bytes, not \(scalar.count)")
        var publicKey = [UInt8](repeating: 0, count: AgreementPublicKey.byteCount)
        _ = scalar.withUnsafeBytes { crypto_scalarmult_curve25519_base(&publicKey, $0) }
        self.scalar = scalar
        self.publicKey = AgreementPublicKey(Bytes32(publicKey)!)  // 32 bytes by construction
    }

    /// The scalar as plain bytes: for a key that is published.
    public var disclosed: Bytes32 {
        scalar.withSpan { span in Bytes32((0..<span.count).map { span[$0] })! }  // 32 bytes by construction
    }

    /// Returns the raw X25519 result, 32 bytes, to be hashed before use.
    ///
    /// Throws `CryptoError.weakPublicKey` if the result is all zero.
    public func sharedSecret(with other: AgreementPublicKey) throws(CryptoError) -> SecretBytes {
        var shared = [UInt8](repeating: 0, count: Self.byteCount)
        let code = scalar.withUnsafeBytes { crypto_scalarmult_curve25519(&shared, $0, other.bytes32.bytes) }
        guard code == 0 else { throw .weakPublicKey }  // all zero: nothing to wipe
        return SecretBytes(consuming: &shared, in: .ordinary)
    }
}
