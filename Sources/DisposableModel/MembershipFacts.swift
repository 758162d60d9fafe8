// SPDX-License-Identifier: Apache-2.0

/// The known joins, grants, revocations, lists and leaves, counting or not: `Standing` and `Membership` are computed
/// from these.
struct MembershipFacts: Equatable, Sendable {
    /// A join, by which its sponsor admits a device.
    struct Join: Equatable, Sendable {
        let sponsor: DeviceID
        let guest: AuthorID?
        let epoch: OperationID
    }

    private(set) var joins: [DeviceID: [OperationID: Join]] = [:]
    /// The devices that each sponsor has admitted.
    private(set) var sponsored: [DeviceID: Set<DeviceID>] = [:]
    /// The devices that sign for a guest, by the node that has admitted them, and by the guest.
    private(set) var subKeysByNode: [DeviceID: Set<DeviceID>] = [:]
    private(set) var subKeysByGuest: [AuthorID: Set<DeviceID>] = [:]
    private(set) var subKeys: Set<DeviceID> = []
    var grants: [OperationID: Grant] = [:]
    var revocations: [OperationID: Revocation] = [:]
    /// The grants and revocations of each device, counting or not.
    var rulings: [DeviceID: Set<OperationID>] = [:]
    var lists: [OperationID: [OperationID]] = [:]
    var leaves: [DeviceID: Set<OperationID>] = [:]

    /// Replaces each list among a revocation's heads by the operations that the list names. A list that is named in
    /// a list is ignored, so there are no cycles.
    func expanded(_ heads: Set<OperationID>) -> Set<OperationID> {
        guard heads.contains(where: { lists[$0] != nil }) else { return heads }
        return heads.reduce(into: []) { expanded, head in
            guard let named = lists[head] else { return expanded.formUnion([head]) }
            expanded.formUnion(named.lazy.filter { lists[$0] == nil })
        }
    }

    /// Returns whether the join adds something new about its device.
    mutating func add(_ join: Join, of device: DeviceID, by id: OperationID) -> Bool {
        joins[device, default: [:]][id] = join
        let isNewForSponsor = sponsored[join.sponsor, default: []].insert(device).inserted
        guard let guest = join.guest else { return isNewForSponsor }
        subKeys.insert(device)
        let isOfNewNode = subKeysByNode[join.sponsor, default: []].insert(device).inserted
        let isForNewGuest = subKeysByGuest[guest, default: []].insert(device).inserted
        return isNewForSponsor || isOfNewNode || isForNewGuest
    }
}
