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

    /// The end of a chain, or of a fork of it.
    struct End: Equatable {
        let id: OperationID
        let set: OperationSet
        /// The number of operations that this end proves, itself included, and that no end of a longer proven chain proves.
        let worth: Int
    }

    /// The ends of the chains of each of `devices`: nearly always one in each set. Takes as long as there are
    /// operations, however they fork.
    func worths(of devices: Set<DeviceID>) -> [DeviceID: [End]] {
        let own = links.filter { devices.contains($0.value.device) }
        let followed = Set(own.compactMap { isProven($0.value, in: own) ? $0.value.previous : nil })
        let ends = own.keys.filter { !followed.contains($0) }
        var depths: [OperationID: Int] = [:]
        for end in ends {
            // Down to what is known already, then up again.
            var way: [OperationID] = []
            var next: OperationID? = end
            while let id = next, depths[id] == nil, let link = own[id] {
                way.append(id)
                next = isProven(link, in: own) ? link.previous : nil
            }
            var depth = next.flatMap { depths[$0] } ?? 0
            for id in way.reversed() {
                depth += 1
                depths[id] = depth
            }
        }
        var marked: Set<OperationID> = []
        var found: [DeviceID: [End]] = [:]
        for end in ends.sorted(by: { (depths[$1] ?? 0, $0) < (depths[$0] ?? 0, $1) }) {
            guard let first = own[end] else { continue }
            var (worth, next) = (0, OperationID?.some(end))
            while let id = next, let link = own[id], marked.insert(id).inserted {
                worth += 1
                next = isProven(link, in: own) ? link.previous : nil
            }
            found[first.device, default: []].append(End(id: end, set: first.set, worth: worth))
        }
        return found
    }

    /// Whether what the operation names as previous is here and is its parent: a chain is one device's in one set,
    /// without a gap; anything else is made up.
    private func isProven(_ link: Link, in links: [OperationID: Link]) -> Bool {
        guard let parent = links[link.previous] else { return false }
        return parent.device == link.device && parent.set == link.set && parent.sequence &+ 1 == link.sequence
    }

    /// The number of operations of each device.
    func counts(of devices: Set<DeviceID>) -> [DeviceID: Int] {
        links.values.reduce(into: [:]) { if devices.contains($1.device) { $0[$1.device, default: 0] += 1 } }
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
    /// - Returns: also which operations are missing, and the devices in whose content some are.
    func ancestry(
        of heads: Set<OperationID>, concerning concerned: Set<DeviceID>
    ) -> (kept: [DeviceID: Set<OperationID>], missing: Set<OperationID>, unproven: Set<DeviceID>) {
        var kept: [DeviceID: Set<OperationID>] = [:]
        var missing: Set<OperationID> = []
        var unproven: Set<DeviceID> = []
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
                    if link.set == .content { unproven.insert(link.device) }
                    break
                }
                guard isProven(link, in: links) else { break }
                (id, link) = (link.previous, next)
            }
        }
        return (kept, missing, unproven)
    }
}
