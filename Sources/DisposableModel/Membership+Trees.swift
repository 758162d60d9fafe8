// SPDX-License-Identifier: Apache-2.0

/// The trees of devices that a member can multiply (protocol/disposable-v1.md §9.20).
extension Membership {
    /// Returns the device under which what `device` and others can multiply is counted together: from the device to the
    /// sponsors of its joins, up to the first whose sponsor, or which itself, is established; sub-keys go with their
    /// node. Of several joins that count, the one with the smallest id decides. If the sponsors form a cycle, the
    /// tree is that of the cycle's smallest device. Every node gets the same result.
    public func sponsorTree(of device: DeviceID) -> DeviceID {
        var trees = TreeSearch(self)
        return trees.tree(of: device)
    }

    /// Returns the sponsor in whose tree the device is; `nil` if it is the first of its own.
    fileprivate func treeSponsor(of device: DeviceID) -> DeviceID? {
        // A member can multiply its joins, so they are not sorted here.
        guard !isEstablished(device), let join = decidingJoins(of: device).min(by: { $0.key < $1.key })?.value,
            join.guest != nil || !isEstablished(join.sponsor)
        else { return nil }
        return join.sponsor
    }

    /// Whether the device is a node and a member that has not departed, and signs for no guest.
    public func isNode(_ device: DeviceID) -> Bool {
        facts.joins[device] != nil && isMember(device) && !hasLeft(device) && author(of: device) == AuthorID(device)
    }

    /// Returns the node by which `device` adds photos: itself, or, of a device that signs for a guest, its sponsor. Of
    /// several joins that count, the one with the smallest id decides.
    public func node(of device: DeviceID) -> DeviceID {
        guard author(of: device) != AuthorID(device) else { return device }
        return decidingJoins(of: device).min { $0.key < $1.key }?.value.sponsor ?? device
    }

    /// Returns the joins by which `device` is a member, smallest id first; if none counts, those by which it was one.
    public func joins(of device: DeviceID) -> [(id: OperationID, sponsor: DeviceID)] {
        decidingJoins(of: device).map { ($0.key, $0.value.sponsor) }.sorted { $0.0 < $1.0 }
    }

    /// Whether a join of the device under that epoch counts.
    public func hasEntered(_ device: DeviceID, under epoch: OperationID) -> Bool {
        (facts.joins[device] ?? [:]).contains { id, join in
            join.epoch == epoch && admitted.contains(join.sponsor) && isLeft(join, id, of: device)
        }
    }

    /// Returns the joins of `device` that count; if none counts, all that it has.
    func decidingJoins(of device: DeviceID) -> [OperationID: MembershipFacts.Join] {
        let joins = facts.joins[device] ?? [:]
        let counting = joins.filter { admitted.contains($0.value.sponsor) && isLeft($0.value, $0.key, of: device) }
        return counting.isEmpty ? joins : counting
    }
}

/// Finds the sponsor trees of many devices. It remembers those on the way, so that a long chain of sponsors costs each
/// device one step: a member can let in devices one by the other, and have each ask for veils.
struct TreeSearch {
    private let membership: Membership
    private var known: [DeviceID: DeviceID] = [:]

    init(_ membership: Membership) { self.membership = membership }

    mutating func tree(of device: DeviceID) -> DeviceID {
        var (way, places, top) = ([DeviceID](), [DeviceID: Int](), device)
        while known[top] == nil, places[top] == nil, let sponsor = membership.treeSponsor(of: top) {
            places[top] = way.count
            way.append(top)
            top = sponsor
        }
        let smallestOfCycle = places[top].flatMap { way[$0...].min() }
        let tree = known[top] ?? smallestOfCycle ?? top
        for member in way { known[member] = tree }
        return tree
    }
}
