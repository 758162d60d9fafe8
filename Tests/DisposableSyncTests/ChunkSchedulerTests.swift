// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("ChunkScheduler") struct ChunkSchedulerTests {
    private let first = ConnectionID(1)
    private let second = ConnectionID(2)

    private func scheduler(peers: [ConnectionID] = [ConnectionID(1)], seed: UInt64 = 1) -> ChunkScheduler {
        var scheduler = ChunkScheduler(random: SplitMix64(seed: seed))
        for peer in peers { scheduler.addPeer(peer) }
        return scheduler
    }

    private func blob(_ number: Int, byteCount: Int = 1_000, _ blobClass: BlobClass = .original) -> SealedBlob {
        var random = SplitMix64(seed: UInt64(number))
        return SealedBlob(random.plaintext(byteCount), blobClass, importSecret: random.secret())
    }

    private func requests(_ outputs: [ChunkScheduler.Output]) -> [(peer: ConnectionID, request: ChunkRequest)] {
        outputs.compactMap { if case .request(let peer, let request) = $0 { (peer, request) } else { nil } }
    }

    private func want(
        _ blob: SealedBlob, _ scheduler: inout ChunkScheduler,
        holders: [ConnectionID] = [ConnectionID(1)], present: ChunkBitmap? = nil
    ) {
        scheduler.want(
            blob.reference.id, present: present, hashes: present == nil ? nil : blob.hashes, holders: holders)
    }

    private func store(_ index: Int, of blob: BlobID, _ scheduler: inout ChunkScheduler) -> Bool {
        scheduler.stored(index, of: blob)
    }

    /// Answers a request as an honest holder would; the chunks that came whole.
    private func serve(
        _ request: ChunkRequest, of blob: SealedBlob, by peer: ConnectionID, _ scheduler: inout ChunkScheduler,
        at now: UInt64 = 1
    ) -> [ArrivedChunk] {
        if request.withList {
            #expect(scheduler.receive(list: blob.hashes, request: request.request, from: peer) == .nothing)
        }
        var arrived: [ArrivedChunk] = []
        for index in request.firstChunk..<request.firstChunk + request.chunkCount {
            let chunk = blob.chunks[Int(index)]
            for start in stride(from: 0, to: chunk.count, by: Limits.dataByteCountMax) {
                let part = chunk[start..<min(start + Limits.dataByteCountMax, chunk.count)]
                let fragment = ChunkFragment(request: request.request, chunk: index, offset: UInt32(start), bytes: part)
                if case .chunk(let whole) = scheduler.receive(fragment, from: peer, at: now) { arrived.append(whole) }
            }
        }
        return arrived
    }

    @Test("what has come of a blob that is wanted no more takes no room from others, stored or not")
    func unwantedArrivals() {
        var scheduler = scheduler()
        let large = blob(1, byteCount: Limits.inFlightByteCountMax)
        want(large, &scheduler)
        var now: UInt64 = 0
        while true {
            now += 1
            let asked = requests(scheduler.poll(at: now))
            guard !asked.isEmpty else { break }
            for (peer, request) in asked { _ = serve(request, of: large, by: peer, &scheduler, at: now) }
        }
        // All of it waits for the disk, and nothing else is asked for.
        let other = blob(2)
        want(other, &scheduler)
        #expect(requests(scheduler.poll(at: now + 1)).isEmpty)
        _ = scheduler.unwant(large.reference.id)
        #expect(requests(scheduler.poll(at: now + 2)).map(\.request.blob) == [other.reference.id])
        // The disk may report it nevertheless.
        _ = scheduler.stored(0, of: large.reference.id)
        scheduler.storingFailed(1, of: large.reference.id, at: now)
        #expect(!scheduler.hasRequests(of: second))
    }

    @Test("thumbnails go before previews, and these before originals")
    func classes() {
        var scheduler = scheduler()
        for number in 0..<9 {
            let blobClass = BlobClass.allCases[2 - number / 3]
            want(blob(number, blobClass), &scheduler)
        }
        let classes = requests(scheduler.poll(at: 1)).map(\.request.blob.blobClass)
        #expect(classes == classes.sorted())
        #expect(classes.count == 9)
    }

    private func blob(_ number: Int, _ blobClass: BlobClass) -> SealedBlob { blob(number, byteCount: 1_000, blobClass) }

    @Test("the rarest of few blobs is asked for first")
    func rarest() {
        for seed in UInt64(0)..<20 {
            let others = (3...6).map { ConnectionID($0) }
            var scheduler = scheduler(peers: [first] + others, seed: seed)
            let rare = blob(0)
            want(rare, &scheduler, holders: [first])
            want(blob(1), &scheduler, holders: [first] + others)
            let asked = requests(scheduler.poll(at: 1)).first { $0.peer == first }
            #expect(asked?.request.blob == rare.reference.id)
        }
    }

    @Test("peers of one source start with different blobs")
    func spread() {
        let blobs = (0..<40).map { blob($0) }
        let firsts = Set(
            (UInt64(0)..<10).map { seed -> BlobID in
                var scheduler = scheduler(seed: seed)
                for blob in blobs { want(blob, &scheduler) }
                return requests(scheduler.poll(at: 1))[0].request.blob
            })
        #expect(firsts.count > 4)
    }

    @Test("no more is in flight than the window, and it moves on as chunks come")
    func window() {
        var scheduler = scheduler()
        let large = blob(1, byteCount: 40 * ChunkLayout.chunkPlaintextByteCount)
        want(large, &scheduler)
        let asked = requests(scheduler.poll(at: 1))
        let chunkCount = asked.reduce(0) { $0 + Int($1.request.chunkCount) }
        let windowChunkCount = ChunkScheduler.windowByteCountAtStart / ChunkLayout.chunkPlaintextByteCount
        #expect((windowChunkCount...windowChunkCount + ChunkScheduler.chunksPerRequest).contains(chunkCount))
        #expect(scheduler.poll(at: 1).isEmpty)
        #expect(serve(asked[0].request, of: large, by: first, &scheduler).count == Int(asked[0].request.chunkCount))
        #expect(!requests(scheduler.poll(at: 2)).isEmpty)
    }

    @Test("small blobs never fill the peer's queue beyond what it takes", arguments: [1, 100_000])
    func queuePlaces(milliseconds: UInt64) {
        var scheduler = scheduler()
        let small = (0..<2_000).map { blob($0, byteCount: 10) }
        for blob in small { want(blob, &scheduler) }
        let blobs = Dictionary(uniqueKeysWithValues: small.map { ($0.reference.id, $0) })
        var open: [ChunkRequest] = []
        var now: UInt64 = 1
        for _ in 0..<200 {
            open += requests(scheduler.poll(at: now)).map(\.request)
            #expect(open.reduce(0) { $0 + Int($1.chunkCount) + 1 } <= Limits.requestsPerPeerMax)
            for request in open.prefix(40) {
                for chunk in serve(request, of: blobs[request.blob]!, by: first, &scheduler, at: now) {
                    _ = scheduler.stored(chunk.index, of: chunk.blob)
                }
            }
            open.removeFirst(min(40, open.count))
            now += 7
        }
        #expect(scheduler.wantedCount == 0)
    }

    @Test("chunks on their way to the disk count until they are there")
    func slowDisk() {
        var scheduler = scheduler()
        let large = blob(1, byteCount: 400 * ChunkLayout.chunkPlaintextByteCount)
        want(large, &scheduler)
        var waiting: [ArrivedChunk] = []
        for now in UInt64(1)..<500 {
            for (_, request) in requests(scheduler.poll(at: now)) {
                waiting += serve(request, of: large, by: first, &scheduler, at: now)
            }
        }
        let byteCount = waiting.reduce(0) { $0 + $1.ciphertext.count }
        #expect(byteCount <= ChunkScheduler.arrivedByteCountMax + ChunkScheduler.windowByteCountRange.upperBound)
        for chunk in waiting { #expect(!store(chunk.index, of: chunk.blob, &scheduler)) }
        #expect(!requests(scheduler.poll(at: 500)).isEmpty)
    }

    @Test("a started blob is found although a hundred others that the peer has not are started, too")
    func notHidden() {
        var scheduler = scheduler(peers: [first, second])
        var present = ChunkBitmap(chunkCount: 2)
        present[0] = true
        for number in 0..<100 {
            want(blob(number, byteCount: 300_000), &scheduler, holders: [second], present: present)
        }
        let other = blob(200, byteCount: 300_000)
        want(other, &scheduler, holders: [first], present: present)
        scheduler.removePeer(second)
        #expect(requests(scheduler.poll(at: 1)).map(\.request.blob) == [other.reference.id])
    }

    @Test("a blob whose chunks are all on disk, but which was not finished, is finished by one of them")
    func allPresent() {
        var scheduler = scheduler()
        let large = blob(1, byteCount: 600_000)
        want(large, &scheduler, present: ChunkBitmap(bytes: [0b111]))
        let asked = requests(scheduler.poll(at: 1))
        #expect(asked.map(\.request.chunkCount) == [1])
        let chunks = serve(asked[0].request, of: large, by: first, &scheduler)
        let isLast = chunks.map { scheduler.stored($0.index, of: $0.blob) }
        #expect(isLast == [true])
        #expect(scheduler.wantedCount == 0)
    }

    @Test("what a peer that leaves was asked for is asked of another")
    func peerLeaves() {
        var scheduler = scheduler(peers: [first, second])
        let one = blob(1)
        want(one, &scheduler, holders: [first, second])
        let asked = requests(scheduler.poll(at: 1))[0]
        scheduler.removePeer(asked.peer)
        let again = requests(scheduler.poll(at: 2))
        #expect(again.count == 1)
        #expect(again[0].peer != asked.peer)
        #expect(again[0].request.request != asked.request.request)
        #expect(serve(asked.request, of: one, by: asked.peer, &scheduler).isEmpty, "late bytes are ignored")
        #expect(serve(again[0].request, of: one, by: again[0].peer, &scheduler).count == 1)
    }

    @Test("parts are taken from those who hold parts, and only those parts")
    func partialHolders() {
        var scheduler = scheduler(peers: [first, second])
        let large = blob(1, byteCount: 4 * ChunkLayout.chunkPlaintextByteCount)
        want(large, &scheduler, holders: [])
        scheduler.holds(first, ChunkBitmap(bytes: [0b0001]), of: large.reference.id)
        scheduler.holds(second, ChunkBitmap(bytes: [0b1110]), of: large.reference.id)
        var chunks: [ConnectionID: Set<Int>] = [:]
        for (peer, request) in requests(scheduler.poll(at: 1)) {
            chunks[peer, default: []].formUnion(Int(request.firstChunk)..<Int(request.firstChunk + request.chunkCount))
        }
        #expect(chunks == [first: [0], second: [1, 2, 3]])
        // A bitmap that is longer than the blob says nothing.
        scheduler.holds(first, ChunkBitmap(bytes: [0xFF, 0xFF]), of: large.reference.id)
        scheduler.removePeer(second)
        #expect(scheduler.poll(at: 2).isEmpty)
    }

    @Test("a wrong chunk counts against its sender, which is not asked for the blob again")
    func wrongChunk() {
        var scheduler = scheduler(peers: [first, second])
        for number in 0..<3 {
            let one = blob(number)
            want(one, &scheduler, holders: [first])
            let request = requests(scheduler.poll(at: 1))[0].request
            var bytes = one.chunks[0]
            bytes[5] ^= 1
            let reception = scheduler.receive(
                ChunkFragment(request: request.request, chunk: 0, offset: 0, bytes: bytes[...]), from: first, at: 1)
            guard case .chunk(let chunk) = reception else {
                Issue.record("\(reception)")
                continue
            }
            #expect(chunk.verifiedList() == nil)
            #expect(scheduler.turnedOutWrong(0, of: one.reference.id) == first)
            #expect(scheduler.turnedOutWrong(0, of: one.reference.id) == nil, "once for each chunk")
            #expect(scheduler.poll(at: 1).isEmpty)
            #expect(scheduler.strikes(of: first) == number + 1)
        }
        scheduler.holds(second, blob(0).reference.id)
        #expect(requests(scheduler.poll(at: 1)).map(\.peer) == [second])
    }

    @Test("chunks before their list, gaps and overlong chunks are wrong or malformed")
    func disorder() {
        let large = blob(1, byteCount: 300_000)
        func receive(_ fragment: (UInt32) -> ChunkFragment) -> ChunkScheduler.Reception {
            var scheduler = scheduler()
            want(large, &scheduler, present: nil)
            let request = requests(scheduler.poll(at: 1))[0].request
            return scheduler.receive(fragment(request.request), from: first, at: 1)
        }
        let part = large.chunks[0].prefix(100)
        #expect(receive { ChunkFragment(request: $0, chunk: 0, offset: 0, bytes: part) } == .nothing)
        #expect(receive { ChunkFragment(request: $0, chunk: 1, offset: 0, bytes: part) } == .malformed)
        #expect(receive { ChunkFragment(request: $0, chunk: 0, offset: 7, bytes: part) } == .malformed)
        let overlong = (large.chunks[0] + [0])[...]
        #expect(receive { ChunkFragment(request: $0, chunk: 0, offset: 0, bytes: overlong) } == .malformed)
        #expect(receive { ChunkFragment(request: $0, chunk: 0, offset: 0, bytes: large.chunks[0][...]) } == .wrong)
    }

    @Test("a peer that stalls is left for another, for a while; alone, it is asked again after a long one")
    func stall() {
        var scheduler = scheduler(peers: [first, second])
        let one = blob(1)
        want(one, &scheduler, holders: [first])
        #expect(requests(scheduler.poll(at: 0)).map(\.peer) == [first])
        #expect(scheduler.cancelStalled(at: 20_000).isEmpty, "nobody else has it")
        scheduler.holds(second, one.reference.id)
        #expect(scheduler.cancelStalled(at: 1_999).isEmpty)
        #expect(scheduler.cancelStalled(at: 2_000) == [.cancel(first, request: 1)])
        #expect(requests(scheduler.poll(at: 2_000)).map(\.peer) == [second])
        scheduler.removePeer(second)
        #expect(scheduler.poll(at: 3_000).isEmpty)
        let again = requests(scheduler.poll(at: 4_000))
        #expect(again.map(\.peer) == [first])
        let lost = 4_000 + ChunkScheduler.lostMilliseconds
        #expect(scheduler.cancelStalled(at: lost - 1).isEmpty)
        #expect(scheduler.cancelStalled(at: lost) == [.cancel(first, request: again[0].request.request)])
    }

    @Test("requests behind others that come have not stalled")
    func slowButAlive() {
        var scheduler = scheduler(peers: [first, second])
        let blobs = (0..<4).map { blob($0) }
        for blob in blobs { want(blob, &scheduler, holders: [first]) }
        let asked = requests(scheduler.poll(at: 0))
        #expect(asked.count == 4)
        for blob in blobs { scheduler.holds(second, blob.reference.id) }
        for (place, (_, request)) in asked.enumerated() {
            let now = UInt64(place + 1) * 1_500
            #expect(scheduler.cancelStalled(at: now).isEmpty)
            let one = blobs.first { $0.reference.id == request.blob }!
            #expect(serve(request, of: one, by: first, &scheduler, at: now).count == 1)
        }
    }

    @Test("a refusal for later pauses the peer, one for good takes the blob off it for a minute")
    func refusal() {
        let one = blob(1)
        var scheduler = refusing(one)
        // It is taken for a holder once more after a while: its disk may have failed only once.
        let later = 500 + ChunkScheduler.refusalMilliseconds
        #expect(scheduler.nextDeadline(after: 10_000) == later)
        scheduler.holds(first, one.reference.id)
        #expect(scheduler.poll(at: 10_000).count == 1)
        var patient = refusing(one)
        #expect(patient.cancelStalled(at: later).isEmpty)
        #expect(patient.poll(at: later).count == 1)
    }

    /// A scheduler whose only holder of `one` has refused it, for later and then for good.
    private func refusing(_ one: SealedBlob) -> ChunkScheduler {
        var scheduler = scheduler()
        want(one, &scheduler)
        let request = requests(scheduler.poll(at: 0))[0].request
        scheduler.refused(request.request, by: second, retryAfter: 0, at: 0)
        scheduler.refused(request.request, by: first, retryAfter: 500, at: 0)
        #expect(scheduler.poll(at: 499).isEmpty)
        #expect(scheduler.nextDeadline(after: 0) == 500)
        let again = requests(scheduler.poll(at: 500))[0].request
        scheduler.refused(again.request, by: first, retryAfter: 0, at: 500)
        #expect(scheduler.poll(at: 10_000).isEmpty)
        return scheduler
    }

    @Test("a disk that fails is left alone ever longer, up to a minute, and at once when it works again")
    func failingDisk() throws {
        var scheduler = scheduler()
        let one = blob(1)
        want(one, &scheduler)
        var now: UInt64 = 0
        for pause: UInt64 in [5_000, 10_000, 20_000, 40_000, 60_000, 60_000] {
            let request = requests(scheduler.poll(at: now))[0].request
            for chunk in serve(request, of: one, by: first, &scheduler, at: now) {
                scheduler.storingFailed(chunk.index, of: chunk.blob, at: now)
            }
            #expect(scheduler.nextDeadline(after: now) == now + pause)
            #expect(scheduler.poll(at: now + pause - 1).isEmpty)
            now += pause
        }
        let request = requests(scheduler.poll(at: now))[0].request
        let chunk = serve(request, of: one, by: first, &scheduler, at: now)[0]
        #expect(store(chunk.index, of: chunk.blob, &scheduler))
        #expect(scheduler.nextDeadline(after: now) == nil)
    }

    @Test("a blob no longer wanted is cancelled, and what comes late is ignored")
    func unwant() {
        var scheduler = scheduler()
        let one = blob(1)
        want(one, &scheduler)
        let request = requests(scheduler.poll(at: 0))[0].request
        #expect(scheduler.unwant(one.reference.id) == [.cancel(first, request: request.request)])
        #expect(serve(request, of: one, by: first, &scheduler).isEmpty)
        #expect(!scheduler.hasRequests(of: first))
        #expect(scheduler.poll(at: 0).isEmpty)
        #expect(!store(0, of: one.reference.id, &scheduler))
    }
}
