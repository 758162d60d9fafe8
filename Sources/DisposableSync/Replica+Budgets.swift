// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// How much of what others bring is taken at any speed, and how fast the rest (protocol/disposable-v1.md §6.13).
///
/// What counts is the sponsor tree of an operation's author, whatever peer brings it: a member may let in any number of
/// devices and speak for all of them. Budgets go by what is here, so reconnecting and restarting change nothing.
/// They delay operations and never keep one out: what nothing pays for at present waits, and each tree that delivers has
/// a lane that pays for some units a second, so every finite set arrives.
extension Replica {
    /// Whether something pays for the operation now. Then it is counted.
    /// - Parameter mayUseLane: not where others wait for the lane already.
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

    /// Operations of moderators and organizers never wait for a budget.
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

    /// The lane belongs to the tree of the device that delivers, whichever of its devices that is and however often it
    /// reconnects. Peers that are no members share one.
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
        // The kind first: what a body says is decoded for that.
        if operation.header.kind == OperationKind.join.rawValue,
            case .join(let admission, let delegation) = operation.content
        {
            join = Join(
                id: operation.id, sponsor: admission.sponsor, isSubKey: delegation != nil, place: joins.count)
        }
        return trees.tree(of: operation.header.device, joining: join, joins: joins, membership: state.membership)
    }

    /// An operation has entered: it counts for its device.
    mutating func countEntered(_ operation: VerifiedOperation) {
        refund(operation.id)
        trees.add(
            operation.header.unitCount, of: operation.header.device, joins: joins, membership: state.membership)
    }

    /// The operation is not being checked or stored any more.
    mutating func refund(_ id: OperationID) {
        if let reservation = reservations.removeValue(forKey: id) { trees.release(reservation) }
    }

    // Waiting

    /// Keeps an operation that nothing pays for, where there is room. What has no room is found again by reconciling;
    /// how fast it is brought is bounded.
    mutating func wait(_ operation: UncheckedOperation, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        if roomsDueAt == nil { roomsDueAt = now.milliseconds + UInt64(Limits.waitingRoomMilliseconds) }
        guard !peer.room.keep(operation) else { return }
        peer.hasMissedOperations = true
        peer.excess.spend(operation.header.unitCount, at: now.milliseconds)
        decline(operation)
    }

    // For people

    /// The sponsor trees of which operations wait for a budget here, those with the most waiting first.
    public var waitingTrees: [WaitingTree] {
        var trees = trees
        let membership = state.membership
        var waiting: [SponsorTrees.Tree: Set<OperationID>] = [:]
        for operation in peers.values.flatMap(\.room.operations.values) {
            let tree = trees.tree(of: operation.header.device, joins: joins, membership: membership)
            waiting[tree, default: []].insert(operation.id)
        }
        guard !waiting.isEmpty else { return [] }
        let counts = joins.keys.reduce(into: [DeviceID: Int]()) { counts, device in
            counts[trees.tree(of: device, joins: joins, membership: membership).root, default: 0] += 1
        }
        return waiting.map { tree, operations in
            WaitingTree(
                root: tree.root, deviceCount: counts[tree.root] ?? 0, unitCount: trees.used(tree),
                operationCount: operations.count, isEstablished: tree.pool == .established)
        }.sorted { ($1.operationCount, $0.root) < ($0.operationCount, $1.root) }
    }

    // Declining

    /// What a large tree has too much of is not asked for again and again, of each peer that has it, only to be dropped.
    /// Operations of small trees have a budget soon: they are asked for as ever.
    private mutating func decline(_ operation: UncheckedOperation) {
        guard operation.header.set == .content, !trees.isSmall(tree(of: operation), budgets) else { return }
        if declined.isEmpty { declinedUntil = now.milliseconds + UInt64(Limits.declinedMilliseconds) }
        if declined.count < Limits.declinedOperationsMax { declined.insert(operation.id) }
    }

    /// Whether the operation is not asked for at present.
    func isDeclined(_ id: OperationID) -> Bool { now.milliseconds < declinedUntil && declined.contains(id) }

    /// There may be a budget for what was declined.
    mutating func askForDeclined() {
        declined = []
        declinedUntil = 0
    }

    /// What waits goes on, as far as something pays for it: the authority set first, then those trees of which the
    /// fewest units are here. Connections take turns at being first, as they may share a lane.
    mutating func releaseRooms() {
        roomsDueAt = nil
        let waiting = peers.keys.filter { peers[$0]?.room.isEmpty == false }
        roomsTurn &+= 1
        for index in waiting.indices {
            let connection = waiting[(index + roomsTurn % waiting.count) % waiting.count]
            guard let peer = peers[connection] else { continue }
            var ready: [UncheckedOperation] = []
            // What is refused to a tree is refused to what stands behind it.
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

    /// Of one tree the devices that came in first go first: one that lets in devices without end holds up those alone.
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

/// A sponsor tree of which operations wait for a budget at a node (protocol/disposable-v1.md §6.13).
public struct WaitingTree: Equatable, Sendable {
    public let root: DeviceID
    /// Devices of the tree, the root included, whether they are members or not.
    public let deviceCount: Int
    /// Units of its operations that are here.
    public let unitCount: Int
    /// Operations that wait; more may not have been brought yet.
    public let operationCount: Int
    public let isEstablished: Bool
}
