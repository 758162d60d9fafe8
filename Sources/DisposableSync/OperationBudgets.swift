// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// The budgets for operations of others, and the rate beyond them (protocol/disposable-v1.md §6.13).
///
/// The budget is that of the sponsor tree of an operation's author, whatever peer sends it: a member may admit any
/// number of devices and sign for all of them. Budgets depend on the stored operations, so reconnecting and restarting
/// change nothing. They delay operations and never exclude one: operations beyond the budget wait, and each tree that
/// delivers has a lane with a minimum rate, so every finite set arrives.
///
/// A charge is *reserved* while its operation is verified and stored, then released or counted.
struct OperationBudgets {
    /// The peer that delivers an operation.
    enum Deliverer {
        /// Peers that are no members share one lane.
        case stranger
        /// Whichever device of the tree it is, and however often it reconnects, it uses the lane of its tree.
        case member(SponsorTrees.Tree, rootIsMember: Bool)
    }

    let limits: UnitBudgets
    var trees = SponsorTrees()
    private var reservations: [OperationID: SponsorTrees.Reservation] = [:]
    /// For trees with few stored operations, once there are many of the others.
    private var smallTreeRefill = Allowance(
        perSecond: Limits.operationsPerSecond, burst: Limits.operationsInProgressMax, at: 0)
    /// By the root of the tree that delivers; `nil` for strangers.
    private var lanes = KeyedAllowances<DeviceID?>(
        perSecond: Limits.laneUnitsPerSecond, burst: Limits.laneUnitsBurstMax, countMax: 2 * Limits.peersMax + 1)
    /// The operation allowances of members that have disconnected, for their return.
    var departed: [DeviceID: Allowance] = [:]
    /// Operations without a budget or room, and until when they are not requested.
    private var declined: Set<OperationID> = []
    private var declinedUntil: UInt64 = 0
    /// The number of times that the waiting operations were handled.
    private var turnCount = 0

    init(limits: UnitBudgets) { self.limits = limits }

    // Paying

    /// Whether the tree's budget covers the units now.
    mutating func covers(
        _ units: Int, of tree: SponsorTrees.Tree, isByMember: Bool, rootIsMember: Bool, at now: UInt64
    ) -> Bool {
        let used = trees.used(tree)
        let pool = trees.used(tree.pool)
        switch tree.pool {
        case .established: return used < limits.establishedTree && (isByMember || rootIsMember)
        case .removed: return isByMember && pool < limits.removed
        case .plain:
            if used < limits.plainTree, pool < limits.plainForLarge { return true }
            guard used < limits.smallTree else { return false }
            return pool < limits.plain || smallTreeRefill.spendIfLevel(units, at: now)
        }
    }

    /// Whether the deliverer's lane allows the units now. If so, it is charged.
    mutating func spendLane(_ units: Int, of deliverer: Deliverer, at now: UInt64) -> Bool {
        var lane: DeviceID?
        var perSecond = Limits.laneUnitsPerSecond
        if case .member(let tree, let rootIsMember) = deliverer {
            lane = tree.root
            if tree.pool == .established, rootIsMember { perSecond = Limits.operationsPerSecond }
        }
        guard lanes.isLevel(lane, at: now) else { return false }
        lanes.spend(units, by: lane, perSecond: perSecond, at: now)
        return true
    }

    mutating func reserve(_ units: Int, in tree: SponsorTrees.Tree, for id: OperationID) {
        reservations[id] = trees.reserve(units, in: tree)
    }

    /// Releases the reservation of an operation that is no longer being verified or stored.
    mutating func refund(_ id: OperationID) {
        if let reservation = reservations.removeValue(forKey: id) { trees.release(reservation) }
    }

    /// Returns the connections in the order of this turn: each is the first in its turn, as they may share a lane.
    mutating func takeTurn(of connections: [ConnectionID]) -> [ConnectionID] {
        turnCount &+= 1
        guard !connections.isEmpty else { return [] }
        let first = turnCount % connections.count
        return Array(connections[first...] + connections[..<first])
    }

    // Declining

    /// Declines an operation of a large tree beyond its budget, so that it is not requested repeatedly, from each peer
    /// that has it, only to be dropped. Operations of small trees soon have a budget and are requested as usual.
    mutating func decline(_ id: OperationID, of tree: SponsorTrees.Tree, at now: UInt64) {
        guard !trees.isSmall(tree, limits) else { return }
        if declined.isEmpty { declinedUntil = now + UInt64(Limits.declinedMilliseconds) }
        if declined.count < Limits.declinedOperationsMax { declined.insert(id) }
    }

    /// Whether the operation is not requested at present.
    func isDeclined(_ id: OperationID, at now: UInt64) -> Bool { now < declinedUntil && declined.contains(id) }

    func declinedAreDue(at now: UInt64) -> Bool { now >= declinedUntil }

    /// Has declined operations requested again, since there may be a budget for them.
    mutating func forgetDeclined() { (declined, declinedUntil) = ([], 0) }
}
