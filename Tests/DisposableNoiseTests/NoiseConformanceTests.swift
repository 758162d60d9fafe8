// SPDX-License-Identifier: Apache-2.0
import DisposableNoise
import Testing

@Suite struct NoiseConformanceTests {
    @Test("an own vector has the outcome it names", arguments: NoiseVectorFile.ownNames)
    func ownVector(name: String) throws {
        #expect(NoiseConformance.run(try NoiseVectorFile.own(name)) == .passed)
    }

    @Test("the own vectors cover success and every failure that a short file can hold")
    func ownVectorsCover() throws {
        let expectations = try NoiseVectorFile.ownNames.map { try NoiseVectorFile.own($0).expectation }
        #expect(expectations.count >= 17)
        #expect(expectations.contains(.success))
        #expect(expectations.contains(.failure(.authentication, message: 0, on: .read)))
        #expect(expectations.contains(.failure(.malformed, message: 0, on: .read)))
        #expect(expectations.contains(.failure(.weakPublicKey, message: 1, on: .write)))
        #expect(expectations.contains(.failure(.weakPublicKey, message: 1, on: .read)))
    }

    @Test(
        "every vector of the public set passes",
        .enabled(
            if: NoiseVectorFile.publicSet != nil,
            "DISPOSABLE_NOISE_VECTORS names no file with the cacophony vectors for 25519_ChaChaPoly_BLAKE2b"))
    func publicSet() throws {
        let vectors = try NoiseVectorFile.vectors(in: try #require(NoiseVectorFile.publicSet))
        #expect(!vectors.isEmpty)
        for vector in vectors { #expect(NoiseConformance.run(vector) == .passed, "\(vector.protocolName)") }
    }

    @Test("the runner notices what differs")
    func runnerNotices() throws {
        let good = try NoiseVectorFile.own("xxpsk0-handshake-and-messages")

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

        vector = try NoiseVectorFile.own("xxpsk0-wrong-psk")
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
}
