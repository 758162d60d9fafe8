// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableNoise

/// Two sides with fixed keys: the same arguments give the same bytes, so a message can be read by many fresh readers.
struct HandshakePair {
    static let name = "Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b"
    static let initiatorStatic = key(1)
    static let initiatorEphemeral = key(2)
    static let responderStatic = key(3)
    static let responderEphemeral = key(4)

    let initiator: HandshakeState
    let responder: HandshakeState

    /// Both sides with exactly the keys that the pattern asks for; those not asked for are `nil` in `keys`.
    init(_ name: String = HandshakePair.name, presharedKeyCount: Int = 1) throws {
        let base = name.split(separator: "_")[1].prefix { $0.isUppercase || $0.isNumber }
        let letters = base.filter(\.isLetter)
        let first = letters.first!
        // N, K and X alone speak of the initiator; the responder of a one-way pattern is known.
        let second = letters.count == 1 ? "K" : letters.last!
        initiator = try HandshakeState(
            pattern: HandshakePattern(protocolName: name), role: .initiator, prologue: [1, 2, 3],
            staticKey: first == "N" ? nil : Self.initiatorStatic, ephemeralKey: Self.initiatorEphemeral,
            remoteStatic: second == "K" ? Self.responderStatic.publicKey : nil,
            presharedKeys: Self.presharedKeys(presharedKeyCount))
        responder = try HandshakeState(
            pattern: HandshakePattern(protocolName: name), role: .responder, prologue: [1, 2, 3],
            staticKey: second == "N" ? nil : Self.responderStatic,
            ephemeralKey: letters.count == 1 ? nil : Self.responderEphemeral,
            remoteStatic: first == "K" ? Self.initiatorStatic.publicKey : nil,
            presharedKeys: Self.presharedKeys(presharedKeyCount))
    }

    static func key(_ seed: UInt8) -> AgreementKey {
        AgreementKey(scalar: secret(seed))
    }

    static func secret(_ seed: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: seed, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    static func presharedKeys(_ count: Int) -> [SecretBytes] { (0..<count).map { secret(100 + UInt8($0)) } }

    /// Runs messages until it is `target`'s turn to read message `index` of three, and returns that message.
    func messageBefore(reading index: Int, payload: [UInt8]) throws -> (reader: HandshakeState, message: [UInt8]) {
        for step in 0..<index { _ = try side(step + 1).readMessage(try side(step).writeMessage(payload: payload)) }
        return (side(index + 1), try side(index).writeMessage(payload: payload))
    }

    /// The transports after all messages.
    func transports() throws -> (initiator: NoiseTransport, responder: NoiseTransport) {
        var step = 0
        while initiator.phase != .complete {
            _ = try side(step + 1).readMessage(try side(step).writeMessage(payload: []))
            step += 1
        }
        return (try initiator.split(), try responder.split())
    }

    private func side(_ index: Int) -> HandshakeState { index.isMultiple(of: 2) ? initiator : responder }
}
