// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel

/// One set being reconciled with one peer, seen from the side that began (protocol/disposable-v1.md §10).
struct ReconciliationSession {
    let set: OperationSet
    let initiator: ReconciliationInitiator
    var roundCount = 0
    var lastProgress: UInt64
    /// Ids may be reported more than once under a frame limit.
    var have: Set<Bytes32> = []
    var need: Set<Bytes32> = []
    /// Needed and not yet asked for, once the exchange is over.
    var remaining: Deque<OperationID> = []
    /// What has come from wherever since the session began: not needed any more.
    var arrived: Set<OperationID> = []
    /// Asked for and neither here nor given up; the session ends when all have come.
    var wanted: Set<OperationID> = []
    var isExchanging = true
}
