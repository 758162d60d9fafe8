// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableNoise
import Foundation
import Testing

/// The vectors of a JSON file: one of `protocol/vectors/noise`, or a list under `vectors`.
enum NoiseVectorFile {
    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let ownFolder = root.appending(path: "protocol/vectors/noise")

    /// The project's own files, by name without ending, in order.
    static var ownNames: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(at: ownFolder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "json" }.map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }

    static func own(_ name: String) throws -> NoiseVector {
        try #require(try vectors(in: ownFolder.appending(path: name + ".json")).first)
    }

    /// The public set, which is not part of the project: where `DISPOSABLE_NOISE_VECTORS` says, or beside the package.
    static var publicSet: URL? {
        let beside = root.appending(path: "../shared/vectors/noise-25519-ChaChaPoly-BLAKE2b.json")
        let file = ProcessInfo.processInfo.environment["DISPOSABLE_NOISE_VECTORS"].map { URL(filePath: $0) } ?? beside
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    static func vectors(in file: URL) throws -> [NoiseVector] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(OneOrMany.self, from: Data(contentsOf: file)).vectors.map { try $0.vector() }
    }
}

private struct OneOrMany: Decodable {
    let vectors: [Record]
    private enum CodingKeys: CodingKey { case vectors }

    init(from decoder: any Decoder) throws {
        let list = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([Record].self, forKey: .vectors)
        vectors = try list ?? [Record(from: decoder)]
    }
}

/// The fields as the files name them, in camel case.
private struct Record: Decodable {
    struct Message: Decodable {
        let payload: String
        let ciphertext: String?
        let delivered: String?
        let rekey: Bool?
    }
    let expect: String?
    let failsAt: Int?
    let failsOn: String?
    let protocolName: String
    let handshakeHash: String?
    let initPrologue: String
    let initStatic: String?
    let initEphemeral: String?
    let initRemoteStatic: String?
    let initPsks: [String]?
    let respPrologue: String
    let respStatic: String?
    let respEphemeral: String?
    let respRemoteStatic: String?
    let respPsks: [String]?
    let messages: [Message]

    func vector() throws -> NoiseVector {
        NoiseVector(
            protocolName: protocolName,
            initiator: NoiseVector.Party(
                prologue: try bytes(initPrologue), staticKey: try initStatic.map(bytes),
                ephemeralKey: try initEphemeral.map(bytes), remoteStatic: try initRemoteStatic.map(bytes),
                presharedKeys: try (initPsks ?? []).map(bytes)),
            responder: NoiseVector.Party(
                prologue: try bytes(respPrologue), staticKey: try respStatic.map(bytes),
                ephemeralKey: try respEphemeral.map(bytes), remoteStatic: try respRemoteStatic.map(bytes),
                presharedKeys: try (respPsks ?? []).map(bytes)),
            handshakeHash: try handshakeHash.map(bytes),
            messages: try messages.map {
                NoiseVector.Message(
                    payload: try bytes($0.payload), ciphertext: try $0.ciphertext.map(bytes),
                    delivered: try $0.delivered.map(bytes), isAfterRekey: $0.rekey ?? false)
            },
            expectation: try expectation())
    }

    private func expectation() throws -> NoiseVector.Expectation {
        guard let expect, expect != "success" else { return .success }
        return .failure(
            try #require(NoiseVector.Failure(rawValue: expect)), message: try #require(failsAt),
            on: try #require(failsOn.flatMap(NoiseVector.Operation.init)))
    }

    private func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }
}
