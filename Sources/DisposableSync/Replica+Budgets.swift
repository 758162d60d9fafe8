// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The budgets for operations of others, and the rate beyond them (protocol/disposable-v1.md §6.13).
///
/// The budget is that of the sponsor tree of an operation's author, whatever peer sends it: a member may admit any
/// number of devices and sign for all of them. Budgets depend on the stored operations, so reconnecting and restarting
/// change nothing. They delay operations and never exclude one: operations beyond the budget wait, and each tree that
/// delivers has a lane with a minimum rate, so every finite set arrives.
extension Replica {
    /// Whether a budget or lane covers the operation now. If so, it is charged.
    /// - Parameter mayUseLane: false if other operations already wait for the lane.
    mutating func pays(
        for operation: UncheckedOperation, from connection: ConnectionID, mayUseLane: Bool
    ) -> Bool {
        guard let peer = peers[connection] else { return false }
        let header = operation.header
        let (device, units) = (header.device, header.unitCount)
        let tree = tree(of: operation)
        guard
            isUnlimited(device) || isWithinBudget(units, tree, trusts(peer))
                || mayUseLane && spendLane(units, of: connection)
        else { return false }
        reservations[operation.id] = trees.reserve(units, in: tree)
        return true
    }

    /// Whether operations of the device never wait for a budget: those of moderators and organizers.
    func isUnlimited(_ device: DeviceID) -> Bool {
        state.membership.rank(of: device).map { $0 >= .moderator } ?? false
    }

    private mutating func isWithinBudget(_ units: Int, _ tree: SponsorTrees.Tree, _ isByMember: Bool) -> Bool {
        let used = trees.used(tree)
        let pool = trees.used(tree.pool)
        switch tree.pool {
        case .established:
            return used < budgets.establishedTree && (isByMember || state.membership.isMember(tree.root))
        case .removed: return isByMember && pool < budgets.removed
        case .plain:
            if used < budgets.plainTree, pool < budgets.plainForLarge { return true }
            guard used < budgets.smallTree else { return false }
            return pool < budgets.plain || smallTreeRefill.spendIfLevel(units, at: now.milliseconds)
        }
    }

    /// Charges the lane of the tree of the device that delivers, whichever of its devices that is and however often it
    /// reconnects. Peers that are no members share one lane.
    private mutating func spendLane(_ units: Int, of connection: ConnectionID) -> Bool {
        guard let peer = peers[connection], let device = peer.device else { return false }
        var lane = DeviceID(identity.eventKey)
        var perSecond = Limits.laneUnitsPerSecond
        if trusts(peer) {
            let tree = trees.tree(of: device, joins: joins, membership: state.membership)
            lane = tree.root
            let isEstablished = tree.pool == .established && state.membership.isMember(tree.root)
            if isEstablished { perSecond = Limits.operationsPerSecond }
        }
        if lanes.count > 2 * Limits.peersMax {
            let burst = Limits.laneUnitsBurstMax
            lanes = lanes.filter { $0.value.saved(at: now.milliseconds, atMost: burst) < burst }
        }
        var allowance =
            lanes[lane]
            ?? Allowance(
                perSecond: perSecond, burst: Limits.laneUnitsBurstMax, at: now.milliseconds)
        let isPaid = allowance.spendIfLevel(units, at: now.milliseconds)
        lanes[lane] = allowance
        return isPaid
    }

    private mutating func tree(of operation: UncheckedOperation) -> SponsorTrees.Tree {
        var join: Join?
        // The kind first: the body is decoded for that.
        if operation.header.kind == OperationKind.join.rawValue,
            case .join(let admission, let delegation) = operation.content
        {
            join = Join(
                id: operation.id, sponsor: admission.sponsor, isSubKey: delegation != nil, place: joins.count)
        }
        return trees.tree(of: operation.header.device, joining: join, joins: joins, membership: state.membership)
    }

    /// Charges an operation that has entered to its device.
    mutating func countEntered(_ operation: VerifiedOperation) {
        refund(operation.id)
        trees.add(
            operation.header.unitCount, of: operation.header.device, joins: joins, membership: state.membership)
    }

    /// Releases the reservation of an operation that is no longer being verified or stored.
    mutating func refund(_ id: OperationID) {
        if let reservation = reservations.removeValue(forKey: id) { trees.release(reservation) }
    }

    // Waiting

    /// Keeps an operation that no budget covers, if there is room. Reconciliation finds the others again; their rate is
    /// bounded.
    mutating func wait(_ operation: UncheckedOperation, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        if roomsDueAt == nil { roomsDueAt = now.milliseconds + UInt64(Limits.waitingRoomMilliseconds) }
        guard !peer.room.keep(operation) else { return }
        peer.hasMissedOperations = true
        peer.excess.spend(operation.header.unitCount, at: now.milliseconds)
        decline(operation)
    }

    // For people

    /// The sponsor trees with operations that wait for a budget here, those with the most first.
    public var waitingTrees: [WaitingTree] {
        var trees = trees
        let membership = state.membership
        // Several connections may have brought the same operation.
        var waiting: [SponsorTrees.Tree: [OperationID: Int]] = [:]
        for operation in peers.values.flatMap(\.room.operations.values) {
            let tree = trees.tree(of: operation.header.device, joins: joins, membership: membership)
            waiting[tree, default: [:]][operation.id] = operation.byteCount
        }
        guard !waiting.isEmpty else { return [] }
        let counts = joins.keys.reduce(into: [DeviceID: Int]()) { counts, device in
            counts[trees.tree(of: device, joins: joins, membership: membership).root, default: 0] += 1
        }
        return waiting.map { tree, operations in
            WaitingTree(
                root: tree.root, deviceCount: counts[tree.root] ?? 0, unitCount: trees.used(tree),
                operationCount: operations.count, byteCount: operations.values.reduce(0, +),
                isEstablished: tree.pool == .established)
        }.sorted { ($1.operationCount, $0.root) < ($0.operationCount, $1.root) }
    }

    // Declining

    /// Declines an operation of a large tree beyond its budget, so that it is not requested repeatedly, from each peer
    /// that has it, only to be dropped. Operations of small trees soon have a budget and are requested as usual.
    private mutating func decline(_ operation: UncheckedOperation) {
        guard operation.header.set == .content, !trees.isSmall(tree(of: operation), budgets) else { return }
        if declined.isEmpty { declinedUntil = now.milliseconds + UInt64(Limits.declinedMilliseconds) }
        if declined.count < Limits.declinedOperationsMax { declined.insert(operation.id) }
    }

    /// Whether the operation is not requested at present.
    func isDeclined(_ id: OperationID) -> Bool { now.milliseconds < declinedUntil && declined.contains(id) }

    /// Requests declined operations again, since there may be a budget for them.
    mutating func askForDeclined() {
        declined = []
        declinedUntil = 0
    }

    /// Continues waiting operations as far as budgets allow: the authority set first, then the trees with the fewest
    /// stored units. Connections take turns at being first, as they may share a lane.
    mutating func releaseRooms() {
        roomsDueAt = nil
        let waiting = peers.keys.filter { peers[$0]?.room.isEmpty == false }
        roomsTurn &+= 1
        for index in waiting.indices {
            let connection = waiting[(index + roomsTurn % waiting.count) % waiting.count]
            guard let peer = peers[connection] else { continue }
            var ready: [UncheckedOperation] = []
            // If a tree's operation is refused, those behind it are refused, too.
            var refused: Set<SponsorTrees.Tree> = []
            for (tree, operation) in ordered(peer.room.operations.values) {
                guard peer.operationsInProgressCount + ready.count < Limits.operationsInProgressMax else { break }
                if isKnown(operation) || inProgress[operation.id] != nil {
                    peer.room.remove(operation.id)
                } else if !refused.contains(tree) {
                    if pays(for: operation, from: connection, mayUseLane: true) {
                        peer.room.remove(operation.id)
                        ready.append(operation)
                    } else {
                        refused.insert(tree)
                    }
                }
            }
            verify(ready, from: connection)
            if !peer.room.isEmpty { roomsDueAt = now.milliseconds + UInt64(Limits.waitingRoomMilliseconds) }
        }
        if roomsDueAt == nil || now.milliseconds >= declinedUntil { askForDeclined() }
    }

    /// Sorts the operations of one tree by the age of their devices here: a tree that admits devices without end delays
    /// only the later ones.
    private mutating func ordered(
        _ operations: some Collection<UncheckedOperation>
    ) -> [(tree: SponsorTrees.Tree, operation: UncheckedOperation)] {
        typealias Turn = (isContent: Int, used: Int, place: Int, index: Int)
        var turns: [(turn: Turn, tree: SponsorTrees.Tree, operation: UncheckedOperation)] = []
        for (index, operation) in operations.enumerated() {
            let isContent = operation.header.set == .content ? 1 : 0
            let tree = tree(of: operation)
            let place = joins[operation.header.device]?.place ?? .max
            turns.append(((isContent, trees.used(tree), place, index), tree, operation))
        }
        return turns.sorted { $0.turn < $1.turn }.map { ($0.tree, $0.operation) }
    }
}

/// A sponsor tree with operations that wait for a budget at a node (protocol/disposable-v1.md §6.13).
public struct WaitingTree: Equatable, Sendable {
    public let root: DeviceID
    /// Devices of the tree, the root included, members or not.
    public let deviceCount: Int
    /// Units of its stored operations.
    public let unitCount: Int
    /// Operations that wait; more may not have been sent yet.
    public let operationCount: Int
    /// The bytes of these operations, headers and signatures included.
    public let byteCount: Int
    public let isEstablished: Bool
}
