// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Exchange of operations") struct ExchangeTests {
    @Test("two members with different photos end equal")
    func twoMembers() throws {
        let swarm = try Swarm.joined(2, seed: 10)
        let (host, other) = (swarm.nodes[0], swarm.nodes[1])
        swarm.cut(host, other)
        try swarm.add(5, by: host)
        try swarm.add(4, by: other, .large)
        #expect(!swarm.agree())
        swarm.healAll()
        try swarm.settle()
        #expect(host.replica?.state.gallery.count == 9)
    }

    @Test("two add while the third is cut off, then all are equal", arguments: [true, false])
    func partition(isNoticed: Bool) throws {
        let swarm = try Swarm.joined(3, seed: 11)
        let third = swarm.nodes[2]
        for other in swarm.nodes.prefix(2) { swarm.cut(third, other, isNoticed: isNoticed) }
        try swarm.add(3, by: swarm.nodes[0])
        try swarm.add(3, by: swarm.nodes[1])
        try swarm.add(2, by: third)
        try swarm.settle(Array(swarm.nodes.prefix(2)))
        #expect(!swarm.agree())
        swarm.healAll()
        try swarm.settle(milliseconds: 200_000)
    }

    @Test("a new photo reaches a third node over a second hop without reconciling")
    func livePush() throws {
        let swarm = Swarm(seed: 12)
        let (first, second, third) = (swarm.addNode(), swarm.addNode(), swarm.addNode())
        swarm.cut(first, third)
        swarm.introduce(second, to: first)
        swarm.introduce(third, to: second)
        try swarm.drive { swarm.agree() }
        try swarm.drive(milliseconds: 2_000)
        let delivered = swarm.network.links.map { $0.deliveredByteCount.reduce(0, +) }.reduce(0, +)
        try swarm.add(by: first, .small)
        try swarm.drive(milliseconds: 90) { swarm.agree() }
        // Three operations of 500 bytes over two links, and no set summaries or reconciliation beside them.
        let more = swarm.network.links.map { $0.deliveredByteCount.reduce(0, +) }.reduce(0, +) - delivered
        #expect(more < 5_000)
    }

    @Test("two statements at once keep one chain")
    func oneChain() throws {
        let swarm = try Swarm.joined(2, seed: 13)
        let node = swarm.nodes[1]
        let tickets = (0..<6).map { _ in swarm.say(swarm.photo(of: node), by: node) }
        try swarm.drive { tickets.allSatisfy { node.person.authored[$0] != nil } }
        let own = node.disk.operations.filter { $0.header.device == node.device && $0.header.set == .content }
        #expect(own.map(\.header.sequence) == Array(0..<18))
        for (earlier, later) in zip(own, own.dropFirst()) { #expect(later.header.previous == earlier.id) }
    }

    @Test("a roll that is full refuses the next photo, and says how many it takes")
    func rollFull() throws {
        let swarm = try Swarm.joined(2, seed: 14, frames: 2)
        let node = swarm.nodes[1]
        let tickets = (0..<3).map { _ in swarm.say(swarm.photo(of: node), by: node) }
        try swarm.drive { tickets.allSatisfy { node.person.authored[$0] != nil || node.person.refused[$0] != nil } }
        #expect(node.person.refused[tickets[2]] == .rollFull(limit: 2))
        try swarm.settle()
        #expect(swarm.nodes[0].replica?.state.gallery.count == 2)
    }

    @Test("what is not one's own to say is refused")
    func refusals() throws {
        let swarm = try Swarm.joined(2, seed: 15)
        let (host, other) = (swarm.nodes[0], swarm.nodes[1])
        let photo = try swarm.add(by: host)[0]
        try swarm.settle()
        let unknown = PhotoID(BLAKE2b.hash([1]))
        let tickets = [
            swarm.say(.remove(photo), by: other), swarm.say(.remove(unknown), by: other),
            swarm.say(.name(body: [1, 2, 3]), by: other),
        ]
        try swarm.remove(photo, by: host)
        let again = swarm.say(.remove(photo), by: host)
        #expect(
            tickets.map { other.person.refused[$0] } == [
                .notYours(photo), .unknownPhoto(unknown.short),
                .malformed(.malformedBody(kind: OperationKind.name.rawValue)),
            ])
        #expect(host.person.refused[again] == .alreadyRemoved(photo))
        let stranger = swarm.addNode()
        let ticket = swarm.say(swarm.photo(of: stranger), by: stranger)
        #expect(stranger.person.refused[ticket] == .notAdmitted)
    }

    @Test("a statement that the disk does not take is refused, and the next one takes its place in the chain")
    func statementNotStored() throws {
        let swarm = try Swarm.joined(2, seed: 16)
        let node = swarm.nodes[1]
        node.storage.isFull = true
        let ticket = swarm.say(swarm.photo(of: node), by: node)
        try swarm.drive { node.person.refused[ticket] != nil }
        #expect(node.person.refused[ticket] == .notStored)
        node.storage.isFull = false
        try swarm.add(by: node)
        try swarm.settle()
        #expect(node.replica?.state.gallery.count == 1)
    }

    @Test("who has missed three hundred operations gets them and hardly a byte beside them", arguments: 0..<2)
    func missedOperations(missing: Int) throws {
        // Not one in which both dial in the same moment and begin twice.
        let swarm = Swarm(seed: 24)
        for _ in 0..<2 { swarm.addNode(keeping: []) }
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        let (late, host) = (swarm.nodes[missing], swarm.nodes[1 - missing])
        swarm.cut(late, host)
        try swarm.add(10, by: late, .small)
        let before = host.disk.operations.count
        try swarm.add(host.index == 0 ? 100 : 25, by: host, .small)
        let missed = host.disk.operations[before...].reduce(0) { $0 + UncheckedOperation($1).byteCount }
        let links = swarm.network.links.count
        swarm.healAll()
        try swarm.drive { swarm.agree() }
        try swarm.drive(milliseconds: 1_000)
        let delivered = swarm.network.links[links...].reduce(0) { $0 + $1.deliveredByteCount.reduce(0, +) }
        let both = missed + 30 * 450
        // Handshake and pings are some 1,500 bytes, what an operation's frame and fields add 10 or so.
        #expect(
            delivered < both + both / 12 + 6_000,
            "\(delivered) bytes for \(both): \(swarm.network.links[links...].map(\.deliveredByteCount))")
        for node in swarm.nodes { #expect(node.replica?.livePeers.allSatisfy(\.isSynchronized) == true) }
    }

    @Test("who states a thousand things at once is not held up by anybody, since it does so at the pace of the event")
    func pace() throws {
        let swarm = try Swarm.joined(2, seed: 23, frames: 0)
        let node = swarm.nodes[1]
        let began = swarm.now
        try swarm.add(400, by: node, .small)
        let seconds = (1_200 - Limits.operationsBurstMax) / Limits.operationsPerSecond
        #expect(swarm.now - began >= UInt64(seconds) * 1_000 - 200)
        try swarm.settle(milliseconds: 20_000)
        #expect(swarm.nodes[0].journal.pauseCount == 0)
    }

    @Test("operations that the disk does not take are found again")
    func operationsNotStored() throws {
        let swarm = try Swarm.joined(2, seed: 17)
        swarm.nodes[1].storage.isFull = true
        try swarm.add(3, by: swarm.nodes[0])
        try swarm.drive(milliseconds: 20_000)
        #expect(swarm.nodes[1].replica?.state.gallery.isEmpty == true)
        swarm.nodes[1].storage.isFull = false
        try swarm.settle(milliseconds: 60_000)
    }

    @Test("a thousand photos reconcile to a newcomer within few steps and seconds", arguments: [true, false])
    func thousandPhotos(dials: Bool) throws {
        let swarm = Swarm(seed: 18)
        let host = swarm.addNode()
        try swarm.add(1_000, by: host, .small)
        let newcomer = swarm.addNode()
        if dials { swarm.introduce(newcomer, to: host) } else { swarm.introduce(host, to: newcomer) }
        let began = swarm.now
        try swarm.drive(within: 1_000, milliseconds: 20_000, askingEvery: 1, "operations") { swarm.agree() }
        #expect(swarm.now - began < 2_000)
        try swarm.settle(within: 40_000, milliseconds: 20_000)
    }

    @Test("a newcomer among several members waits for none of them", arguments: UInt64(0)..<2)
    func severalMembers(seed: UInt64) throws {
        let swarm = try Swarm.joined(4, seed: 40 + seed)
        for node in swarm.nodes { try swarm.add(node.index == 0 ? 60 : 27, by: node, .small) }
        try swarm.settle()
        let newcomer = swarm.addNode()
        for node in swarm.nodes.dropLast() { swarm.introduce(newcomer, to: node) }
        // Nothing in it has to wait for a session to be given up.
        try swarm.settle(milliseconds: UInt64(Limits.reconciliationIdleMillisecondsMax) / 2)
    }

    @Test("more operations than may be checked at once are found again without waiting for a ping")
    func moreThanInProgress() throws {
        let swarm = Swarm(seed: 19)
        let host = swarm.addNode()
        try swarm.add(2_000, by: host, .small)
        let newcomer = swarm.addNode(keeping: [])
        // Its checks take longer than the network needs to bring everything.
        swarm.checkMilliseconds = 1_000
        swarm.introduce(host, to: newcomer)
        try swarm.drive(within: 5_000, milliseconds: 14_000, "operations") { swarm.agree() }
    }

    @Test("who says what it has while something of it is being stored does not wait for the next ping")
    func busyAtPing() throws {
        let puppet = try Puppet(isMember: true, photos: 3)
        puppet.answersDisk = false
        puppet.send([try puppet.name("Ben")])
        let nothing = SetSummary(count: 0, fingerprint: [UInt8](repeating: 1, count: 16))
        puppet.send(.ping(Ping(nonce: 1, authority: nothing, content: nothing)))
        puppet.answerDisk()
        _ = puppet.take()
        puppet.wait(milliseconds: 2_000)
        #expect(
            puppet.received.contains { message in
                switch message {
                case .ping, .reconcile: true
                default: false
                }
            })
    }

    @Test("an operation that a liar spoils while an honest peer sends it comes from the honest one")
    func spoiledOperation() throws {
        let swarm = try Swarm.joined(3, seed: 20)
        let (liar, honest, victim) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for other in [liar, honest] { swarm.cut(victim, other) }
        try swarm.add(30, by: liar, .small)
        try swarm.settle([liar, honest])
        liar.storage.alterLoad = { operations in
            operations.map { operation in
                operation.header.set == .authority
                    ? operation
                    : VerifiedOperation(
                        id: operation.id, header: operation.header, signature: operations[0].signature,
                        body: operation.body, content: operation.content)
            }
        }
        swarm.workMilliseconds = 0...200
        swarm.healAll()
        try swarm.drive(milliseconds: 20_000) { victim.sets == honest.sets }
        #expect(victim.replica?.state.digest == honest.replica?.state.digest)
    }

    @Test("operations that a liar gave without their bodies get them from an honest peer")
    func strippedBodies() throws {
        let swarm = try Swarm.joined(3, seed: 21)
        let (liar, honest, victim) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        for other in [liar, honest] { swarm.cut(victim, other) }
        try swarm.add(5, by: liar)
        try swarm.settle([liar, honest])
        liar.storage.alterLoad = { operations in
            operations.map { operation in
                operation.header.set == .authority
                    ? operation
                    : VerifiedOperation(
                        id: operation.id, header: operation.header, signature: operation.signature, body: nil,
                        content: nil)
            }
        }
        swarm.heal(victim, liar)
        try swarm.drive("operations without bodies") { victim.sets == liar.sets }
        #expect(victim.replica?.missingBlobCount == 0)
        swarm.heal(victim, honest)
        try swarm.drive(milliseconds: 60_000, "blobs") { victim.journal.completed.count == 15 }
        try swarm.check([honest, victim])
    }
}
