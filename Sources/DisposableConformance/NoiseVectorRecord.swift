// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableNoise

/// One vector in the field names of the cacophony set, with the head of our own files if present.
package struct NoiseVectorRecord: Vector {
    static let failures: Set = ["authentication failure", "malformed", "weak public key"]
    static var questions: Set<String> { Set(CodingKeys.allCases.map(\.rawValue)) }

    package var vector: NoiseVector

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case expect, messages
        case failsAt = "fails_at"
        case failsOn = "fails_on"
        case protocolName = "protocol_name"
        case handshakeHash = "handshake_hash"
        case initPrologue = "init_prologue"
        case initStatic = "init_static"
        case initEphemeral = "init_ephemeral"
        case initRemoteStatic = "init_remote_static"
        case initPSKs = "init_psks"
        case respPrologue = "resp_prologue"
        case respStatic = "resp_static"
        case respEphemeral = "resp_ephemeral"
        case respRemoteStatic = "resp_remote_static"
        case respPSKs = "resp_psks"
    }

    private struct Message: Decodable {
        let payload: Hex
        let ciphertext: Hex?
        let delivered: Hex?
        let rekey: Bool?
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func bytes(_ key: CodingKeys) throws -> [UInt8]? {
            try container.decodeIfPresent(Hex.self, forKey: key)?.bytes
        }
        func keys(_ key: CodingKeys) throws -> [[UInt8]] {
            try container.decodeIfPresent([Hex].self, forKey: key)?.map(\.bytes) ?? []
        }
        vector = NoiseVector(
            protocolName: try container.decode(String.self, forKey: .protocolName),
            initiator: NoiseVector.Party(
                prologue: try bytes(.initPrologue) ?? [], staticKey: try bytes(.initStatic),
                ephemeralKey: try bytes(.initEphemeral), remoteStatic: try bytes(.initRemoteStatic),
                presharedKeys: try keys(.initPSKs)),
            responder: NoiseVector.Party(
                prologue: try bytes(.respPrologue) ?? [], staticKey: try bytes(.respStatic),
                ephemeralKey: try bytes(.respEphemeral), remoteStatic: try bytes(.respRemoteStatic),
                presharedKeys: try keys(.respPSKs)),
            handshakeHash: try bytes(.handshakeHash),
            messages: try container.decode([Message].self, forKey: .messages).map {
                NoiseVector.Message(
                    payload: $0.payload.bytes, ciphertext: $0.ciphertext?.bytes, delivered: $0.delivered?.bytes,
                    isAfterRekey: $0.rekey ?? false)
            },
            expectation: try Self.expectation(in: container))
    }

    /// The messages are damaged one by one, as the written ones must not change.
    var received: [WritableKeyPath<Self, [UInt8]>] { [] }

    /// Damages each message on arrival, after valid ones; in vectors that fail, the message that is invalid already.
    func damage() -> [String: Int] {
        var counts: [String: Int] = [:]
        var places = vector.messages.indices
        if case .failure(_, let message, let operation) = vector.expectation {
            places = operation == .read ? message..<message + 1 : 0..<0
        }
        for place in places {
            let right = vector.messages[place].delivered ?? vector.messages[place].ciphertext ?? []
            for bytes in DamagedForms.of(right, isWhole: vector.expectation == .success) {
                let failure = NoiseConformance.failure(delivering: bytes, as: place, of: vector)
                counts[failure?.rawValue ?? Outcome.unstableName, default: 0] += 1
            }
        }
        return counts
    }

    func outcome() -> Outcome {
        switch NoiseConformance.run(vector) {
        case .passed: Outcome(vector.expectation.name)
        case .failed(let reason): Outcome("different", reason: reason)
        case .unsupported(let what): Outcome(Outcome.unsupported, reason: what)
        }
    }

    private static func expectation(
        in container: KeyedDecodingContainer<CodingKeys>
    ) throws -> NoiseVector.Expectation {
        let expect = try container.decodeIfPresent(String.self, forKey: .expect) ?? "success"
        if expect == "success" { return .success }
        let operation = try container.decode(String.self, forKey: .failsOn)
        guard let failure = NoiseVector.Failure(rawValue: expect),
            let operation = NoiseVector.Operation(rawValue: operation)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .expect, in: container, debugDescription: "unknown expectation: \(expect) on \(operation)")
        }
        return .failure(failure, message: try container.decode(Int.self, forKey: .failsAt), on: operation)
    }
}

extension NoiseVector.Expectation {
    fileprivate var name: String {
        switch self {
        case .success: "success"
        case .failure(let failure, _, _): failure.rawValue
        }
    }
}
