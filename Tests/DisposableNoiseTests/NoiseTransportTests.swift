// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableNoise
import Testing

@Suite struct NoiseTransportTests {
    private func seal(_ plaintext: [UInt8], with transport: NoiseTransport) throws -> [UInt8] {
        var message = [UInt8]()
        try transport.seal(plaintext.span, appendingTo: &message)
        return message
    }

    /// Opening `message` throws `error`, and neither direction works afterwards.
    private func expectRefusal(of message: [UInt8], by transport: NoiseTransport, with error: NoiseError) {
        #expect(throws: error) { try transport.open(message.span) }
        #expect(throws: NoiseError.failedEarlier) { try transport.open(message.span) }
        #expect(throws: NoiseError.failedEarlier) { try seal([1], with: transport) }
    }

    @Test("messages of all sizes go both ways, appended to what is there")
    func bothWays() throws {
        let (initiator, responder) = try HandshakePair().transports()
        for byteCount in [0, 1, 16, 52_448, NoiseTransport.plaintextByteCountMax] {
            let plaintext = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
            for (sender, receiver) in [(initiator, responder), (responder, initiator)] {
                var output: [UInt8] = [0xaa, 0xbb]
                try sender.seal(plaintext.span, appendingTo: &output)
                #expect(output.count == 2 + byteCount + 16 && output.prefix(2) == [0xaa, 0xbb])
                #expect(try receiver.open(output.span.extracting(droppingFirst: 2)) == plaintext)
            }
        }
    }

    @Test("a message cut at any byte is refused, and that is the end")
    func truncation() throws {
        for byteCount in 0..<24 {
            let (initiator, responder) = try HandshakePair().transports()
            let message = try seal([UInt8](repeating: 5, count: 8), with: initiator)
            #expect(message.count == 24)
            expectRefusal(
                of: Array(message.prefix(byteCount)), by: responder,
                with: byteCount < 16 ? .messageTooShort(byteCount: byteCount, needed: 16) : .authenticationFailed)
        }
    }

    @Test("a message with any bit changed is refused, and that is the end")
    func flippedBits() throws {
        for bit in 0..<24 * 8 {
            let (initiator, responder) = try HandshakePair().transports()
            var message = try seal([UInt8](repeating: 5, count: 8), with: initiator)
            message[bit / 8] ^= 1 << UInt8(bit % 8)
            expectRefusal(of: message, by: responder, with: .authenticationFailed)
        }
    }

    @Test("replayed, skipped and reflected messages are refused, and that is the end")
    func order() throws {
        var (initiator, responder) = try HandshakePair().transports()
        let first = try seal([1], with: initiator)
        #expect(try responder.open(first.span) == [1])
        expectRefusal(of: first, by: responder, with: .authenticationFailed)

        (initiator, responder) = try HandshakePair().transports()
        _ = try seal([1], with: initiator)
        expectRefusal(of: try seal([2], with: initiator), by: responder, with: .authenticationFailed)

        (initiator, responder) = try HandshakePair().transports()
        expectRefusal(of: try seal([1], with: initiator), by: initiator, with: .authenticationFailed)
    }

    @Test("messages of more than 65535 bytes are neither sealed nor opened")
    func tooLong() throws {
        let tooLong = NoiseError.messageTooLong(byteCount: 65_536, limit: 65_535)
        let (initiator, responder) = try HandshakePair().transports()
        var output = [UInt8]()
        let plaintext = [UInt8](repeating: 0, count: NoiseTransport.plaintextByteCountMax + 1)
        #expect(throws: tooLong) { try initiator.seal(plaintext.span, appendingTo: &output) }
        #expect(output.isEmpty)
        #expect(throws: NoiseError.failedEarlier) { try seal([1], with: initiator) }
        expectRefusal(of: [UInt8](repeating: 0, count: 65_536), by: responder, with: tooLong)
    }

    @Test("2^64 - 1 messages exhaust a direction, and that is the end")
    func exhaustion() throws {
        func transport(sentCount: UInt64, receivedCount: UInt64) -> NoiseTransport {
            NoiseTransport(
                sending: HandshakePair.secret(1), receiving: HandshakePair.secret(1), sentCount: sentCount,
                receivedCount: receivedCount, handshakeHash: [], remoteStaticKey: nil)
        }
        let sender = transport(sentCount: .max - 1, receivedCount: 0)
        let receiver = transport(sentCount: 0, receivedCount: .max - 1)
        let last = try seal([1], with: sender)
        #expect(try receiver.open(last.span) == [1])
        #expect(throws: NoiseError.nonceExhausted) { try seal([2], with: sender) }
        #expect(throws: NoiseError.failedEarlier) { try seal([2], with: sender) }
        expectRefusal(of: last, by: receiver, with: .nonceExhausted)
    }

    @Test("a rekeyed direction is refused by a side that did not rekey")
    func rekey() throws {
        let (initiator, responder) = try HandshakePair().transports()
        initiator.rekeySending()
        responder.rekeyReceiving()
        let message = try seal([1], with: initiator)
        #expect(try responder.open(message.span) == [1])
        initiator.rekeySending()
        expectRefusal(of: try seal([2], with: initiator), by: responder, with: .authenticationFailed)
    }

    @Test("in a one-way pattern nothing goes back")
    func oneWay() throws {
        func transports() throws -> (NoiseTransport, NoiseTransport) {
            try HandshakePair("Noise_X_25519_ChaChaPoly_BLAKE2b", presharedKeyCount: 0).transports()
        }
        let (initiator, responder) = try transports()
        let message = try seal([1], with: initiator)
        #expect(try responder.open(message.span) == [1])
        #expect(throws: NoiseError.outOfTurn) { try seal([2], with: responder) }
        expectRefusal(of: message, by: initiator, with: .outOfTurn)
    }
}
