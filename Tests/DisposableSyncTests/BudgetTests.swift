// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("What a member can multiply") struct BudgetTests {
    /// Small, so that a test reaches them.
    private static var small: UnitBudgets {
        var budgets = UnitBudgets()
        (budgets.smallTree, budgets.plainTree, budgets.plain, budgets.establishedTree) = (60, 320, 800, 2_000)
        return budgets
    }

    /// A node with small budgets, and a member that delivers for devices that it has let in.
    private final class Table {
        let puppet: Puppet
        let vouched: [SigningKey]
        /// Members that the organizer has let in.
        let honest: [SigningKey]

        init(vouched vouchedCount: Int = 4, honest honestCount: Int = 3) throws {
            puppet = try Puppet(isMember: true, budgets: BudgetTests.small)
            let puppet = puppet
            vouched = (0..<vouchedCount).map { _ in SigningKey(seed: puppet.random.secret()) }
            honest = (0..<honestCount).map { _ in SigningKey(seed: puppet.random.secret()) }
            puppet.sendInParts(try honest.map { try puppet.join(of: $0) })
            puppet.sendInParts(try vouched.map { try puppet.join(of: $0, sponsoredBy: puppet.key) })
        }

        var contentCount: Int { Int(puppet.replica.summary(of: .content).count) }
        var isMember: (SigningKey) -> Bool {
            { [puppet] in puppet.replica.state.membership.isMember(DeviceID($0.verifyingKey)) }
        }

        /// Operations of 16 KiB, of a kind that nobody knows, by the vouched devices in turn.
        func flood(_ count: Int) throws {
            let operations = try (0..<count).map { number in
                try puppet.unknown(bodyByteCount: Limits.operationBodyByteCountMax, by: vouched[number % vouched.count])
            }
            for message in PeerMessage.packing(operations) { puppet.send(message) }
        }

        /// Sends operations by the device and returns how many of them are accepted at once.
        func bring(_ count: Int, bodyByteCount: Int, by key: SigningKey) throws -> Int {
            let before = contentCount
            let operations = try (0..<count).map { _ in try puppet.unknown(bodyByteCount: bodyByteCount, by: key) }
            for message in PeerMessage.packing(operations) { puppet.send(message) }
            return contentCount - before
        }

        func arrives(_ operation: VerifiedOperation) -> Bool {
            puppet.disk.operations.contains { $0.id == operation.id }
        }
    }

    @Test("devices that one member has let in share one budget, and another member's words pass them on the same line")
    func flood() throws {
        let table = try Table()
        let puppet = table.puppet
        try table.flood(100)
        // 40 of the 320 units are the joins and the puppet's own; each operation costs 16, and the last may overdraw.
        let free = (320 - 5 * 8) / 16 + 1
        let lane = Limits.laneUnitsBurstMax / 16 + 1
        #expect((free...free + lane + 1).contains(table.contentCount), "\(table.contentCount)")
        let waiting = try #require(puppet.replica.waitingTrees.first)
        #expect(puppet.replica.waitingTrees.count == 1)
        #expect(waiting.root == DeviceID(puppet.key.verifyingKey) && waiting.deviceCount == 5 && !waiting.isEstablished)
        #expect(waiting.unitCount >= 320 && waiting.operationCount > 10)
        let name = try puppet.name("Ben", by: table.honest[0])
        let newcomer = SigningKey(seed: puppet.random.secret())
        puppet.send([name, try puppet.join(of: newcomer)])
        #expect(table.arrives(name))
        #expect(table.isMember(newcomer))
        #expect(!puppet.isClosed)
        let before = table.contentCount
        puppet.wait(milliseconds: 32_000)
        // Ten units a second: two seconds' worth of an operation of 16.
        #expect((before + 15...before + 22).contains(table.contentCount), "\(table.contentCount - before)")
    }

    @Test("neither connecting again nor delivering by another device of the tree gives a second lane")
    func oneLane() throws {
        let table = try Table()
        try table.flood(60)
        let before = table.contentCount
        for key in table.vouched {
            try table.puppet.reconnect(as: key)
            try table.flood(20)
        }
        #expect(table.contentCount <= before + 1)
    }

    @Test("what waited arrives in the end, bounded all the while")
    func liveness() throws {
        let swarm = Swarm(seed: 61)
        swarm.budgets = Self.small
        let host = swarm.addNode()
        for _ in 0..<3 { swarm.addNode(keeping: []) }
        swarm.introduceAll()
        try swarm.drive { swarm.agree() }
        let multiplier = swarm.addDishonestPeer(.multiplier, milliseconds: 30_000)
        for node in swarm.nodes where node !== multiplier { swarm.introduce(multiplier, to: node) }
        try swarm.drive(milliseconds: 30_000, within: 2_000_000)
        let photo = try swarm.add(by: swarm.nodes[2], .small)[0]
        try swarm.drive(within: 2_000_000, milliseconds: 5_000, "an honest photo at the host") {
            host.replica?.state.photo(photo) != nil
        }
        let honest = Array(swarm.nodes.prefix(4))
        try swarm.drive(within: 20_000_000, milliseconds: 3_600_000, "equal sets") {
            swarm.agree(honest) && honest.allSatisfy { $0.replica?.load.waitingOperations == 0 }
        }
        let held = Int(host.replica?.summary(of: .content).count ?? 0)
        #expect(held > 100, "the flood was too small to tell: \(held)")
        for node in honest {
            node.noteLoad()
            for row in node.journal.largestLoad.rows { #expect(row.value <= row.limit, "\(row.name)") }
        }
    }

    @Test("operations that are being stored put off comparing sets for half a minute, not for ever")
    func comparing() throws {
        let puppet = try Puppet(isMember: true)
        puppet.answersDisk = false
        puppet.send([try puppet.name("Ben")])
        let other = SetSummary(count: 1, fingerprint: puppet.random.bytes(16))
        var begunAfter: Int?
        for second in 0..<60 where begunAfter == nil {
            puppet.send(.ping(Ping(nonce: UInt64(second), authority: other, content: other)))
            for case .reconcile(_, true, _) in puppet.take() { begunAfter = second }
            puppet.wait(milliseconds: 1_000)
        }
        #expect((10...40).contains(begunAfter ?? .max), "\(String(describing: begunAfter))")
    }

    @Test("a small machine takes less at any speed, and never less than an eighth")
    func smallMachines() {
        let limits = UnitBudgets()
        #expect(UnitBudgets(memoryByteCount: 16 << 30) == limits)
        #expect(UnitBudgets(memoryByteCount: 1 << 30).plainTree == limits.plainTree / 4)
        #expect(UnitBudgets(memoryByteCount: 0).establishedTree == limits.establishedTree / 8)
    }

    @Test("a removal gives the pool back to members, and a device that gets a role is taken at any speed at once")
    func changesOfStanding() throws {
        let table = try Table(vouched: 4, honest: 12)
        let puppet = table.puppet
        // Several trees fill the pool of all plain ones.
        for (number, key) in table.honest.prefix(3).enumerated() {
            let operations = try (0..<20).map { _ in
                try puppet.unknown(bodyByteCount: Limits.operationBodyByteCountMax, by: key)
            }
            for message in PeerMessage.packing(operations) { puppet.send(message) }
            #expect(table.contentCount >= 15 * number)
        }
        let last = table.honest[3]
        func bring(_ count: Int) throws -> Int { try table.bring(count, bodyByteCount: 5_000, by: last) }
        // Its share for small trees, and the lane.
        let first = try bring(40)
        #expect(first < 40)
        rule(.revoke(.participant, of: DeviceID(table.honest[0].verifyingKey).bytes32), puppet)
        rule(.revoke(.participant, of: DeviceID(table.honest[1].verifyingKey).bytes32), puppet)
        puppet.wait(milliseconds: 2_000)
        #expect(puppet.replica.load.waitingOperations == 0)
        rule(.grant(.photographer, to: DeviceID(last.verifyingKey).bytes32), puppet)
        let second = try bring(100)
        #expect(second == 100)
    }

    private func rule(_ ruling: Ruling, _ puppet: Puppet) {
        puppet.apply(.author(.rule(ruling, salt: puppet.random.bytes(16)), by: nil, Ticket(puppet.random.next() >> 32)))
    }

    @Test("a device with many names pays for those that are looked through whenever the last one is shown")
    func names() throws {
        let puppet = try Puppet(isMember: true, budgets: Self.small)
        puppet.sendInParts(try (0..<480).map { try puppet.name("Name \($0)") })
        let count = Int(puppet.replica.summary(of: .content).count)
        #expect((100..<300).contains(count), "\(count)")
        #expect(puppet.replica.waitingTrees.count == 1)
    }

    @Test("a device whose times go back pays for its chain, which is followed again with each of its operations")
    func backdated() throws {
        func count(isBackdated: Bool) throws -> Int {
            let puppet = try Puppet(isMember: true, budgets: Self.small)
            var chain: [VerifiedOperation] = []
            for number in 0..<480 as Range<UInt32> {
                // The first is later than all others; their own times do not fall.
                let late: UInt64 = isBackdated && number == 0 ? 1_000_000 : 0
                chain.append(
                    try VerifiedOperation(
                        draft: Draft(kind: .consent, subject: OperationID(puppet.random.bytes(32))!, body: []),
                        event: puppet.founding.id, sequence: number, previous: chain.last?.id ?? .none,
                        timestamp: HybridTimestamp(
                            milliseconds: NodeClock.epochMilliseconds + late + UInt64(number), counter: 0),
                        key: puppet.key))
            }
            puppet.sendInParts(chain)
            return Int(puppet.replica.summary(of: .content).count)
        }
        let (usual, backdated) = (try count(isBackdated: false), try count(isBackdated: true))
        #expect(usual >= 320 - 8 && usual <= 320 + Limits.laneUnitsBurstMax + 2)
        // An operation costs two units once 128 are here.
        #expect(backdated < usual * 3 / 4 && backdated > 100, "\(backdated) of \(usual)")
    }

    @Test("an operation that completes the proof of what a removal leaves pays for the derivation that it causes")
    func proofs() throws {
        var budgets = UnitBudgets()
        (budgets.plainTree, budgets.plain) = (2_000, 2_000)
        for isBackwards in [false, true] {
            let puppet = try Puppet(isMember: true, budgets: budgets)
            let mallory = SigningKey(seed: puppet.random.secret())
            puppet.send([try puppet.join(of: mallory)])
            var chain: [VerifiedOperation] = []
            for number in 0..<900 as Range<UInt32> {
                chain.append(
                    try VerifiedOperation(
                        draft: Draft(kind: .consent, subject: OperationID(puppet.random.bytes(32))!, body: []),
                        event: puppet.founding.id, sequence: number, previous: chain.last?.id ?? .none,
                        timestamp: HybridTimestamp(
                            milliseconds: NodeClock.epochMilliseconds + UInt64(number), counter: 0),
                        key: mallory))
            }
            puppet.send([chain.removeLast()])
            rule(.revoke(.participant, of: DeviceID(mallory.verifyingKey).bytes32), puppet)
            let before = puppet.replica.state.resolutionCount
            if isBackwards {
                for operation in chain.reversed() { puppet.send([operation]) }
            } else {
                puppet.sendInParts(chain)
            }
            let count = puppet.replica.state.resolutionCount - before
            let arrived = puppet.disk.operations.count { $0.kind == .consent }
            // Half of the 2,000 units are for devices that were removed.
            if isBackwards {
                // Each has those before it examined again: one to four units more.
                #expect((200..<600).contains(count) && (200..<600).contains(arrived), "\(count) of \(arrived)")
            } else {
                #expect(count == 1 && arrived == 900, "\(count) of \(arrived)")
            }
        }
    }

    @Test("operations that are not genuine are not charged to the device that they name")
    func forged() throws {
        let table = try Table()
        let puppet = table.puppet
        let victim = table.honest[0]
        for _ in 0..<60 {
            let good = try puppet.unknown(bodyByteCount: Limits.operationBodyByteCountMax, by: victim)
            let other = try puppet.name("x", by: victim)
            puppet.send(
                .operations([
                    try UncheckedOperation(
                        headerBytes: good.header.bytes, signature: other.signature, body: good.body)
                ]))
            if puppet.isClosed { try puppet.reconnect() }
        }
        #expect(try table.bring(15, bodyByteCount: Limits.operationBodyByteCountMax, by: victim) == 15)
    }

    @Test("forged joins that name a member as their sponsor spend nothing of its budget, nor of the pool")
    func forgedJoins() throws {
        let table = try Table()
        let puppet = table.puppet
        let victim = table.honest[0]
        for _ in 0..<60 {
            let newcomers = (0..<4).map { _ in SigningKey(seed: puppet.random.secret()) }
            let joins = try newcomers.map { try puppet.join(of: $0, sponsoredBy: victim) }
            let forged = try zip(joins, joins.reversed()).map { join, other in
                let good = UncheckedOperation(join)
                return try UncheckedOperation(
                    headerBytes: good.header.bytes, signature: other.signature, body: good.body)
            }
            puppet.send(.operations(forged))
            if puppet.isClosed { try puppet.reconnect() }
        }
        #expect(try table.bring(15, bodyByteCount: Limits.operationBodyByteCountMax, by: victim) == 15)
    }

    @Test("a veil costs as much as sixteen other operations, whether veils are on or not")
    func veils() throws {
        let table = try Table(vouched: 0)
        let puppet = table.puppet
        let before = Int(puppet.replica.summary(of: .authority).count)
        let veils = try (0..<60).map { _ in
            try puppet.operation(.veil, subject: OperationID(puppet.random.bytes(32))!)
        }
        puppet.sendInParts(veils)
        // The puppet's join is 8 of the 320 units; the last may overdraw, and then the lane.
        let count = Int(puppet.replica.summary(of: .authority).count) - before
        let free = (320 - 8) / 16 + 1
        #expect((free...free + Limits.laneUnitsBurstMax / 16 + 2).contains(count), "\(count)")
    }

    @Test("a chain of devices, each let in by the one before, is one tree, and its last device pays from it")
    func chain() throws {
        let table = try Table(vouched: 0)
        let puppet = table.puppet
        var (last, joins): (SigningKey, [VerifiedOperation]) = (puppet.key, [])
        for _ in 0..<30 {
            let next = SigningKey(seed: puppet.random.secret())
            joins.append(try puppet.join(of: next, sponsoredBy: last))
            last = next
        }
        puppet.sendInParts(joins)
        #expect(table.isMember(last))
        // 31 joins of the 320 units, and then the lane.
        #expect(
            try table.bring(100, bodyByteCount: 2_000, by: last) < (320 - 31 * 8) / 2 + 1 + Limits.laneUnitsBurstMax / 2
                + 2)
        let groups = puppet.replica.grouped(puppet.replica.state.membership.devices)
        #expect(groups.map(\.count).max() == 31)
    }
}

extension Puppet {
    /// An operation of a kind that this version does not know.
    func unknown(bodyByteCount: Int, by signer: SigningKey) throws -> UncheckedOperation {
        let body = random.bytes(bodyByteCount)
        let header = OperationHeader(
            kind: 200, flags: [], event: founding.id, device: DeviceID(signer.verifyingKey),
            sequence: 0, previous: .none,
            timestamp: HybridTimestamp(
                milliseconds: NodeClock.epochMilliseconds + random.next() % 1_000_000, counter: 0),
            subject: .none, argument: 0, bodyHash: OperationHeader.hash(ofBody: body), bodyByteCount: UInt32(body.count)
        )
        return try UncheckedOperation(
            headerBytes: header.bytes, signature: signer.signature(for: header.signedBytes), body: body)
    }
}
