// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// ChaCha20-Poly1305 with a 96-bit nonce (RFC 8439 §2.8): transport frames and chunks.
public enum ChaCha20Poly1305 {
    public static let keyByteCount = 32
    public static let nonceByteCount = 12
    public static let tagByteCount = 16

    /// Appends ciphertext and tag, `plaintext.count + 16` bytes, to `output`.
    /// - Precondition: `key` holds 32 bytes and `nonce` 12.
    /// - Important: a (key, nonce) pair seals once. Callers derive the nonce from a counter or an index.
    public static func seal(
        _ plaintext: Span<UInt8>, authenticating associatedData: Span<UInt8>, key: SecretBytes, nonce: [UInt8],
        appendingTo output: inout [UInt8]
    ) {
        checkSizes(key: key, nonce: nonce, nonceByteCount: nonceByteCount)
        let sealedByteCount = plaintext.count + tagByteCount
        output.append(addingCapacity: sealedByteCount) { added in
            added.withUnsafeMutableBufferPointer { out, count in
                plaintext.withUnsafeBufferPointer { plain in
                    associatedData.withUnsafeBufferPointer { ad in
                        _ = key.withUnsafeBytes { key in
                            crypto_aead_chacha20poly1305_ietf_encrypt(
                                out.baseAddress!, nil, plain.baseAddress, UInt64(plain.count), ad.baseAddress,
                                UInt64(ad.count), nil, nonce, key)
                        }
                    }
                }
                count = sealedByteCount
            }
        }
    }

    /// Returns the plaintext, `ciphertext.count - 16` bytes. Throws `CryptoError.authenticationFailed`.
    /// - Precondition: `key` holds 32 bytes and `nonce` 12.
    public static func open(
        _ ciphertext: Span<UInt8>, authenticating associatedData: Span<UInt8>, key: SecretBytes, nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        checkSizes(key: key, nonce: nonce, nonceByteCount: nonceByteCount)
        return try openWith(ciphertext, associatedData) { out, cipher, ad in
            key.withUnsafeBytes { key in
                crypto_aead_chacha20poly1305_ietf_decrypt(
                    out, nil, nil, cipher.baseAddress!, UInt64(cipher.count), ad.baseAddress, UInt64(ad.count), nonce,
                    key)
            }
        }
    }
}

/// XChaCha20-Poly1305 with a 192-bit nonce, which may be drawn at random: for data that is stored under a long-lived
/// key.
public enum XChaCha20Poly1305 {
    public static let keyByteCount = 32
    public static let nonceByteCount = 24
    public static let tagByteCount = 16

    /// Returns ciphertext and tag, `plaintext.count + 16` bytes.
    /// - Precondition: `key` holds 32 bytes and `nonce` 24.
    public static func seal(
        _ plaintext: Span<UInt8>, authenticating associatedData: Span<UInt8>, key: SecretBytes, nonce: [UInt8]
    ) -> [UInt8] {
        checkSizes(key: key, nonce: nonce, nonceByteCount: nonceByteCount)
        var output = [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        plaintext.withUnsafeBufferPointer { plain in
            associatedData.withUnsafeBufferPointer { ad in
                _ = key.withUnsafeBytes { key in
                    crypto_aead_xchacha20poly1305_ietf_encrypt(
                        &output, nil, plain.baseAddress, UInt64(plain.count), ad.baseAddress, UInt64(ad.count), nil,
                        nonce, key)
                }
            }
        }
        return output
    }

    /// Returns the plaintext, `ciphertext.count - 16` bytes. Throws `CryptoError.authenticationFailed`.
    /// - Precondition: `key` holds 32 bytes and `nonce` 24.
    public static func open(
        _ ciphertext: Span<UInt8>, authenticating associatedData: Span<UInt8>, key: SecretBytes, nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        checkSizes(key: key, nonce: nonce, nonceByteCount: nonceByteCount)
        return try openWith(ciphertext, associatedData) { out, cipher, ad in
            key.withUnsafeBytes { key in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    out, nil, nil, cipher.baseAddress!, UInt64(cipher.count), ad.baseAddress, UInt64(ad.count), nonce,
                    key)
            }
        }
    }
}

private func checkSizes(key: SecretBytes, nonce: [UInt8], nonceByteCount: Int) {
    _ = Sodium.ready
    precondition(key.count == 32, "an AEAD key has 32 bytes, not \(key.count)")
    precondition(nonce.count == nonceByteCount, "the nonce has \(nonceByteCount) bytes, not \(nonce.count)")
}

/// Opens with either AEAD; they differ in the C function only.
private func openWith(
    _ ciphertext: Span<UInt8>, _ associatedData: Span<UInt8>,
    _ decrypt: (UnsafeMutablePointer<UInt8>, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int32
) throws(CryptoError) -> [UInt8] {
    let tagByteCount = ChaCha20Poly1305.tagByteCount  // both tags are Poly1305's 16 bytes
    guard ciphertext.count >= tagByteCount else { throw .authenticationFailed }
    let plainByteCount = ciphertext.count - tagByteCount
    var code: Int32 = -1
    // One spare byte: a pointer is needed even for an empty plaintext.
    let plaintext = [UInt8](unsafeUninitializedCapacity: plainByteCount + 1) { out, count in
        code = ciphertext.withUnsafeBufferPointer { cipher in
            associatedData.withUnsafeBufferPointer { ad in decrypt(out.baseAddress!, cipher, ad) }
        }
        count = code == 0 ? plainByteCount : 0
    }
    guard code == 0 else { throw .authenticationFailed }
    return plaintext
}
