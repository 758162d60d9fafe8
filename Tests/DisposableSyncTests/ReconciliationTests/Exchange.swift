// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableSync

typealias Item = ItemSet.Item

extension SplitMix64 {
    mutating func nextID() -> Bytes32 { Bytes32(words: next(), next(), next(), next()) }

    /// Items in [timestampStart, timestampStart + timestampSpan), as `protocol/vectors` describes generated sets.
    mutating func items(count: Int, timestampStart: UInt64, timestampSpan: UInt64) -> [Item] {
        (0..<count).map { _ in
            let timestamp = timestampStart + next() % timestampSpan
            return Item(timestamp: timestamp, id: nextID())
        }
    }
}

/// A whole reconciliation of two sets, from the first message until the initiator is done.
struct Exchange {
    private(set) var messages: [[UInt8]] = []
    private(set) var have: Set<Bytes32> = []
    private(set) var need: Set<Bytes32> = []
    private(set) var isDone = false

    var roundCount: Int { messages.count / 2 }

    /// Ends without being done after `roundCountMax` rounds.
    init(
        _ initiatorItems: [Item], _ responderItems: [Item], initiatorLimit: Int = 0, responderLimit: Int = 0,
        roundCountMax: Int = 10_000
    ) throws(ReconciliationError) {
        var initiatorSet = ItemSet(initiatorItems)
        var responderSet = ItemSet(responderItems)
        let initiator = ReconciliationInitiator(items: initiatorSet.snapshot(), frameSizeLimit: initiatorLimit)
        let responder = ReconciliationResponder(items: responderSet.snapshot(), frameSizeLimit: responderLimit)
        var message = initiator.initiate()
        for _ in 0..<roundCountMax {
            let answer = try responder.reconcile(message)
            messages += [message, answer]
            let step = try initiator.reconcile(answer)
            have.formUnion(step.have)
            need.formUnion(step.need)
            switch step.next {
            case .send(let next): message = next
            case .done:
                isDone = true
                return
            }
        }
    }
}
