// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// The engine's behaviour when a disk has lost data, is full, or was copied.
@Suite("Durability") struct DurabilityTests {
    /// Whether no device has said two things in one place of a chain.
    private func hasForks(_ node: SimulatedNode) -> Bool {
        struct Place: Hashable {
            let device: DeviceID
            let set: OperationSet
            let sequence: UInt32
        }
        let places = node.disk.operations.map {
            Place(device: $0.header.device, set: $0.header.set, sequence: $0.header.sequence)
        }
        return Set(places).count != places.count
    }

    /// Takes from a node all but the operations that `isKept`, as a damaged database does.
    private func damage(_ node: SimulatedNode, in swarm: Swarm, keeping isKept: (VerifiedOperation) -> Bool) {
        swarm.crash(node)
        let kept = node.disk.operations.filter(isKept)
        let disk = MemoryDisk(archive: swarm.archive)
        disk.write(kept, durably: true)
        node.disk = disk
    }

    @Test("a node that has lost operations says nothing until a member has told all, and never forks its chain")
    func mustReconcile() throws {
        let swarm = try Swarm.joined(2, seed: 301)
        let (other, node) = (swarm.nodes[0], swarm.nodes[1])
        try swarm.add(3, by: node)
        try swarm.settle()
        damage(node, in: swarm) { $0.header.set == .authority }
        swarm.cut(node, other)
        swarm.start(node)
        swarm.apply(.operationsLost, to: node)
        let refused = swarm.say(swarm.photo(of: node), by: node)
        try swarm.drive(milliseconds: 5_000)
        #expect(node.person.refused[refused] == .notReconciled)
        swarm.heal(node, other)
        try swarm.settle()
        #expect(node.replica?.mustReconcile == false)
        try swarm.add(2, by: node)
        try swarm.settle()
        #expect(node.replica?.state.gallery.count == 5)
        #expect(!hasForks(node) && !hasForks(other))
        #expect(node.journal.clones.isEmpty && other.journal.clones.isEmpty)
    }

    @Test("a node that has lost everything, its own join included, comes back as the member that it was")
    func lostEverything() throws {
        let swarm = try Swarm.joined(3, seed: 302)
        let node = swarm.nodes[2]
        try swarm.add(2, by: node)
        try swarm.settle()
        damage(node, in: swarm) { _ in false }
        swarm.start(node)
        swarm.apply(.operationsLost, to: node)
        try swarm.settle()
        try swarm.add(1, by: node)
        try swarm.settle()
        #expect(node.replica?.state.gallery.count == 3)
        #expect(node.replica?.state.membership.count == 3)
        #expect(!hasForks(node))
    }

    @Test("an organizer who is the only node of the event waits for nobody")
    func alone() throws {
        let swarm = Swarm(seed: 303)
        let host = swarm.addNode()
        swarm.apply(.operationsLost, to: host)
        try swarm.add(1, by: host)
        #expect(host.replica?.state.gallery.count == 1)
    }

    @Test(
        "two copies of one device are both heard by the others and by each other, and no photo is lost",
        arguments: UInt64(0)..<6)
    func copies(seed: UInt64) throws {
        let swarm = try Swarm.joined(2, seed: 310 + seed)
        let (other, node) = (swarm.nodes[0], swarm.nodes[1])
        try swarm.add(1, by: node)
        try swarm.settle()
        let disk = MemoryDisk(archive: swarm.archive)
        disk.write(node.disk.operations, durably: true)
        let copy = swarm.addNode(deviceKey: node.deviceKey, disk: disk)
        for known in [other, node] { swarm.cut(copy, known) }
        // The same places of the chain, the same frames of the roll.
        try swarm.add(2, by: node)
        try swarm.add(2, by: copy)
        swarm.healAll()
        swarm.introduceAll()
        try swarm.drive(milliseconds: 120_000, "agreement of copies") { swarm.isComplete() }
        for node in swarm.nodes {
            #expect(node.replica?.state.gallery.count == 5)
            #expect(node.journal.clones == [copy.device])
            #expect(!node.journal.closings.contains(.sameDevice))
        }
        // Nobody is pushed out by the other.
        let closings = swarm.nodes.map(\.journal.closings.count)
        try swarm.add(1, by: node)
        try swarm.add(1, by: copy)
        try swarm.drive(milliseconds: 120_000, "agreement of copies") { swarm.isComplete() }
        try swarm.drive(milliseconds: 60_000)
        #expect(swarm.nodes.map(\.journal.closings.count) == closings)
        #expect(other.replica?.state.gallery.count == 7)
    }

    @Test("a connection of a process that has ended without a word is let go soon after the new one comes")
    func restarted() throws {
        let swarm = try Swarm.joined(2, seed: 320)
        let (other, node) = (swarm.nodes[0], swarm.nodes[1])
        swarm.crash(node, isNoticed: false)
        swarm.start(node)
        try swarm.drive(milliseconds: 8_000)
        #expect(other.replica?.livePeers.count == 1)
        #expect(node.replica?.livePeers.count == 1)
        #expect(other.journal.clones.isEmpty)
    }

    @Test("only the missing chunks of a corrupt blob are fetched again")
    func takenBack() throws {
        let swarm = try Swarm.joined(2, seed: 330)
        let (other, node) = (swarm.nodes[0], swarm.nodes[1])
        try swarm.add(1, by: other, .large)
        try swarm.settle()
        let blob = try #require(node.disk.blob(of: .original))
        guard case .list(let hashes) = node.disk.read(.list(blob)) else {
            Issue.record("no list")
            return
        }
        var asked: [Int] = []
        other.storage.answerRead = { read, result in
            if case .chunk(blob, let index) = read { asked.append(index) }
            return result
        }
        var left = ChunkBitmap(chunkCount: hashes.count)
        for index in [0, 2, 3] { left[index] = true }
        swarm.apply(.takenBack(blob.root, left: .partial(left, hashes: hashes)), to: node)
        #expect(node.replica?.missingBlobCount == 1)
        #expect(node.replica?.isComplete(blob) == false)
        try swarm.settle()
        #expect(asked == [1])
        #expect(node.replica?.isComplete(blob) == true)
        swarm.apply(.takenBack(blob.root, left: .absent), to: node)
        try swarm.settle()
        #expect(asked.sorted() == [0, 1, 1, 2, 3])
    }

    @Test("without room on the disk operations come and blobs are not asked for; with room again they are")
    func room() throws {
        let swarm = try Swarm.joined(2, seed: 340)
        let (other, node) = (swarm.nodes[0], swarm.nodes[1])
        swarm.apply(.roomChanged(.noBlobs), to: node)
        var readCount = 0
        other.storage.answerRead = { _, result in
            readCount += 1
            return result
        }
        try swarm.add(3, by: other)
        try swarm.drive(milliseconds: 120_000, "the same operations") { swarm.agree() }
        try swarm.drive(milliseconds: 30_000)
        #expect(node.replica?.state.gallery.count == 3)
        #expect(readCount == 0)
        #expect(node.replica?.missingBlobCount == 9)
        swarm.apply(.roomChanged(.plenty), to: node)
        try swarm.settle()
        #expect(readCount > 0)
    }

    @Test("below half of the reserve operations come without bodies that the fold does not read, and these come later")
    func noBodies() throws {
        let swarm = try Swarm.joined(2, seed: 341)
        let (other, node) = (swarm.nodes[0], swarm.nodes[1])
        swarm.apply(.roomChanged(.noBodies), to: node)
        let photo = try swarm.add(by: other, .small)[0]
        let newcomer = swarm.addNode()
        swarm.introduce(newcomer, to: other)
        try swarm.drive(milliseconds: 120_000, "the same operations") { swarm.agree() }
        #expect(node.replica?.state.photo(photo) != nil, "the header says that it is there")
        #expect(node.disk.operations.first { $0.id == photo.operationID }?.body == nil)
        #expect(node.disk.operations.filter { $0.kind == .join }.allSatisfy { $0.body?.isEmpty == false })
        let own = try swarm.add(by: node, .small)[0]
        #expect(node.disk.operations.first { $0.id == own.operationID }?.body?.isEmpty == false)
        swarm.apply(.roomChanged(.plenty), to: node)
        try swarm.settle(milliseconds: 120_000)
        #expect(node.disk.operations.first { $0.id == photo.operationID }?.body?.isEmpty == false)
    }

    @Test(
        "below a quarter only moderators and organizers are heard, what is here is handed over, and the rest comes later"
    )
    func noOperations() throws {
        let swarm = try Swarm.joined(3, seed: 342)
        let (host, other, node) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        swarm.cut(node, host)
        swarm.cut(node, other)
        let own = try swarm.add(2, by: node, .small)
        swarm.apply(.roomChanged(.noOperations), to: node)
        swarm.healAll()
        try swarm.drive(milliseconds: 120_000, "what only the full node had") {
            own.allSatisfy { host.replica?.state.photo($0) != nil }
        }
        let photo = try swarm.add(by: other, .small)[0]
        let notice = swarm.say(.say(.notice("Cake!"), salt: swarm.random.bytes(16)), by: host)
        try swarm.drive(milliseconds: 120_000, "the organizer's word") {
            host.person.authored[notice]?.first.map { id in node.disk.operations.contains { $0.id == id } } == true
        }
        try swarm.drive(milliseconds: 60_000)
        #expect(node.replica?.state.photo(photo) == nil)
        #expect(node.replica?.livePeers.count == 2)
        swarm.apply(.roomChanged(.plenty), to: node)
        try swarm.settle(milliseconds: 120_000)
        #expect(node.replica?.state.photo(photo) != nil)
    }
}

extension SimulatedDisk {
    /// Some blob of the class that is here.
    fileprivate func blob(of blobClass: BlobClass) -> BlobID? {
        (self as? MemoryDisk)?.fileIDs.first { $0.blobClass == blobClass }
    }
}
