// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// scrypt (RFC 7914), for a passphrase that a page without WebCrypto must be able to check as well: 32 bytes of output.
///
/// The parameters cost about a third of a second here and one to four seconds in a browser, with 32 MiB.
public enum PassphraseKey {
    /// The cost (N), the block size (r) and the number of passes that could run side by side (p).
    public struct Parameters: Equatable, Sendable {
        public let cost: UInt64
        public let blockSize: UInt32
        public let passes: UInt32

        public init(cost: UInt64, blockSize: UInt32, passes: UInt32) {
            self.cost = cost
            self.blockSize = blockSize
            self.passes = passes
        }

        /// As many operations as the 128 MiB that OWASP names, in a quarter of the memory: phones have little.
        public static let standard = Parameters(cost: 1 << 15, blockSize: 8, passes: 3)
    }

    /// Throws `PasswordHash.OutOfMemory`.
    public static func derive(
        from passphrase: String, salt: [UInt8], _ parameters: Parameters = .standard, byteCount: Int = 32
    ) throws(PasswordHash.OutOfMemory) -> SecretBytes {
        _ = Sodium.ready
        let bytes = Array(passphrase.utf8)
        var key = [UInt8](repeating: 0, count: byteCount)
        let result = crypto_pwhash_scryptsalsa208sha256_ll(
            bytes, bytes.count, salt, salt.count, parameters.cost, parameters.blockSize, parameters.passes, &key,
            key.count)
        guard result == 0 else { throw PasswordHash.OutOfMemory() }
        return SecretBytes(consuming: &key)
    }
}

/// XSalsa20-Poly1305, NaCl's secretbox: for files that a page opens with TweetNaCl.
public enum SecretBox {
    public static let keyByteCount = 32
    public static let nonceByteCount = 24
    public static let tagByteCount = 16

    /// Returns the tag and the ciphertext.
    /// - Precondition: `key` holds 32 bytes and `nonce` 24. A pair of both seals once.
    public static func seal(_ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8]) -> [UInt8] {
        _ = Sodium.ready
        precondition(key.count == keyByteCount && nonce.count == nonceByteCount, "a box of other sizes")
        var box = [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        key.withUnsafeBytes { key in
            _ = crypto_secretbox_easy(&box, plaintext, UInt64(plaintext.count), nonce, key)
        }
        return box
    }

    /// Throws `CryptoError.authenticationFailed`.
    public static func open(_ box: [UInt8], key: SecretBytes, nonce: [UInt8]) throws(CryptoError) -> [UInt8] {
        _ = Sodium.ready
        precondition(key.count == keyByteCount && nonce.count == nonceByteCount, "a box of other sizes")
        guard box.count >= tagByteCount else { throw .authenticationFailed }
        var plaintext = [UInt8](repeating: 0, count: box.count - tagByteCount)
        let result = key.withUnsafeBytes { key in
            crypto_secretbox_open_easy(&plaintext, box, UInt64(box.count), nonce, key)
        }
        guard result == 0 else { throw .authenticationFailed }
        return plaintext
    }
}

/// HMAC-SHA-256 with a key of 32 bytes.
public enum MessageCode {
    public static func code(of message: [UInt8], key: SecretBytes) -> [UInt8] {
        _ = Sodium.ready
        precondition(key.count == 32, "a key of 32 bytes")
        var code = [UInt8](repeating: 0, count: 32)
        key.withUnsafeBytes { key in _ = crypto_auth_hmacsha256(&code, message, UInt64(message.count), key) }
        return code
    }
}
