// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto

/// A key with the counter of its sealed messages (Noise §5.1). Not copyable: a copy would reuse a nonce.
///
/// It always has a key; the empty key that the specification allows is the absence of a `CipherState`.
package struct CipherState: ~Copyable {
    private var key: SecretBytes
    private var nonce: UInt64
    /// `nonce` in the form of ChaChaPoly, updated in place for each message: four zero bytes, then 64 bits
    /// little-endian (Noise §12.3).
    private var encodedNonce = [UInt8](repeating: 0, count: ChaCha20Poly1305.nonceByteCount)

    /// - Precondition: `key` holds 32 bytes.
    package init(key: SecretBytes, nonce: UInt64 = 0) {
        self.key = key
        self.nonce = nonce
    }

    /// Appends ciphertext and tag, `plaintext.count + 16` bytes, to `output`. Throws `NoiseError.nonceExhausted`.
    package mutating func encrypt(
        _ plaintext: Span<UInt8>, authenticating associatedData: Span<UInt8>, appendingTo output: inout [UInt8]
    ) throws(NoiseError) {
        try encodeNonce()
        ChaCha20Poly1305.seal(
            plaintext, authenticating: associatedData, key: key, nonce: encodedNonce, appendingTo: &output)
        nonce += 1
    }

    /// Returns the plaintext. Throws `NoiseError.nonceExhausted` and `.authenticationFailed`, without counting the
    /// message.
    package mutating func decrypt(
        _ ciphertext: Span<UInt8>, authenticating associatedData: Span<UInt8>
    ) throws(NoiseError) -> [UInt8] {
        try encodeNonce()
        let plaintext: [UInt8]
        do {
            plaintext = try ChaCha20Poly1305.open(
                ciphertext, authenticating: associatedData, key: key, nonce: encodedNonce)
        } catch { throw NoiseError(error) }
        nonce += 1
        return plaintext
    }

    /// Replaces the key by one derived from it, so that the new one does not open earlier messages (Noise §11.3). The
    /// counter continues.
    package mutating func rekey() {
        let zeros = [UInt8](repeating: 0, count: ChaCha20Poly1305.keyByteCount)
        let nothing = [UInt8]()
        write(.max)  // the nonce that no message may have
        var output = [UInt8]()
        ChaCha20Poly1305.seal(
            zeros.span, authenticating: nothing.span, key: key, nonce: encodedNonce, appendingTo: &output)
        key = SecretBytes(copying: output.span.extracting(first: ChaCha20Poly1305.keyByteCount))
        output.wipe()
    }

    private mutating func encodeNonce() throws(NoiseError) {
        guard nonce < .max else { throw .nonceExhausted }
        write(nonce)
    }

    private mutating func write(_ nonce: UInt64) {
        for index in 0..<8 { encodedNonce[4 + index] = UInt8(truncatingIfNeeded: nonce >> (8 * UInt64(index))) }
    }
}

extension NoiseError {
    init(_ error: CryptoError) {
        switch error {
        case .authenticationFailed: self = .authenticationFailed
        case .weakPublicKey: self = .weakPublicKey
        }
    }
}
