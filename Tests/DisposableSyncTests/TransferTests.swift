// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Transfer of blobs") struct TransferTests {
    /// Returns a counter of the chunks that a node has served.
    private func count(readsOf node: SimulatedNode) -> () -> Int {
        var count = 0
        node.storage.answerRead = { read, result in
            if case .chunk = read { count += 1 }
            return result
        }
        return { count }
    }

    @Test("reads that end in another order than they were begun arrive in order", arguments: UInt64(0)..<5)
    func readsOutOfOrder(seed: UInt64) throws {
        let swarm = try Swarm.joined(2, seed: 50 + seed)
        swarm.workMilliseconds = 0...100
        try swarm.add(2, by: swarm.nodes[0], Swarm.Sizes(original: 9 * ChunkLayout.chunkPlaintextByteCount))
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { !$0.journal.closings.contains(.malformed) })
    }

    @Test("a kill of either side at every seventh step loses nothing that was acknowledged", arguments: 0..<20)
    func kill(case number: Int) throws {
        let swarm = try Swarm.joined(2, seed: 51)
        let victim = swarm.nodes[number % 2]
        let acknowledged = try swarm.add(2, by: swarm.nodes[0], .large) + swarm.add(2, by: swarm.nodes[1], .large)
        for _ in 0..<7 * (number / 2) + 1 { swarm.step() }
        swarm.crash(victim, isNoticed: number % 3 != 0)
        try swarm.drive(milliseconds: 300)
        swarm.start(victim)
        try swarm.settle(milliseconds: 120_000)
        for photo in acknowledged { #expect(victim.replica?.state.photo(photo) != nil) }
    }

    @Test("a connection that is cut in the middle of a message is replaced", arguments: 0..<12)
    func cutConnection(number: Int) throws {
        let swarm = try Swarm.joined(2, seed: 52)
        swarm.network.medium.hostRate = 2_000
        try swarm.add(1, by: swarm.nodes[0], .large)
        for _ in 0..<5 * number { swarm.step() }
        for link in swarm.openLinks(swarm.nodes[0], swarm.nodes[1]) { swarm.sever(link) }
        try swarm.settle(milliseconds: 30_000)
    }

    @Test("a blob with two holders is fetched from both")
    func twoHolders() throws {
        let swarm = try Swarm.joined(3, seed: 53)
        swarm.network.medium.hostRate = 5_000
        let (first, second, third) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for other in [first, second] { swarm.cut(third, other) }
        try swarm.add(1, by: first, Swarm.Sizes(original: 80 * ChunkLayout.chunkPlaintextByteCount))
        try swarm.settle([first, second])
        let counts = [count(readsOf: first), count(readsOf: second)]
        swarm.healAll()
        try swarm.settle()
        #expect(counts.allSatisfy { $0() >= 20 }, "\(counts.map { $0() })")
        #expect(counts.map { $0() }.reduce(0, +) <= 90)
    }

    @Test("a wrong chunk is never stored, the rest comes from the honest holder, and the liar is dropped")
    func wrongChunk() throws {
        let swarm = try Swarm.joined(3, seed: 54)
        let (liar, honest, victim) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for other in [liar, honest] { swarm.cut(victim, other) }
        try swarm.add(6, by: liar)
        try swarm.settle([liar, honest])
        liar.storage.answerRead = { _, result in
            guard case .chunk(var bytes) = result else { return result }
            bytes[bytes.count / 2] ^= 1
            return .chunk(bytes)
        }
        // The liar is heard first and alone.
        swarm.heal(victim, liar)
        try swarm.drive("the liar's end") { victim.journal.closings.contains(.limitExceeded) }
        #expect(victim.journal.completed.isEmpty)
        let links = swarm.network.links.count
        try swarm.drive(milliseconds: 120_000)
        // Its connections are closed as soon as it has said who it is.
        #expect(swarm.network.links.count - links < 12)
        swarm.heal(victim, honest)
        try swarm.drive("the blobs") { victim.replica?.missingBlobCount == 0 }
        try swarm.check([honest, victim])
        #expect(victim.replica?.livePeers.map(\.device) == [honest.device])
    }

    @Test("a wrong chunk list is as good as a wrong chunk")
    func wrongList() throws {
        let swarm = try Swarm.joined(3, seed: 55)
        let (liar, honest, victim) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for other in [liar, honest] { swarm.cut(victim, other) }
        try swarm.add(2, by: liar, .large)
        try swarm.settle([liar, honest])
        liar.storage.answerRead = { _, result in
            guard case .list(let hashes) = result else { return result }
            return .list(hashes.reversed())
        }
        swarm.healAll()
        try swarm.settle()
    }

    @Test("a holder that never answers is left for another")
    func stalledHolder() throws {
        let swarm = try Swarm.joined(3, seed: 56)
        let (mute, honest, victim) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for other in [mute, honest] { swarm.cut(victim, other) }
        try swarm.add(4, by: mute, .large)
        try swarm.settle([mute, honest])
        mute.storage.answerRead = { _, _ in nil }
        swarm.healAll()
        try swarm.settle(milliseconds: 40_000)
    }

    @Test("a removed photo is no longer served or asked for")
    func removal() throws {
        let swarm = try Swarm.joined(2, seed: 58)
        swarm.network.medium.hostRate = 1_000
        let (author, other) = (swarm.nodes[0], swarm.nodes[1])
        let photo = try swarm.add(1, by: author, Swarm.Sizes(original: 20 * ChunkLayout.chunkPlaintextByteCount))[0]
        try swarm.drive("half of it") { other.memoryDisk?.chunkCounts.contains { $0.present > 5 } == true }
        try swarm.remove(photo, by: author)
        try swarm.drive("the removal") { other.replica?.state.photo(photo)?.status == .removed }
        let reads = count(readsOf: author)
        try swarm.drive(milliseconds: 20_000)
        #expect(reads() == 0)
        #expect(other.replica?.missingBlobCount == 0)
        #expect(other.memoryDisk?.chunkCounts.allSatisfy { $0.all < 20 || $0.present < $0.all } == true)
    }

    @Test("a removal that comes before its photo keeps the photo's blobs away")
    func removalFirst() throws {
        let swarm = try Swarm.joined(2, seed: 59)
        let (author, other) = (swarm.nodes[0], swarm.nodes[1])
        swarm.cut(author, other)
        let photo = try swarm.add(by: author)[0]
        try swarm.remove(photo, by: author)
        let reads = count(readsOf: author)
        swarm.healAll()
        try swarm.settle()
        #expect(other.replica?.state.photo(photo)?.status == .removed)
        #expect(reads() == 0)
        #expect(other.memoryDisk?.fileIDs.count == 0)
    }

    @Test("a full disk pauses fetching, without asking again and again, and goes on by itself")
    func fullDisk() throws {
        let swarm = try Swarm.joined(2, seed: 60)
        let (author, other) = (swarm.nodes[0], swarm.nodes[1])
        try swarm.add(3, by: author, .large)
        try swarm.drive { swarm.agree() }
        other.storage.isFull = true
        let reads = count(readsOf: author)
        try swarm.drive(milliseconds: 120_000)
        #expect(reads() < 200)
        other.storage.isFull = false
        try swarm.settle(milliseconds: 90_000)
    }

    @Test("a node that keeps previews has the same gallery and no originals")
    func keptClasses() throws {
        let swarm = Swarm(seed: 61)
        let (host, other) = (swarm.addNode(), swarm.addNode(keeping: [.thumbnail, .preview]))
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        try swarm.add(3, by: host)
        try swarm.settle()
        #expect(other.memoryDisk?.fileIDs.count == 6)
    }

    @Test("many small blobs over a fast connection meet no refusal", arguments: [nil, 20_000])
    func manySmallBlobs(bandwidth: Int?) throws {
        let swarm = try Swarm.joined(2, seed: 62)
        swarm.network.medium.hostRate = bandwidth
        swarm.cut(swarm.nodes[0], swarm.nodes[1])
        try swarm.add(400, by: swarm.nodes[0], Swarm.Sizes(thumbnail: 20_000, preview: nil, original: 100))
        swarm.healAll()
        try swarm.drive("a connection") { !swarm.openLinks(swarm.nodes[0], swarm.nodes[1]).isEmpty }
        let began = swarm.now
        try swarm.settle(milliseconds: 60_000)
        #expect(swarm.now - began < 5_000)
    }
}
