// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Foundation
import Testing

/// Common troubles at events, one story each.
@Suite("At an event") struct EventScenarioTests {
    private func readCount(of node: SimulatedNode) -> () -> Int {
        var count = 0
        node.storage.answerRead = { read, result in
            if case .chunk = read { count += 1 }
            return result
        }
        return { count }
    }

    private static let chunk = ChunkLayout.chunkPlaintextByteCount

    @Test("nodes find each other although every third announcement is lost, and by a typed address at once")
    func lostAnnouncements() throws {
        let swarm = Swarm(seed: 1)
        let nodes = (0..<4).map { _ in swarm.addNode() }
        swarm.network.medium.lossShare = 0.3
        for node in nodes { for other in nodes where other !== node { swarm.discover(node, other) } }
        try swarm.drive(milliseconds: 20_000, "all find each other") { swarm.agree() }
        swarm.network.medium.lossShare = 1
        let late = swarm.addNode()
        swarm.discover(late, nodes[0])
        try swarm.drive(milliseconds: 10_000)
        #expect(late.replica?.isAdmitted == false)
        swarm.network.medium.lossShare = 0
        swarm.introduce(late, to: nodes[0])
        try swarm.drive(milliseconds: 2_000, "the typed address") { swarm.agree() }
    }

    @Test("stale addresses cost a dial each and hold up nobody")
    func staleAddresses() throws {
        let swarm = Swarm(seed: 2)
        let (host, guest) = (swarm.addNode(), swarm.addNode())
        for number in 0..<200 {
            swarm.apply(
                .sighted(PeerAddress(host: "10.200.0.\(number)", port: 8028), isPersistent: false), to: guest)
        }
        swarm.introduce(guest, to: host)
        try swarm.drive(milliseconds: 2_000, "meeting") { swarm.agree() }
    }

    @Test("a machine that has slept for a minute gets what it missed")
    func sleep() throws {
        let swarm = try Swarm.joined(3, seed: 5)
        let sleeper = swarm.nodes[2]
        swarm.suspend(sleeper, milliseconds: 60_000)
        try swarm.add(3, by: swarm.nodes[0])
        try swarm.drive(milliseconds: 55_000)
        #expect(sleeper.replica?.state.gallery.isEmpty == true)
        try swarm.settle(milliseconds: 30_000)
    }

    @Test(
        "a peer that has fallen silent is let go, soon where something is expected of it", arguments: [true, false])
    func silence(isAsked: Bool) throws {
        let swarm = try Swarm.joined(2, seed: 6)
        let (silent, other) = (swarm.nodes[0], swarm.nodes[1])
        swarm.network.medium.hostRate = 1_000
        if isAsked {
            try swarm.add(1, by: silent, Swarm.Sizes(thumbnail: nil, preview: nil, original: 40 * Self.chunk))
            try swarm.drive("a part of it") { other.memoryDisk?.chunkCounts.contains { $0.present > 2 } == true }
        }
        swarm.cut(silent, other, isNoticed: false)
        let limit = isAsked ? Limits.silenceWhileWaitingMillisecondsMax : Limits.silenceMillisecondsMax
        try swarm.drive(milliseconds: UInt64(limit) + 1_000, "the end") { other.replica?.livePeers.isEmpty == true }
    }

    /// 10,020 crossings in `make test-long`, 300 in each `make test`, whose seeds differ.
    @Test(
        "however the messages of two dials cross, one connection is left",
        arguments: 0..<UInt64(ProcessInfo.processInfo.environment["DISPOSABLE_LONG"] == nil ? 10 : 334))
    func crossingDials(batch: UInt64) throws {
        let first = ProcessInfo.processInfo.environment["DISPOSABLE_SEED"].flatMap { UInt64($0) } ?? 700
        for seed in 0..<UInt64(30) {
            let seed = first + 30 * batch + seed
            let swarm = Swarm(seed: seed)
            swarm.network.medium.latencies = 1...100
            let (host, other) = (swarm.addNode(), swarm.addNode())
            swarm.introduceAll()
            try swarm.drive(milliseconds: 5_000)
            #expect(swarm.openLinks(host, other).count == 1, "seed \(seed)")
            try swarm.check()
        }
    }

    @Test("machines ten years ahead and behind join, publish, and see the same order")
    func wrongClocks() throws {
        let swarm = Swarm(seed: 8)
        let tenYears: Int64 = 315_360_000_000
        let nodes = [
            swarm.addNode(), swarm.addNode(clockOffset: tenYears), swarm.addNode(clockOffset: -tenYears),
        ]
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        for node in nodes { try swarm.add(2, by: node) }
        nodes[0].clock.offset = -tenYears
        try swarm.add(2, by: nodes[0])
        try swarm.settle()
        #expect(nodes[2].replica?.state.gallery.count == 8)
    }

    @Test("a copied folder runs on two machines, and both get everything")
    func copiedFolder() throws {
        let swarm = try Swarm.joined(3, seed: 9)
        let original = swarm.nodes[2]
        try swarm.add(2, by: original)
        try swarm.settle()
        let copy = swarm.addNode(deviceKey: original.deviceKey)
        swarm.introduce(copy, to: swarm.nodes[0])
        try swarm.drive { swarm.agree() }
        // Cut off from each other's news, both take the next place in one chain.
        for other in swarm.nodes where other !== copy { swarm.cut(copy, other) }
        try swarm.add(2, by: copy)
        try swarm.add(2, by: original)
        swarm.healAll()
        swarm.introduce(copy, to: swarm.nodes[1])
        try swarm.settle(milliseconds: 120_000)
        #expect(original.replica?.state.photos.count == 6)
    }

    @Test(
        "a guest takes photos on two pages that are apart, and no photo stays without a frame when they meet",
        arguments: 0..<4)
    func guestAtTwoPages(seed: UInt64) throws {
        let swarm = try Swarm.joined(3, seed: 90 + seed, frames: 6)
        let (one, two) = (swarm.nodes[1], swarm.nodes[2])
        swarm.cut(one, two)
        swarm.cut(one, swarm.nodes[0])
        let guest = SigningKey(seed: swarm.random.secret())
        let author = AuthorID(guest.verifyingKey)
        for (page, count) in [(one, 2), (two, 3)] {
            let subKey = SigningKey(seed: swarm.random.secret())
            swarm.admit(guest: guest, subKey: subKey, at: page)
            for _ in 0..<count { swarm.say(swarm.photo(of: page), by: page, subKey) }
            try swarm.drive { page.replica?.state.album.photos(by: author).count == count }
        }
        swarm.healAll()
        swarm.introduceAll()
        // Both know the free frames, and claim them alike for those of which two were taken.
        try swarm.drive(milliseconds: 120_000, "a frame for each") {
            swarm.isComplete() && swarm.nodes.allSatisfy { $0.replica?.state.gallery.count == 5 }
        }
        let slots = swarm.nodes[0].replica?.state.gallery.compactMap { photo -> UInt64? in
            if case .frame(let slot) = photo.status { slot } else { nil }
        }
        #expect(slots?.sorted() == [1, 2, 3, 4, 5])
        // The roll has one frame left, on either page.
        swarm.say(swarm.photo(of: one), by: one, one.person.subKeys[author])
        try swarm.settle(milliseconds: 120_000)
        #expect(two.replica?.state.album.usedSlotCount(of: author) == 6)
        let ticket = swarm.say(swarm.photo(of: two), by: two, two.person.subKeys[author])
        try swarm.drive { two.person.refused[ticket] == .rollFull(limit: 6) }
    }

    @Test("what lost its frame while the roll was full gets one when the host gives more")
    func rollThatGrows() throws {
        let swarm = try Swarm.joined(2, seed: 95, frames: 2)
        let node = swarm.nodes[1]
        let copy = swarm.addNode(
            deviceKey: node.deviceKey,
            disk: {
                let disk = MemoryDisk(archive: swarm.archive)
                disk.write(node.disk.operations, durably: true)
                return disk
            }())
        swarm.cut(copy, node)
        swarm.cut(copy, swarm.nodes[0])
        try swarm.add(2, by: node)
        try swarm.add(2, by: copy)
        swarm.healAll()
        swarm.introduceAll()
        try swarm.drive(milliseconds: 120_000, "agreement of copies") { swarm.isComplete() }
        let (host, author) = (swarm.nodes[0], AuthorID(node.device))
        #expect(host.replica?.state.gallery.count == 2)
        swarm.rule(.frames(2, to: author), by: host)
        try swarm.drive(milliseconds: 120_000, "frames for all") { host.replica?.state.gallery.count == 4 }
        try swarm.settle(milliseconds: 120_000)
    }

    @Test(
        "the power goes at any moment, and no photo that anybody has seen is missing on its author's disk",
        arguments: 0..<12)
    func powerCut(batch: Int) throws {
        for number in 0..<5 {
            let swarm = try Swarm.joined(2, seed: 10)
            let author = swarm.nodes[1]
            for _ in 0..<3 { swarm.say(swarm.photo(of: author), by: author) }
            for _ in 0..<(5 * batch + number) { swarm.step() }
            swarm.crash(author, isNoticed: false)
            let own = swarm.nodes[0].disk.operations.filter { $0.header.device == author.device }
            let kept = Set(author.disk.operations.map(\.id))
            #expect(own.allSatisfy { kept.contains($0.id) })
            swarm.start(author)
            try swarm.settle(milliseconds: 120_000)
        }
    }

    @Test("a slow machine does not set the pace for the others")
    func slowMachine() throws {
        func time(isSlow: Bool) throws -> UInt64 {
            let swarm = try Swarm.joined(20, seed: 14)
            swarm.network.medium.hostRate = 12_500
            if isSlow { swarm.network.medium.ownRates = [19: 125] }
            let began = swarm.now
            try swarm.add(8, by: swarm.nodes[0], .large)
            let fast = Array(swarm.nodes.prefix(19))
            try swarm.drive(within: 2_000_000, milliseconds: 600_000) { swarm.isComplete(fast) }
            return swarm.now - began
        }
        let (alone, together) = (try time(isSlow: false), try time(isSlow: true))
        #expect(Double(together) <= 1.1 * Double(alone), "\(together) ms instead of \(alone) ms")
    }

    @Test("chunks of a blob go on to a third before the second has them all")
    func relayedChunks() throws {
        let swarm = try Swarm.joined(3, seed: 15)
        let (author, relay, last) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        swarm.cut(author, last)
        swarm.network.medium.hostRate = 20_000
        try swarm.add(1, by: author, Swarm.Sizes(thumbnail: nil, preview: nil, original: 100 * Self.chunk))
        try swarm.drive("the first chunk") { relay.memoryDisk?.chunkCounts.contains { $0.present > 0 } == true }
        try swarm.drive(milliseconds: 1_000, "the third's first") {
            last.memoryDisk?.chunkCounts.contains { $0.present > 0 } == true
        }
        #expect(relay.memoryDisk?.chunkCounts.contains { $0.present < $0.all } == true)
        swarm.healAll()
        try swarm.settle()
    }

    @Test("the photo's author leaves during the transfer and returns a day later")
    func publisherReturns() throws {
        let swarm = try Swarm.joined(3, seed: 16)
        let author = swarm.nodes[1]
        swarm.network.medium.hostRate = 2_000
        try swarm.add(1, by: author, Swarm.Sizes(original: 12 * Self.chunk))
        try swarm.drive("a part of it") {
            swarm.nodes[0].memoryDisk?.chunkCounts.contains { $0.all == 12 && $0.present > 2 } == true
        }
        swarm.shutDown(author)
        try swarm.drive(milliseconds: 86_400_000, within: 2_000_000)
        #expect(swarm.nodes[0].replica?.missingBlobCount != 0)
        swarm.start(author)
        try swarm.settle(milliseconds: 180_000)
    }

    @Test("a full disk takes no blobs, still serves those it has, and goes on by itself")
    func fullDisk() throws {
        let swarm = try Swarm.joined(3, seed: 17)
        let full = swarm.nodes[1]
        try swarm.add(2, by: full, .large)
        try swarm.drive { swarm.isComplete([full]) }
        full.storage.isFull = true
        for other in swarm.nodes where other !== full { try swarm.drive("what it has") { swarm.isComplete([other]) } }
        try swarm.add(2, by: swarm.nodes[0])
        try swarm.drive(milliseconds: 30_000)
        #expect(full.replica?.livePeers.count == 2)
        full.storage.isFull = false
        try swarm.settle(milliseconds: 120_000)
    }

    @Test("who floods is bounded, and the others do not notice", arguments: Mischief.allCases)
    func mischief(_ mischief: Mischief) throws {
        let swarm = try Swarm.joined(3, seed: 21)
        let member = swarm.addDishonestPeer(mischief, milliseconds: 60_000)
        for node in swarm.nodes where node.isHonest { swarm.introduce(member, to: node) }
        for round in 0..<5 {
            try swarm.add(2, by: swarm.nodes[round % 3])
            try swarm.drive(milliseconds: 8_000)
        }
        #expect((member.dishonestPeer?.actionCount ?? 0) > 20 || mischief == .badChunks || mischief == .flooder)
        let said = swarm.nodes[0].disk.operations.count { $0.header.device == member.device }
        #expect(said > 20 || ![.forker, .slotCheater, .outcast].contains(mischief), "it has only said \(said) things")
        try swarm.drive(milliseconds: 30_000)
        try swarm.settle(milliseconds: 200_000)
        #expect(swarm.nodes[0].replica?.state.gallery.count ?? 0 >= 10)
    }

    @Test("a holder that cannot read what it has is not asked again and again")
    func failingReads() throws {
        let swarm = try Swarm.joined(2, seed: 22)
        var count = 0
        swarm.nodes[0].storage.answerRead = { _, _ in
            count += 1
            return .notHere
        }
        try swarm.add(5, by: swarm.nodes[0])
        try swarm.drive(milliseconds: 300_000)
        #expect(count >= 15)
        #expect(count <= 15 * 7, "\(count) reads in five minutes")
        swarm.nodes[0].storage.answerRead = { $1 }
        try swarm.settle(milliseconds: 120_000)
    }

    @Test("one honest holder among liars is enough", arguments: [Mischief.chunkLiar, .badChunks])
    func liars(_ mischief: Mischief) throws {
        let swarm = try Swarm.joined(2, seed: 23)
        for _ in 0..<4 {
            let liar = swarm.addDishonestPeer(mischief, milliseconds: 3_600_000)
            for node in swarm.nodes where node.isHonest { swarm.introduce(liar, to: node) }
        }
        try swarm.drive(milliseconds: 5_000)
        try swarm.add(6, by: swarm.nodes[0], .large)
        try swarm.drive(milliseconds: 400_000, "every blob") { swarm.isComplete() }
        try swarm.check()
    }

    @Test("a peer that names much and brings it one by one holds nothing up that others have")
    func dawdler() throws {
        let swarm = try Swarm.joined(2, seed: 31)
        let (author, absent) = (swarm.nodes[0], swarm.nodes[1])
        swarm.cut(author, absent)
        let dawdler = swarm.addDishonestPeer(.dawdler, milliseconds: 3_600_000)
        swarm.introduce(dawdler, to: author)
        try swarm.drive(milliseconds: 5_000)
        try swarm.add(2_000, by: author, .small)
        try swarm.drive(milliseconds: 60_000)
        swarm.introduce(absent, to: dawdler)
        // By then it has asked for as much as it may.
        try swarm.drive(milliseconds: 30_000)
        swarm.heal(author, absent)
        try swarm.drive(milliseconds: 90_000, "operations") { swarm.agree() }
        #expect(dawdler.dishonestPeer?.broughtCount ?? 0 > 2)
    }

    @Test("a machine changes its address in the middle of a transfer, and little is sent twice")
    func roaming() throws {
        let swarm = try Swarm.joined(2, seed: 24)
        let (author, roamer) = (swarm.nodes[0], swarm.nodes[1])
        swarm.network.medium.hostRate = 5_000
        let reads = readCount(of: author)
        try swarm.add(1, by: author, Swarm.Sizes(thumbnail: nil, preview: nil, original: 60 * Self.chunk))
        try swarm.drive("a part of it") { roamer.memoryDisk?.chunkCounts.contains { $0.present > 20 } == true }
        swarm.move(roamer)
        swarm.introduce(roamer, to: author)
        swarm.introduce(author, to: roamer)
        try swarm.settle(milliseconds: 60_000)
        #expect(reads() <= 60 + 2 * 1_048_576 / Self.chunk + 4, "\(reads()) chunks")
    }

    @Test("a member who cheats with slots shows its roll and no more, and takes away nothing of others'")
    func slots() throws {
        let swarm = try Swarm.joined(3, seed: 30, frames: 5)
        let cheat = swarm.addDishonestPeer(.slotCheater, milliseconds: 20_000)
        for node in swarm.nodes where node.isHonest { swarm.introduce(cheat, to: node) }
        // It takes away what it hears of.
        try swarm.drive("the cheat is in") { swarm.nodes[1].replica?.state.membership.isMember(cheat.device) == true }
        try swarm.add(5, by: swarm.nodes[1])
        try swarm.drive(milliseconds: 25_000)
        try swarm.settle()
        for kind in [OperationKind.claim, .remove, .hide, .erase] {
            #expect(
                swarm.nodes[2].disk.operations.contains { $0.kind == kind && $0.header.device == cheat.device },
                "\(kind)")
        }
        let gallery = swarm.nodes[0].replica?.state.gallery ?? []
        #expect(gallery.count { $0.device == cheat.device } == 5)
        #expect(gallery.count { $0.device == swarm.nodes[1].device } == 5)
    }
}
