// SPDX-License-Identifier: Apache-2.0

/// The links between all known operations: the proof that a revocation leaves an operation.
struct OperationChains: Equatable, Sendable {
    struct Link: Equatable {
        let device: DeviceID
        let previous: OperationID
        let sequence: UInt32
        let set: OperationSet
        let milliseconds: UInt64
    }
    private var links: [OperationID: Link] = [:]

    /// Returns false for a duplicate.
    mutating func insert(_ operation: VerifiedOperation) -> Bool {
        let header = operation.header
        let link = Link(
            device: header.device, previous: header.previous, sequence: header.sequence, set: header.set,
            milliseconds: header.timestamp.milliseconds)
        return links.updateValue(link, forKey: operation.id) == nil
    }

    func contains(_ operation: OperationID) -> Bool { links[operation] != nil }

    subscript(operation: OperationID) -> Link? { links[operation] }

    /// Returns the devices of the known operations among these.
    func devices(of operations: Set<OperationID>) -> Set<DeviceID> {
        operations.reduce(into: []) { devices, id in if let link = links[id] { devices.insert(link.device) } }
    }

    /// The end of a chain, or of a fork of it.
    struct End: Equatable {
        let id: OperationID
        let set: OperationSet
        /// The number of operations that this end proves, itself included, and that no end of a longer proven chain
        /// proves.
        let worth: Int
    }

    /// Returns the ends of the chains of each of `devices`: nearly always one in each set. Takes time linear in the
    /// number of operations, however they fork.
    func worths(of devices: Set<DeviceID>) -> [DeviceID: [End]] {
        let own = links.filter { devices.contains($0.value.device) }
        let followed = Set(own.compactMap { isProven($0.value, in: own) ? $0.value.previous : nil })
        let ends = own.keys.filter { !followed.contains($0) }
        var depths: [OperationID: Int] = [:]
        for end in ends {
            // Walk down to a known operation, then up again.
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

    /// Whether the operation that is named as previous is known and is the parent: a chain belongs to one device and
    /// one set and has no gap; anything else is invented.
    private func isProven(_ link: Link, in links: [OperationID: Link]) -> Bool {
        guard let parent = links[link.previous] else { return false }
        return parent.device == link.device && parent.set == link.set && parent.sequence &+ 1 == link.sequence
    }

    /// Returns the number of operations of each device.
    func counts(of devices: Set<DeviceID>) -> [DeviceID: Int] {
        links.values.reduce(into: [:]) { if devices.contains($1.device) { $0[$1.device, default: 0] += 1 } }
    }

    /// Returns the heads and their known ancestors in the chains of the authority set.
    func authority(endingAt heads: Set<OperationID>) -> Set<OperationID> {
        var found: Set<OperationID> = []
        for head in heads {
            var id = head
            while let link = links[id], link.set == .authority, found.insert(id).inserted { id = link.previous }
        }
        return found
    }

    /// Returns the heads and their known ancestors, by device. A missing operation proves nothing, so a chain ends
    /// there until the proof arrives.
    /// - Returns: also the missing operations, and the devices with missing content operations.
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
            // The ancestors of an operation that is already kept are kept as well.
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
