// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableNoise
internal import DisposableSync
internal import DisposableWire

/// Returns the common knowledge of both ends of a connection.
private func credentials(eventKey: Hex, eventSecret: Hex) throws -> EventCredentials {
    EventCredentials(event: EventID(key: VerifyingKey(try eventKey.bytes32)), secret: eventSecret.secret)
}

/// §6.2: a preface that a listener reads, or a refusal that a dialler reads.
struct PrefaceVector: Vector {
    static let questions: Set = ["kind", "eventKey", "eventSecret", "challenge", "refusal"]
    static let failures: Set = ["not served", "unsupported version", "authentication failure"]

    private let kind: String
    private let eventKey, eventSecret, challenge: Hex
    private let salt: Hex?
    private var preface, refusal: Hex?

    private var bytes: [UInt8] {
        get { (preface ?? refusal)?.bytes ?? [] }
        set {
            preface?.bytes = newValue
            refusal?.bytes = newValue
        }
    }
    var received: [WritableKeyPath<Self, [UInt8]>] { [\.bytes] }

    func outcome() throws -> Outcome {
        let credentials = try credentials(eventKey: eventKey, eventSecret: eventSecret)
        switch (kind, preface?.bytes, refusal?.bytes) {
        case ("preface", let preface?, nil): return read(preface, credentials)
        case ("refusal", nil, let refusal?):
            guard let salt else { throw Unreadable("salt: is missing") }
            guard
                let read = ConnectionRefusal(
                    refusal[...], credentials: credentials, challenge: challenge.bytes, salt: salt.bytes)
            else { return Outcome("authentication failure", ["salt": .hex(salt.bytes)]) }
            let number = read.code == .unsupportedVersion ? "version" : "retryAfterMilliseconds"
            return .success([
                "salt": .hex(salt.bytes), "code": .string("\(read.code)"),
                number: .integer(read.retryAfterMilliseconds),
            ])
        default: throw Unreadable("kind: neither a preface nor a refusal with its bytes")
        }
    }

    private func read(_ preface: [UInt8], _ credentials: EventCredentials) -> Outcome {
        let challenge = challenge.bytes
        var values: [String: JSON] = ["preface": .hex(preface)]
        guard Preface.matches(preface, challenge: challenge, credentials: credentials) else {
            return Outcome("not served", values)
        }
        let salt = Preface.salt(of: preface)
        guard Preface.isOfThisVersion(preface) else {
            values["answer"] = .hex(
                ConnectionRefusal.otherVersion.frame(for: credentials, challenge: challenge, salt: salt))
            return Outcome("unsupported version", values)
        }
        // As encoded by a dialler with this salt.
        values["preface"] = .hex(Preface.bytes(for: credentials, challenge: challenge, salt: salt))
        values["salt"] = .hex(salt)
        return .success(values)
    }
}

/// §6.3, §6.4: a connection from the preface on, played by both sides.
struct HandshakeVector: Vector {
    static let questions: Set = [
        "eventKey", "eventSecret", "challenge", "preface", "prologue", "dialler", "listener",
    ]
    static let failures: Set = ["malformed", "authentication failure"]

    private struct Keys: Decodable { let `static`, ephemeral: Hex }
    private struct Step: Decodable {
        let from: String
        let plaintext: Hex
        var bytes: Hex
    }

    private let eventKey, eventSecret, challenge, preface, prologue: Hex
    private let dialler, listener: Keys
    private var steps: [Step]
    private let failsAt: Int?

    var received: [WritableKeyPath<Self, [UInt8]>] { steps.indices.map { \.steps[$0].bytes.bytes } }

    /// One end, in the handshake or after it.
    private final class End {
        let handshake: HandshakeState
        var transport: NoiseTransport?

        init(_ role: HandshakeRole, _ keys: Keys, prologue: [UInt8], psk: SecretBytes) throws(NoiseError) {
            handshake = try HandshakeState(
                pattern: HandshakePattern(protocolName: Preface.noiseProtocolName), role: role, prologue: prologue,
                staticKey: AgreementKey(scalar: keys.static.secret),
                ephemeralKey: AgreementKey(scalar: keys.ephemeral.secret), presharedKeys: [psk])
        }

        func write(_ plaintext: [UInt8]) throws(NoiseError) -> [UInt8] {
            var message: [UInt8] = []
            if let transport {
                try transport.seal(plaintext.span, appendingTo: &message)
            } else {
                message = try handshake.writeMessage(payload: plaintext)
                try splitIfComplete()
            }
            var frame: [UInt8] = []
            frame.appendBigEndian(UInt16(message.count))
            return frame + message
        }

        func read(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
            if let transport { return try transport.open(message.span) }
            let payload = try handshake.readMessage(message)
            try splitIfComplete()
            return payload
        }

        private func splitIfComplete() throws(NoiseError) {
            if handshake.phase == .complete { transport = try handshake.split() }
        }
    }

    func outcome() throws -> Outcome {
        let credentials = try credentials(eventKey: eventKey, eventSecret: eventSecret)
        let psk = credentials.presharedKey
        let ends = [
            "dialler": try End(.initiator, dialler, prologue: prologue.bytes, psk: psk),
            "listener": try End(.responder, listener, prologue: challenge.bytes + preface.bytes, psk: psk),
        ]
        var values: [String: JSON] = ["psk": .secret(psk)]
        var said: [JSON] = []
        for (index, step) in steps.enumerated() {
            guard let writer = ends[step.from], let reader = ends[step.from == "dialler" ? "listener" : "dialler"]
            else { throw Unreadable("steps.\(index).from: \(step.from)") }
            let isHandshake = reader.transport == nil
            let written = try writer.write(step.plaintext.bytes)
            // A message that fails was damaged in transit and differs from the written one.
            said.append(
                .object([
                    "from": .string(step.from), "plaintext": .hex(step.plaintext.bytes),
                    "bytes": .hex(index == failsAt ? step.bytes.bytes : written),
                ]))
            if let failure = Self.failure(step.bytes.bytes, reader, isHandshake, isLast: index == failsAt) {
                values["steps"] = .array(said)
                values["failsAt"] = .integer(index)
                return Outcome(failure, values)
            }
        }
        values["steps"] = .array(said)
        let hashes = ends.values.map(\.handshake.handshakeHash)
        guard hashes[0] == hashes[1] else { return .unstable }
        values["handshakeHash"] = .hex(hashes[0])
        return .success(values)
    }

    /// Returns the failure of a frame on arrival, if any. In the vectors the plaintexts that succeed need not be
    /// messages of this protocol.
    private static func failure(_ bytes: [UInt8], _ reader: End, _ isHandshake: Bool, isLast: Bool) -> String? {
        var decoder = FrameDecoder()
        decoder.append(bytes)
        guard let frame = decoder.nextFrame(), decoder.bufferedByteCount == 0 else { return "malformed" }
        do throws(NoiseError) {
            let plaintext = try reader.read(Array(frame))
            if isHandshake { return plaintext.isEmpty ? nil : "malformed" }
            return isLast && (try? PeerMessage(plaintext)) == nil ? "malformed" : nil
        } catch .messageTooShort { return "malformed" } catch { return "authentication failure" }
    }
}

/// §6.5: an Authentication by one end.
struct AuthVector: Vector {
    static let questions: Set = ["side", "handshakeHash", "payload"]
    static let failures: Set = ["authentication failure", "malformed", "limit exceeded"]

    private let side: String
    private let handshakeHash: Hex
    private var payload: Hex

    var received: [WritableKeyPath<Self, [UInt8]>] { [\.payload.bytes] }

    func outcome() throws -> Outcome {
        let sides: [String: Authentication.Side] = ["dialler": .dialler, "listener": .listener]
        guard let side = sides[side] else { throw Unreadable("side: neither dialler nor listener") }
        let message: PeerMessage
        do throws(WireError) { message = try PeerMessage([0x01] + payload.bytes) } catch { return Outcome(error.name) }
        guard case .authentication(let proof) = message, (try? PeerMessage(message.bytes)) == message else {
            return .unstable
        }
        guard proof.isValid(side: side, handshakeHash: handshakeHash.bytes) else {
            return Outcome("authentication failure")
        }
        let claims = proof.claims
        return .success([
            "device": .text(claims.device), "instance": .hex(claims.instance),
            "wallClockMilliseconds": .number(claims.wallClockMilliseconds), "listenPort": .integer(claims.listenPort),
        ])
    }
}

extension WireError {
    /// The name in vectors of a code for closing a connection.
    var name: String {
        switch self {
        case .empty, .unknownType, .malformed: "malformed"
        case .tooMany, .tooLong: "limit exceeded"
        }
    }
}
