// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Operations that wait for a budget (`OperationBudgets`).
extension Replica {
    /// Whether a budget or lane covers the operation now. If so, it is charged.
    /// - Parameter mayUseLane: false if other operations already wait for the lane.
    mutating func pays(
        for operation: UncheckedOperation, from connection: ConnectionID, mayUseLane: Bool
    ) -> Bool {
        guard let peer = peers[connection] else { return false }
        let header = operation.header
        let (device, units) = (header.device, units(of: header) + proofUnits(of: operation.id))
        let tree = tree(of: operation)
        guard
            isUnlimited(device)
                || pipeline.budgets.covers(
                    units, of: tree, isByMember: trusts(peer), rootIsMember: state.membership.isMember(tree.root),
                    at: now.milliseconds)
                || mayUseLane && spendLane(units, of: peer)
        else { return false }
        pipeline.budgets.reserve(units, in: tree, for: operation.id)
        return true
    }

    /// The cost of an operation here, with that of reading others again because of it: one unit for 128 of them, which
    /// takes about as long.
    private func units(of header: OperationHeader) -> Int {
        header.unitCount + state.album.consequenceCount(of: header) / 128
    }

    /// The cost of deriving ranks again, if the operation completes the proof of what a revocation leaves.
    private func proofUnits(of id: OperationID) -> Int { state.membership.examinedCount(with: id) / 128 }

    /// Returns the cost of the derivation that these operations cause together because they complete a proof, and the
    /// first such device, which pays for it; `nil` if they cause none. To be asked before they enter.
    func proofCharge(of operations: [VerifiedOperation]) -> (units: Int, device: DeviceID)? {
        operations.first { proofUnits(of: $0.id) > 0 }.map { (proofUnits(of: $0.id), $0.header.device) }
    }

    /// Whether operations of the device never wait for a budget: those of moderators and organizers.
    func isUnlimited(_ device: DeviceID) -> Bool {
        state.membership.rank(of: device).map { $0 >= .moderator } ?? false
    }

    private mutating func spendLane(_ units: Int, of peer: Peer) -> Bool {
        guard let device = peer.device else { return false }
        var deliverer = OperationBudgets.Deliverer.stranger
        if trusts(peer) {
            let tree = pipeline.budgets.trees.tree(of: device, joins: index.joins, membership: state.membership)
            deliverer = .member(tree, rootIsMember: state.membership.isMember(tree.root))
        }
        return pipeline.budgets.spendLane(units, of: deliverer, at: now.milliseconds)
    }

    private mutating func tree(of operation: UncheckedOperation) -> SponsorTrees.Tree {
        var join: Join?
        // The kind first: the body is decoded for that.
        if operation.header.kind == OperationKind.join.rawValue,
            case .join(let admission, let delegation) = operation.content
        {
            join = Join(
                id: operation.id, sponsor: admission.sponsor, isSubKey: delegation != nil, place: index.joins.count)
        }
        return pipeline.budgets.trees.tree(
            of: operation.header.device, joining: join, joins: index.joins, membership: state.membership)
    }

    /// Charges an operation that has entered to its device.
    mutating func countEntered(_ operation: VerifiedOperation) {
        pipeline.budgets.refund(operation.id)
        pipeline.budgets.trees.add(
            units(of: operation.header), of: operation.header.device, joins: index.joins, membership: state.membership)
    }

    // Waiting

    /// Keeps an operation that no budget covers, if there is room. Reconciliation finds the others again; their rate is
    /// bounded.
    mutating func wait(_ operation: UncheckedOperation, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        if timers[.waitingRooms] == nil {
            timers[.waitingRooms] = now.milliseconds + UInt64(Limits.waitingRoomMilliseconds)
        }
        guard !peer.intake.room.keep(operation) else { return }
        peer.intake.miss()
        peer.rates.excess.spend(operation.header.unitCount, at: now.milliseconds)
        if operation.header.set == .content {
            pipeline.budgets.decline(operation.id, of: tree(of: operation), at: now.milliseconds)
        }
    }

    // For people

    /// The sponsor trees with operations that wait for a budget here, those with the most first.
    public var waitingTrees: [WaitingTree] {
        var trees = pipeline.budgets.trees
        let membership = state.membership
        // Several connections may have brought the same operation.
        var waiting: [SponsorTrees.Tree: [OperationID: Int]] = [:]
        for operation in peers.values.flatMap(\.intake.room.operations.values) {
            let tree = trees.tree(of: operation.header.device, joins: index.joins, membership: membership)
            waiting[tree, default: [:]][operation.id] = operation.byteCount
        }
        guard !waiting.isEmpty else { return [] }
        let counts = index.joins.keys.reduce(into: [DeviceID: Int]()) { counts, device in
            counts[trees.tree(of: device, joins: index.joins, membership: membership).root, default: 0] += 1
        }
        return waiting.map { tree, operations in
            WaitingTree(
                root: tree.root, deviceCount: counts[tree.root] ?? 0, unitCount: trees.used(tree),
                operationCount: operations.count, byteCount: operations.values.reduce(0, +),
                isEstablished: tree.pool == .established)
        }.sorted { ($1.operationCount, $0.root) < ($0.operationCount, $1.root) }
    }

    /// Continues waiting operations as far as budgets allow: the authority set first, then the trees with the fewest
    /// stored units.
    mutating func releaseRooms() {
        timers[.waitingRooms] = nil
        let waiting = peers.keys.filter { peers[$0]?.intake.room.isEmpty == false }
        for connection in pipeline.budgets.takeTurn(of: Array(waiting)) {
            guard let peer = peers[connection] else { continue }
            var ready: [UncheckedOperation] = []
            // If a tree's operation is refused, those behind it are refused, too.
            var refused: Set<SponsorTrees.Tree> = []
            for (tree, operation) in ordered(peer.intake.room.operations.values) {
                guard peer.intake.accepts(ready.count + 1) else { break }
                if isKnown(operation) || pipeline.contains(operation.id) {
                    peer.intake.room.remove(operation.id)
                } else if !refused.contains(tree) {
                    if pays(for: operation, from: connection, mayUseLane: true) {
                        peer.intake.room.remove(operation.id)
                        ready.append(operation)
                    } else {
                        refused.insert(tree)
                    }
                }
            }
            verify(ready, from: connection)
            if !peer.intake.room.isEmpty {
                timers[.waitingRooms] = now.milliseconds + UInt64(Limits.waitingRoomMilliseconds)
            }
        }
        if timers[.waitingRooms] == nil || pipeline.budgets.declinedAreDue(at: now.milliseconds) {
            pipeline.budgets.forgetDeclined()
        }
    }

    /// Sorts the operations of one tree by the age of their devices here: a tree that admits devices without end delays
    /// only the later ones.
    private mutating func ordered(
        _ operations: some Collection<UncheckedOperation>
    ) -> [(tree: SponsorTrees.Tree, operation: UncheckedOperation)] {
        typealias Turn = (isContent: Int, used: Int, place: Int, index: Int)
        var turns: [(turn: Turn, tree: SponsorTrees.Tree, operation: UncheckedOperation)] = []
        for (position, operation) in operations.enumerated() {
            let isContent = operation.header.set == .content ? 1 : 0
            let tree = tree(of: operation)
            let place = index.joins[operation.header.device]?.place ?? .max
            turns.append(((isContent, pipeline.budgets.trees.used(tree), place, position), tree, operation))
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
