// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// An Ed25519 signature: 64 bytes, R then S (RFC 8032 §5.1.6).
public struct Signature: Hashable, Sendable {
    public static let byteCount = 64
    @usableFromInline let r: Bytes32
    @usableFromInline let s: Bytes32

    /// Returns `nil` unless `bytes` holds exactly 64 bytes.
    // Inlinable for the same reason as that of `Bytes32`.
    @inlinable public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount, let r = Bytes32(bytes.prefix(32)), let s = Bytes32(bytes.dropFirst(32))
        else {
            return nil
        }
        self.r = r
        self.s = s
    }

    public var bytes: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(Self.byteCount)
        r.append(to: &bytes)
        s.append(to: &bytes)
        return bytes
    }
}

/// An Ed25519 public key.
public struct VerifyingKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let bytes32: Bytes32

    public init(_ bytes: Bytes32) { bytes32 = bytes }

    /// Whether `signature` is this key's over `message`, by libsodium's rules: canonical S, no small-order or
    /// non-canonical key or R. Other libraries accept more; the specification defines these rules.
    public func isValid(_ signature: Signature, for message: [UInt8]) -> Bool {
        _ = Sodium.ready
        return crypto_sign_ed25519_verify_detached(
            signature.bytes, message, UInt64(message.count), bytes32.bytes) == 0
    }

    public static func < (left: Self, right: Self) -> Bool { left.bytes32 < right.bytes32 }
    public var description: String { bytes32.description }
    public var short: String { bytes32.short }
}

/// An Ed25519 key pair that signs. Signing is deterministic (RFC 8032): the same message gives the same signature.
public final class SigningKey: Sendable {
    public static let seedByteCount = 32
    private let secret: SecretBytes  // libsodium's form: seed || public key
    public let verifyingKey: VerifyingKey

    /// - Precondition: `seed` holds 32 bytes.
    public init(seed: SecretBytes) {
        _ = Sodium.ready
        precondition(seed.count == Self.seedByteCount, "an Ed25519 seed has 32 bytes, not \(seed.count)")
        var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_PUBLICKEYBYTES))
        var secretKey = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_SECRETKEYBYTES))
        _ = seed.withUnsafeBytes { crypto_sign_ed25519_seed_keypair(&publicKey, &secretKey, $0) }
        secret = SecretBytes(consuming: &secretKey)
        verifyingKey = VerifyingKey(Bytes32(publicKey)!)  // 32 bytes by construction
    }

    /// The seed of this key, for storage and for the printable backup.
    public var seed: SecretBytes { secret.withSpan { SecretBytes(copying: $0.extracting(first: Self.seedByteCount)) } }

    /// The key that opens boxes sealed to this key's `AgreementPublicKey(of:)`.
    public var agreementKey: AgreementKey {
        var scalar = [UInt8](repeating: 0, count: AgreementKey.byteCount)
        _ = secret.withUnsafeBytes { crypto_sign_ed25519_sk_to_curve25519(&scalar, $0) }
        return AgreementKey(scalar: SecretBytes(consuming: &scalar))
    }

    public func signature(for message: [UInt8]) -> Signature {
        var signature = [UInt8](repeating: 0, count: Signature.byteCount)
        _ = secret.withUnsafeBytes {
            crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), $0)
        }
        return Signature(signature)!  // 64 bytes by construction
    }
}
