// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// Grants and revocations as they were signed, what a revocation leaves, and what depends on its subject.
extension Membership {
    /// Returns the heads with which a revocation of `grantee` leaves everything that is known: the ends of its chains
    /// and those of its sub-keys, and the joins of the devices that these admitted. The heads that prove the most come
    /// first: a truncated list loses the least, and forks of a chain or invented sub-keys displace no other device's heads.
    public func heads(leaving grantee: Grantee) -> [OperationID] { heads(leaving: [grantee])[0] }

    /// Returns the same for several revocations, in the same order, in one pass over all operations.
    /// - Parameters:
    ///   - grantees: the member of each revocation.
    ///   - isDiscarding: leaves only the joins of the grantee itself, or of the devices that sign for it: without
    ///     these, nothing would count of the guests and devices that it admitted.
    public func heads(leaving grantees: [Grantee], isDiscarding: Bool = false) -> [[OperationID]] {
        let own = grantees.reduce(into: Set<DeviceID>()) { $0.formUnion(subKeys(of: $1).union([DeviceID($1)])) }
        let ends = chains.worths(of: own)
        let sponsored = own.reduce(into: Set<DeviceID>()) { $0.formUnion(facts.sponsored[$1] ?? []) }
        let counts = chains.counts(of: sponsored)
        return grantees.map { heads(leaving: $0, isDiscarding: isDiscarding, ends, counts) }
    }

    /// - Parameters:
    ///   - ends: the ends of the chains of the grantee and its sub-keys.
    ///   - counts: the number of operations of the devices that the grantee and its sub-keys admitted.
    private func heads(
        leaving grantee: Grantee, isDiscarding: Bool, _ ends: [DeviceID: [OperationChains.End]],
        _ counts: [DeviceID: Int]
    ) -> [OperationID] {
        let node = DeviceID(grantee)
        let subKeys = subKeys(of: grantee)
        let discarded = isDiscarding ? (facts.subKeysByGuest[AuthorID(grantee)] ?? []).union([node]) : []
        var worths: [OperationID: Int] = [:]
        for join in discarded.flatMap(joins(of:)) { worths[join.id] = .max }
        for device in subKeys.union([node]).subtracting(discarded) {
            let ends = ends[device] ?? []
            func longest(in set: OperationSet) -> OperationChains.End? {
                ends.filter { $0.set == set }.max { ($0.worth, $1.id) < ($1.worth, $0.id) }
            }
            guard device != node else {
                for end in ends { worths[end.id] = end.worth }
                // Without the node's own join, nothing of its sub-keys counts.
                if let join = longest(in: .authority) { worths[join.id] = .max }
                continue
            }
            // Without its join, nothing of a sub-key counts; without other operations, its join proves nothing. One
            // more for the longest of its chains, so that no fork of the node's own comes before it.
            let longest = longest(in: .content)
            for end in ends {
                let isNeeded = end.set == .authority || end == longest
                worths[end.id] = isNeeded ? 1 + (longest?.worth ?? 0) : end.worth
            }
        }
        for sponsor in subKeys.union([node]) {
            for device in (facts.sponsored[sponsor] ?? []).subtracting(subKeys).subtracting([node]) {
                for (id, join) in facts.joins[device] ?? [:] where join.sponsor == sponsor {
                    worths[id] = 1 + (counts[device] ?? 0)
                }
            }
        }
        return worths.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    /// Whether the revocation, which counts, leaves the operation, as far as this node has the proof.
    public func leaves(_ operation: OperationID, _ revocation: OperationID) -> Bool {
        standing.leaves(operation, revocation)
    }

    /// Returns the devices that sign for guests at that node, or for that guest, whether they count or not.
    public func subKeys(of grantee: Grantee) -> Set<DeviceID> {
        (facts.subKeysByNode[DeviceID(grantee)] ?? []).union(facts.subKeysByGuest[AuthorID(grantee)] ?? [])
    }

    /// Returns the devices that only `grantee` vouches for: without the joins that it sponsored, no path of joins leads
    /// to them from the event key. The devices with the most operations come first.
    ///
    /// A member to which an organizer gave a rank or a role does not depend on the grantee, nor does `independent`, nor
    /// do the devices that one of these let in. The result has no sub-keys, since they follow their node. It includes
    /// removed devices.
    public func devices(admittedOnlyBy grantee: Grantee, except independent: DeviceID) -> [DeviceID] {
        let node = DeviceID(grantee)
        var others = Entrance(eventKey: eventKey)
        for (device, joins) in facts.joins where device != node {
            if device == independent || holdsAnyRole(device) { others.add(device, sponsor: eventKey) }
            for (id, join) in joins where join.sponsor != node && isLeft(join, id, of: device) {
                others.add(device, sponsor: join.sponsor)
            }
        }
        let found = facts.joins.keys.filter {
            $0 != node && admitted.contains($0) && !others.contains($0) && !facts.subKeys.contains($0)
        }
        let counts = chains.counts(of: Set(found))
        return found.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
    }

    private func holdsAnyRole(_ device: DeviceID) -> Bool {
        isMember(device)
            && (standing.ranks.rank(of: device) > .participant || standing.pages.contains(device)
                || standing.unlimited.contains(device.bytes32))
    }

    /// Whether the device signs for a guest, whether that counts or not.
    public func isSubKey(_ device: DeviceID) -> Bool { facts.subKeys.contains(device) }

    /// The grants and revocations of devices that have, or ever had, a rank, with the operations that prove what the
    /// revocations leave: enough to show a device why it is not a member, without telling it anything else. Those of
    /// other devices count nowhere, and any member can sign them without end.
    public var rulings: [OperationID] {
        let stated = Set(everModerators.flatMap { facts.rulings[$0] ?? [] })
        // One pass for all revocations: they may name any heads.
        let heads = stated.reduce(into: Set<OperationID>()) { $0.formUnion(facts.revocations[$1]?.heads ?? []) }
        return chains.authority(endingAt: facts.expanded(heads)).union(stated)
            .union(heads.filter { facts.lists[$0] != nil }).sorted()
    }

    /// The number of these grants and revocations.
    public var rulingCount: Int { everModerators.reduce(0) { $0 + (facts.rulings[$1]?.count ?? 0) } }

    /// The signers of these grants and revocations, in the order of their keys.
    public var rulers: [DeviceID] { everModerators.filter { facts.rulings[$0] != nil }.sorted() }

    /// Returns the reveal keys that grants of organizers have sealed to `device`; each is the true one if its granter was
    /// honest. Any other member can sign grants without end, each of which would take as long to open.
    public func sealedRevealKeys(for device: DeviceID) -> [[UInt8]] {
        everOrganizers.flatMap { facts.rulings[$0] ?? [] }.sorted().compactMap { facts.grants[$0] }
            .filter { $0.grantee == device.bytes32 && !$0.revealKey.isEmpty }.map(\.revealKey)
    }

    /// Returns the grant by which the event key has made the device an organizer, smallest id first; `nil` if there is
    /// none.
    public func organizerGrant(of device: DeviceID) -> OperationID? {
        facts.grants.filter { _, grant in
            grant.signer == eventKey && grant.role == .organizer && grant.grantee == device.bytes32
        }.keys.min()
    }

    /// Returns the revocations of this device or guest, smallest id first: those that count, and those that were signed
    /// without the required rank or were cancelled.
    public func revocations(of grantee: Grantee) -> [StatedRevocation] {
        facts.revocations.filter { $0.value.grantee == grantee }.sorted { $0.key < $1.key }
            .map { id, revocation in
                StatedRevocation(
                    id: id, signer: revocation.signer, role: revocation.role, isDiscarding: revocation.isDiscarding,
                    counts: standing.applied.contains(id))
            }
    }

    /// Returns the devices whose operations or joins revocations now limit in another way.
    func devices(touchedSince before: Standing) -> [DeviceID] {
        let sponsors = standing.sponsorWindows.differences(from: before.sponsorWindows)
        let devices = standing.windows.differences(from: before.windows)
            .union(standing.entryWindows.differences(from: before.entryWindows))
        return sponsors.reduce(into: devices) { $0.formUnion(facts.sponsored[$1] ?? []) }
            .filter { facts.joins[$0] != nil }
    }

    /// Whether revocations leave other joins of the device than before.
    func hasOtherJoins(_ device: DeviceID, than before: Membership) -> Bool {
        (facts.joins[device] ?? [:]).contains { id, join in
            before.isLeft(join, id, of: device) != isLeft(join, id, of: device)
        }
    }

    public struct StatedRevocation: Sendable {
        public let id: OperationID
        public let signer: DeviceID
        /// `nil` for the removal of the device itself.
        public let role: Role?
        public let isDiscarding: Bool
        public let counts: Bool
    }
}
