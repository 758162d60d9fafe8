// SPDX-License-Identifier: Apache-2.0

/// Which operation follows which, for all that are here: what proves that a revocation leaves an operation standing.
struct OperationChains: Equatable, Sendable {
    private struct Link: Equatable {
        let device: DeviceID
        let previous: OperationID
        let sequence: UInt32
        let set: OperationSet
    }
    private var links: [OperationID: Link] = [:]

    /// Returns false for an operation that is here already.
    mutating func insert(_ operation: VerifiedOperation) -> Bool {
        let header = operation.header
        let link = Link(
            device: header.device, previous: header.previous, sequence: header.sequence, set: header.set)
        return links.updateValue(link, forKey: operation.id) == nil
    }

    func contains(_ operation: OperationID) -> Bool { links[operation] != nil }

    /// The devices of those operations that are here.
    func devices(of operations: Set<OperationID>) -> Set<DeviceID> {
        operations.reduce(into: []) { devices, id in if let link = links[id] { devices.insert(link.device) } }
    }

    /// The ends of the chains of each of `devices`: nearly always one in each set.
    func ends(of devices: Set<DeviceID>) -> [DeviceID: [OperationID]] {
        var ends: [DeviceID: Set<OperationID>] = [:]
        for (id, link) in links where devices.contains(link.device) { ends[link.device, default: []].insert(id) }
        for link in links.values where devices.contains(link.device) { ends[link.device]?.remove(link.previous) }
        return ends.mapValues { $0.sorted() }
    }

    /// Of the chains of authority, the heads and all that they are known to follow.
    func authority(endingAt heads: Set<OperationID>) -> Set<OperationID> {
        var found: Set<OperationID> = []
        for head in heads {
            var id = head
            while let link = links[id], link.set == .authority, found.insert(id).inserted { id = link.previous }
        }
        return found
    }

    /// The heads and all that they are known to follow, by device. What is not here proves nothing, so a chain ends
    /// where an operation is missing, as proof may come.
    func ancestry(
        of heads: Set<OperationID>, concerning concerned: Set<DeviceID>
    ) -> (kept: [DeviceID: Set<OperationID>], missing: Set<OperationID>) {
        var kept: [DeviceID: Set<OperationID>] = [:]
        var missing: Set<OperationID> = []
        for head in heads {
            guard let first = links[head] else {
                missing.insert(head)
                continue
            }
            guard concerned.contains(first.device) else { continue }
            var (id, link) = (head, first)
            // What was kept before has its ancestors kept as well.
            while kept[link.device, default: []].insert(id).inserted, link.previous != .none {
                guard let next = links[link.previous] else {
                    missing.insert(link.previous)
                    break
                }
                // A chain is one device's in one set, without a gap; anything else is made up.
                guard next.device == link.device, next.set == link.set, next.sequence &+ 1 == link.sequence else {
                    break
                }
                (id, link) = (link.previous, next)
            }
        }
        return (kept, missing)
    }
}
