// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Chunks that a peer has requested") struct ChunkServiceTests {
    private func blob(_ number: UInt64, _ blobClass: BlobClass) -> BlobID {
        var random = SplitMix64(seed: number)
        return SealedBlob(random.plaintext(1_000), blobClass, importSecret: random.secret()).reference.id
    }

    private func request(_ number: UInt32, _ blob: BlobID, count: UInt32 = 1, withList: Bool = false) -> ChunkRequest {
        ChunkRequest(request: number, blob: blob, firstChunk: 0, chunkCount: count, withList: withList)
    }

    @Test("small classes are read first, two at a time, and answered in the order of the reads")
    func order() throws {
        var service = ChunkService()
        service.append(request(1, blob(1, .original), count: 2, withList: true))
        service.append(request(2, blob(2, .thumbnail)))
        #expect(service.waitingCount == 4)
        let firstResult = service.next()
        let first = try #require(firstResult)
        #expect(first.request == 2)
        service.begin(first, Ticket(1))
        let secondResult = service.next()
        let second = try #require(secondResult)
        #expect(second.read == .list(blob(1, .original)))
        service.begin(second, Ticket(2))
        let third = service.next()
        #expect(third == nil && service.isReading(Ticket(2)))
        service.end(Ticket(2), with: .list([]))
        let early = service.nextAnswer()
        #expect(early == nil)
        service.end(Ticket(1), with: .notHere)
        let answers = [service.nextAnswer(), service.nextAnswer(), service.nextAnswer()]
        #expect(answers.map { $0?.item.request } == [2, 1, nil])
        let next = service.next()
        #expect(next?.read == .chunk(blob(1, .original), index: 0))
    }

    @Test("a cancelled request is neither read nor answered")
    func cancellation() throws {
        var service = ChunkService()
        service.append(request(1, blob(1, .original), count: 3))
        let item = service.next()
        service.begin(try #require(item), Ticket(1))
        service.cancel(1)
        #expect(service.waitingCount == 0)
        service.end(Ticket(1), with: .chunk([1]))
        let answer = service.nextAnswer()
        #expect(answer == nil && !service.isReading(Ticket(1)))
    }

    @Test("a peer has a limit of requested chunks")
    func limit() {
        var service = ChunkService()
        let part = request(1, blob(1, .original), count: UInt32(Limits.requestsPerPeerMax / 2))
        #expect(service.hasRoom(for: part))
        service.append(part)
        #expect(!service.hasRoom(for: part))
    }
}
