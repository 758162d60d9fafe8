// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The two ciphers after a handshake, one for each direction: messages are sealed and opened in the order in which they
/// are sent (Noise §5.2 `Split`, §11).
///
/// A class, because a copy would reuse a nonce, and because a class can be stored in dictionaries. The first error ends
/// both directions: a lost, doubled, reordered or changed message cannot be distinguished from an attack.
public final class NoiseTransport {
    /// The longest message, ciphertext and tag (Noise §3).
    public static let messageByteCountMax = 65_535
    /// The longest plaintext: a message without its tag of 16 bytes.
    public static let plaintextByteCountMax = messageByteCountMax - ChaCha20Poly1305.tagByteCount

    /// See `HandshakeState.handshakeHash`; of the whole handshake.
    public let handshakeHash: [UInt8]
    /// The other side's static public key, proved to be theirs; `nil` if the pattern has none.
    public let remoteStaticKey: AgreementPublicKey?

    // A one-way pattern has only one of them.
    private var sending: CipherState?
    private var receiving: CipherState?
    private var hasFailed = false

    /// - Parameters:
    ///   - sending, receiving: 32 bytes each; `nil` for the direction that a one-way pattern lacks.
    ///   - sentCount, receivedCount: the number of earlier messages.
    package init(
        sending: SecretBytes?, receiving: SecretBytes?, sentCount: UInt64 = 0, receivedCount: UInt64 = 0,
        handshakeHash: [UInt8], remoteStaticKey: AgreementPublicKey?
    ) {
        self.handshakeHash = handshakeHash
        self.remoteStaticKey = remoteStaticKey
        if let sending { self.sending = CipherState(key: sending, nonce: sentCount) }
        if let receiving { self.receiving = CipherState(key: receiving, nonce: receivedCount) }
    }

    /// Appends the next message, `plaintext.count + 16` bytes, to `output`.
    ///
    /// Throws `NoiseError.messageTooLong`, `.nonceExhausted`, `.outOfTurn` or `.failedEarlier`.
    public func seal(_ plaintext: Span<UInt8>, appendingTo output: inout [UInt8]) throws(NoiseError) {
        let nothing = [UInt8]()
        do throws(NoiseError) {
            try requireUse(isThere: sending != nil)
            try Self.checkLength(ofMessage: plaintext.count + ChaCha20Poly1305.tagByteCount)
            try sending?.encrypt(plaintext, authenticating: nothing.span, appendingTo: &output)
        } catch { throw fail(error) }
    }

    /// Returns the plaintext of the other side's next message, `ciphertext.count - 16` bytes.
    ///
    /// Throws `NoiseError.authenticationFailed`, `.messageTooShort`, `.messageTooLong`, `.nonceExhausted`,
    /// `.outOfTurn` or `.failedEarlier`.
    public func open(_ ciphertext: Span<UInt8>) throws(NoiseError) -> [UInt8] {
        let nothing = [UInt8]()
        do throws(NoiseError) {
            try requireUse(isThere: receiving != nil)
            try Self.checkLength(ofMessage: ciphertext.count)
            guard ciphertext.count >= ChaCha20Poly1305.tagByteCount else {
                throw .messageTooShort(byteCount: ciphertext.count, needed: ChaCha20Poly1305.tagByteCount)
            }
            guard let plaintext = try receiving?.decrypt(ciphertext, authenticating: nothing.span) else {
                throw .outOfTurn
            }
            return plaintext
        } catch { throw fail(error) }
    }

    /// Replaces the sending key from the next message on. The other side calls `rekeyReceiving()` before it opens that
    /// message; both agree on the time by other means (Noise §11.3).
    public func rekeySending() { sending?.rekey() }

    /// Replaces the receiving key from the next message on.
    public func rekeyReceiving() { receiving?.rekey() }

    static func checkLength(ofMessage byteCount: Int) throws(NoiseError) {
        guard byteCount <= messageByteCountMax else {
            throw .messageTooLong(byteCount: byteCount, limit: messageByteCountMax)
        }
    }

    private func requireUse(isThere: Bool) throws(NoiseError) {
        if hasFailed { throw .failedEarlier }
        if !isThere { throw .outOfTurn }
    }

    /// Drops the keys permanently.
    private func fail(_ error: NoiseError) -> NoiseError {
        hasFailed = true
        sending = nil
        receiving = nil
        return error
    }
}
