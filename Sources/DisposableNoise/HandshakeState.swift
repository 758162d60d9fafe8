// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// One side of one handshake: interprets the tokens of a `HandshakePattern` (Noise §5.3).
///
/// A caller follows `phase`: it calls `writeMessage(payload:)`, `readMessage(_:)` or, at the end, `split()`. Randomness
/// is passed as `ephemeralKey`, so that the same arguments always give the same messages; the caller makes a new
/// ephemeral key for each handshake.
///
/// A class, because a copied handshake would send two messages under one nonce, and because a class can be stored
/// anywhere. The first error ends it.
///
/// - Important: the position of a message in the pattern determines how well its payload is protected (Noise §7.7).
public final class HandshakeState {
    /// The call that is due.
    public enum Phase: Equatable, Sendable {
        /// `writeMessage(payload:)`; then `.reading` or `.complete`.
        case writing
        /// `readMessage(_:)`; then `.writing` or `.complete`.
        case reading
        /// `split()`; then `.over`.
        case complete
        /// None: the keys are in a `NoiseTransport`.
        case over
        /// None: a call threw.
        case failed
    }

    public private(set) var phase: Phase
    /// `rs`: the other side's static public key, once known. It is authentic only after the end of the handshake.
    public private(set) var remoteStaticKey: AgreementPublicKey?

    private let pattern: HandshakePattern
    private let role: HandshakeRole
    private let staticKey: AgreementKey?
    private let ephemeralKey: AgreementKey?
    private var remoteEphemeralKey: AgreementPublicKey?
    private var presharedKeys: ArraySlice<SecretBytes>
    private var messageIndex = 0
    private var symmetricState: SymmetricState

    /// Throws `NoiseError.keyMissing`, `.keyUnused` or `.presharedKeyCount` unless the keys are exactly those that the
    /// pattern uses in this role.
    /// - Parameters:
    ///   - pattern: the messages of the handshake.
    ///   - role: whether this side begins.
    ///   - prologue: data on which both sides must agree without sending it (Noise §6).
    ///   - staticKey: this side's static key, if the pattern has one.
    ///   - ephemeralKey: a new key for this one handshake, if this side sends one.
    ///   - remoteStatic: the other side's static key, only if it is known beforehand in the pattern.
    ///   - presharedKeys: one for each `psk` token, in their order.
    /// - Precondition: each preshared key holds 32 bytes.
    public init(
        pattern: HandshakePattern, role: HandshakeRole, prologue: [UInt8], staticKey: AgreementKey? = nil,
        ephemeralKey: AgreementKey? = nil, remoteStatic: AgreementPublicKey? = nil, presharedKeys: [SecretBytes] = []
    ) throws(NoiseError) {
        try pattern.check(.localStatic, isGiven: staticKey != nil, as: role)
        try pattern.check(.ephemeral, isGiven: ephemeralKey != nil, as: role)
        try pattern.check(.remoteStatic, isGiven: remoteStatic != nil, as: role)
        guard presharedKeys.count == pattern.presharedKeyCount else {
            throw .presharedKeyCount(presharedKeys.count, needed: pattern.presharedKeyCount)
        }
        for key in presharedKeys { precondition(key.count == 32, "a preshared key has 32 bytes, not \(key.count)") }

        self.pattern = pattern
        self.role = role
        self.staticKey = staticKey
        self.ephemeralKey = ephemeralKey
        self.remoteStaticKey = remoteStatic
        self.presharedKeys = presharedKeys[...]
        phase = role == .initiator ? .writing : .reading
        symmetricState = SymmetricState(protocolName: pattern.protocolName)
        symmetricState.mixHash(prologue.span)
        for known in pattern.preMessages {
            let key = known == role ? staticKey?.publicKey : remoteStatic
            let bytes = key!.bytes32.bytes  // checked above
            symmetricState.mixHash(bytes.span)
        }
    }

    /// `h`, 64 bytes. After a complete handshake both sides have the same value, and no other handshake has it:
    /// signatures include it to bind them to this connection (Noise §11.2).
    public var handshakeHash: [UInt8] { symmetricState.handshakeHash }

    /// Returns the next message, to be sent unchanged.
    public func writeMessage(payload: [UInt8]) throws(NoiseError) -> [UInt8] {
        try require(.writing)
        do throws(NoiseError) {
            var message = [UInt8]()
            for token in pattern.messages[messageIndex] { try write(token, appendingTo: &message) }
            try symmetricState.encryptAndHash(payload, appendingTo: &message)
            try NoiseTransport.checkLength(ofMessage: message.count)
            advance()
            return message
        } catch {
            phase = .failed
            throw error
        }
    }

    /// Returns the payload of the other side's next message.
    public func readMessage(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        try require(.reading)
        do throws(NoiseError) {
            try NoiseTransport.checkLength(ofMessage: message.count)
            var rest = message[...]
            for token in pattern.messages[messageIndex] { try read(token, from: &rest) }
            guard rest.count >= symmetricState.tagByteCount else {
                throw .messageTooShort(
                    byteCount: message.count, needed: rest.startIndex + symmetricState.tagByteCount)
            }
            let payload = try symmetricState.decryptAndHash(rest)
            advance()
            return payload
        } catch {
            phase = .failed
            throw error
        }
    }

    /// Returns the transport. Call it once, after the last message; then release the handshake, which still holds the
    /// key from which the transport's keys are derived.
    public func split() throws(NoiseError) -> NoiseTransport {
        try require(.complete)
        phase = .over
        let (outward, homeward) = symmetricState.split(in: staticKey?.memory ?? .guarded)
        let sendsOutward = role == .initiator
        return NoiseTransport(
            sending: pattern.isOneWay && !sendsOutward ? nil : sendsOutward ? outward : homeward,
            receiving: pattern.isOneWay && sendsOutward ? nil : sendsOutward ? homeward : outward,
            handshakeHash: handshakeHash, remoteStaticKey: remoteStaticKey)
    }

    private func require(_ needed: Phase) throws(NoiseError) {
        if phase == needed { return }
        if phase == .failed { throw .failedEarlier }
        phase = .failed
        throw .outOfTurn
    }

    private func advance() {
        messageIndex += 1
        if messageIndex == pattern.messages.count {
            phase = .complete
        } else {
            phase = HandshakePattern.writer(ofMessage: messageIndex) == role ? .writing : .reading
        }
    }

    private func write(_ token: HandshakePattern.Token, appendingTo message: inout [UInt8]) throws(NoiseError) {
        switch token {
        case .e:
            let key = ephemeralKey!.publicKey  // checked in `init`
            key.bytes32.append(to: &message)
            mixEphemeral(key)
        case .s:
            // checked in `init`
            try symmetricState.encryptAndHash(staticKey!.publicKey.bytes32.bytes, appendingTo: &message)
        case .ee, .es, .se, .ss, .psk: try mix(token)
        }
    }

    private func read(_ token: HandshakePattern.Token, from rest: inout ArraySlice<UInt8>) throws(NoiseError) {
        switch token {
        case .e:
            let key = Self.publicKey(try Self.take(AgreementPublicKey.byteCount, from: &rest))
            remoteEphemeralKey = key
            mixEphemeral(key)
        case .s:
            let sealed = try Self.take(AgreementPublicKey.byteCount + symmetricState.tagByteCount, from: &rest)
            remoteStaticKey = Self.publicKey(try symmetricState.decryptAndHash(sealed))
        case .ee, .es, .se, .ss, .psk: try mix(token)
        }
    }

    /// Mixes an ephemeral key. In handshakes with a preshared key it also enters the chaining key, so that no two
    /// handshakes encrypt under the same key (Noise §9.2).
    private func mixEphemeral(_ key: AgreementPublicKey) {
        let bytes = key.bytes32.bytes
        symmetricState.mixHash(bytes.span)
        if pattern.presharedKeyCount > 0 { symmetricState.mixKey(bytes.span) }
    }

    /// Handles the tokens that send nothing. The first letter of a Diffie-Hellman token is the initiator's key, the
    /// second the responder's.
    private func mix(_ token: HandshakePattern.Token) throws(NoiseError) {
        switch token {
        case .ee: try mixSharedSecret(ephemeralKey, remoteEphemeralKey)
        case .es where role == .initiator: try mixSharedSecret(ephemeralKey, remoteStaticKey)
        case .es: try mixSharedSecret(staticKey, remoteEphemeralKey)
        case .se where role == .initiator: try mixSharedSecret(staticKey, remoteEphemeralKey)
        case .se: try mixSharedSecret(ephemeralKey, remoteStaticKey)
        case .ss: try mixSharedSecret(staticKey, remoteStaticKey)
        case .psk: presharedKeys.removeFirst().withSpan { symmetricState.mixKeyAndHash($0) }
        case .e, .s: preconditionFailure("\(token) is written or read, not mixed")
        }
    }

    /// Mixes a shared secret. In every pattern keys are sent, or known beforehand, before their use (Noise §7.3), so
    /// both exist.
    private func mixSharedSecret(_ own: AgreementKey?, _ theirs: AgreementPublicKey?) throws(NoiseError) {
        let secret: SecretBytes
        do { secret = try own!.sharedSecret(with: theirs!) } catch { throw NoiseError(error) }
        secret.withSpan { symmetricState.mixKey($0) }
    }

    private static func take(
        _ count: Int, from rest: inout ArraySlice<UInt8>
    ) throws(NoiseError) -> ArraySlice<UInt8> {
        guard rest.count >= count else {
            throw .messageTooShort(byteCount: rest.endIndex, needed: rest.startIndex + count)
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func publicKey(_ bytes: some Collection<UInt8>) -> AgreementPublicKey {
        AgreementPublicKey(Bytes32(bytes)!)  // `take` gave 32 bytes
    }
}

extension HandshakePattern {
    fileprivate func check(_ key: HandshakeKey, isGiven: Bool, as role: HandshakeRole) throws(NoiseError) {
        switch (isGiven, needs(key, as: role)) {
        case (true, true), (false, false): return
        case (false, true): throw .keyMissing(key)
        case (true, false): throw .keyUnused(key)
        }
    }
}
