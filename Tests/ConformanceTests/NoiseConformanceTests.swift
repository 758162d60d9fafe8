// SPDX-License-Identifier: Apache-2.0
import DisposableConformance
import DisposableCrypto
import DisposableNoise
import Foundation
import Testing

@Suite struct NoiseConformanceTests {
    /// The public set, which is not part of the project: the file that `DISPOSABLE_NOISE_VECTORS` names.
    static var publicSet: URL? {
        guard let path = ProcessInfo.processInfo.environment["DISPOSABLE_NOISE_VECTORS"] else { return nil }
        return FileManager.default.fileExists(atPath: path) ? URL(filePath: path) : nil
    }

    @Test(
        "every vector of the public set passes",
        .enabled(
            if: publicSet != nil,
            "DISPOSABLE_NOISE_VECTORS names no file with the cacophony vectors for 25519_ChaChaPoly_BLAKE2b"))
    func publicVectors() throws {
        let file = try Data(contentsOf: try #require(Self.publicSet))
        let answers = Conformance.answers(to: file, named: "public", in: .noise)
        #expect(answers.count > 1)
        for answer in answers { #expect(answer.agrees, "\(answer.json.text)") }
    }

    private func own(_ name: String) throws -> NoiseVector {
        try VectorFile.named("noise/\(name).json").decode(NoiseVectorRecord.self).vector
    }

    @Test("the runner notices what differs")
    func runnerNotices() throws {
        let good = try own("xxpsk0-handshake-and-messages")

        var vector = good
        vector.messages[4].ciphertext?[0] ^= 1
        #expect(NoiseConformance.run(vector) == .failed("message 4 is written differently"))

        vector = good
        vector.handshakeHash?[63] ^= 1
        #expect(NoiseConformance.run(vector) == .failed("the handshake hash differs"))

        vector = good
        vector.messages[2].delivered = vector.messages[1].ciphertext
        #expect(NoiseConformance.run(vector) == .failed("message 2 fails on read: authenticationFailed"))

        vector = good
        vector.expectation = .failure(.authentication, message: 3, on: .read)
        #expect(NoiseConformance.run(vector) == .failed("every message arrives"))

        vector = try own("xxpsk0-wrong-psk")
        vector.expectation = .failure(.malformed, message: 0, on: .read)
        #expect(NoiseConformance.run(vector) == .failed("message 0 fails on read: authenticationFailed"))

        vector = good
        vector.messages.removeSubrange(2...)
        #expect(NoiseConformance.run(vector) == .failed("the handshake is not complete"))

        vector = good
        vector.initiator.staticKey?.removeLast()
        #expect(NoiseConformance.run(vector) == .failed("a key has 31 bytes, not 32"))

        vector = good
        vector.protocolName = "Noise_XXpsk0_448_AESGCM_SHA512"
        #expect(NoiseConformance.run(vector) == .unsupported("Noise_XXpsk0_448_AESGCM_SHA512"))
    }

    @Test("keys that a pattern does not use are ignored, as other suites supply all keys to one-way patterns")
    func unusedKeys() throws {
        func scalar(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }
        func key(_ byte: UInt8) -> AgreementKey { AgreementKey(scalar: SecretBytes(copying: scalar(byte).span)) }
        let name = "Noise_N_25519_ChaChaPoly_BLAKE2b"
        let sender = try HandshakeState(
            pattern: HandshakePattern(protocolName: name), role: .initiator, prologue: [], ephemeralKey: key(1),
            remoteStatic: key(2).publicKey)
        var ciphertexts = [try sender.writeMessage(payload: [1])]
        var second: [UInt8] = []
        let payload: [UInt8] = [2]
        try sender.split().seal(payload.span, appendingTo: &second)
        ciphertexts.append(second)

        let vector: [String: Any] = [
            "protocol_name": name, "init_prologue": "", "resp_prologue": "",
            "init_ephemeral": scalar(1).hex, "init_remote_static": key(2).publicKey.bytes32.description,
            "resp_static": scalar(2).hex,
            // Not used by the pattern.
            "init_static": scalar(3).hex, "resp_ephemeral": scalar(4).hex,
            "resp_remote_static": key(3).publicKey.bytes32.description,
            "messages": zip(["01", "02"], ciphertexts).map { ["payload": $0, "ciphertext": $1.hex] },
        ]
        let file = try JSONSerialization.data(withJSONObject: ["vectors": [vector]])
        let answers = Conformance.answers(to: file, named: "one-way", in: .noise)
        #expect(answers.count == 1)
        for answer in answers { #expect(answer.agrees, "\(answer.json.text)") }
    }
}
