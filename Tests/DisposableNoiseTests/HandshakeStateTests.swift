// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableNoise
import Testing

@Suite struct HandshakeStateTests {
    /// Bytes of each message of XXpsk0 without payload: ephemeral key, static key with tag, tag.
    private static let byteCounts = [32 + 16, 32 + 48 + 16, 48 + 16]
    private let payload: [UInt8] = [7, 8, 9]

    /// Reading `message` throws `error`, and nothing works afterwards.
    private func expectRefusal(
        of message: [UInt8], by reader: HandshakeState, with error: NoiseError, instead original: [UInt8]
    ) {
        #expect(throws: error) { try reader.readMessage(message) }
        expectDead(reader, instead: original)
    }

    private func expectDead(_ state: HandshakeState, instead original: [UInt8]) {
        #expect(state.phase == .failed)
        #expect(throws: NoiseError.failedEarlier) { try state.readMessage(original) }
        #expect(throws: NoiseError.failedEarlier) { try state.writeMessage(payload: []) }
        #expect(throws: NoiseError.failedEarlier) { try state.split() }
    }

    @Test("payloads, hash and static keys arrive, and each side knows when it is done")
    func handshake() throws {
        let pair = try HandshakePair()
        let (initiator, responder) = (pair.initiator, pair.responder)
        #expect(initiator.phase == .writing && responder.phase == .reading)
        #expect(try responder.readMessage(try initiator.writeMessage(payload: [1])) == [1])
        #expect(initiator.phase == .reading && responder.phase == .writing)
        #expect(try initiator.readMessage(try responder.writeMessage(payload: [2])) == [2])
        #expect(try responder.readMessage(try initiator.writeMessage(payload: [])) == [])
        #expect(initiator.phase == .complete && responder.phase == .complete)
        #expect(initiator.handshakeHash == responder.handshakeHash && initiator.handshakeHash.count == 64)
        #expect(initiator.remoteStaticKey == HandshakePair.responderStatic.publicKey)
        #expect(responder.remoteStaticKey == HandshakePair.initiatorStatic.publicKey)

        let transport = try initiator.split()
        #expect(transport.handshakeHash == responder.handshakeHash)
        #expect(transport.remoteStaticKey == HandshakePair.responderStatic.publicKey)
        #expect(initiator.phase == .over)
        #expect(throws: NoiseError.outOfTurn) { try initiator.split() }
    }

    @Test("messages without payload have 48, 96 and 64 bytes", arguments: 0..<3)
    func messageSizes(index: Int) throws {
        #expect(try HandshakePair().messageBefore(reading: index, payload: []).message.count == Self.byteCounts[index])
    }

    @Test("a message cut at any byte is refused, and that is the end", arguments: 0..<3)
    func truncation(index: Int) throws {
        let fieldByteCount = Self.byteCounts[index]
        for byteCount in 0..<fieldByteCount + payload.count {
            let (reader, message) = try HandshakePair().messageBefore(reading: index, payload: payload)
            let cut = Array(message.prefix(byteCount))
            if byteCount >= fieldByteCount {
                expectRefusal(of: cut, by: reader, with: .authenticationFailed, instead: message)
            } else {
                do throws(NoiseError) {
                    _ = try reader.readMessage(cut)
                    Issue.record("\(byteCount) bytes are read")
                } catch {
                    guard case .messageTooShort(byteCount, let needed) = error else {
                        Issue.record("\(byteCount) bytes are refused with \(error)")
                        continue
                    }
                    #expect(byteCount < needed && needed <= fieldByteCount)
                }
                expectDead(reader, instead: message)
            }
        }
    }

    @Test("a message with any bit changed is refused, and that is the end", arguments: 0..<3)
    func flippedBits(index: Int) throws {
        let bitCount = 8 * (Self.byteCounts[index] + payload.count)
        for bit in 0..<bitCount {
            let (reader, message) = try HandshakePair().messageBefore(reading: index, payload: payload)
            var changed = message
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            expectRefusal(of: changed, by: reader, with: .authenticationFailed, instead: message)
        }
    }

    @Test("a message with a byte more is refused", arguments: 0..<3)
    func surplusByte(index: Int) throws {
        let (reader, message) = try HandshakePair().messageBefore(reading: index, payload: payload)
        expectRefusal(of: message + [0], by: reader, with: .authenticationFailed, instead: message)
    }

    @Test("messages of more than 65535 bytes are neither written nor read")
    func tooLong() throws {
        let room = 65_535 - Self.byteCounts[0]
        let pair = try HandshakePair()
        let longest = try pair.initiator.writeMessage(payload: [UInt8](repeating: 1, count: room))
        #expect(longest.count == 65_535)
        #expect(try pair.responder.readMessage(longest).count == room)

        let tooLong = NoiseError.messageTooLong(byteCount: 65_536, limit: 65_535)
        let other = try HandshakePair()
        #expect(throws: tooLong) { try other.initiator.writeMessage(payload: [UInt8](repeating: 1, count: room + 1)) }
        expectDead(other.initiator, instead: longest)
        expectRefusal(of: longest + [0], by: other.responder, with: tooLong, instead: longest)
    }

    @Test("a call out of turn is refused, and that is the end")
    func outOfTurn() throws {
        let initiator = try HandshakePair().initiator
        #expect(throws: NoiseError.outOfTurn) { try initiator.readMessage([]) }
        expectDead(initiator, instead: [])
        let responder = try HandshakePair().responder
        #expect(throws: NoiseError.outOfTurn) { try responder.writeMessage(payload: []) }
        expectDead(responder, instead: [])
        let early = try HandshakePair().initiator
        #expect(throws: NoiseError.outOfTurn) { try early.split() }
        expectDead(early, instead: [])
    }

    @Test("small-order ephemeral keys are refused in both directions")
    func smallOrder() throws {
        // 0, 1 and the two points of order 8 (RFC 7748 §7 leaves the check to the caller).
        for hex in [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        ] {
            let point = try #require([UInt8](hex: hex))
            // NN reads the key without a tag behind it, so the point alone decides.
            let pair = try HandshakePair("Noise_NN_25519_ChaChaPoly_BLAKE2b", presharedKeyCount: 0)
            _ = try pair.responder.readMessage(point)
            #expect(throws: NoiseError.weakPublicKey) { try pair.responder.writeMessage(payload: []) }
            expectDead(pair.responder, instead: point)
            _ = try pair.initiator.writeMessage(payload: [])
            let answer = point + [UInt8](repeating: 0, count: 16)
            expectRefusal(of: answer, by: pair.initiator, with: .weakPublicKey, instead: answer)
        }
    }

    @Test("another preshared key, prologue or known static key is noticed")
    func disagreement() throws {
        let pattern = try HandshakePattern(protocolName: HandshakePair.name)
        let message = try HandshakePair().initiator.writeMessage(payload: [])
        for (prologue, seed) in [([UInt8](), UInt8(100)), ([1, 2, 3, 0], 100), ([1, 2, 3], 101)] {
            let responder = try HandshakeState(
                pattern: pattern, role: .responder, prologue: prologue, staticKey: HandshakePair.responderStatic,
                ephemeralKey: HandshakePair.responderEphemeral, presharedKeys: [HandshakePair.secret(seed)])
            expectRefusal(of: message, by: responder, with: .authenticationFailed, instead: message)
            #expect(responder.remoteStaticKey == nil)
        }
    }

    @Test("keys that are missing, useless or of the wrong number are named")
    func wrongKeys() throws {
        let xx = try HandshakePattern(protocolName: HandshakePair.name)
        let nk = try HandshakePattern(protocolName: "Noise_NK_25519_ChaChaPoly_BLAKE2b")
        let n = try HandshakePattern(protocolName: "Noise_N_25519_ChaChaPoly_BLAKE2b")
        let key = HandshakePair.key(9)
        let psk = HandshakePair.secret(9)
        func error(
            _ pattern: HandshakePattern, _ role: HandshakeRole, _ staticKey: AgreementKey?,
            _ ephemeralKey: AgreementKey?, _ remoteStatic: AgreementPublicKey?, _ presharedKeys: [SecretBytes]
        ) -> NoiseError? {
            do throws(NoiseError) {
                _ = try HandshakeState(
                    pattern: pattern, role: role, prologue: [], staticKey: staticKey, ephemeralKey: ephemeralKey,
                    remoteStatic: remoteStatic, presharedKeys: presharedKeys)
                return nil
            } catch { return error }
        }
        #expect(error(xx, .initiator, key, key, nil, [psk]) == nil)
        #expect(error(xx, .initiator, nil, key, nil, [psk]) == .keyMissing(.localStatic))
        #expect(error(xx, .responder, key, nil, nil, [psk]) == .keyMissing(.ephemeral))
        #expect(error(xx, .initiator, key, key, key.publicKey, [psk]) == .keyUnused(.remoteStatic))
        #expect(error(xx, .initiator, key, key, nil, []) == .presharedKeyCount(0, needed: 1))
        #expect(error(xx, .initiator, key, key, nil, [psk, psk]) == .presharedKeyCount(2, needed: 1))
        #expect(error(nk, .initiator, nil, key, nil, []) == .keyMissing(.remoteStatic))
        #expect(error(nk, .initiator, key, key, key.publicKey, []) == .keyUnused(.localStatic))
        #expect(error(nk, .responder, key, key, nil, []) == nil)
        #expect(error(n, .responder, key, key, nil, []) == .keyUnused(.ephemeral))
    }
}
