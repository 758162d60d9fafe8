// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Operations that a peer has no budget for are not pushed again and again") struct PushMemoryTests {
    /// A peer that keeps no operation of the content set, and what the replica has sent it so far.
    private final class Reluctant {
        let puppet: Puppet
        private var nonce: UInt64 = 0

        init() throws {
            puppet = try Puppet(isMember: true, photos: 3)
            puppet.wait(milliseconds: 5_000)
            _ = puppet.take()
        }

        /// Compares sets with the replica, which begins a session.
        /// - Returns: the operations that the session brings.
        func session() throws -> Set<OperationID> {
            nonce += 1
            let content = SetSummary(count: 1, fingerprint: [UInt8](repeating: 1, count: Fingerprint.byteCount))
            puppet.send(
                .ping(Ping(nonce: nonce, authority: puppet.replica.summary(of: .authority), content: content)))
            var pushed: Set<OperationID> = []
            for set in [OperationSet.authority, .content] {
                let messages = puppet.take()
                let beginning = messages.compactMap { message in
                    if case .reconcile(set, true, let bytes) = message { bytes } else { nil }
                }
                let reply = try responder(for: set).reconcile(try #require(beginning.first))
                puppet.send(.reconcile(set: set, isInitiator: false, message: reply))
            }
            for case .operations(let operations) in puppet.take() { pushed.formUnion(operations.map(\.id)) }
            return pushed
        }

        private func responder(for set: OperationSet) -> ReconciliationResponder {
            let known = set == .authority ? puppet.disk.operations.filter { $0.header.set == .authority } : []
            var items = ItemSet(
                known.map { ItemSet.Item(timestamp: $0.header.timestamp.milliseconds, id: $0.id.bytes32) })
            return ReconciliationResponder(
                items: items.snapshot(), frameSizeLimit: Limits.reconciliationMessageByteCountMax)
        }

        var content: Set<OperationID> {
            Set(puppet.disk.operations.filter { $0.header.set == .content }.map(\.id))
        }

        /// Time in which the connection stays alive and the sets are not compared.
        func wait(seconds: UInt64) {
            for _ in 0..<seconds / 10 {
                puppet.wait(milliseconds: 10_000)
                puppet.send(.have(Have()))
            }
            _ = puppet.take()
        }
    }

    @Test("a session pushes what the peer lacks; the next one does not, unless there is something new")
    func once() throws {
        let peer = try Reluctant()
        let all = peer.content
        #expect(try peer.session() == all)
        peer.wait(seconds: 10)
        #expect(try peer.session() == [])
    }

    @Test("a peer that has room now asks for what was pushed before, and gets it")
    func wanted() throws {
        let peer = try Reluctant()
        let all = try peer.session()
        peer.puppet.send(.want(all.sorted(), set: .content))
        var sent: Set<OperationID> = []
        for case .operations(let operations) in peer.puppet.take() { sent.formUnion(operations.map(\.id)) }
        #expect(sent == all)
    }

    @Test("it is pushed again on another connection, and on the same one after a while")
    func again() throws {
        let peer = try Reluctant()
        let all = try peer.session()
        peer.wait(seconds: 2 * UInt64(Limits.declinedMilliseconds) / 1_000)
        #expect(try peer.session() == all)
        try peer.puppet.reconnect()
        peer.puppet.wait(milliseconds: 6_000)
        _ = peer.puppet.take()
        #expect(try peer.session() == all)
    }

    @Test("a node with little room gets all of a large delivery in the end, most of it once")
    func delivery() throws {
        let swarm = Swarm(seed: 71, frames: 0)
        let (host, author) = (swarm.addNode(keeping: []), swarm.addNode(keeping: []))
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        // The budgets of one that starts later.
        (swarm.budgets.smallTree, swarm.budgets.plainTree, swarm.budgets.plain) = (60, 320, 800)
        let late = swarm.addNode(keeping: [])
        swarm.cut(author, late)
        swarm.introduce(late, to: host)
        try swarm.drive { swarm.agree() }
        swarm.cut(host, late)
        let before = author.disk.operations.count
        try swarm.add(600, by: author, .small)
        try swarm.drive(within: 2_000_000) { swarm.agree([host, author]) }
        let missed = author.disk.operations[before...].reduce(0) { $0 + UncheckedOperation($1).byteCount }
        let links = swarm.links.count
        swarm.healAll()
        swarm.cut(author, late)
        try swarm.drive(within: 20_000_000, milliseconds: 1_200_000, "equal sets") { swarm.agree() }
        let delivered = swarm.links[links...].reduce(0) { $0 + $1.deliveredByteCount.reduce(0, +) }
        #expect(Double(delivered) < 2.2 * Double(missed), "\(delivered) bytes for \(missed)")
    }
}
