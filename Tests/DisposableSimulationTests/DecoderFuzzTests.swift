// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Foundation
import Testing

/// Every decoder that is given foreign bytes, with valid inputs that have been spoilt. Whatever comes out must be a
/// value that encodes to itself, or a named error; other errors do not compile, and a crash or an endless loop fails
/// the run. The arguments are the seeds.
@Suite("Spoilt bytes") struct DecoderFuzzTests {
    /// Twenty-five times as many in `make test-long`.
    private static let isLong = ProcessInfo.processInfo.environment["DISPOSABLE_LONG"] != nil
    private static let seeds = 0..<UInt64(isLong ? 500 : 20)

    private let founding: FoundedEvent
    private let operations: [VerifiedOperation]

    init() throws {
        var random = SplitMix64(seed: 1)
        founding = FoundedEvent(random: &random)
        let swarm = try Swarm.joined(2, seed: 3)
        let photos = try swarm.add(2, by: swarm.nodes[1])
        try swarm.remove(photos[0], by: swarm.nodes[1])
        operations = swarm.nodes[1].disk.operations
    }

    private func identifier(_ byte: UInt8) -> Bytes32 { BLAKE2b.hash([byte]) }

    /// One message of every type.
    private func messages() throws -> [PeerMessage] {
        let key = founding.deviceKey
        let device = DeviceID(key.verifyingKey)
        let summary = SetSummary(count: 3, fingerprint: [UInt8](repeating: 7, count: 16))
        let ping = Ping(nonce: 5, authority: summary, content: summary)
        let blob = BlobID(root: BlobRoot(identifier(1)), blobClass: .original, byteCount: 3 << 20)
        var bitmap = ChunkBitmap(chunkCount: 12)
        bitmap[3] = true
        let claims = Authentication.Claims(
            device: device, instance: [UInt8](0..<16), wallClockMilliseconds: 1, listenPort: 2)
        return [
            .authentication(
                Authentication(
                    claims: claims, side: .dialler, handshakeHash: [UInt8](repeating: 3, count: 64), key: key)),
            .ping(ping), .pong(ping), .close(.busy, retryAfterMilliseconds: 5, reason: "full"),
            .admission(Admission(of: device, to: founding.id, by: key)),
            .operations(operations.map(UncheckedOperation.init)),
            .addresses([PeerAddress(host: "10.0.0.7", port: 8_028), PeerAddress(host: "2001:db8::7", port: 1)]),
            .register(
                Register(
                    .init(
                        device: device, instance: [UInt8](0..<16), counter: 3,
                        originals: [.init(device: device, bits: ChunkBitmap(bytes: [4, 1]))],
                        destroyed: [.init(device: device, bits: ChunkBitmap(bytes: [8]))]), of: founding.id, key: key)),
            .reconcile(set: .content, isInitiator: true, message: [0x61, 0, 0, 2, 1, 2, 3]),
            .want([OperationID(identifier(2)), OperationID(identifier(3))], set: .content),
            .have(
                Have(
                    holdings: [.init(device: device, blobClass: .thumbnail, sequences: [0..<4, 9..<10])],
                    partials: [.init(blob: blob, chunks: bitmap)])),
            .request(ChunkRequest(request: 7, blob: blob, firstChunk: 2, chunkCount: 4, withList: true)),
            .list(request: 7, hashes: [identifier(4), identifier(5)]),
            .data(ChunkFragment(request: 7, chunk: 2, offset: 0, bytes: [1, 2, 3, 4])),
            .refusal(request: 7, .notHere, retryAfterMilliseconds: 0), .cancel(request: 7),
        ]
    }

    @Test("messages", arguments: seeds)
    func peerMessages(seed: UInt64) throws {
        var mutator = Mutator(seed: seed, samples: try messages().map(\.bytes))
        for _ in 0..<4_000 {
            let bytes = mutator.next()
            let message: PeerMessage
            do { message = try PeerMessage(bytes) } catch { continue }
            #expect(try PeerMessage(message.bytes) == message, "\(bytes.hex)")
        }
    }

    @Test("operations, their headers and their bodies", arguments: seeds)
    func operationBytes(seed: UInt64) {
        var headers = Mutator(seed: seed, samples: operations.map(\.header.bytes), byteCountMax: 1_024)
        var bodies = Mutator(seed: seed &+ 1, samples: operations.compactMap(\.body))
        for number in 0..<4_000 {
            let operation = operations[number % operations.count]
            var header = operation.header
            let body: [UInt8]? = number % 3 == 0 ? operation.body : bodies.next()
            // Every second body is the one that its header names, so that it is read.
            if number % 2 == 0, let body {
                header.bodyHash = body.isEmpty ? .zero : OperationHeader.hash(ofBody: body)
                header.bodyByteCount = UInt32(body.count)
            }
            let headerBytes = number % 3 == 0 ? headers.next() : header.bytes
            guard
                let read = try? UncheckedOperation(headerBytes: headerBytes, signature: operation.signature, body: body)
            else { continue }
            #expect(read.header.bytes == headerBytes && read.id == read.header.id, "\(headerBytes.hex)")
            if let content = read.content, content != .unreadable, content != .none {
                let again = OperationBody.encode(content, salt: [UInt8](repeating: 0, count: 16))
                #expect(!again.isEmpty)
            }
        }
    }

    @Test("invitations, and what their checksum covers", arguments: seeds)
    func invitations(seed: UInt64) {
        let invitation = Invitation(
            eventKey: founding.eventKey.verifyingKey, secret: founding.secret, name: "Anna & Ben",
            addresses: [PeerAddress(host: "10.0.0.7", port: 8_028), PeerAddress(host: "2001:db8::7", port: 1)])
        let text = invitation.text
        var texts = Mutator(seed: seed, samples: [Array(text.utf8), Array(text.lowercased().utf8)], byteCountMax: 4_096)
        let digits = text.drop { $0 != ":" }.dropFirst()
        var payloads = Mutator(seed: seed, samples: [Array(Self.bytes(ofBase32: digits).dropLast(4))], byteCountMax: 1_200)
        for number in 0..<2_000 {
            var candidate = String(decoding: texts.next(), as: UTF8.self)
            if number % 2 == 0 {
                let payload = payloads.next()
                let checksum = BLAKE2b.hash(Domain.invitationChecksum, payload).bytes.prefix(4)
                candidate = "DISPOSABLE0:" + Self.base32(payload + checksum)
            }
            guard let read = try? Invitation(text: candidate) else { continue }
            #expect((try? Invitation(text: read.text))?.eventKey == read.eventKey, "\(candidate)")
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    private static func base32(_ bytes: [UInt8]) -> String {
        let bits = bytes.flatMap { byte in (0..<8).reversed().map { byte >> UInt8($0) & 1 } }
        return String(
            stride(from: 0, to: bits.count, by: 5).map { start in
                alphabet[(0..<5).reduce(0) { $0 << 1 | Int(start + $1 < bits.count ? bits[start + $1] : 0) }]
            })
    }

    private static func bytes(ofBase32 text: some Sequence<Character>) -> [UInt8] {
        let bits = text.flatMap { digit in
            (0..<5).reversed().map { UInt8((alphabet.firstIndex(of: digit) ?? 0) >> $0 & 1) }
        }
        return stride(from: 0, through: bits.count - 8, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
        }
    }

    @Test("reconciliation messages, on both sides", arguments: seeds)
    func reconciliation(seed: UInt64) throws {
        func set(_ numbers: Range<Int>) -> ItemSet.Snapshot {
            var set = ItemSet(
                numbers.map {
                    ItemSet.Item(timestamp: UInt64($0), id: BLAKE2b.hash([UInt8($0 & 255), UInt8($0 >> 8)]))
                })
            return set.snapshot()
        }
        let initiator = ReconciliationInitiator(items: set(0..<600), frameSizeLimit: 4_096)
        let responder = ReconciliationResponder(items: set(200..<900), frameSizeLimit: 4_096)
        var requests = [initiator.initiate()]
        var answers: [[UInt8]] = []
        while answers.count < 12, let request = requests.last {
            answers.append(try responder.reconcile(request))
            guard case .send(let next) = try initiator.reconcile(answers[answers.count - 1]).next else { break }
            requests.append(next)
        }
        var toResponder = Mutator(seed: seed, samples: requests, byteCountMax: Limits.reconciliationMessageByteCountMax)
        var toInitiator = Mutator(seed: seed, samples: answers, byteCountMax: Limits.reconciliationMessageByteCountMax)
        for _ in 0..<100 {
            if let answer = try? responder.reconcile(toResponder.next()) { #expect(answer.count <= 4_096) }
            guard let step = try? initiator.reconcile(toInitiator.next()) else { continue }
            #expect(step.have.count <= 600)
            if case .send(let bytes) = step.next { #expect(bytes.count <= 4_096) }
        }
    }

    @Test("handshakes of strangers and of those who know the secret, at both ends", arguments: seeds)
    func handshakes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let credentials = EventCredentials(event: founding.id, secret: founding.secret)
        let claims = Authentication.Claims(
            device: DeviceID(founding.deviceKey.verifyingKey), instance: random.bytes(16), wallClockMilliseconds: 1,
            listenPort: 2)
        let staticKeys = (AgreementKey(scalar: random.secret()), AgreementKey(scalar: random.secret()))
        let entropies = (random.entropy(), random.entropy())
        let challenge = random.bytes(16)
        func dialler() -> PeerConnection {
            .dialled(
                credentials: credentials, staticKey: staticKeys.0,
                entropy: .init(ephemeral: entropies.0.ephemeral, salt: entropies.0.salt), key: founding.deviceKey,
                claims: claims)
        }
        func listener(_ preface: [UInt8]) -> PeerConnection {
            .accepted(
                challenge: challenge, preface: preface, credentials: credentials, staticKey: staticKeys.1,
                entropy: .init(ephemeral: entropies.1.ephemeral, salt: []), key: founding.deviceKey, claims: claims)
        }
        func sent(_ outputs: [PeerConnection.Output]) -> [UInt8] {
            outputs.flatMap { if case .send(let bytes) = $0 { bytes } else { [UInt8]() } }
        }
        // What each side says when all goes well; equal randomness, equal bytes.
        var first = dialler()
        let opening = sent(first.receive(challenge))
        let preface = Array(opening.prefix(Preface.byteCount))
        var second = listener(preface)
        let hello = Array(opening.dropFirst(Preface.byteCount))
        let answer = sent(second.receive(hello))
        let proof = sent(first.receive(answer))
        let welcome = sent(second.receive(proof))
        var toListener = Mutator(seed: seed, samples: [hello, proof, hello + proof], byteCountMax: 20_000)
        var toDialler = Mutator(seed: seed, samples: [challenge, answer, answer + welcome], byteCountMax: 20_000)
        var prefaces = Mutator(seed: seed, samples: [preface], byteCountMax: 100)
        for number in 0..<60 {
            let spoilt = prefaces.next()
            // A preface of another version is answered, by its refusal; all else is nobody's.
            if spoilt.prefix(4) + spoilt.dropFirst(5) != preface.prefix(4) + preface.dropFirst(5) {
                #expect(!Preface.matches(spoilt, challenge: challenge, credentials: credentials), "\(spoilt.hex)")
            }
            var machine = number % 2 == 0 ? dialler() : listener(preface)
            var outputs: [PeerConnection.Output] = []
            if number % 2 == 0, number % 4 == 0 { outputs += machine.receive(challenge) }
            if number % 2 == 1, number % 4 == 1 { outputs += machine.receive(hello) }
            let bytes = number % 2 == 0 ? toDialler.next() : toListener.next()
            for part in [bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count - bytes.count / 2)] {
                outputs += machine.receive(Array(part))
            }
            #expect(sent(outputs).count < 1_000)
        }
    }

    @Test("chunk lists and chunks that are not what was asked for", arguments: seeds)
    func chunks(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let blob = SealedBlob(
            random.plaintext(2 * ChunkLayout.chunkPlaintextByteCount + 1_000), .original, importSecret: founding.secret)
        let list = PeerMessage.list(request: 1, hashes: blob.hashes).bytes
        let data = PeerMessage.data(
            ChunkFragment(request: 1, chunk: 0, offset: 0, bytes: blob.chunk(0)[..<1_000])).bytes
        var mutator = Mutator(seed: seed, samples: [list, data], byteCountMax: 2_000)
        var scheduler = ChunkScheduler(random: SplitMix64(seed: seed))
        let peer = ConnectionID(1)
        scheduler.addPeer(peer)
        scheduler.want(blob.reference.id, present: nil, hashes: nil, holders: [peer])
        for now in 0..<2_000 {
            scheduler.holds(peer, blob.reference.id)
            _ = scheduler.poll(at: UInt64(now))
            guard let message = try? PeerMessage(mutator.next()) else { continue }
            switch message {
            case .list(_, let hashes):
                _ = scheduler.receive(list: hashes, request: UInt32(now % 20), from: peer)
            case .data(let fragment):
                if case .chunk(let chunk) = scheduler.receive(fragment, from: peer, at: UInt64(now)) {
                    #expect(chunk.ciphertext == blob.chunk(chunk.index))
                }
            default: continue
            }
            #expect(scheduler.wantedCount == 1)
        }
    }

    @Test("a whole node, told things by somebody with the secret that are nearly right", arguments: seeds)
    func node(seed: UInt64) throws {
        let swarm = try Swarm.joined(2, seed: seed)
        let babbler = swarm.addDishonestPeer(.babbler, milliseconds: 20_000)
        for node in swarm.nodes where node.isHonest { swarm.introduce(babbler, to: node) }
        try swarm.add(3, by: swarm.nodes[1])
        try swarm.drive(milliseconds: 21_000)
        try swarm.settle(milliseconds: 120_000)
        #expect(babbler.dishonestPeer?.actionCount ?? 0 > 0)
    }
}
