// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Both ends of a connection, from the first byte to messages in it.
///
/// The first byte says how far the connection has come, the second how long the pieces are in which the rest arrives.
/// Event, keys and randomness are those of protocol/vectors/handshake, so that the frames there are the honest ones.
enum HandshakeTarget {
    private struct Party {
        let credentials: EventCredentials
        let key = SigningKey(seed: Self.secret(0x77))
        let staticKeys = (
            dialler: AgreementKey(scalar: Self.secret(0xA1)), listener: AgreementKey(scalar: Self.secret(0xA0))
        )
        let entropies = (
            dialler: PeerConnection.Entropy(ephemeral: Self.secret(0xB1), salt: [UInt8](0x30...0x3F)),
            listener: PeerConnection.Entropy(ephemeral: Self.secret(0xB0), salt: [])
        )
        let challenge = [UInt8](0x10...0x1F)
        let claims: Authentication.Claims

        init() {
            let eventKey = Bytes32(hex: "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c")!
            credentials = EventCredentials(event: EventID(key: VerifyingKey(eventKey)), secret: Self.secret(0x5A))
            claims = Authentication.Claims(
                device: DeviceID(key.verifyingKey), instance: [UInt8](0..<16), wallClockMilliseconds: 1, listenPort: 2)
        }

        private static func secret(_ byte: UInt8) -> SecretBytes {
            var bytes = [UInt8](repeating: byte, count: 32)
            return SecretBytes(consuming: &bytes)
        }

        func dialler() -> PeerConnection {
            .dialled(
                credentials: credentials, staticKey: staticKeys.dialler, entropy: entropies.dialler,
                key: key, claims: claims)
        }

        func listener(_ preface: [UInt8]) -> PeerConnection {
            .accepted(
                challenge: challenge, preface: preface, credentials: credentials, staticKey: staticKeys.listener,
                entropy: entropies.listener, key: key, claims: claims)
        }
    }

    /// The messages of each side in a successful handshake.
    struct Talk {
        let challenge, preface, hello, answer, proof, welcome: [UInt8]
    }

    private static func sent(_ outputs: [PeerConnection.Output]) -> [UInt8] {
        outputs.flatMap { if case .send(let bytes) = $0 { bytes } else { [UInt8]() } }
    }

    static let talk: Talk = {
        let party = Party()
        var dialler = party.dialler()
        let opening = sent(dialler.receive(party.challenge))
        let preface = Array(opening.prefix(Preface.byteCount))
        let hello = Array(opening.dropFirst(Preface.byteCount))
        var listener = party.listener(preface)
        let answer = sent(listener.receive(hello))
        let proof = sent(dialler.receive(answer))
        let welcome = sent(listener.receive(proof))
        return Talk(
            challenge: party.challenge, preface: preface, hello: hello, answer: answer, proof: proof, welcome: welcome)
    }()

    static func run(_ input: [UInt8]) throws(Broken) {
        guard input.count >= 2 else { return }
        let party = Party()
        var machine: PeerConnection
        var bytes = Array(input.dropFirst(2))
        switch input[0] % 5 {
        case 0: machine = party.dialler()
        case 1:
            machine = party.dialler()
            _ = machine.receive(talk.challenge)
        case 2: machine = party.listener(talk.preface)
        case 3:
            machine = party.listener(talk.preface)
            _ = machine.receive(talk.hello)
        default:
            // A member's messages, sealed as they should be.
            machine = party.listener(talk.preface)
            var member = party.dialler()
            _ = member.receive(talk.challenge)
            let answer = machine.receive(talk.hello)
            let proof = member.receive(sent(answer))
            let welcome = machine.receive(sent(proof))
            _ = member.receive(sent(welcome))
            try check(machine.isLive && member.isLive, "the honest handshake fails")
            bytes = bytes.pieces(of: Int(input[1]) + 1).flatMap { member.seal($0) }
        }
        var answerByteCount = 0
        for piece in bytes.pieces(of: Int(input[1]) + 1) { answerByteCount += sent(machine.receive(piece)).count }
        try check(answerByteCount < 1_000, "\(answerByteCount) bytes are answered")
    }
}
