// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The chaining key and the hash of the handshake so far (Noise §5.2).
struct SymmetricState: ~Copyable {
    private var chainingKey: SecretBytes
    /// `h`, 64 bytes; not secret.
    private(set) var handshakeHash: [UInt8]
    /// `nil` until the first key is mixed in; messages are not encrypted before.
    private var cipherState: CipherState?

    init(protocolName: String) {
        var name = Array(protocolName.utf8)
        if name.count <= HMAC.byteCount {
            name += repeatElement(0, count: HMAC.byteCount - name.count)
        } else {
            var hash = BLAKE2b(byteCount: HMAC.byteCount)
            hash.update(name)
            name = hash.finalize()
        }
        chainingKey = SecretBytes(copying: name.span, in: .ordinary)
        handshakeHash = name
    }

    /// The bytes that `encryptAndHash` adds to a plaintext: none, or 16 once there is a key.
    var tagByteCount: Int { cipherState == nil ? 0 : ChaCha20Poly1305.tagByteCount }

    mutating func mixHash(_ bytes: Span<UInt8>) {
        var hash = BLAKE2b(byteCount: HMAC.byteCount)
        hash.update(handshakeHash.span)
        hash.update(bytes)
        handshakeHash = hash.finalize()
    }

    mutating func mixKey(_ inputKeyMaterial: Span<UInt8>) {
        let outputs = derive(2, from: inputKeyMaterial)
        chainingKey = outputs[0]
        cipherState = CipherState(key: Self.truncated(outputs[1], in: .ordinary))
    }

    mutating func mixKeyAndHash(_ inputKeyMaterial: Span<UInt8>) {
        let outputs = derive(3, from: inputKeyMaterial)
        chainingKey = outputs[0]
        outputs[1].withSpan { mixHash($0) }
        cipherState = CipherState(key: Self.truncated(outputs[2], in: .ordinary))
    }

    /// Appends the ciphertext, or the unchanged plaintext while there is no key, to `output`.
    mutating func encryptAndHash(_ plaintext: [UInt8], appendingTo output: inout [UInt8]) throws(NoiseError) {
        let start = output.count
        let hash = handshakeHash  // while `cipherState` changes, `self` may not be read
        if cipherState == nil {
            output += plaintext
        } else {
            try cipherState?.encrypt(plaintext.span, authenticating: hash.span, appendingTo: &output)
        }
        mixHash(output.span.extracting(start...))
    }

    mutating func decryptAndHash(_ ciphertext: ArraySlice<UInt8>) throws(NoiseError) -> [UInt8] {
        let hash = handshakeHash  // as above
        let plaintext = try cipherState?.decrypt(ciphertext.span, authenticating: hash.span)
        mixHash(ciphertext.span)
        return plaintext ?? Array(ciphertext)
    }

    /// Returns the keys from initiator to responder and from responder to initiator, 32 bytes each.
    func split(in memory: SecretBytes.Memory) -> (SecretBytes, SecretBytes) {
        let nothing = [UInt8]()
        let outputs = derive(2, from: nothing.span)
        return (Self.truncated(outputs[0], in: memory), Self.truncated(outputs[1], in: memory))
    }

    /// Computes HKDF (Noise §4.3): `count` outputs of 64 bytes, 2 or 3.
    private func derive(_ count: UInt8, from inputKeyMaterial: Span<UInt8>) -> [SecretBytes] {
        var extraction = HMAC(key: chainingKey)
        extraction.update(inputKeyMaterial)
        let temporaryKey = extraction.finalize()
        var outputs = [SecretBytes]()
        for number in 1...count {
            var expansion = HMAC(key: temporaryKey)
            outputs.last?.withSpan { expansion.update($0) }
            let suffix = [number]
            expansion.update(suffix.span)
            outputs.append(expansion.finalize())
        }
        return outputs
    }

    /// Truncates the hash's 64 bytes to the 32 of a cipher's key (Noise §5.2).
    private static func truncated(_ output: SecretBytes, in memory: SecretBytes.Memory) -> SecretBytes {
        output.withSpan { SecretBytes(copying: $0.extracting(first: ChaCha20Poly1305.keyByteCount), in: memory) }
    }
}
