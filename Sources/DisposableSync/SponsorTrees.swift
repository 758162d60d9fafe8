// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Devices by their sponsor, and the units of stored operations of each tree: what a member can multiply by admitting
/// devices of its own is counted together (protocol/disposable-v1.md §6.13).
///
/// Used for the pace of delivery alone. It depends on the first join that arrived here and on the roles that are known
/// here, so nodes may differ about it, and no rule of the fold may read it.
struct SponsorTrees {
    enum Pool: Hashable {
        /// The root has, or ever had, a rank or a role from an organizer.
        case established
        case plain
        /// Devices that are no longer members, or that such a device admitted, in trees that are not established.
        case removed
    }

    struct Tree: Hashable {
        let root: DeviceID
        let pool: Pool
    }

    /// The charge for an operation while it is verified and stored.
    struct Reservation {
        let tree: Tree
        let units: Int
        fileprivate let generation: Int
    }

    /// The root above a device, and whether a device on the path to it, the device itself included, is no member.
    private struct Place {
        let root: DeviceID
        let isRemoved: Bool
    }

    /// Units of stored operations. Operations that are only being verified name devices that may not exist.
    private var usedByDevice: [DeviceID: Int] = [:]
    private var usedByTree: [Tree: Int] = [:]
    private var usedByPool: [Pool: Int] = [:]
    private var places: [DeviceID: Place] = [:]
    /// Whether the sums are out of date; the next query recomputes them.
    private var isStale = false
    /// The number of recomputations: earlier reservations are no longer in the sums.
    private var generation = 0

    /// Handles a change of ranks, which may move devices between trees.
    mutating func standingChanged() { isStale = true }

    /// Returns the tree of a device.
    /// - Parameter join: the device's join, if it has not entered yet.
    mutating func tree(
        of device: DeviceID, joining join: Join? = nil, joins: [DeviceID: Join],
        membership: @autoclosure () -> Membership
    ) -> Tree {
        if isStale { regroup(joins, membership()) }
        let place = places[device] ?? findPlace(of: device, join, joins, membership())
        // Being established never reduces a budget, even if the role was lost.
        if membership().isEstablished(place.root) { return Tree(root: place.root, pool: .established) }
        return Tree(root: place.root, pool: place.isRemoved ? .removed : .plain)
    }

    /// Walks up to the root, or to a known place, so that a long chain of sponsors costs each device one step.
    private mutating func findPlace(
        of device: DeviceID, _ join: Join?, _ joins: [DeviceID: Join], _ membership: Membership
    ) -> Place {
        var way: [DeviceID] = []
        // A rebuilt store may have joins in an order with cycles of sponsors.
        var seen: Set<DeviceID> = []
        var top = device
        while places[top] == nil, !membership.isEstablished(top), seen.insert(top).inserted,
            let next = joins[top] ?? (top == device ? join : nil),
            next.isSubKey || !membership.isEstablished(next.sponsor)
        {
            way.append(top)
            top = next.sponsor
        }
        func isRemoved(_ member: DeviceID) -> Bool {
            if member == device, joins[device] == nil, let join { return membership.rank(of: join.sponsor) == nil }
            return !membership.isMember(member)
        }
        var place = places[top] ?? Place(root: top, isRemoved: isRemoved(top))
        if joins[top] != nil || membership.isEstablished(top) { places[top] = place }
        for member in way.reversed() where member != top {
            place = Place(root: place.root, isRemoved: place.isRemoved || isRemoved(member))
            if joins[member] != nil { places[member] = place }
        }
        return place
    }

    private mutating func regroup(_ joins: [DeviceID: Join], _ membership: Membership) {
        isStale = false
        generation += 1
        (places, usedByTree, usedByPool) = ([:], [:], [:])
        for (device, units) in usedByDevice {
            count(units, in: tree(of: device, joins: joins, membership: membership))
        }
    }

    private mutating func count(_ units: Int, in tree: Tree) {
        let used = usedByTree[tree, default: 0] + units
        usedByTree[tree] = used == 0 ? nil : used
        usedByPool[tree.pool, default: 0] += units
    }

    /// Counts an operation that has entered.
    mutating func add(
        _ units: Int, of device: DeviceID, joins: [DeviceID: Join], membership: @autoclosure () -> Membership
    ) {
        usedByDevice[device, default: 0] += units
        guard !isStale else { return }
        count(units, in: tree(of: device, joins: joins, membership: membership()))
    }

    /// Charges an operation in progress to the tree that its device is in, or will be in by this operation.
    mutating func reserve(_ units: Int, in tree: Tree) -> Reservation {
        count(units, in: tree)
        return Reservation(tree: tree, units: units, generation: generation)
    }

    /// Releases the charge of an operation that has entered and is counted, or that was not stored after all.
    mutating func release(_ reservation: Reservation) {
        guard !isStale, reservation.generation == generation else { return }
        count(-reservation.units, in: reservation.tree)
    }

    func used(_ tree: Tree) -> Int { usedByTree[tree] ?? 0 }
    func used(_ pool: Pool) -> Int { usedByPool[pool] ?? 0 }

    /// Whether the tree has a reserved share of the pool.
    func isSmall(_ tree: Tree, _ budgets: UnitBudgets) -> Bool { tree.pool == .plain && used(tree) < budgets.smallTree }
}

/// The units of operations that a node accepts at any speed, given what is stored. The limits of the protocol; less for
/// a machine with little memory, since an operation takes about a kilobyte of it.
public struct UnitBudgets: Equatable, Sendable {
    /// The limits of one tree that is not established, and of such a tree with a reserved share of the pool.
    public var plainTree = Limits.plainTreeUnitsMax
    public var smallTree = Limits.smallTreeUnitsMax
    /// The limit of all trees together that are not established. The last eighth is for small ones.
    public var plain = Limits.plainUnitsMax
    public var establishedTree = Limits.establishedTreeUnitsMax

    public init() {}

    /// Uses the limits of the protocol on a machine with 4 GiB of memory or more, and a share of them on a smaller one,
    /// at least an eighth.
    public init(memoryByteCount: UInt64) {
        let share = max(1, min(64, Int(clamping: memoryByteCount >> 26)))
        func part(_ limit: Int) -> Int { limit * max(share, 8) / 64 }
        (plainTree, smallTree) = (part(plainTree), part(smallTree))
        (plain, establishedTree) = (part(plain), part(establishedTree))
    }

    var plainForLarge: Int { plain - plain / 8 }
    var removed: Int { plain / 2 }
}

extension OperationHeader {
    /// The cost of the operation: a unit, plus one for each started 1,024 bytes of body beyond the first 1,024. A join
    /// costs eight, since a device costs every node more than one operation; a twinning costs three more, since two
    /// more signatures are checked; a veil costs sixteen, since each decision about a photo reads all of them.
    var unitCount: Int {
        let size = 1 + max(0, Int(bodyByteCount) - 1) / 1_024
        return switch knownKind {
        case .join: 8
        case .twinning: 3 + size
        case .veil: 16
        default: size
        }
    }
}
