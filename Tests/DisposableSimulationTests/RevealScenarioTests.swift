// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// When photos that are shown later are opened, and who cannot hurry it.
@Suite("Photos that are shown later") struct RevealScenarioTests {
    private static let hour: UInt64 = 3_600_000
    /// An hour after the start of every run.
    private static let planned = NodeClock.epochMilliseconds + hour

    /// The host's node and two guests', all met.
    private func party(seed: UInt64, guestClock: Int64 = 0, reveal: RevealRule = .at(planned)) throws -> Swarm {
        let swarm = Swarm(seed: seed, reveal: reveal)
        swarm.addNode()
        for _ in 0..<2 { swarm.addNode(clockOffset: guestClock) }
        swarm.introduceAll()
        try swarm.drive("admission of all") { swarm.agree() }
        return swarm
    }

    private func settled(_ ticket: Ticket, by node: SimulatedNode, in swarm: Swarm) throws -> Refusal? {
        try swarm.drive("the statement") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        return node.person.refused[ticket]
    }

    @Test("a lone node whose clock runs a year ahead is never told to open anything")
    func loneNode() throws {
        let swarm = try party(seed: 60, guestClock: 365 * 24 * Int64(Self.hour))
        let lone = swarm.nodes[1]
        try swarm.add(2, by: lone)
        swarm.cut(lone, swarm.nodes[0])
        swarm.cut(lone, swarm.nodes[2])
        try swarm.drive(milliseconds: 2 * Self.hour, within: 2_000_000)
        #expect(lone.journal.revealNotices.isEmpty)
        // The host's clock is right, and it is alone, too.
        #expect(swarm.nodes[0].journal.revealNotices.isEmpty == false)
        #expect(swarm.nodes[0].journal.revealNotices.first == 0)
    }

    @Test("two guests who agree on a wrong time do not open anything before the host's clock says so")
    func wrongTogether() throws {
        let swarm = try party(seed: 61, guestClock: 24 * Int64(Self.hour))
        try swarm.drive(milliseconds: Self.hour - 120_000, within: 2_000_000)
        #expect(swarm.nodes.allSatisfy { $0.journal.revealNotices.isEmpty })
        try swarm.drive(milliseconds: 240_000, within: 2_000_000)
        #expect(swarm.nodes[1].journal.revealNotices.first == 0)
    }

    @Test("the host's word opens everything everywhere, on those who were away as well")
    func hostReveals() throws {
        let swarm = try party(seed: 62, reveal: .byHost)
        let (host, here, away) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        let photos = try swarm.add(2, by: here)
        try swarm.settle()
        swarm.cut(away, host)
        swarm.cut(away, here)
        let more = try swarm.add(2, by: away)
        let secret = swarm.founding.revealKey.disclosed
        let refusal = try settled(
            swarm.say(.reveal(secret: secret, salt: swarm.random.bytes(16)), by: host), by: host, in: swarm)
        #expect(refusal == nil)
        try swarm.drive("the reveal here") { here.replica?.state.isRevealed == true }
        #expect(away.replica?.state.isRevealed == false)
        #expect(photos.allSatisfy { away.replica?.state.isOpen($0) == false })
        swarm.healAll()
        try swarm.settle()
        #expect((photos + more).allSatisfy { photo in swarm.nodes.allSatisfy { $0.replica!.state.isOpen(photo) } })
    }

    @Test("a member who makes up a key reveals nothing, on its own node or elsewhere")
    func madeUpKey() throws {
        let swarm = try party(seed: 63, reveal: .byHost)
        let liar = swarm.nodes[1]
        try swarm.add(1, by: swarm.nodes[2])
        let secret = Bytes32([UInt8](repeating: 7, count: 32))!
        let ticket = swarm.say(.reveal(secret: secret, salt: swarm.random.bytes(16)), by: liar)
        #expect(try settled(ticket, by: liar, in: swarm) == .noRevealKey)
        // Its program does not ask: the operation is on its disk, and all get it.
        let previous = try #require(
            liar.disk.operations.last {
                $0.header.device == DeviceID(liar.deviceKey.verifyingKey) && $0.header.set == .authority
            })
        let lie = try VerifiedOperation(
            draft: Draft(kind: .reveal, body: OperationBody.encode(.reveal(secret), salt: swarm.random.bytes(16))),
            event: swarm.founding.id, sequence: previous.header.sequence + 1, previous: previous.id,
            timestamp: previous.header.timestamp, key: liar.deviceKey)
        swarm.crash(liar)
        _ = liar.disk.write([lie], durably: true)
        swarm.start(liar)
        try swarm.drive("all have the lie") {
            swarm.agree() && swarm.nodes[2].disk.operations.contains { $0.id == lie.id }
        }
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.isRevealed == false })
        #expect(swarm.nodes.allSatisfy { $0.journal.revealNotices.isEmpty })
    }

    @Test("an author opens its own photo for all, and nobody opens somebody else's")
    func keyRelease() throws {
        let swarm = try party(seed: 64)
        let (anna, ben) = (swarm.nodes[1], swarm.nodes[2])
        let photo = try swarm.add(1, by: anna)[0]
        try swarm.settle()
        let keys = ReleasedKeys(thumbnail: .zero, preview: nil, original: nil)
        let body = OperationBody.encode(.keyRelease(keys), salt: swarm.random.bytes(16))
        #expect(
            try settled(swarm.say(.keyRelease(photo, body: body), by: ben), by: ben, in: swarm) == .notYours(photo))
        #expect(try settled(swarm.say(.keyRelease(photo, body: body), by: anna), by: anna, in: swarm) == nil)
        try swarm.settle()
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.isOpen(photo) == true })
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.isRevealed == false })
    }
}
