// SPDX-License-Identifier: Apache-2.0

/// The links between all known operations: the proof that a revocation leaves an operation.
struct OperationChains: Equatable, Sendable {
    struct Link: Equatable {
        let device: DeviceID
        let previous: OperationID
        let sequence: UInt32
        let set: OperationSet
        /// Whether it has a body that the fold does not read and that belongs to no photo, name or annotation by
        /// itself: an original, released keys, and kinds of later versions. It is discarded only together with
        /// everything of its device.
        let isLoose: Bool
        let milliseconds: UInt64

        init(_ header: OperationHeader, kind: OperationKind?) {
            (device, previous, sequence, set) = (header.device, header.previous, header.sequence, header.set)
            milliseconds = header.timestamp.milliseconds
            isLoose =
                switch kind {
                case .original, .keyRelease, .twinning: true
                case nil: header.bodyByteCount > 0
                default: false
                }
        }
    }
    /// In the order of arrival, with the place of each: a table of places grows faster than one of links.
    private var links: [Link] = []
    private var places: [OperationID: UInt32] = [:]

    /// Returns false for a duplicate.
    mutating func insert(_ operation: VerifiedOperation) -> Bool {
        if let known = places.updateValue(UInt32(links.count), forKey: operation.id) {
            places[operation.id] = known
            return false
        }
        links.append(Link(operation.header, kind: operation.kind))
        return true
    }

    func contains(_ operation: OperationID) -> Bool { places[operation] != nil }

    subscript(operation: OperationID) -> Link? { places[operation].map { links[Int($0)] } }

    /// Returns the operations whose links match.
    private func filter(_ matches: (Link) -> Bool) -> [OperationID: Link] {
        places.reduce(into: [:]) { found, operation in
            let link = links[Int(operation.value)]
            if matches(link) { found[operation.key] = link }
        }
    }

    /// The operations with a loose body.
    var loose: [OperationID: Link] { filter(\.isLoose) }

    /// Returns the devices of the known operations among these.
    func devices(of operations: Set<OperationID>) -> Set<DeviceID> {
        operations.reduce(into: []) { devices, id in if let link = self[id] { devices.insert(link.device) } }
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
        let own = filter { devices.contains($0.device) }
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
        links[link.previous].map { isParent($0, of: link) } == true
    }

    private func isParent(_ parent: Link, of link: Link) -> Bool {
        parent.device == link.device && parent.set == link.set && parent.sequence &+ 1 == link.sequence
    }

    /// Returns the number of operations of each device.
    func counts(of devices: Set<DeviceID>) -> [DeviceID: Int] {
        links.reduce(into: [:]) { if devices.contains($1.device) { $0[$1.device, default: 0] += 1 } }
    }

    /// Returns the heads and their known ancestors in the chains of the authority set.
    func authority(endingAt heads: Set<OperationID>) -> Set<OperationID> {
        var found: Set<OperationID> = []
        for head in heads {
            var id = head
            while let link = self[id], link.set == .authority, found.insert(id).inserted { id = link.previous }
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
            guard let first = self[head] else {
                missing.insert(head)
                continue
            }
            guard concerned.contains(first.device) else { continue }
            var (id, link) = (head, first)
            // A chain is one device's. Taken out meanwhile, so that it is not copied.
            var own = kept.removeValue(forKey: first.device) ?? []
            // The ancestors of an operation that is already kept are kept as well.
            while own.insert(id).inserted, link.previous != .none {
                guard let next = self[link.previous] else {
                    missing.insert(link.previous)
                    if link.set == .content { unproven.insert(link.device) }
                    break
                }
                guard isParent(next, of: link) else { break }
                (id, link) = (link.previous, next)
            }
            kept[first.device] = own
        }
        return (kept, missing, unproven)
    }

    /// Whether both have the same operations, whatever the order of arrival.
    static func == (left: Self, right: Self) -> Bool {
        left.places.count == right.places.count && left.places.allSatisfy { right[$0.key] == left.links[Int($0.value)] }
    }
}
