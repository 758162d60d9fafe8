// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// A box that anyone can seal to a public key, and only the holder of its private key opens: libsodium's sealed box
/// (X25519, XSalsa20-Poly1305), with the ephemeral key as an argument, so that sealing needs no random source.
///
/// The bytes are those of `crypto_box_seal`: the ephemeral public key, then the box under the nonce
/// BLAKE2b-192(ephemeral public key || recipient's public key).
public enum SealedBox {
    /// The bytes that a sealed box adds to its plaintext.
    public static let overheadByteCount = 48

    /// Seals bytes to a public key. Throws `CryptoError.weakPublicKey` if nothing can be sealed to it.
    /// - Parameters:
    ///   - plaintext: any number of bytes.
    ///   - recipient: the public key whose private key opens the box.
    ///   - ephemeral: a key for this one box, discarded afterwards.
    /// - Returns: a box that is longer than the plaintext by `overheadByteCount`.
    public static func seal(
        _ plaintext: Span<UInt8>, to recipient: AgreementPublicKey, ephemeral: AgreementKey
    ) throws(CryptoError) -> [UInt8] {
        var box = [UInt8](repeating: 0, count: plaintext.count + 16)
        let nonce = nonce(ephemeral.publicKey, recipient)
        let code = plaintext.withUnsafeBufferPointer { plain in
            ephemeral.scalar.withUnsafeBytes { scalar in
                crypto_box_easy(&box, plain.baseAddress, UInt64(plain.count), nonce, recipient.bytes32.bytes, scalar)
            }
        }
        guard code == 0 else { throw .weakPublicKey }
        return ephemeral.publicKey.bytes32.bytes + box
    }

    /// Returns the plaintext, 48 bytes shorter. Throws `CryptoError.authenticationFailed`.
    public static func open(_ sealed: [UInt8], with key: AgreementKey) throws(CryptoError) -> SecretBytes {
        guard let sender = ephemeralKey(of: sealed) else { throw .authenticationFailed }
        return try unbox(sealed, sender: sender, recipient: key.publicKey, between: key, and: sender)
    }

    /// Opens a box with the ephemeral key that sealed it, if it can be derived again: both ends of a box share one
    /// secret.
    public static func reopen(
        _ sealed: [UInt8], to recipient: AgreementPublicKey, ephemeral: AgreementKey
    ) throws(CryptoError) -> SecretBytes {
        guard ephemeralKey(of: sealed) == ephemeral.publicKey else { throw .authenticationFailed }
        return try unbox(sealed, sender: ephemeral.publicKey, recipient: recipient, between: ephemeral, and: recipient)
    }

    /// Returns the public half of the ephemeral key of a box, `nil` if the bytes are too short for a box.
    private static func ephemeralKey(of sealed: [UInt8]) -> AgreementPublicKey? {
        guard sealed.count >= overheadByteCount else { return nil }
        return Bytes32(sealed.prefix(32)).map(AgreementPublicKey.init)
    }

    private static func unbox(
        _ sealed: [UInt8], sender: AgreementPublicKey, recipient: AgreementPublicKey, between own: AgreementKey,
        and other: AgreementPublicKey
    ) throws(CryptoError) -> SecretBytes {
        let box = Array(sealed.dropFirst(32))
        var plaintext = [UInt8](repeating: 0, count: box.count - 16)
        let nonce = nonce(sender, recipient)
        let code = own.scalar.withUnsafeBytes { scalar in
            crypto_box_open_easy(&plaintext, box, UInt64(box.count), nonce, other.bytes32.bytes, scalar)
        }
        guard code == 0 else { throw .authenticationFailed }
        return SecretBytes(consuming: &plaintext, in: .ordinary)
    }

    private static func nonce(_ ephemeral: AgreementPublicKey, _ recipient: AgreementPublicKey) -> [UInt8] {
        var hash = BLAKE2b(byteCount: 24)
        hash.update(ephemeral.bytes32.bytes + recipient.bytes32.bytes)
        return hash.finalize()
    }
}
