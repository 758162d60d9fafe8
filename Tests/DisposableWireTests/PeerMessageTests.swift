// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

@Suite struct PeerMessageTests {
    @Test("every message comes back as it was sent")
    func roundTrip() throws {
        for message in try allMessages() { #expect(try PeerMessage(message.bytes) == message) }
    }

    @Test("every type of message is among those that are tested")
    func allTypes() throws {
        let types = Set(try allMessages().map { $0.bytes[0] })
        let known: Set<UInt8> = [1, 2, 3, 4, 5, 6, 7, 8, 0x10, 0x11, 0x12, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25]
        #expect(types == known.union([0x80, 0xFF]))
    }

    @Test("a message cut off anywhere is refused or is another message that comes back as itself")
    func truncated() throws {
        for message in try allMessages() {
            let bytes = message.bytes
            for count in bytes.indices { try expectErrorOrMessage(Array(bytes.prefix(count))) }
        }
    }

    @Test("a message with any bit changed is refused or is another message that comes back as itself")
    func flipped() throws {
        for message in try allMessages() {
            for bit in 0..<message.bytes.count * 8 {
                var bytes = message.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                try expectErrorOrMessage(bytes)
            }
        }
    }

    /// Any other error than `WireError` fails to compile; a crash fails the run.
    private func expectErrorOrMessage(_ bytes: [UInt8]) throws {
        let message: PeerMessage
        do { message = try PeerMessage(bytes) } catch { return }
        #expect(try PeerMessage(message.bytes) == message)
    }

    @Test("random bytes after each type are refused or a message", arguments: UInt64(0)..<20)
    func noise(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        for type in UInt8(0)...0x26 {
            for count in [1, 2, 5, 20, 60] {
                try expectErrorOrMessage([type] + (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) })
            }
        }
    }

    @Test("an address that means nothing elsewhere, or none at all, makes a message malformed")
    func addresses() throws {
        let good = PeerMessage.addresses([PeerAddress(host: "10.0.0.7", port: 8_028)]).bytes
        #expect(try PeerMessage(good) == .addresses([PeerAddress(host: "10.0.0.7", port: 8_028)]))
        let fields: [[UInt8]] = [
            [0x0A, 0x03, 10, 0, 0, 0x10, 0x01], [0x0A, 0x04, 10, 0, 0, 7],
            [0x0A, 0x04, 10, 0, 0, 7, 0x10, 0x80, 0x80, 0x04],
            [0x0A, 0x10, 0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1, 0x10, 0x01], [],
        ]
        for field in fields {
            #expect(throws: WireError.malformed(type: 0x06)) {
                _ = try PeerMessage([0x06, 0x0A, UInt8(field.count)] + field)
            }
        }
        let many = (0...32).map { PeerAddress(host: "10.0.0.\($0)", port: 1) }
        #expect(throws: WireError.tooMany(type: 0x06, count: 33, limit: 32)) {
            _ = try PeerMessage(PeerMessage.addresses(many).bytes)
        }
        #expect(PeerMessage.addresses([PeerAddress(host: "fe80::1%eth0", port: 1)]).bytes == [0x06])
        #expect(throws: WireError.tooMany(type: 0x08, count: 5, limit: 4)) {
            _ = try PeerMessage(PeerMessage.pages(Array(many.prefix(5))).bytes)
        }
    }

    @Test("nothing is no message, and an unknown type is named")
    func emptyAndUnknown() {
        #expect(throws: WireError.empty) { _ = try PeerMessage([]) }
        for type in [0x00, 0x09, 0x0F, 0x13, 0x1F, 0x26, 0x7F] as [UInt8] {
            #expect(throws: WireError.unknownType(type)) { _ = try PeerMessage([type, 1, 2, 3]) }
        }
    }

    @Test("fields of a later version are ignored")
    func unknownFields() throws {
        for message in try allMessages() {
            if case .data = message { continue }
            // Field 1000, a number.
            #expect(try PeerMessage(message.bytes + [0xC0, 0x3E, 0x01]) == message)
        }
    }

    @Test("fields are counted before they are decoded, unknown ones, groups and those of bodies too")
    func fields() throws {
        // Field 1 without content; field 100 as a number, four bytes, eight bytes; half of a group.
        let fields: [[UInt8]] = [
            [0x0A, 0], [0xA0, 0x06, 0xFF, 0x01], [0xA5, 0x06, 1, 2, 3, 4], [0xA1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8],
            [0xA3, 0x06],
        ]
        for field in fields {
            let many = [UInt8]([[UInt8]](repeating: field, count: 1_281).joined())
            #expect(throws: WireError.tooMany(type: 0x12, count: 1_281, limit: 1_280)) {
                _ = try PeerMessage([0x12] + many)
            }
        }
        // One field fewer is let through to the next check.
        let ids = [UInt8]([[UInt8]](repeating: [0x0A, 0], count: 1_280).joined())
        #expect(throws: WireError.tooMany(type: 0x12, count: 1_280, limit: 1_024)) { _ = try PeerMessage([0x12] + ids) }
        // What cannot be read on is for the decoder to refuse: a length beyond the end, a wire type that there is not,
        // a number without an end.
        for broken: [UInt8] in [[0x0A, 200], [0x0F], [0x10, 0x80], [0x10] + [UInt8](repeating: 0xFF, count: 11)] {
            #expect(throws: WireError.malformed(type: 0x12)) { _ = try PeerMessage([0x12] + broken) }
        }
    }

    @Test("codes of a later version are kept apart from the known ones")
    func unknownCodes() throws {
        #expect(
            try PeerMessage([0x04, 0x08, 0x63]) == .close(nil, retryAfterMilliseconds: 0, reason: ""))
        #expect(try PeerMessage([0x24, 0x10, 0x63]) == .refusal(request: 0, nil, retryAfterMilliseconds: 0))
        for code in ProtocolCode.allCases {
            let message = PeerMessage.close(code, retryAfterMilliseconds: 1, reason: code.meaning)
            #expect(try PeerMessage(message.bytes) == message)
        }
    }

    @Test("a missing or short field is malformed: every message but those that may be empty refuses to be empty")
    func missingFields() {
        for type in [0x01, 0x02, 0x03, 0x05, 0x21, 0x23] as [UInt8] {
            #expect(throws: WireError.malformed(type: type)) { _ = try PeerMessage([type]) }
        }
        #expect(throws: WireError.malformed(type: 0x12)) { _ = try PeerMessage([0x12, 0x0A, 2, 1, 1]) }  // a short id
        #expect(throws: WireError.malformed(type: 0x22)) { _ = try PeerMessage([0x22, 0x12, 1, 1]) }  // a short hash
        #expect(throws: WireError.malformed(type: 0x11)) { _ = try PeerMessage([0x11, 0x08, 2]) }  // set 2
        #expect(throws: WireError.malformed(type: 0x12)) { _ = try PeerMessage([0x12, 0x10, 0x80, 0x02]) }  // set 256
        #expect(throws: WireError.malformed(type: 0x04)) { _ = try PeerMessage([0x04, 0x1A, 1, 0xFF]) }  // no UTF-8
    }
}

/// Each limit that a message can break: at it the message is taken, beyond it the error names type, number and limit.
@Suite struct MessageLimitTests {
    @Test("a reason has at most 256 bytes")
    func reason() throws {
        func message(_ count: Int) -> PeerMessage {
            .close(.busy, retryAfterMilliseconds: 0, reason: String(repeating: "x", count: count))
        }
        #expect(try PeerMessage(message(256).bytes) == message(256))
        #expect(throws: WireError.tooLong(type: 0x04, byteCount: 257, limit: 256)) {
            _ = try PeerMessage(message(257).bytes)
        }
    }

    @Test("a reconciliation message has at most 32 KiB")
    func reconciliation() throws {
        func message(_ count: Int) -> PeerMessage {
            .reconcile(set: .content, isInitiator: true, message: [UInt8](repeating: 1, count: count))
        }
        #expect(try PeerMessage(message(32_768).bytes) == message(32_768))
        #expect(throws: WireError.tooLong(type: 0x11, byteCount: 32_769, limit: 32_768)) {
            _ = try PeerMessage(message(32_769).bytes)
        }
    }

    @Test("at most 1,024 operations are wanted at once")
    func want() throws {
        func message(_ count: Int) -> PeerMessage {
            .want([OperationID](repeating: OperationID(bytes32(1)), count: count), set: .content)
        }
        #expect(try PeerMessage(message(1_024).bytes) == message(1_024))
        #expect(throws: WireError.tooMany(type: 0x12, count: 1_025, limit: 1_024)) {
            _ = try PeerMessage(message(1_025).bytes)
        }
    }

    @Test("at most 256 operations travel in one message")
    func operationCount() throws {
        // Without signatures worth the name: a claim is 252 bytes, of which 256 would be too many bytes.
        let claim = UncheckedOperation(try operation(.claim, .none))
        let message = PeerMessage.operations([UncheckedOperation](repeating: claim, count: 257))
        #expect(throws: WireError.tooMany(type: 0x10, count: 257, limit: 256)) { _ = try PeerMessage(message.bytes) }
    }

    @Test("the operations of one message have at most 60 KiB, headers and signatures counted")
    func operationByteCount() throws {
        func message(bodyByteCount: Int) throws -> PeerMessage {
            // A kind of a later version, so that the body may be anything: 3 of 16,384 bytes and one to fill up.
            let full = [UInt8](repeating: 1, count: 16_384)
            let rest = [UInt8](repeating: 1, count: bodyByteCount)
            let operations = [try signed(header(kind: 200, body: full), body: full)]
            return .operations(
                operations + operations + operations + [try signed(header(kind: 200, body: rest), body: rest)])
        }
        let rest = 61_440 - 3 * 16_384 - 4 * 252
        let largest = try message(bodyByteCount: rest)
        #expect(try PeerMessage(largest.bytes) == largest)
        #expect(largest.bytes.count <= Limits.frameByteCountMax - 16)
        let tooLarge = try message(bodyByteCount: rest + 1)
        #expect(throws: WireError.tooLong(type: 0x10, byteCount: 61_441, limit: 61_440)) {
            _ = try PeerMessage(tooLarge.bytes)
        }
    }

    @Test("a chunk list has at most 1,024 hashes")
    func list() throws {
        func message(_ count: Int) -> PeerMessage {
            .list(request: 1, hashes: [Bytes32](repeating: bytes32(1), count: count))
        }
        #expect(try PeerMessage(message(1_024).bytes) == message(1_024))
        #expect(throws: WireError.tooMany(type: 0x22, count: 1_025, limit: 1_024)) {
            _ = try PeerMessage(message(1_025).bytes)
        }
    }

    @Test("a fragment has 1 to 52,432 bytes, and the largest fits a frame with its tag")
    func data() throws {
        func message(_ count: Int) -> PeerMessage {
            .data(ChunkFragment(request: 1, chunk: 2, offset: 3, bytes: [UInt8](repeating: 4, count: count)[...]))
        }
        #expect(try PeerMessage(message(1).bytes) == message(1))
        #expect(try PeerMessage(message(52_432).bytes) == message(52_432))
        #expect(message(52_432).bytes.count + 16 <= Limits.frameByteCountMax)
        #expect(5 * Limits.dataByteCountMax == ChunkLayout.chunkCiphertextByteCount)
        #expect(throws: WireError.tooLong(type: 0x23, byteCount: 52_433, limit: 52_432)) {
            _ = try PeerMessage(message(52_433).bytes)
        }
        for count in 1...13 {
            #expect(throws: WireError.malformed(type: 0x23)) {
                _ = try PeerMessage(Array(message(1).bytes.prefix(count)))
            }
        }
    }

    @Test("a request is for 1 to 64 chunks that start inside the largest blob")
    func request() throws {
        func message(first: UInt32 = 0, count: UInt32) -> PeerMessage {
            .request(
                ChunkRequest(
                    request: 1, blob: reference(.original).id, firstChunk: first, chunkCount: count, withList: false))
        }
        #expect(try PeerMessage(message(count: 1).bytes) == message(count: 1))
        #expect(try PeerMessage(message(first: 1_023, count: 64).bytes) == message(first: 1_023, count: 64))
        #expect(throws: WireError.malformed(type: 0x21)) { _ = try PeerMessage(message(count: 0).bytes) }
        #expect(throws: WireError.malformed(type: 0x21)) { _ = try PeerMessage(message(first: 1_024, count: 1).bytes) }
        for count in [65, .max] as [UInt32] {
            #expect(throws: WireError.tooMany(type: 0x21, count: Int(count), limit: 64)) {
                _ = try PeerMessage(message(count: count).bytes)
            }
        }
    }

    @Test("the length of the blob in a request and a partial holding is one that its class allows")
    func blobLengths() throws {
        for blobClass in BlobClass.allCases {
            for (byteCount, isAllowed) in [
                (0, false), (1, true), (blobClass.byteCountMax, true), (blobClass.byteCountMax + 1, false),
                (.max, false),
            ] as [(UInt64, Bool)] {
                let blob = BlobID(root: BlobRoot(bytes32(1)), blobClass: blobClass, byteCount: byteCount)
                let messages: [PeerMessage] = [
                    .request(ChunkRequest(request: 1, blob: blob, firstChunk: 0, chunkCount: 1, withList: false)),
                    .have(Have(partials: [.init(blob: blob, chunks: ChunkBitmap(chunkCount: 8))])),
                ]
                for message in messages { #expect((try? PeerMessage(message.bytes)) == (isAllowed ? message : nil)) }
            }
        }
    }

    @Test("claims have at most 1,024 bytes")
    func claims() throws {
        func message(_ count: Int) -> [UInt8] {
            // Field 1, `count` bytes: an unknown field of zeros is well-formed only as far as its length goes.
            [0x01, 0x0A, UInt8(count & 0x7F | 0x80), UInt8(count >> 7)] + [UInt8](repeating: 0, count: count)
        }
        #expect(throws: WireError.malformed(type: 0x01)) { _ = try PeerMessage(message(1_024)) }
        #expect(throws: WireError.tooLong(type: 0x01, byteCount: 1_025, limit: 1_024)) {
            _ = try PeerMessage(message(1_025))
        }
    }
}

@Suite struct HaveTests {
    /// A `Have` of one holding with these run numbers, written by hand: the encoder refuses to make bad ones.
    private func bytes(runs: [UInt32]) -> [UInt8] {
        let packed = runs.flatMap(varint)
        let holding = [0x0A, 32] + author.device.bytes + [0x10, 1, 0x1A] + varint(UInt32(packed.count)) + packed
        return [0x20, 0x0A] + varint(UInt32(holding.count)) + holding
    }

    private func varint(_ number: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        var number = number
        while number > 0x7F {
            bytes.append(UInt8(number & 0x7F) | 0x80)
            number >>= 7
        }
        return bytes + [UInt8(number)]
    }

    private func sequences(_ runs: [UInt32]) throws -> [Range<UInt32>] {
        guard case .have(let have) = try PeerMessage(bytes(runs: runs)) else { return [] }
        return have.holdings.flatMap(\.sequences)
    }

    @Test("runs are pairs of gap and length")
    func runs() throws {
        #expect(try sequences([]) == [])
        #expect(try sequences([0, 1]) == [0..<1])
        #expect(try sequences([5, 3, 2, 1]) == [5..<8, 10..<11])
        #expect(try sequences([262_143, 1]) == [262_143..<262_144])
        #expect(try sequences([0, 262_144]) == [0..<262_144])
    }

    @Test(
        "an odd number, an empty run, runs that touch, overflow or leave the chain are malformed",
        arguments: [
            [0], [1, 1, 1], [0, 0], [5, 3, 2, 0], [5, 3, 0, 1], [0, 262_145], [262_144, 1], [.max, 1], [1, .max],
            [.max, .max], [0, 1, .max, 1], [0, 1, .max - 1, 1], [0, 1, 1, .max],
        ] as [[UInt32]])
    func badRuns(_ runs: [UInt32]) {
        #expect(throws: WireError.malformed(type: 0x20)) { _ = try sequences(runs) }
    }

    @Test("a holding has at most 4,096 run numbers")
    func runLimit() throws {
        #expect(try sequences([UInt32](repeating: 1, count: 4_096)).count == 2_048)
        #expect(throws: WireError.tooMany(type: 0x20, count: 4_098, limit: 4_096)) {
            _ = try sequences([UInt32](repeating: 1, count: 4_098))
        }
    }

    @Test("a message has at most 64 holdings and 256 partials")
    func itemLimits() throws {
        func holdings(_ count: Int) -> PeerMessage {
            let holding = Have.Holding(device: author.device, blobClass: .preview, sequences: [0..<1])
            return .have(Have(holdings: [Have.Holding](repeating: holding, count: count)))
        }
        #expect(try PeerMessage(holdings(64).bytes) == holdings(64))
        #expect(throws: WireError.tooMany(type: 0x20, count: 65, limit: 64)) { _ = try PeerMessage(holdings(65).bytes) }
        func partials(_ count: Int, chunkCount: Int = 8) -> PeerMessage {
            let partial = Have.PartialHolding(
                blob: reference(.original).id, chunks: ChunkBitmap(chunkCount: chunkCount))
            return .have(Have(partials: [Have.PartialHolding](repeating: partial, count: count)))
        }
        #expect(try PeerMessage(partials(256).bytes) == partials(256))
        #expect(throws: WireError.tooMany(type: 0x20, count: 257, limit: 256)) {
            _ = try PeerMessage(partials(257).bytes)
        }
        #expect(try PeerMessage(partials(1, chunkCount: 1_024).bytes) == partials(1, chunkCount: 1_024))
        #expect(throws: WireError.tooLong(type: 0x20, byteCount: 129, limit: 128)) {
            _ = try PeerMessage(partials(1, chunkCount: 1_032).bytes)
        }
    }

    @Test("a class of a later version is passed over, the others are kept")
    func laterClass() throws {
        var bytes = bytes(runs: [0, 1])
        bytes[2 + 1 + 34 + 1] = 9
        #expect(try PeerMessage(bytes) == .have(Have()))
    }
}

@Suite struct ChunkBitmapTests {
    @Test("chunk 0 is the lowest bit of the first byte, and what is beyond the end is not there")
    func bits() {
        var bitmap = ChunkBitmap(chunkCount: 9)
        #expect(bitmap.bytes == [0, 0])
        bitmap[0] = true
        bitmap[8] = true
        #expect(bitmap.bytes == [1, 1])
        #expect(bitmap.count == 2)
        #expect(bitmap[0] && bitmap[8] && !bitmap[1] && !bitmap[16] && !bitmap[100_000])
        bitmap[0] = false
        #expect(bitmap.bytes == [0, 1])
    }
}
