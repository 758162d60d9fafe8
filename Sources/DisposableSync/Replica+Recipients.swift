// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The devices to which an organizer's node seals a new secret (protocol/disposable-v1.md §9.11).
///
/// A member may admit devices without end. So that these do not take the places of others, devices with a role from an
/// organizer come first, and then one of each sponsor tree in turn. The fold reads the boxes that exist; nodes need not
/// agree on how they were chosen.
extension Replica {
    /// This device, and at most `Limits.sealedRecipientsMax` with it, in the order of their keys.
    var recipients: [DeviceID] {
        let inside = Set(state.insideNodes).union([device])
        guard inside.count > Limits.sealedRecipientsMax else { return inside.sorted() }
        // In order of arrival of their joins here: an attacker adds devices later, and it chooses its own timestamps.
        func isFirst(_ left: DeviceID, _ right: DeviceID) -> Bool {
            (index.joins[left]?.place ?? 0, left) < (index.joins[right]?.place ?? 0, right)
        }
        var chosen: OrderedSet = [device]
        chosen.append(contentsOf: inside.filter(state.membership.isEstablished).sorted(by: isFirst))
        var trees = grouped(inside.subtracting(chosen)).map { $0.sorted(by: isFirst) }
            .sorted { isFirst($0[0], $1[0]) }
        var round = 0
        while chosen.count < Limits.sealedRecipientsMax, !trees.isEmpty {
            for members in trees { chosen.append(members[round]) }
            round += 1
            trees.removeAll { $0.count == round }
        }
        return chosen.prefix(Limits.sealedRecipientsMax).sorted()
    }

    /// The number of nodes that would be given a new secret now, and of those with the current one that would have to
    /// wait.
    public var recipientCounts: (given: Int, leftOut: Int) {
        let given = recipients.count
        return (given, Set(state.insideNodes).union([device]).count - given)
    }

    /// Groups the devices by sponsor tree, in the order of the trees' roots.
    public func grouped(_ devices: some Sequence<DeviceID>) -> [[DeviceID]] {
        var trees = pipeline.budgets.trees
        let membership = state.membership
        return Dictionary(grouping: devices) { device in
            trees.tree(of: device, joins: index.joins, membership: membership).root
        }.sorted { $0.key < $1.key }.map(\.value)
    }
}
