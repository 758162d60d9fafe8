// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// To which devices an organizer's node seals a new secret (protocol/disposable-v1.md §9.11).
///
/// A member may let in devices without end. So that these do not take the places of others, devices that an organizer
/// has given something come first, and then one of each sponsor tree in turn. The fold reads the boxes that are there;
/// who chose them, and how, needs no agreement.
extension Replica {
    /// This device, and at most `Limits.sealedRecipientsMax` with it, in the order of their keys.
    var recipients: [DeviceID] {
        let inside = Set(state.insideNodes).union([device])
        guard inside.count > Limits.sealedRecipientsMax else { return inside.sorted() }
        let met = Set(peers.values.filter { !isOutdated($0) }.compactMap(\.device)).union(renewed)
        func isFirst(_ left: DeviceID, _ right: DeviceID) -> Bool {
            let (leftPlace, rightPlace) = (joins[left]?.place ?? 0, joins[right]?.place ?? 0)
            return met.contains(left) != met.contains(right) ? met.contains(left) : leftPlace < rightPlace
        }
        var chosen: OrderedSet = [device]
        chosen.append(contentsOf: inside.filter(state.membership.isEstablished).sorted(by: isFirst))
        var trees = Dictionary(grouping: inside.subtracting(chosen), by: sponsorTree).values.map {
            $0.sorted(by: isFirst)
        }
        .sorted { isFirst($0[0], $1[0]) }
        var round = 0
        while chosen.count < Limits.sealedRecipientsMax, !trees.isEmpty {
            for members in trees { chosen.append(members[round]) }
            round += 1
            trees.removeAll { $0.count == round }
        }
        return chosen.prefix(Limits.sealedRecipientsMax).sorted()
    }

    /// How many nodes would be given a new secret now, and how many that have the current one would have to wait.
    public var recipientCounts: (given: Int, leftOut: Int) {
        let given = recipients.count
        return (given, Set(state.insideNodes).union([device]).count - given)
    }

    /// The device at the root of a device's sponsor tree.
    public func sponsorTree(of device: DeviceID) -> DeviceID {
        SponsorTrees.tree(of: device, joins: joins, membership: state.membership).root
    }
}
