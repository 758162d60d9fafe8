// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
internal import DisposableModel
internal import DisposableNoise
package import DisposableWire

/// One TCP connection to a peer, from its first byte to its last.
///
/// The dialler waits for the listener's challenge, answers with the preface and the first Noise message; three messages
/// later both sides send an `Authentication`, and when the other's is valid the connection is live: every frame is one
/// `PeerMessage`. A dialler without the event secret is refused at the preface, at the cost of one keyed hash, and has
/// learned nothing but 16 random bytes. (protocol/disposable-v1.md §6)
///
/// Inputs are bytes; outputs are bytes to send, messages, and once the identity of the peer. After `refused` or
/// `failed` the connection accepts nothing more.
package struct PeerConnection {
    package enum Output: Equatable {
        case send([UInt8])
        case authenticated(Authentication)
        case message(PeerMessage)
        /// The listener refuses the connection; 0 milliseconds for no retry.
        case refused(ProtocolCode, retryAfterMilliseconds: UInt32)
        case failed(ProtocolCode)
    }

    /// The random bytes for one connection, drawn outside the engine.
    package struct Entropy {
        /// 32 bytes: the Noise ephemeral key's scalar.
        let ephemeral: SecretBytes
        /// 16 bytes: the dialler's salt. The listener does not use it.
        let salt: [UInt8]

        package init(ephemeral: SecretBytes, salt: [UInt8]) {
            self.ephemeral = ephemeral
            self.salt = salt
        }
    }

    private enum State {
        /// The dialler waits for 16 bytes.
        case awaitingChallenge
        /// The sides exchange Noise messages.
        case handshaking(HandshakeState)
        /// The channel is encrypted; the peer has not yet proved its identity.
        case authenticating(NoiseTransport)
        case live(NoiseTransport)
        case failed
    }

    package let side: Authentication.Side
    let credentials: EventCredentials
    private let staticKey: AgreementKey
    private let entropy: Entropy
    private let key: SigningKey
    private let claims: Authentication.Claims
    private var state: State
    private var decoder = FrameDecoder()
    private var unauthenticatedByteCount = 0
    /// The listener's challenge, once the dialler has answered it.
    private var challenge: [UInt8] = []
    /// A secret of the two ends of this connection, the same at both, once the channel is encrypted.
    private(set) var channelHash: [UInt8] = []

    /// Creates a connection that this node has opened.
    package static func dialled(
        credentials: EventCredentials, staticKey: AgreementKey, entropy: Entropy, key: SigningKey,
        claims: Authentication.Claims
    ) -> Self {
        Self(
            side: .dialler, credentials: credentials, staticKey: staticKey, entropy: entropy, key: key, claims: claims,
            state: .awaitingChallenge)
    }

    /// Creates a connection that a peer has opened: its preface has been received and matches.
    package static func accepted(
        challenge: [UInt8], preface: [UInt8], credentials: EventCredentials, staticKey: AgreementKey, entropy: Entropy,
        key: SigningKey, claims: Authentication.Claims
    ) -> Self {
        let handshake = Self.handshake(
            role: .responder, prologue: challenge + preface, credentials: credentials, staticKey: staticKey,
            entropy: entropy)
        return Self(
            side: .listener, credentials: credentials, staticKey: staticKey, entropy: entropy, key: key, claims: claims,
            state: .handshaking(handshake))
    }

    /// Creates the place of a bundle among the peers (`Replica+Bundles`): no byte arrives on it, and none leaves it.
    static func ofBundle(
        credentials: EventCredentials, staticKey: AgreementKey, entropy: Entropy, key: SigningKey,
        claims: Authentication.Claims
    ) -> Self {
        Self(
            side: .dialler, credentials: credentials, staticKey: staticKey, entropy: entropy, key: key, claims: claims,
            state: .failed)
    }

    private init(
        side: Authentication.Side, credentials: EventCredentials, staticKey: AgreementKey, entropy: Entropy,
        key: SigningKey, claims: Authentication.Claims, state: State
    ) {
        self.side = side
        self.credentials = credentials
        self.staticKey = staticKey
        self.entropy = entropy
        self.key = key
        self.claims = claims
        self.state = state
    }

    private static func handshake(
        role: HandshakeRole, prologue: [UInt8], credentials: EventCredentials, staticKey: AgreementKey, entropy: Entropy
    ) -> HandshakeState {
        do {
            return try HandshakeState(
                pattern: HandshakePattern(protocolName: Preface.noiseProtocolName), role: role,
                prologue: prologue, staticKey: staticKey, ephemeralKey: AgreementKey(scalar: entropy.ephemeral),
                presharedKeys: [credentials.presharedKey])
        } catch {
            preconditionFailure("the handshake's keys are incomplete: \(error)")
        }
    }

    package var isLive: Bool { if case .live = state { true } else { false } }
    /// Whether the dialler has sent its preface.
    var hasAnsweredChallenge: Bool { if case .awaitingChallenge = state { false } else { true } }

    /// Handles bytes from the socket.
    package mutating func receive(_ bytes: [UInt8]) -> [Output] {
        var outputs: [Output] = []
        if !isLive { unauthenticatedByteCount += bytes.count }
        decoder.append(bytes)
        while step(&outputs) {}
        // Bytes after a valid authentication in the same read are allowed; an unauthenticated peer may not send more.
        if !isLive, !hasFailed, unauthenticatedByteCount > Limits.unauthenticatedByteCountMax {
            outputs += fail(.limitExceeded)
        }
        return outputs
    }

    /// The number of bytes without which nothing more can be handled, at least 1. Of a peer that has not proved its
    /// identity, each byte counts at once.
    var missingByteCount: Int {
        mutating get { isLive ? decoder.missingByteCount : 1 }
    }

    private var hasFailed: Bool { if case .failed = state { true } else { false } }

    /// Returns the encrypted frame for `message`. Empty once the connection has failed or while it is not live.
    package mutating func seal(_ message: PeerMessage) -> [UInt8] { seal(message.bytes) }

    /// Returns the same for a message that was encoded once for many peers.
    package mutating func seal(_ plaintext: [UInt8]) -> [UInt8] {
        guard case .live(let transport) = state else { return [] }
        return Self.frame(plaintext, transport) ?? []
    }

    private mutating func fail(_ code: ProtocolCode) -> [Output] {
        state = .failed
        decoder = FrameDecoder()
        return [.failed(code)]
    }

    /// Handles one unit of input if it is complete; `false` if more bytes are needed or the connection has ended.
    private mutating func step(_ outputs: inout [Output]) -> Bool {
        switch state {
        case .awaitingChallenge:
            guard let challenge = decoder.next(byteCount: Preface.challengeByteCount) else { return false }
            answer(Array(challenge), &outputs)
        case .handshaking(let handshake):
            guard let frame = decoder.nextFrame() else { return false }
            if side == .dialler, frame.count == ConnectionRefusal.byteCount {
                takeRefusal(frame, &outputs)
            } else {
                advance(handshake, Array(frame), &outputs)
            }
        case .authenticating(let transport):
            guard let frame = decoder.nextFrame() else { return false }
            authenticate(transport, frame, &outputs)
        case .live(let transport):
            guard let frame = decoder.nextFrame() else { return false }
            switch Self.open(frame, transport) {
            case .success(let message): outputs.append(.message(message))
            case .failure(let code):
                // Sends the reason, unless the channel itself is broken.
                let reason = PeerMessage.close(code, retryAfterMilliseconds: 0, reason: code.meaning)
                if let frame = Self.frame(reason, transport) { outputs.append(.send(frame)) }
                outputs += fail(code)
            }
        case .failed:
            return false
        }
        return true
    }

    private mutating func answer(_ challenge: [UInt8], _ outputs: inout [Output]) {
        let preface = Preface.bytes(for: credentials, challenge: challenge, salt: entropy.salt)
        let handshake = Self.handshake(
            role: .initiator, prologue: challenge + preface, credentials: credentials, staticKey: staticKey,
            entropy: entropy)
        self.challenge = challenge
        outputs.append(.send(preface))
        write(handshake, &outputs)
        state = .handshaking(handshake)
    }

    private mutating func takeRefusal(_ frame: ArraySlice<UInt8>, _ outputs: inout [Output]) {
        let refusal = ConnectionRefusal(
            frame, credentials: credentials, challenge: challenge, salt: entropy.salt)
        guard let refusal else {
            outputs += fail(.authenticationFailed)
            return
        }
        _ = fail(refusal.code)
        outputs.append(.refused(refusal.code, retryAfterMilliseconds: refusal.retryAfterMilliseconds))
    }

    private mutating func advance(_ handshake: HandshakeState, _ message: [UInt8], _ outputs: inout [Output]) {
        do {
            guard try handshake.readMessage(message).isEmpty else { throw NoiseError.authenticationFailed }
        } catch {
            outputs += fail(.authenticationFailed)
            return
        }
        if case .writing = handshake.phase { write(handshake, &outputs) }
        guard case .complete = handshake.phase, let transport = try? handshake.split() else { return }
        let proof = Authentication(claims: claims, side: side, handshakeHash: transport.handshakeHash, key: key)
        if let frame = Self.frame(.authentication(proof), transport) { outputs.append(.send(frame)) }
        channelHash = transport.handshakeHash
        state = .authenticating(transport)
    }

    private func write(_ handshake: HandshakeState, _ outputs: inout [Output]) {
        guard let message = try? handshake.writeMessage(payload: []) else { return }
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt16(message.count))
        outputs.append(.send(bytes + message))
    }

    private mutating func authenticate(
        _ transport: NoiseTransport, _ frame: ArraySlice<UInt8>, _ outputs: inout [Output]
    ) {
        guard case .success(.authentication(let proof)) = Self.open(frame, transport),
            proof.isValid(side: side == .dialler ? .listener : .dialler, handshakeHash: transport.handshakeHash)
        else {
            outputs += fail(.authenticationFailed)
            return
        }
        state = .live(transport)
        outputs.append(.authenticated(proof))
    }

    private static func open(
        _ frame: ArraySlice<UInt8>, _ transport: NoiseTransport
    ) -> Result<PeerMessage, ProtocolCode> {
        guard let plaintext = try? transport.open(frame.span) else { return .failure(.authenticationFailed) }
        do {
            return .success(try PeerMessage(plaintext))
        } catch .tooMany, .tooLong {
            return .failure(.limitExceeded)
        } catch {
            return .failure(.malformed)
        }
    }

    private static func frame(_ message: PeerMessage, _ transport: NoiseTransport) -> [UInt8]? {
        frame(message.bytes, transport)
    }

    private static func frame(_ plaintext: [UInt8], _ transport: NoiseTransport) -> [UInt8]? {
        let byteCount = plaintext.count + ChaCha20Poly1305.tagByteCount
        precondition(byteCount <= Limits.frameByteCountMax, "a frame of \(byteCount) bytes was built")
        var frame: [UInt8] = []
        frame.reserveCapacity(2 + byteCount)
        frame.appendBigEndian(UInt16(byteCount))
        guard (try? transport.seal(plaintext.span, appendingTo: &frame)) != nil else { return nil }
        return frame
    }
}
