// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Rare troubles at events: isolation, lost disks, large galleries, strangers. A simulation has neither interfaces nor paths:
/// link-local addresses are tested in `ScenarioTests/NetworkTests`, names on disk in `DisposableModelTests/FileNameTests`
/// and the store's tests, almost valid messages in `DecoderFuzzTests`.
@Suite("At a difficult event") struct HardshipTests {
    @Test("two rooms that cannot reach each other have one album once a machine was carried over and back")
    func isolation() throws {
        let swarm = try Swarm.joined(6, seed: 103)
        let (here, there, carried) = (swarm.nodes[0...1], swarm.nodes[2...4], swarm.nodes[5])
        for node in here { for other in there { swarm.cut(node, other) } }
        for other in there { swarm.cut(carried, other) }
        try swarm.add(2, by: swarm.nodes[0])
        try swarm.add(2, by: swarm.nodes[3])
        try swarm.drive("the first room") { swarm.isComplete(Array(here) + [carried]) }
        // Over to the second room, where its old neighbours are out of reach.
        for other in there { swarm.heal(carried, other) }
        for node in here { swarm.cut(carried, node) }
        try swarm.drive(milliseconds: 120_000, "the second room") { swarm.isComplete(Array(there) + [carried]) }
        #expect(!swarm.agree())
        for node in here { swarm.heal(carried, node) }
        for other in there { swarm.cut(carried, other) }
        try swarm.settle(milliseconds: 120_000)
        #expect(swarm.nodes[1].replica?.state.gallery.count == 4)
    }

    @Test(
        "a machine whose disk was replaced, and that has its key still, gets everything back and goes on",
        arguments: UInt64(0)..<10)
    func newDisk(seed: UInt64) throws {
        let swarm = try Swarm.joined(4, seed: 1_100 + seed)
        let unlucky = swarm.nodes[3]
        let own = try swarm.add(3, by: unlucky)
        try swarm.remove(own[1], by: unlucky)
        try swarm.add(2, by: swarm.nodes[1])
        try swarm.settle()
        swarm.crash(unlucky)
        unlucky.disk = MemoryDisk(archive: swarm.archive)
        swarm.start(unlucky)
        try swarm.settle(milliseconds: 60_000)
        let taken = try swarm.add(2, by: unlucky)
        try swarm.settle(milliseconds: 60_000)
        let shown = swarm.nodes[0].replica?.state.gallery.map(\.id) ?? []
        #expect(Set(shown).isSuperset(of: taken + [own[0], own[2]]) && shown.count == 6)
    }

    @Test("who comes late to an album of two thousand photos needs no more memory for it than the limits say")
    func lateNewcomer() throws {
        let (swarm, newcomer) = try largeAlbum(photos: 2_000, seed: 112)
        try swarm.drive(within: 4_000_000, milliseconds: 120_000, "the album") { swarm.isComplete() }
        newcomer.noteLoad()
        let rows = Dictionary(uniqueKeysWithValues: newcomer.journal.largestLoad.rows.map { ($0.name, $0.value) })
        #expect(rows["operations in progress"] ?? .max <= Limits.operationsInProgressMax)
        #expect(rows["bytes in flight"] ?? .max <= 2 << 20)
        swarm.nodes[0].noteLoad()
        #expect(swarm.nodes[0].journal.largestLoad.unsentBytes <= 2 * Limits.outboundByteCountMax)
        try swarm.check()
    }

    @Test(
        "two thousand thumbnails come from one peer as fast as its disk reads them, which here is two a millisecond"
    )
    func manyThumbnails() throws {
        let (swarm, newcomer) = try largeAlbum(photos: 2_000, seed: 113)
        try swarm.drive(within: 4_000_000, milliseconds: 120_000, "all operations") { swarm.agree() }
        let (began, before) = (swarm.now, newcomer.journal.completed.count)
        try swarm.drive(within: 4_000_000, milliseconds: 120_000, "all thumbnails") { swarm.isComplete() }
        let rate = Double(newcomer.journal.completed.count - before) / Double(max(swarm.now - began, 1))
        #expect(newcomer.journal.completed.count - before < 200 || rate >= 1.8, "\(rate) thumbnails a millisecond")
        try swarm.check()
    }

    /// An organizer with so many photos, and somebody who has just come in.
    private func largeAlbum(photos: Int, seed: UInt64) throws -> (Swarm, SimulatedNode) {
        let swarm = Swarm(seed: seed)
        swarm.network.medium.latencies = 1...1
        swarm.workMilliseconds = 0...1
        let host = swarm.addNode(keeping: [.thumbnail])
        let sizes = Swarm.Sizes(thumbnail: 4_000, preview: nil, original: 80_000, isSynthetic: true)
        let tickets = (0..<photos).map { _ in swarm.say(swarm.photo(of: host, sizes), by: host) }
        try swarm.drive(within: 4_000_000, milliseconds: 600_000, "photos on disk") {
            tickets.last.map { host.person.authored[$0] != nil } ?? true
        }
        let newcomer = swarm.addNode(keeping: [.thumbnail])
        swarm.introduce(newcomer, to: host)
        return (swarm, newcomer)
    }

    @Test("somebody with an invitation opens a thousand connections a second, and a transfer goes on at its pace")
    func doorbell() throws {
        func time(isRung: Bool) throws -> UInt64 {
            let swarm = try Swarm.joined(2, seed: 120)
            swarm.network.medium.hostRate = 10_000
            let (host, guest) = (swarm.nodes[0], swarm.nodes[1])
            let began = swarm.now
            try swarm.add(4, by: host, .large)
            var rings: UInt64 = 0
            while !swarm.isComplete() {
                try swarm.drive(milliseconds: 1)
                guard isRung else { continue }
                rings += 1
                let challenge = swarm.random.bytes(16)
                let preface = preface(to: challenge, swarm)
                swarm.apply(
                    .accepted(
                        ConnectionID(1 << 40 + rings), host: "10.9.9.9", challenge: challenge, preface: preface,
                        swarm.random.entropy()), to: host)
                if rings > 100_000 { throw Swarm.Failure("no end") }
            }
            host.noteLoad()
            #expect(host.journal.largestLoad.peers <= Limits.peersMax)
            #expect(guest.replica?.livePeers.count == 1)
            return swarm.now - began
        }
        let (alone, rung) = (try time(isRung: false), try time(isRung: true))
        #expect(Double(rung) <= 1.1 * Double(alone), "\(rung) ms instead of \(alone) ms")
    }

    /// Returns the answer to a challenge of a dialler with the secret.
    private func preface(to challenge: [UInt8], _ swarm: Swarm) -> [UInt8] {
        let key = SigningKey(seed: swarm.random.secret())
        var dialler = PeerConnection.dialled(
            credentials: EventCredentials(event: swarm.founding.id, secret: swarm.founding.secret),
            staticKey: AgreementKey(scalar: swarm.random.secret()),
            entropy: .init(ephemeral: swarm.random.secret(), salt: swarm.random.bytes(16)), key: key,
            claims: .init(
                device: DeviceID(key.verifyingKey), instance: swarm.random.bytes(16), wallClockMilliseconds: 1,
                listenPort: 1))
        let sent = dialler.receive(challenge).flatMap { if case .send(let bytes) = $0 { bytes } else { [UInt8]() } }
        return Array(sent.prefix(Preface.byteCount))
    }
}
