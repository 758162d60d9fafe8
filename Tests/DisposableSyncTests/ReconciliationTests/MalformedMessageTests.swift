// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableSync
import Testing

/// Whatever arrives is answered or refused; neither side crashes, hangs or writes more than its limit.
@Suite struct MalformedMessageTests {
    private static let frameSizeLimit = 4096
    private let initiator: ReconciliationInitiator
    private let responder: ReconciliationResponder
    private let responderFingerprint: Fingerprint
    private let messages: [[UInt8]]

    init() throws {
        // Small, as every bit of the four messages is flipped: two rounds, of fingerprints and of lists.
        var random = SplitMix64(seed: 11)
        let shared = random.items(count: 32, timestampStart: 1000, timestampSpan: 5)
        let second = random.items(count: 1, timestampStart: 1000, timestampSpan: 5)
        var firstSet = ItemSet(shared)
        var secondSet = ItemSet(shared + second)
        initiator = ReconciliationInitiator(items: firstSet.snapshot(), frameSizeLimit: Self.frameSizeLimit)
        responder = ReconciliationResponder(items: secondSet.snapshot(), frameSizeLimit: Self.frameSizeLimit)
        responderFingerprint = secondSet.fingerprint
        messages = try Exchange(shared, shared + second, initiatorLimit: 4096, responderLimit: 4096).messages
    }

    /// Returns the results of both sides for `message`; records an issue if they write too much.
    private func outcomes(
        of message: [UInt8]
    ) -> (
        initiator: Result<ReconciliationInitiator.Step, ReconciliationError>,
        responder: Result<[UInt8], ReconciliationError>
    ) {
        let step = Result { () throws(ReconciliationError) in try initiator.reconcile(message) }
        let answer = Result { () throws(ReconciliationError) in try responder.reconcile(message) }
        if case .success(let step) = step, case .send(let bytes) = step.next {
            #expect(bytes.count <= Self.frameSizeLimit)
        }
        if case .success(let bytes) = answer { #expect(bytes.count <= Self.frameSizeLimit) }
        return (step, answer)
    }

    @Test("a message cut anywhere but between two ranges is refused as truncated")
    func truncation() {
        for message in messages {
            var acceptedCount = 0
            for byteCount in 0..<message.count {
                let (step, answer) = outcomes(of: Array(message.prefix(byteCount)))
                if case .success = answer {
                    acceptedCount += 1
                } else {
                    #expect(answer == .failure(.messageTruncated(byteCount: byteCount)))
                    #expect(step == .failure(.messageTruncated(byteCount: byteCount)))
                }
            }
            #expect(acceptedCount <= 16)  // no message has more ranges
        }
    }

    @Test("no flipped bit makes a side crash or write beyond its limit")
    func flippedBits() {
        for message in messages {
            for bit in 0..<(8 * message.count) {
                var changed = message
                changed[bit / 8] ^= 1 << (bit % 8)
                _ = outcomes(of: changed)
            }
        }
    }

    @Test("every bit of a fingerprint counts")
    func everyFingerprintBit() throws {
        let head: [UInt8] = [0x61, 0, 0, 1]  // one range up to infinity
        let fingerprint = responderFingerprint.bytes
        #expect(try responder.reconcile(head + fingerprint) == [0x61])
        for bit in 0..<(8 * fingerprint.count) {
            var changed = fingerprint
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try responder.reconcile(head + changed).count > 1)
        }
    }

    @Test("random bytes are answered or refused", arguments: UInt64(0)..<20)
    func randomBytes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let count = Int.random(in: 0...200, using: &random)
            // Small numbers make ranges of every mode likely.
            let bytes = (0..<count).map { _ in
                random.next() % 3 == 0 ? UInt8.random(in: 0...255, using: &random) : UInt8(random.next() % 4)
            }
            _ = outcomes(of: [0x61] + bytes)
        }
    }

    @Test("each length that is too large has its own error, before anything is made of it")
    func oversizedLengths() {
        let largest: [UInt8] = [0x81] + Array(repeating: 0xFF, count: 8) + [0x7F]  // 2^64 - 1
        #expect(throws: ReconciliationError.varintTooLarge(position: 10)) {
            _ = try responder.reconcile([0x61, 0x83] + Array(repeating: 0xFF, count: 8) + [0x7F])
        }
        #expect(throws: ReconciliationError.idPrefixTooLong(byteCount: .max)) {
            _ = try responder.reconcile([0x61, 0] + largest)
        }
        #expect(throws: ReconciliationError.idPrefixTooLong(byteCount: 33)) {
            _ = try responder.reconcile([0x61, 0, 33] + Array(repeating: 0, count: 40))
        }
        #expect(throws: ReconciliationError.modeUnknown(.max)) {
            _ = try responder.reconcile([0x61, 0, 0] + largest)
        }
        #expect(throws: ReconciliationError.messageTruncated(byteCount: 14)) {
            _ = try initiator.reconcile([0x61, 0, 0, 2] + largest)
        }
        #expect(throws: ReconciliationError.messageTruncated(byteCount: 36)) {
            _ = try initiator.reconcile([0x61, 0, 0, 2, 1] + Array(repeating: 0, count: 31))
        }
    }

    @Test("a responder answers another version with its own, an initiator refuses it, both refuse what is none")
    func versions() throws {
        for version in UInt8.min...UInt8.max where version != 0x61 {
            let message = [version, 0xAA, 0xBB]
            if (0x60...0x6F).contains(version) {
                #expect(try responder.reconcile(message) == [0x61])
                #expect(throws: ReconciliationError.protocolVersionUnsupported(version)) {
                    _ = try initiator.reconcile(message)
                }
            } else {
                #expect(throws: ReconciliationError.protocolVersionInvalid(version)) {
                    _ = try responder.reconcile(message)
                }
                #expect(throws: ReconciliationError.protocolVersionInvalid(version)) {
                    _ = try initiator.reconcile(message)
                }
            }
        }
    }

    @Test("errors say what happened and the value")
    func descriptions() {
        #expect(
            "\(ReconciliationError.idPrefixTooLong(byteCount: 33))" == "id prefix of 33 bytes exceeds the limit of 32")
        #expect(
            "\(ReconciliationError.protocolVersionUnsupported(0x62))"
                == "peer speaks reconciliation version 2, not version 1")
    }
}
