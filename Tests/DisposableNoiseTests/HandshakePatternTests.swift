// SPDX-License-Identifier: Apache-2.0
import DisposableNoise
import Testing

@Suite struct HandshakePatternTests {
    static let names = [
        "N", "K", "X", "NN", "NK", "NX", "KN", "KK", "KX", "XN", "XK", "XX", "IN", "IK", "IX",
        "NK1", "NX1", "X1N", "X1K", "XK1", "X1K1", "X1X", "XX1", "X1X1", "K1N", "K1K", "KK1", "K1K1", "K1X", "KX1",
        "K1X1", "I1N", "I1K", "IK1", "I1K1", "I1X", "IX1", "I1X1",
    ]

    @Test("every pattern completes, with every preshared-key modifier and with all of them", arguments: names)
    func completes(name: String) throws {
        func play(_ modifiers: [Int]) throws {
            let name = name + modifiers.map { "psk\($0)" }.joined(separator: "+")
            let pair = try HandshakePair("Noise_\(name)_25519_ChaChaPoly_BLAKE2b", presharedKeyCount: modifiers.count)
            let (initiator, responder) = try pair.transports()
            #expect(initiator.handshakeHash == responder.handshakeHash)
            let plaintext: [UInt8] = [1, 2, 3]
            var message = [UInt8]()
            try initiator.seal(plaintext.span, appendingTo: &message)
            #expect(try responder.open(message.span) == plaintext)
        }
        try play([])
        var number = 0
        while (try? HandshakePattern(protocolName: "Noise_\(name)psk\(number)_25519_ChaChaPoly_BLAKE2b")) != nil {
            try play([number])
            number += 1
        }
        #expect((2...5).contains(number))  // psk0 and one a message
        try play(Array(0..<number))
    }

    @Test(
        "another name than a known pattern of the one suite is refused",
        arguments: [
            "", "Noise", "Noise_XX", "Noise_XX_25519_ChaChaPoly", "Noise_XX_25519_ChaChaPoly_BLAKE2b_",
            "Noise_XX_25519_ChaChaPoly_BLAKE2s", "Noise_XX_25519_AESGCM_BLAKE2b", "Noise_XX_448_ChaChaPoly_BLAKE2b",
            "noise_XX_25519_ChaChaPoly_BLAKE2b", "Noise__25519_ChaChaPoly_BLAKE2b", "Noise_YY_25519_ChaChaPoly_BLAKE2b",
            "Noise_XXfallback_25519_ChaChaPoly_BLAKE2b", "Noise_XXpsk_25519_ChaChaPoly_BLAKE2b",
            "Noise_XXpsk4_25519_ChaChaPoly_BLAKE2b", "Noise_XXpsk00_25519_ChaChaPoly_BLAKE2b",
            "Noise_XXpsk-1_25519_ChaChaPoly_BLAKE2b", "Noise_XXpsk3+psk0_25519_ChaChaPoly_BLAKE2b",
            "Noise_XXpsk0+psk0_25519_ChaChaPoly_BLAKE2b", "Noise_XXpsk0+_25519_ChaChaPoly_BLAKE2b",
            "Noise_XXpsk0psk3_25519_ChaChaPoly_BLAKE2b", "Noise_XX1psk٣_25519_ChaChaPoly_BLAKE2b",
        ])
    func refusedName(name: String) {
        #expect(throws: NoiseError.unsupportedProtocol(name: name)) { try HandshakePattern(protocolName: name) }
    }

    @Test("the preshared keys are counted by their tokens")
    func presharedKeyCount() throws {
        for (modifiers, count) in [("", 0), ("psk0", 1), ("psk0+psk3", 2), ("psk0+psk1+psk2+psk3", 4)] {
            let pattern = try HandshakePattern(protocolName: "Noise_XX\(modifiers)_25519_ChaChaPoly_BLAKE2b")
            #expect(pattern.presharedKeyCount == count)
            #expect(!pattern.isOneWay)
        }
        #expect(try HandshakePattern(protocolName: "Noise_N_25519_ChaChaPoly_BLAKE2b").isOneWay)
    }
}
