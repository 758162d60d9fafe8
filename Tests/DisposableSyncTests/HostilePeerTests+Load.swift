// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Peers that ask too much, answer nothing, or take their time.
extension HostilePeerTests {
    @Test("requests beyond the queue are refused as busy, and for what is not here as such")
    func requestFlood() throws {
        let puppet = try Puppet(isMember: true, photos: 1)
        puppet.takesBytes = false
        puppet.answersDisk = false
        let blob = try #require(puppet.disk.fileIDs.first)
        func request(_ number: UInt32, _ blob: BlobID, first: UInt32 = 0) -> PeerMessage {
            .request(
                ChunkRequest(
                    request: number, blob: blob, firstChunk: first, chunkCount: 1, withList: true))
        }
        let unknown = BlobID(root: BlobRoot(.zero), blobClass: .original, byteCount: 1)
        for number in 0..<UInt32(Limits.requestsPerPeerMax) { puppet.send(request(number, blob)) }
        puppet.send(request(1_000, unknown))
        let refused = puppet.take().compactMap { message -> ProtocolCode? in
            if case .refusal(_, let code, _) = message { code } else { nil }
        }
        #expect(refused.contains(.busy))
        #expect(!puppet.isClosed)

        let other = try Puppet(isMember: true, photos: 1)
        other.send(request(1, unknown))
        other.send(request(2, blob, first: 5))
        #expect(
            other.received.suffix(2) == [
                .refusal(request: 1, .notHere, retryAfterMilliseconds: 0),
                .refusal(request: 2, .notHere, retryAfterMilliseconds: 0),
            ])
    }

    @Test("a peer that makes work and reads nothing is let go")
    func neverReads() throws {
        let puppet = try Puppet(isMember: true, photos: 40)
        puppet.takesBytes = false
        puppet.readsBytes = false
        // Each asks for the ids of the whole set: some 4 KB.
        var count = 0
        while !puppet.isClosed, count < 20_000 {
            puppet.send(.reconcile(set: .content, isInitiator: true, message: [0x61, 0, 0, 2, 0]))
            count += 1
        }
        #expect(puppet.replicaCode == .unresponsive)
        #expect(count > 2_000)
    }

    @Test("many holdings of a few devices are kept less exactly; those of ever more devices close the connection")
    func holdingFlood() throws {
        let puppet = try Puppet(isMember: true)
        for count in 0..<300 {
            let start = UInt32(count % 60) * 4_096
            let ranges = (0..<2_048).map { start + UInt32($0) * 2..<start + UInt32($0) * 2 + 1 }
            let device = DeviceID(BLAKE2b.hash([UInt8(count / 60)]))
            puppet.send(.have(Have(holdings: [.init(device: device, blobClass: .original, sequences: ranges)])))
        }
        #expect(!puppet.isClosed, "an honest peer of a large event has as many")
        var count = 0
        while !puppet.isClosed, count < Limits.holdingRangesPerPeerMax {
            let devices = (count..<count + Limits.holdingsPerMessageMax).map {
                DeviceID(BLAKE2b.hash(Array("\($0)".utf8)))
            }
            puppet.send(
                .have(Have(holdings: devices.map { .init(device: $0, blobClass: .original, sequences: [0..<1]) })))
            count += Limits.holdingsPerMessageMax
        }
        #expect(puppet.closeCode == .limitExceeded)
    }

    @Test("silence closes a connection after a ping went unanswered, and deadlines never come in a storm")
    func pingTimeout() throws {
        let puppet = try Puppet(isMember: true, photos: 1)
        puppet.wait(milliseconds: UInt64(Limits.silenceMillisecondsMax) - 1_000)
        #expect(!puppet.isClosed)
        #expect(puppet.received.contains { if case .ping = $0 { true } else { false } })
        puppet.wait(milliseconds: 2_000)
        #expect(puppet.isClosed)
        #expect(puppet.deadlineCount < 60)
    }

    @Test("a node that gets something every millisecond still tells in time what it has got")
    func neverIdle() throws {
        let puppet = try Puppet(isMember: true)
        let blob = SealedBlob([1, 2, 3], .original, importSecret: puppet.founding.secret)
        let (photo, original) = try puppet.photo(blob)
        puppet.send([photo, original])
        // A peer that claims to have the whole would not be sent another holder.
        var chunks = ChunkBitmap(chunkCount: 1)
        chunks[0] = true
        puppet.send(.have(Have(partials: [.init(blob: blob.reference.id, chunks: chunks)])))
        let request = puppet.take().compactMap { if case .request(let request) = $0 { request } else { nil } }.first
        puppet.send(
            .data(
                ChunkFragment(request: try #require(request).request, chunk: 0, offset: 0, bytes: blob.chunks[0][...])))
        let nothing = SetSummary(count: 0, fingerprint: [UInt8](repeating: 0, count: 16))
        for number in 0..<200 {
            puppet.send(.pong(Ping(nonce: UInt64(number), authority: nothing, content: nothing)))
            puppet.wait(milliseconds: 1)
        }
        let isTold = puppet.received.contains { if case .have(let have) = $0 { !have.holdings.isEmpty } else { false } }
        #expect(isTold)
    }

    @Test("a request that a holder lets fall is made again while the holder answers pings")
    func lostRequest() throws {
        let puppet = try Puppet(isMember: true)
        let blob = SealedBlob([1, 2, 3], .original, importSecret: puppet.founding.secret)
        let (photo, original) = try puppet.photo(blob)
        puppet.send([photo, original])
        puppet.send(
            .have(
                Have(holdings: [
                    .init(device: DeviceID(puppet.key.verifyingKey), blobClass: .original, sequences: [0..<1])
                ])))
        func requests() -> [ChunkRequest] {
            puppet.take().compactMap { if case .request(let request) = $0 { request } else { nil } }
        }
        #expect(requests().count == 1)
        var again: [ChunkRequest] = []
        for _ in 0..<40 where again.isEmpty {
            puppet.wait(milliseconds: 1_000)
            for case .ping(let ping) in puppet.received { puppet.send(.pong(ping)) }
            again = requests()
        }
        #expect(puppet.replicaCode == nil)
        try #require(again.count == 1)
        puppet.send(.data(ChunkFragment(request: again[0].request, chunk: 0, offset: 0, bytes: blob.chunks[0][...])))
        #expect(puppet.replica.isComplete(blob.reference.id))
    }

    @Test("fragments that do not belong where they claim to close the connection")
    func misplacedFragment() throws {
        let puppet = try Puppet(isMember: true)
        puppet.send(.data(ChunkFragment(request: 7, chunk: 0, offset: 0, bytes: [1])))
        #expect(!puppet.isClosed, "of a request that is over: ignored")
    }

    @Test("a removed photo's original is not asked for, whatever order the three operations come in", arguments: 0..<6)
    func removalInAnyOrder(number: Int) throws {
        let puppet = try Puppet(isMember: true)
        let blob = SealedBlob([1, 2, 3], .original, importSecret: puppet.founding.secret)
        let (photo, original) = try puppet.photo(blob)
        let operations = [photo, original, try puppet.operation(.remove, subject: photo.id)]
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        for place in orders[number] { puppet.send([operations[place]]) }
        #expect(puppet.replica.missingBlobCount == 0)
        #expect(puppet.replica.state.photo(PhotoID(photo.id))?.status == .removed)
    }
}
