// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Photos that organizers reveal together, where nodes are apart, and where one of the organizers does not obey.
@Suite("Photos that organizers reveal together") struct ShareStoryTests {
    private static let hour: UInt64 = 3_600_000

    /// The host's node and two more organizers', each with its share; and a guest's.
    private func party(seed: UInt64, reveal: RevealRule = .byHost) throws -> Swarm {
        let swarm = Swarm(seed: seed, reveal: reveal, shares: ShareRule(threshold: 2))
        for _ in 0..<4 { swarm.addNode() }
        swarm.introduceAll()
        try swarm.drive("admission of all") { swarm.agree() }
        let host = swarm.nodes[0]
        for node in swarm.nodes[1...2] {
            swarm.rule(.grant(.organizer, to: node.device.bytes32), by: host, swarm.founding.eventKey)
            try swarm.drive("the grant") { host.replica?.state.membership.rank(of: node.device) == .organizer }
        }
        for (share, node) in zip(swarm.founding.shares, swarm.nodes) {
            let body = OperationBody.encode(
                .share(box: [UInt8](repeating: share.index, count: BlobReference.sealedKeyByteCount)),
                salt: swarm.random.bytes(16))
            #expect(try say(.deal(index: share.index, to: node.device, body: body), by: host, in: swarm) == nil)
        }
        try swarm.settle()
        return swarm
    }

    private func say(_ statement: Statement, by node: SimulatedNode, in swarm: Swarm) throws -> Refusal? {
        let ticket = swarm.say(statement, by: node)
        try swarm.drive("the command") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
        return node.person.refused[ticket]
    }

    private func release(_ place: Int, by node: SimulatedNode, in swarm: Swarm) throws -> Refusal? {
        try say(
            .releaseShares([swarm.founding.shares[place]], salt: swarm.random.bytes(16)), by: node, in: swarm)
    }

    private func isRevealed(_ node: SimulatedNode) -> Bool { node.replica?.state.isRevealed == true }

    @Test("two organizers who are apart publish their shares; the photos are open once the nodes meet, everywhere")
    func apart() throws {
        let swarm = try party(seed: 2_001)
        let (ben, chloe) = (swarm.nodes[1], swarm.nodes[2])
        try swarm.add(2, by: swarm.nodes[3])
        try swarm.settle()
        swarm.partition([chloe])
        #expect(try release(1, by: ben, in: swarm) == nil)
        #expect(try release(2, by: chloe, in: swarm) == nil)
        try swarm.drive(milliseconds: 120_000, within: 1_000_000)
        #expect(swarm.nodes.allSatisfy { !isRevealed($0) })
        #expect(ben.replica?.state.shareStatus?.missingCount == 1)
        #expect(chloe.replica?.state.shareStatus?.missingCount == 1)
        swarm.healAll()
        try swarm.settle(milliseconds: 120_000)
        #expect(swarm.nodes.allSatisfy(isRevealed))
        let digests = Set(swarm.nodes.map { $0.replica?.state.digest })
        #expect(digests.count == 1 && digests.first != Bytes32?.none)
        // Those that have published one are told to state the reveal, for nodes that do not know shares.
        try swarm.drive("the notice") { !ben.journal.revealNotices.isEmpty && !chloe.journal.revealNotices.isEmpty }
        #expect(swarm.nodes[3].journal.revealNotices.isEmpty)
    }

    @Test("one organizer alone opens nothing: by its share, by shares made up, by edits of the time")
    func alone() throws {
        let swarm = try party(seed: 2_002, reveal: .atEnd)
        let ben = swarm.nodes[1]
        try swarm.add(2, by: swarm.nodes[3])
        #expect(try release(1, by: ben, in: swarm) == nil)
        #expect(try release(1, by: ben, in: swarm) == nil)
        let lie = RevealShare(index: 1, value: swarm.founding.shares[1].value)
        #expect(
            try say(.releaseShares([lie], salt: swarm.random.bytes(16)), by: ben, in: swarm) == .noRevealKey)
        var charter = try #require(ben.replica?.state.charter)
        (charter.reveal, charter.isClosed) = (.now, true)
        #expect(
            try say(.edit([.reveal, .isClosed], charter, salt: swarm.random.bytes(16)), by: ben, in: swarm) == nil)
        try swarm.drive(milliseconds: 2 * Self.hour, within: 2_000_000)
        #expect(swarm.nodes.allSatisfy { $0.replica?.state.charter?.reveal == .now && !isRevealed($0) })
        // No node opens photos by itself, the authors' neither.
        #expect(swarm.nodes.allSatisfy { $0.journal.revealNotices.isEmpty })
        #expect(
            swarm.nodes.allSatisfy { node in
                node.replica.map { replica in replica.state.photos.allSatisfy { !replica.state.isOpen($0.id) } } == true
            })
    }

    @Test("a share is given once, by organizers, and a guest publishes none that is not the founder's")
    func commands() throws {
        let swarm = try party(seed: 2_003)
        let (host, guest) = (swarm.nodes[0], swarm.nodes[3])
        let body = OperationBody.encode(
            .share(box: [UInt8](repeating: 1, count: BlobReference.sealedKeyByteCount)), salt: swarm.random.bytes(16))
        #expect(try say(.deal(index: 2, to: guest.device, body: body), by: host, in: swarm) == .nothingToDo)
        #expect(try say(.deal(index: 4, to: guest.device, body: body), by: host, in: swarm) == .nothingToDo)
        #expect(
            try say(.deal(index: 3, to: guest.device, body: body), by: guest, in: swarm)
                == .rankTooLow(needed: .organizer))
        let madeUp = RevealShare(index: 3, value: .zero)
        #expect(
            try say(.releaseShares([madeUp], salt: swarm.random.bytes(16)), by: guest, in: swarm) == .noRevealKey)
        // A device that knows a share can publish it.
        #expect(try release(0, by: guest, in: swarm) == nil)
        #expect(guest.replica?.state.shareStatus?.released == [1])
    }
}
