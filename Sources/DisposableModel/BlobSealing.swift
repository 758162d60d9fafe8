// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The encryption of a blob into chunks of ciphertext with one root (protocol/disposable-v1.md §11).
public enum BlobSealing {
    /// Derives a blob's key: others cannot predict it; each plaintext has its own, so that chunk nonces by index never
    /// repeat under it; and the same device derives the same key when it imports the same file again.
    public static func key(importSecret: SecretBytes, blobClass: BlobClass, plaintextHash: Bytes32) -> SecretBytes {
        KeyDerivation.key(
            from: importSecret, context: Domain.Key.blob, input: [blobClass.rawValue] + plaintextHash.bytes)
    }

    /// Appends the ciphertext of chunk `index`, 16 bytes longer than `plaintext`.
    public static func sealChunk(
        _ plaintext: Span<UInt8>, index: Int, isLast: Bool, key: SecretBytes, appendingTo output: inout [UInt8]
    ) {
        let nothing = [UInt8]()
        ChaCha20Poly1305.seal(
            plaintext, authenticating: nothing.span, key: key, nonce: nonce(index: index, isLast: isLast),
            appendingTo: &output)
    }

    /// Decrypts chunk `index`. Throws `CryptoError.authenticationFailed`.
    public static func openChunk(
        _ ciphertext: Span<UInt8>, index: Int, isLast: Bool, key: SecretBytes
    ) throws(CryptoError) -> [UInt8] {
        let nothing = [UInt8]()
        return try ChaCha20Poly1305.open(
            ciphertext, authenticating: nothing.span, key: key, nonce: nonce(index: index, isLast: isLast))
    }

    /// Returns seven zero bytes, the index as 32 bits, and whether it is the last chunk, so that a truncated blob does
    /// not open.
    private static func nonce(index: Int, isLast: Bool) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: 7)
        nonce.appendBigEndian(UInt32(index))
        nonce.append(isLast ? 1 : 0)
        return nonce
    }

    /// Returns the hash of one chunk's ciphertext.
    public static func hash(ofChunk ciphertext: Span<UInt8>) -> Bytes32 { BLAKE2b.hash(ciphertext) }

    /// Returns the same of many chunks, in less time than one after the other.
    public static func hashes(ofChunks ciphertexts: [[UInt8]]) -> [Bytes32] { BLAKE2b.hashes(of: ciphertexts) }

    /// Returns the root over the plaintext's length, the chunk size and the chunks' hashes in order.
    public static func root(byteCount: UInt64, chunkHashes: [Bytes32]) -> BlobRoot {
        var bytes = Domain.blobRoot
        bytes.reserveCapacity(bytes.count + 9 + 32 * chunkHashes.count)
        bytes.appendBigEndian(byteCount)
        bytes.append(ChunkLayout.chunkLog2)
        for hash in chunkHashes { hash.append(to: &bytes) }
        return BlobRoot(BLAKE2b.hash(bytes.span))
    }
}
