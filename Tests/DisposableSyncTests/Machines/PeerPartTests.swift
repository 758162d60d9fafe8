// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Liveness of a connection") struct LivenessTests {
    private let ping = UInt64(Limits.pingMilliseconds)
    private let silence = UInt64(Limits.silenceMillisecondsMax)
    private let shorter = UInt64(Limits.silenceWhileWaitingMillisecondsMax)

    @Test("a silent peer is lost after the limit, sooner if it owes answers")
    func silenceLimit() {
        let liveness = Liveness(at: 1_000)
        #expect(!liveness.isLost(isOwed: false, at: 1_000 + silence - 1))
        #expect(liveness.isLost(isOwed: false, at: 1_000 + silence))
        #expect(liveness.isLost(isOwed: true, at: 1_000 + shorter))
        #expect(liveness.isPingDue(isOwed: true, at: 1_000 + shorter / 2))
        #expect(!liveness.isPingDue(isOwed: false, at: 1_000 + shorter / 2))
        #expect(liveness.nextDeadline == 1_000 + silence)
    }

    @Test("a ping is due regularly, and only its own answer tells the round trip")
    func pings() {
        var liveness = Liveness(at: 1_000)
        liveness.pinged(7, at: 1_000)
        #expect(liveness.pingDueAt == 1_000 + ping && liveness.pingedAt == 1_000)
        var isAnswer = liveness.answered(8, at: 1_020)
        #expect(!isAnswer && liveness.roundTripMilliseconds == nil)
        isAnswer = liveness.answered(7, at: 1_030)
        #expect(isAnswer && liveness.roundTripMilliseconds == 30)
        liveness.ping(before: 1_500)
        liveness.ping(before: 2_500)
        #expect(!liveness.isPingDue(isOwed: false, at: 1_499))
        #expect(liveness.isPingDue(isOwed: false, at: 1_500))
    }

    @Test("a connection in doubt ends soon, unless anything is received; a pause does not count")
    func doubt() {
        var liveness = Liveness(at: 1_000)
        liveness.excuse(until: 3_000)
        liveness.doubt(at: 2_000)
        let end = 3_000 + UInt64(Limits.probeMillisecondsMax)
        #expect(liveness.isInDoubt && liveness.nextDeadline == end)
        #expect(!liveness.isLost(isOwed: false, at: end - 1))
        #expect(liveness.isLost(isOwed: false, at: end))
        liveness.received(at: 3_100)
        #expect(!liveness.isInDoubt && !liveness.isLost(isOwed: false, at: end))
    }
}

@Suite("The outbox of a peer") struct OutboxTests {
    @Test("operations are read in batches, one at a time, while the network has room")
    func batches() throws {
        var (outbox, chain) = (Outbox(), TestChain())
        let ids = try chain.sign(Limits.operationsPerMessageMax + 1).map(\.id)
        outbox.append(ids)
        #expect(outbox.mayRead && !outbox.isOpen)
        var batch = outbox.read(Ticket(1))
        #expect(batch == Array(ids.dropLast()) && outbox.isReading(Ticket(1)) && !outbox.mayRead)
        outbox.endReading()
        var isInTime = outbox.sent(Limits.outboundByteCountMax)
        #expect(isInTime && !outbox.mayRead)
        outbox.taken(1)
        batch = outbox.read(Ticket(2))
        #expect(batch == [ids.last])
        #expect(outbox.operationCount == 0 && !outbox.isReading(Ticket(1)))
        isInTime = outbox.sent(Limits.unsentByteCountMax)
        #expect(!isInTime)
    }

    @Test("too many operations are all dropped, and a ping follows what is sent")
    func limit() throws {
        var (outbox, chain) = (Outbox(), TestChain())
        let id = try chain.id()
        outbox.append(Array(repeating: id, count: Limits.outgoingOperationsMax))
        outbox.pingAtEnd()
        var pings = outbox.takePing()
        #expect(!pings)
        outbox.append([id])
        #expect(outbox.operationCount == 0)
        pings = outbox.takePing()
        #expect(pings)
        pings = outbox.takePing()
        #expect(!pings)
    }

    @Test("the latest inventory of each device waits once; those without one make room")
    func inventories() {
        var outbox = Outbox()
        let devices = (0..<3).map { TestChain(seed: $0).device }
        outbox.append(allInventories: [devices[0], devices[1]])
        outbox.append(inventoryOf: devices[0]) { _ in true }
        outbox.append(inventoryOf: devices[2]) { _ in true }
        #expect(outbox.hasInventories && outbox.inventoryCount == 3)
        let next = (0..<4).map { _ in outbox.nextInventory() }
        #expect(next == [devices[0], devices[1], devices[2], nil])
    }
}
