// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel

/// The reconciliation of one set with one peer, on the side that began (protocol/disposable-v1.md §10).
struct ReconciliationSession {
    let set: OperationSet
    let initiator: ReconciliationInitiator
    var roundCount = 0
    var lastProgress: UInt64
    /// Ids may be reported more than once under a frame limit.
    var have: Set<Bytes32> = []
    var need: Set<Bytes32> = []
    /// Needed and not yet requested, once the exchange is over.
    var remaining: Deque<OperationID> = []
    /// Operations that have arrived from any peer since the session began, and are no longer needed.
    var arrived: Set<OperationID> = []
    /// Requested and neither received nor given up; the session ends when all have arrived.
    var wanted: Set<OperationID> = []
    var isExchanging = true
}
