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
        /// Devices that are no members any more, of trees that are not established.
        case removed
    }

    struct Tree: Hashable {
        let root: DeviceID
        let pool: Pool
    }

    /// Units of operations that are here, or are being checked.
    private var usedByDevice: [DeviceID: Int] = [:]
    private var usedByTree: [Tree: Int] = [:]
    private var usedByPool: [Pool: Int] = [:]
    private var trees: [DeviceID: Tree] = [:]
    /// While this is so the sums are not kept: the next question works them out.
    private var isStale = false

    /// Ranks may have changed, and with them which tree a device belongs to.
    mutating func standingChanged() { isStale = true }

    /// The tree of a device.
    /// - Parameter join: how it comes in, where that is not here yet.
    mutating func tree(
        of device: DeviceID, joining join: Join? = nil, joins: [DeviceID: Join],
        membership: @autoclosure () -> Membership
    ) -> Tree {
        if isStale { regroup(joins, membership()) }
        if let tree = trees[device] { return tree }
        let membership = membership()
        let tree = Self.tree(of: device, joining: join, joins: joins, membership: membership)
        if joins[device] != nil || membership.isEstablished(device) { trees[device] = tree }
        return tree
    }

    /// The tree of a device as it is derived, without what is kept here.
    static func tree(
        of device: DeviceID, joining join: Join? = nil, joins: [DeviceID: Join], membership: Membership
    ) -> Tree {
        var root = device
        var isMember = membership.isMember(device)
        var seen: Set<DeviceID> = []
        // A store that was rebuilt may have joins in an order in which sponsors go in circles.
        while !membership.isEstablished(root), seen.insert(root).inserted {
            guard let join = joins[root] ?? (root == device ? join : nil) else { break }
            if root == device, joins[root] == nil { isMember = membership.rank(of: join.sponsor) != nil }
            guard join.isSubKey || !membership.isEstablished(join.sponsor) else { break }
            root = join.sponsor
        }
        guard !membership.isEstablished(root) else { return Tree(root: root, pool: .established) }
        return Tree(root: root, pool: isMember ? .plain : .removed)
    }

    private mutating func regroup(_ joins: [DeviceID: Join], _ membership: Membership) {
        isStale = false
        (trees, usedByTree, usedByPool) = ([:], [:], [:])
        for (device, units) in usedByDevice {
            count(units, in: tree(of: device, joins: joins, membership: membership))
        }
    }

    private mutating func count(_ units: Int, in tree: Tree) {
        usedByTree[tree, default: 0] += units
        usedByPool[tree.pool, default: 0] += units
    }

    /// Operations of a device have come, or (negative) are not here after all.
    mutating func add(
        _ units: Int, of device: DeviceID, joins: [DeviceID: Join], membership: @autoclosure () -> Membership
    ) {
        usedByDevice[device, default: 0] += units
        guard !isStale else { return }
        count(units, in: tree(of: device, joins: joins, membership: membership()))
    }

    /// An operation has come that will belong to this tree, as its device does or, by this operation, will.
    mutating func add(_ units: Int, of device: DeviceID, in tree: Tree) {
        usedByDevice[device, default: 0] += units
        count(units, in: tree)
    }

    func used(_ tree: Tree) -> Int { usedByTree[tree] ?? 0 }
    func used(_ pool: Pool) -> Int { usedByPool[pool] ?? 0 }
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
