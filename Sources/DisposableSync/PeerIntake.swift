// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The operations that one peer has sent and that are not in the sets yet. Each list is bounded for each peer
/// separately, so that none can crowd out another's; what is dropped, a new reconciliation finds.
struct PeerIntake {
    /// Operations whose author, or whose join's sponsor, is not (yet) a member.
    private(set) var orphans: OrderedDictionary<OperationID, UncheckedOperation> = [:]
    private var orphanByteCount = 0
    /// Operations that no budget covers at present.
    var room = WaitingRoom()
    /// Operations that are being verified or stored.
    private(set) var inProgressCount = 0
    private var hasMissed = false

    /// Whether the pipeline accepts this many operations more.
    func accepts(_ count: Int) -> Bool { inProgressCount + count <= Limits.operationsInProgressMax }
    mutating func begin(_ count: Int) { inProgressCount += count }
    mutating func end(_ count: Int) { inProgressCount -= count }

    /// Records that an operation was dropped.
    mutating func miss() { hasMissed = true }
    /// Whether to request the dropped operations again: nothing is in progress, and the queue is at most half full.
    var mayRecover: Bool { inProgressCount == 0 && hasMissed && room.isHalfEmpty }
    mutating func recover() { hasMissed = false }
    /// Whether every operation that the peer has sent was handled, or waits for a join.
    var isIdle: Bool { inProgressCount == 0 && !hasMissed && room.isEmpty }

    /// Keeps an orphan. The oldest are dropped if there are too many.
    mutating func keep(orphan operation: UncheckedOperation) {
        guard orphans[operation.id] == nil else { return }
        orphans[operation.id] = operation
        orphanByteCount += operation.byteCount
        while orphans.count > Limits.orphansMax || orphanByteCount > Limits.orphanByteCountMax {
            drop(orphan: orphans.keys[0])
            miss()
        }
    }

    mutating func drop(orphan id: OperationID) {
        orphanByteCount -= orphans.removeValue(forKey: id)?.byteCount ?? 0
    }
}
