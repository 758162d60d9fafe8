// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Operations that were pushed on one connection because reconciliation showed that the peer lacked them.
///
/// A peer for which no budget pays at present does not have them in its sets afterwards, so each session would find them
/// again. The peer knows what it did not keep and asks for that itself. The memory is bounded, and forgets: what a peer
/// has lost without noticing is pushed again in the end.
struct PushMemory {
    private var current: Set<OperationID> = []
    private var previous: Set<OperationID> = []
    private var turnsAt: UInt64 = 0

    /// Returns the operations that were not pushed lately, which count as pushed now.
    mutating func news(among ids: [OperationID], at now: UInt64) -> [OperationID] {
        if now >= turnsAt + UInt64(Limits.declinedMilliseconds) { forget() }
        if now >= turnsAt { turn(at: now) }
        let news = ids.filter { !current.contains($0) && !previous.contains($0) }
        for id in news {
            if current.count >= Limits.pushedOperationsMax / 2 { turn(at: now) }
            current.insert(id)
        }
        return news
    }

    private mutating func turn(at now: UInt64) {
        (current, previous) = ([], current)
        turnsAt = now + UInt64(Limits.declinedMilliseconds)
    }

    /// The peer has all of them, or they were not sent after all.
    mutating func forget() { (current, previous) = ([], []) }
}
