// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableSimulation
import DisposableSync
import Testing

@Suite("Statements that wait") struct StatementQueueTests {
    @Test("what keeps order goes first, then one of each key in turn, each key's own in order")
    func turns() {
        var queue = StatementQueue()
        var random = SplitMix64(seed: 1)
        let (one, other) = (SigningKey(seed: random.secret()), SigningKey(seed: random.secret()))
        for number in UInt64(1)...3 { queue.append(.name(body: []), by: one, Ticket(number)) }
        queue.append(.leave, by: nil, Ticket(4))
        queue.append(.name(body: []), by: other, Ticket(5))
        queue.append(.reclaim, by: nil, Ticket(6))
        queue.append(.reveal(secret: .zero, salt: []), by: nil, Ticket(7))
        var order: [UInt64] = []
        while let entry = queue.popFirst() { order.append(entry.ticket.number) }
        #expect(order == [7, 1, 4, 5, 2, 6, 3])
        #expect(queue.isEmpty)
    }
}
