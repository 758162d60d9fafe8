// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSimulation
internal import DisposableSync
internal import DisposableWire

/// The data that peers send.
enum PeerTargets {
    /// The first byte is the length of the pieces in which the rest arrives, which must make no difference.
    static func frame(_ input: [UInt8]) throws(Broken) {
        guard let pieceByteCount = input.first.map({ Int($0) + 1 }) else { return }
        let stream = Array(input.dropFirst())
        func frames(_ decoder: inout FrameDecoder) -> [[UInt8]] {
            var frames: [[UInt8]] = []
            while let frame = decoder.nextFrame() { frames.append(Array(frame)) }
            return frames
        }
        var whole = FrameDecoder()
        whole.append(stream)
        let expected = frames(&whole)
        var decoder = FrameDecoder()
        var found: [[UInt8]] = []
        for piece in stream.pieces(of: pieceByteCount) {
            decoder.append(piece)
            found += frames(&decoder)
        }
        try check(found == expected, "pieces gave \(found.count) frames, the whole \(expected.count)")
        let taken = found.reduce(0) { $0 + 2 + $1.count }
        try check(taken + decoder.bufferedByteCount == stream.count, "bytes were lost")
    }

    /// The event and the challenge of protocol/vectors/preface.
    private static let vectorCredentials: EventCredentials = {
        let key = VerifyingKey(Bytes32(hex: "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c")!)
        var secret = [UInt8](repeating: 0x5A, count: 32)
        return EventCredentials(event: EventID(key: key), secret: SecretBytes(consuming: &secret))
    }()

    static func preface(_ input: [UInt8]) throws(Broken) {
        let challenge = [UInt8](0x10...0x1F)
        guard Preface.matches(input, challenge: challenge, credentials: vectorCredentials) else { return }
        // Nobody can make another tag. The version, its fifth byte, is told apart later.
        let honest = [UInt8](hex: "4453504c01303132333435363738393a3b3c3d3e3fe47d858b52f664ec153e3b67b18ff624")!
        let isHonest = input.prefix(4) == honest.prefix(4) && input.dropFirst(5) == honest.dropFirst(5)
        try check(isHonest, "a forged preface matches")
        try check(
            !Preface.matches(input, challenge: challenge.reversed(), credentials: vectorCredentials),
            "answers every challenge")
    }

    static func message(_ input: [UInt8]) throws(Broken) {
        guard let message = try? PeerMessage(input) else { return }
        try check((try? PeerMessage(message.bytes)) == message, "does not decode to itself again")
    }

    static func header(_ input: [UInt8]) throws(Broken) {
        guard let header = try? OperationHeader(input) else { return }
        try check(header.bytes == input, "a header is written in two ways")
        let signature = Signature([UInt8](repeating: 1, count: Signature.byteCount))!
        guard let read = try? UncheckedOperation(headerBytes: input, signature: signature, body: nil) else { return }
        try check(read.id == header.id && read.header == header, "another operation than its header's")
    }

    /// The first byte is the kind, the second is the argument, the rest is the body, of which the header is right.
    static func body(_ input: [UInt8]) throws(Broken) {
        guard input.count >= 2, let kind = OperationKind(rawValue: input[0]) else { return }
        func read(_ body: [UInt8]) -> OperationContent? {
            let header = OperationHeader(
                kind: kind.rawValue, flags: kind.set == .authority ? .authority : [], event: EventID(.zero),
                device: DeviceID(.zero), sequence: 0, previous: .none, timestamp: HybridTimestamp(packed: 0),
                subject: .none, argument: UInt64(input[1]),
                bodyHash: body.isEmpty ? .zero : OperationHeader.hash(ofBody: body), bodyByteCount: UInt32(body.count))
            let signature = Signature([UInt8](repeating: 1, count: Signature.byteCount))!
            return (try? UncheckedOperation(headerBytes: header.bytes, signature: signature, body: body))?.content
        }
        guard let content = read(Array(input.dropFirst(2))), content != .unreadable, content != .none else { return }
        let again = OperationBody.encode(content, salt: [UInt8](repeating: 0, count: OperationBody.saltByteCount))
        try check(read(again) == content, "\(kind) does not decode to itself again")
    }

    private static let secret: SecretBytes = {
        var bytes = [UInt8](repeating: 0x33, count: 32)
        return SecretBytes(consuming: &bytes)
    }()
    private static let small = SealedBlob([UInt8](repeating: 1, count: 200), .thumbnail, importSecret: secret)
    private static let large = SealedBlob([UInt8](repeating: 2, count: 600_000), .original, importSecret: secret)

    /// Messages of a peer that has two blobs which are wanted, each behind its length in two bytes.
    static func chunks(_ input: [UInt8]) throws(Broken) {
        var scheduler = ChunkScheduler(random: SplitMix64(seed: 1))
        let peer = ConnectionID(1)
        scheduler.addPeer(peer)
        for blob in [small, large] {
            scheduler.want(blob.reference.id, present: nil, hashes: nil, holders: [peer])
        }
        var decoder = FrameDecoder()
        decoder.append(input)
        var now: UInt64 = 0
        while let frame = decoder.nextFrame() {
            now += 1
            scheduler.holds(peer, small.reference.id)
            scheduler.holds(peer, large.reference.id)
            _ = scheduler.poll(at: now)
            switch try? PeerMessage(Array(frame)) {
            case .list(let request, let hashes): _ = scheduler.receive(list: hashes, request: request, from: peer)
            case .data(let fragment):
                guard case .chunk(let chunk) = scheduler.receive(fragment, from: peer, at: now) else { continue }
                let blob = chunk.blob == small.reference.id ? small : large
                try check(chunk.ciphertext == blob.chunk(chunk.index), "a chunk that nobody sealed")
            default: continue
            }
            try check(scheduler.wantedCount == 2, "a blob is no longer wanted")
        }
    }

    private static func set(_ numbers: Range<Int>) -> ItemSet.Snapshot {
        var set = ItemSet(
            numbers.map {
                ItemSet.Item(timestamp: UInt64($0), id: BLAKE2b.hash([UInt8($0 & 255), UInt8($0 >> 8)]))
            })
        return set.snapshot()
    }
    private static let initiator = ReconciliationInitiator(items: set(0..<600), frameSizeLimit: 4_096)
    private static let responder = ReconciliationResponder(items: set(200..<900), frameSizeLimit: 4_096)

    /// The first byte says which side hears the rest.
    static func reconciliation(_ input: [UInt8]) throws(Broken) {
        guard let side = input.first else { return }
        let message = Array(input.dropFirst())
        if side & 1 == 0 {
            guard let answer = try? responder.reconcile(message) else { return }
            try check(answer.count <= 4_096, "an answer of \(answer.count) bytes")
            return
        }
        guard let step = try? initiator.reconcile(message) else { return }
        try check(step.have.count <= 600, "has \(step.have.count) of 600 items")
        if case .send(let bytes) = step.next { try check(bytes.count <= 4_096, "\(bytes.count) bytes") }
    }
}

extension [UInt8] {
    /// One after the other, so that none counts as an allocation of the decoder.
    func pieces(of byteCount: Int) -> some Sequence<[UInt8]> {
        stride(from: 0, to: count, by: byteCount).lazy.map { Array(self[$0..<Swift.min($0 + byteCount, count)]) }
    }
}
