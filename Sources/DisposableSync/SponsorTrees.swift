// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Devices by the one that let them in, and how many units of operations of each tree are here: what a member can
/// multiply by letting in devices of its own is counted together (protocol/disposable-v1.md §6.13).
///
/// Used for the pace of delivery alone. It goes by the first join that came here and by the roles that are known here,
/// so nodes may differ about it, and no rule of the fold may read it.
struct SponsorTrees {
    enum Pool: Hashable {
        /// The root has, or ever had, a rank or a role that an organizer gave it.
        case established
        case plain
        /// Devices that are no members any more, or that such a device let in, of trees that are not established.
        case removed
    }

    struct Tree: Hashable {
        let root: DeviceID
        let pool: Pool
    }

    /// What is counted for an operation while it is checked and stored.
    struct Reservation {
        let tree: Tree
        let units: Int
        fileprivate let generation: Int
    }

    /// The root above a device, and whether somebody on the way to it, the device included, is no member.
    private struct Place {
        let root: DeviceID
        let isRemoved: Bool
    }

    /// Units of operations that are here. What is only being checked names devices that may not exist.
    private var usedByDevice: [DeviceID: Int] = [:]
    private var usedByTree: [Tree: Int] = [:]
    private var usedByPool: [Pool: Int] = [:]
    private var places: [DeviceID: Place] = [:]
    /// While this is so the sums are not kept: the next question works them out.
    private var isStale = false
    /// How often the sums were worked out: reservations of before are in them no more.
    private var generation = 0

    /// Ranks may have changed, and with them which tree a device belongs to.
    mutating func standingChanged() { isStale = true }

    /// The tree of a device.
    /// - Parameter join: how it comes in, where that is not here yet.
    mutating func tree(
        of device: DeviceID, joining join: Join? = nil, joins: [DeviceID: Join],
        membership: @autoclosure () -> Membership
    ) -> Tree {
        if isStale { regroup(joins, membership()) }
        let place = places[device] ?? findPlace(of: device, join, joins, membership())
        // Nobody loses by it that an organizer once gave something.
        if membership().isEstablished(place.root) { return Tree(root: place.root, pool: .established) }
        return Tree(root: place.root, pool: place.isRemoved ? .removed : .plain)
    }

    /// Goes up to the root, or to where that was done before, so that a long chain of sponsors costs each device a step.
    private mutating func findPlace(
        of device: DeviceID, _ join: Join?, _ joins: [DeviceID: Join], _ membership: Membership
    ) -> Place {
        var way: [DeviceID] = []
        // A store that was rebuilt may have joins in an order in which sponsors go in circles.
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

    /// An operation has entered.
    mutating func add(
        _ units: Int, of device: DeviceID, joins: [DeviceID: Join], membership: @autoclosure () -> Membership
    ) {
        usedByDevice[device, default: 0] += units
        guard !isStale else { return }
        count(units, in: tree(of: device, joins: joins, membership: membership()))
    }

    /// An operation has come that will belong to this tree, as its device does or, by this operation, will.
    mutating func reserve(_ units: Int, in tree: Tree) -> Reservation {
        count(units, in: tree)
        return Reservation(tree: tree, units: units, generation: generation)
    }

    /// The operation has entered, and is added, or it is not here after all.
    mutating func release(_ reservation: Reservation) {
        guard !isStale, reservation.generation == generation else { return }
        count(-reservation.units, in: reservation.tree)
    }

    func used(_ tree: Tree) -> Int { usedByTree[tree] ?? 0 }
    func used(_ pool: Pool) -> Int { usedByPool[pool] ?? 0 }

    /// Whether a share of the pool is kept for the tree.
    func isSmall(_ tree: Tree, _ budgets: UnitBudgets) -> Bool { tree.pool == .plain && used(tree) < budgets.smallTree }
}

/// How many units of operations a node takes at any speed, by what of them is here. The limits of the protocol; less for
/// a machine with little memory, as an operation takes about a kilobyte of it.
public struct UnitBudgets: Equatable, Sendable {
    /// Of one tree that is not established, and of such trees that have a share of the pool kept for them.
    public var plainTree = Limits.plainTreeUnitsMax
    public var smallTree = Limits.smallTreeUnitsMax
    /// Of all trees that are not established together. The last eighth is for small ones.
    public var plain = Limits.plainUnitsMax
    public var establishedTree = Limits.establishedTreeUnitsMax

    public init() {}

    /// The limits of the protocol on a machine with 4 GiB of memory or more, on a smaller one a share of them, and at
    /// least an eighth.
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
    /// What the operation costs: a unit, one more for each started 1,024 bytes of body beyond the first 1,024. A join
    /// costs eight, as a device costs every node more than one operation.
    var unitCount: Int {
        kind == OperationKind.join.rawValue ? 8 : 1 + max(0, Int(bodyByteCount) - 1) / 1_024
    }
}
