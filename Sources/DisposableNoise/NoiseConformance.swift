// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// Plays a `NoiseVector` with both sides in one process and compares every byte.
public enum NoiseConformance {
    public enum Verdict: Equatable, Sendable {
        case passed
        /// The difference: lower case, no full stop.
        case failed(String)
        /// The protocol, if it is not supported, for instance one with another cipher.
        case unsupported(String)
    }

    public static func run(_ vector: NoiseVector) -> Verdict {
        guard let pattern = try? HandshakePattern(protocolName: vector.protocolName) else {
            return .unsupported(vector.protocolName)
        }
        do throws(Mismatch) {
            try play(vector, pattern)
            return .passed
        } catch { return .failed(error.reason) }
    }

    /// Returns how a message is refused that arrives as `bytes`; `nil` if it is accepted, or something else goes wrong.
    public static func failure(delivering bytes: [UInt8], as index: Int, of vector: NoiseVector) -> NoiseVector.Failure?
    {
        guard let pattern = try? HandshakePattern(protocolName: vector.protocolName) else { return nil }
        var damaged = vector
        damaged.messages.removeSubrange((index + 1)...)
        damaged.messages[index].delivered = bytes
        damaged.expectation = .success
        do throws(Mismatch) {
            try play(damaged, pattern)
            return nil
        } catch { return error.place == index ? error.failure : nil }
    }

    private static func play(_ vector: NoiseVector, _ pattern: HandshakePattern) throws(Mismatch) {
        var session = VectorSession(
            isOneWay: pattern.isOneWay,
            initiator: try endpoint(vector.initiator, pattern: pattern, role: .initiator),
            responder: try endpoint(vector.responder, pattern: pattern, role: .responder))
        try session.play(vector)
    }

    /// Starts a side with the keys of `party` that the pattern uses: other suites supply all keys to every pattern, for
    /// instance a responder's ephemeral key to one-way patterns.
    private static func endpoint(
        _ party: NoiseVector.Party, pattern: HandshakePattern, role: HandshakeRole
    ) throws(Mismatch) -> VectorSide {
        let keys = [party.staticKey, party.ephemeralKey, party.remoteStatic].compactMap(\.self) + party.presharedKeys
        for key in keys where key.count != 32 { throw Mismatch("a key has \(key.count) bytes, not 32") }
        func used(_ bytes: [UInt8]?, as key: HandshakeKey) -> [UInt8]? { pattern.needs(key, as: role) ? bytes : nil }
        func pair(_ bytes: [UInt8]?) -> AgreementKey? {
            bytes.map { AgreementKey(scalar: SecretBytes(copying: $0.span)) }
        }
        do {
            return .handshake(
                try HandshakeState(
                    pattern: pattern, role: role, prologue: party.prologue,
                    staticKey: pair(used(party.staticKey, as: .localStatic)),
                    ephemeralKey: pair(used(party.ephemeralKey, as: .ephemeral)),
                    remoteStatic: used(party.remoteStatic, as: .remoteStatic).flatMap { Bytes32($0) }
                        .map { AgreementPublicKey($0) },
                    presharedKeys: party.presharedKeys.map { SecretBytes(copying: $0.span) }))
        } catch { throw Mismatch("the \(role) does not start: \(error)") }
    }
}

/// The reason why a vector does not pass.
private struct Mismatch: Error {
    let reason: String
    /// The failure on reading, with the index of the message, if that is the reason.
    var failure: NoiseVector.Failure?
    var place: Int?
    init(_ reason: String) { self.reason = reason }
}

/// One side, before or after `split`.
private enum VectorSide {
    case handshake(HandshakeState)
    case transport(NoiseTransport)

    func write(_ payload: [UInt8]) -> Result<[UInt8], NoiseError> {
        Result { () throws(NoiseError) in
            switch self {
            case .handshake(let state): return try state.writeMessage(payload: payload)
            case .transport(let transport):
                var message = [UInt8]()
                try transport.seal(payload.span, appendingTo: &message)
                return message
            }
        }
    }

    func read(_ message: [UInt8]) -> Result<[UInt8], NoiseError> {
        Result { () throws(NoiseError) in
            switch self {
            case .handshake(let state): try state.readMessage(message)
            case .transport(let transport): try transport.open(message.span)
            }
        }
    }
}

private struct VectorSession {
    let isOneWay: Bool
    var initiator: VectorSide
    var responder: VectorSide

    mutating func play(_ vector: NoiseVector) throws(Mismatch) {
        for (index, message) in vector.messages.enumerated() {
            let initiatorWrites = isOneWay || index.isMultiple(of: 2)
            let writer = initiatorWrites ? initiator : responder
            let reader = initiatorWrites ? responder : initiator
            if message.isAfterRekey { try rekey(from: writer, to: reader) }

            let written = writer.write(message.payload)
            if case .failure(let error) = written {
                return try checkEnd(vector, error: error, at: index, on: .write, of: writer)
            }
            guard case .success(let ciphertext) = written, ciphertext == message.ciphertext else {
                throw Mismatch("message \(index) is written differently")
            }
            let read = reader.read(message.delivered ?? ciphertext)
            if case .failure(let error) = read {
                return try checkEnd(vector, error: error, at: index, on: .read, of: reader)
            }
            guard case .success(message.payload) = read else { throw Mismatch("message \(index) is read differently") }
            try splitIfComplete(expecting: vector.handshakeHash)
        }
        guard vector.expectation == .success else { throw Mismatch("every message arrives") }
        if case .handshake = initiator { throw Mismatch("the handshake is not complete") }
    }

    /// Checks that a failure is the expected one and that the side that detected it refuses to continue.
    private func checkEnd(
        _ vector: NoiseVector, error: NoiseError, at index: Int, on operation: NoiseVector.Operation,
        of endpoint: VectorSide
    ) throws(Mismatch) {
        guard let failure = NoiseVector.Failure(error),
            vector.expectation == .failure(failure, message: index, on: operation)
        else {
            var mismatch = Mismatch("message \(index) fails on \(operation): \(error)")
            if operation == .read { (mismatch.failure, mismatch.place) = (NoiseVector.Failure(error), index) }
            throw mismatch
        }
        guard endpoint.write([]) == .failure(.failedEarlier), endpoint.read([]) == .failure(.failedEarlier) else {
            throw Mismatch("message \(index) fails, but the state goes on")
        }
    }

    private mutating func splitIfComplete(expecting handshakeHash: [UInt8]?) throws(Mismatch) {
        guard case .handshake(let first) = initiator, case .handshake(let second) = responder,
            first.phase == .complete, second.phase == .complete
        else { return }
        let hashes = [first.handshakeHash, second.handshakeHash]
        if hashes.contains(where: { $0 != handshakeHash ?? hashes[0] }) { throw Mismatch("the handshake hash differs") }
        do throws(NoiseError) {
            initiator = .transport(try first.split())
            responder = .transport(try second.split())
        } catch { throw Mismatch("the handshake does not split: \(error)") }
    }

    private func rekey(from writer: VectorSide, to reader: VectorSide) throws(Mismatch) {
        guard case .transport(let sender) = writer, case .transport(let receiver) = reader else {
            throw Mismatch("a handshake has no rekey")
        }
        sender.rekeySending()
        receiver.rekeyReceiving()
    }
}

extension NoiseVector.Failure {
    /// Returns `nil` for errors that no peer can cause.
    fileprivate init?(_ error: NoiseError) {
        switch error {
        case .authenticationFailed: self = .authentication
        case .weakPublicKey: self = .weakPublicKey
        case .messageTooShort: self = .malformed
        case .messageTooLong, .nonceExhausted: self = .limitExceeded
        case .outOfTurn, .failedEarlier, .unsupportedProtocol, .keyMissing, .keyUnused, .presharedKeyCount: return nil
        }
    }
}
