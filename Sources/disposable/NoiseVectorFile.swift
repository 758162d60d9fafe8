// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableNoise
import Foundation

/// A file of Noise vectors: one of `protocol/vectors/noise`, or a list of them under `vectors` as the public sets have
/// it. `disposable conformance noise FILE` is a thin wrapper around `run()`.
struct NoiseVectorFile: Decodable {
    /// What came of one vector; encoded it is one line of the command's output.
    struct Line: Encodable {
        let name: String
        let verdict: String
        /// Why not `passed`.
        let reason: String?

        var text: String {
            get throws {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                return String(decoding: try encoder.encode(self), as: UTF8.self)
            }
        }
    }

    struct Report {
        var lines: [Line] = []
        /// How many lines have the verdict `passed`, `failed` or `unsupported`.
        func count(_ verdict: String) -> Int { lines.count { $0.verdict == verdict } }
        var summary: String {
            "\(count("passed")) passed, \(count("failed")) failed, \(count("unsupported")) unsupported"
        }
    }

    let vectors: [NoiseVectorRecord]

    private enum CodingKeys: CodingKey { case vectors }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        vectors =
            if container.contains(.vectors) {
                try container.decode([NoiseVectorRecord].self, forKey: .vectors)
            } else {
                [try NoiseVectorRecord(from: decoder)]
            }
    }

    /// Throws `DecodingError` for what is not such a file, and what `Data` throws for one that cannot be read.
    init(contentsOf file: URL) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }

    func run() -> Report {
        var report = Report()
        for record in vectors {
            let name = record.about ?? record.vector.protocolName
            switch NoiseConformance.run(record.vector) {
            case .passed: report.lines.append(Line(name: name, verdict: "passed", reason: nil))
            case .failed(let reason): report.lines.append(Line(name: name, verdict: "failed", reason: reason))
            case .unsupported(let what): report.lines.append(Line(name: name, verdict: "unsupported", reason: what))
            }
        }
        return report
    }
}

/// One vector in the field names of the cacophony set, with the head of our own files where there is one.
struct NoiseVectorRecord: Decodable {
    let about: String?
    let vector: NoiseVector

    private enum CodingKeys: String, CodingKey {
        case about, expect, messages
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
        let payload: HexBytes
        let ciphertext: HexBytes?
        let delivered: HexBytes?
        let rekey: Bool?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func bytes(_ key: CodingKeys) throws -> [UInt8]? {
            try container.decodeIfPresent(HexBytes.self, forKey: key)?.bytes
        }
        func keys(_ key: CodingKeys) throws -> [[UInt8]] {
            try container.decodeIfPresent([HexBytes].self, forKey: key)?.map(\.bytes) ?? []
        }
        about = try container.decodeIfPresent(String.self, forKey: .about)
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

/// Bytes written as hexadecimal digits.
private struct HexBytes: Decodable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = [UInt8](hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal digits")
        }
        self.bytes = bytes
    }
}
