// SPDX-License-Identifier: Apache-2.0

/// The effective roles: ranks, roles and void operations, computed from all grants and revocations.
///
/// Recomputed when a grant or a revocation arrives that can count, from the top down: the event key's acts decide who
/// the organizers are and which of their acts count; those decide about the moderators; those about the rest. So no
/// device can undo the act that undid its own, and the order of arrival does not matter.
///
/// - A revocation counts against a strictly lower rank only. Of one device's revocations of one role of one grantee
///   only the latest that is not cancelled counts.
/// - It leaves the operations it names as heads, and their ancestors; an operation without that proof is void.
///   Several that count leave the operations that all of them leave.
/// - A grant that names it cancels it, if its author has no lower rank than the revoker and may grant that role.
struct Standing: Equatable, Sendable {
    private(set) var ranks: Ranks
    /// The grantees whose quota has no limit. A removed grantee keeps that: its photos that still count were taken
    /// before.
    private(set) var unlimited: Set<Grantee> = []
    private(set) var pages: Set<DeviceID> = []
    /// Devices and guests to which an organizer has ever given the role page or photographer, even if it was revoked
    /// later.
    private(set) var distinguished: Set<Grantee> = []
    /// The revocations that count.
    private(set) var applied: Set<OperationID> = []
    /// The operations that still count, of removed devices and of sub-keys of portals that were cut off.
    private(set) var windows: [DeviceID: Window] = [:]
    /// The windows of sub-keys of portals that were cut off: beyond the window not even their deletions count.
    private(set) var subKeyWindows: [DeviceID: Window] = [:]
    /// For devices removed with all of their operations: the operations that are not discarded. If another revocation
    /// leaves fewer operations, fewer than these count.
    private(set) var discards: [DeviceID: Window] = [:]
    /// Guests removed in this way: their sub-keys are discarded, including those that join later.
    private(set) var discardedGuests: Set<Grantee> = []
    /// By sponsor that was removed, or is a sub-key of the removed node or guest: its joins that still count.
    private(set) var sponsorWindows: [DeviceID: Window] = [:]
    /// The nodes and guests whose revocations may limit these joins.
    private(set) var sponsorSubjects: [DeviceID: Set<DeviceID>] = [:]
    /// By device: its joins without a delegation that still count. A revocation that concerns the device only as a
    /// sub-key, and leaves no join that makes it one, does not make these void: its author did not know the sub-key,
    /// and a member may become a sub-key at any time. If its joins became void, so would those of all devices that it
    /// admitted.
    private(set) var entryWindows: [DeviceID: Window] = [:]
    /// The nodes whose sub-keys are cut off, and the removed nodes and page guests: a new join that concerns one of
    /// them changes more than itself.
    private(set) var cutNodes: Set<DeviceID> = []
    private(set) var outcasts: Set<Grantee> = []
    /// The operations that are missing here and would prove more of what revocations leave.
    private(set) var missing: Set<OperationID> = []
    /// The number of operations that are left by revocations whose proof is incomplete. The fold examines all of them
    /// again when a missing operation arrives.
    private(set) var incompleteCount = 0
    /// By the revoked node or guest: the devices of the known operations that revocations which count name as heads. By
    /// the subject, since otherwise joins that one removed device sponsors would be looked up for the heads of another.
    private(set) var headDevices: [DeviceID: Set<DeviceID>] = [:]
    /// The operations that revocations which count leave.
    private var kept: [OperationID: Kept] = [:]

    init(eventKey: DeviceID) { ranks = Ranks(eventKey: eventKey) }

    /// - Parameter before: the last result: what a revocation leaves is recomputed only if necessary.
    init(_ facts: MembershipFacts, chains: OperationChains, eventKey: DeviceID, before: Standing) {
        self.init(eventKey: eventKey)
        var effective = EffectiveRevocations(facts, chains: chains, eventKey: eventKey, known: before.kept)
        // The event key decides who the organizers are.
        effective.apply(actsOf: .eventKey, ranks)
        let named = facts.grants.values.filter { $0.role == .organizer && $0.signer == eventKey }
            .map { DeviceID($0.grantee) }
        // Devices that sign for a guest have no rank of their own.
        for device in Set(named).union(facts.sponsored[eventKey] ?? []) where !facts.subKeys.contains(device) {
            let window = effective.window(of: device, losing: .organizer)
            ranks.addOrganizer(device, window)
            if !effective.isRevoked(.organizer, of: device.bytes32) { unlimited.insert(device.bytes32) }
        }
        // They decide who the moderators are.
        effective.apply(actsOf: .organizer, ranks)
        let grants = facts.grants.filter {
            $0.value.role != .organizer && ranks.rank(of: $0.key, by: $0.value.signer) >= .organizer
        }
        for grant in grants.values where grant.role == .moderator && !facts.subKeys.contains(DeviceID(grant.grantee)) {
            let device = DeviceID(grant.grantee)
            let window = effective.window(of: device, losing: .moderator)
            ranks.addModerator(device, window)
        }
        // Moderators remove participants.
        effective.apply(actsOf: .moderator, ranks)

        distinguished = Set(
            grants.values.filter { $0.role == .page || $0.role == .photographer }.map(\.grantee))
        for grant in grants.values
        where grant.role == .photographer && !effective.isRevoked(.photographer, of: grant.grantee) {
            unlimited.insert(grant.grantee)
        }
        let servers = ranks.organizers.union(grants.values.filter { $0.role == .page }.map { DeviceID($0.grantee) })
        pages = servers.filter { !effective.isRevoked(.page, of: $0.bytes32) }
        applied = Set(effective.applied.keys)
        kept = effective.kept
        for proof in kept.values where !proof.missing.isEmpty {
            missing.formUnion(proof.missing)
            incompleteCount += proof.all.count
        }
        for (id, revocation) in effective.applied {
            headDevices[DeviceID(revocation.grantee), default: []].formUnion(kept[id]?.headDevices ?? [])
        }
        draw(effective)
    }

    /// Computes what the revocations that count leave of each device that they concern.
    private mutating func draw(_ effective: EffectiveRevocations) {
        for (id, revocation) in effective.applied where revocation.role == nil || revocation.role == .page {
            let node = DeviceID(revocation.grantee)
            let all = kept[id]?.all ?? []
            let proof = revocation.isDiscarding ? kept[id] : nil
            let kept = kept[id]?.byDevice ?? [:]
            cutNodes.insert(node)
            var subKeys = effective.facts.subKeysByNode[node] ?? []
            for device in subKeys { subKeyWindows[device, default: .all].keep(only: kept[device] ?? []) }
            if revocation.role == nil {
                let guestKeys = effective.facts.subKeysByGuest[AuthorID(revocation.grantee)] ?? []
                outcasts.insert(revocation.grantee)
                subKeys.formUnion(guestKeys)
                windows[node, default: .all].keep(only: kept[node] ?? [])
                sponsorSubjects[node, default: []].insert(node)
                endEntry(of: node, leaving: kept[node] ?? [], sponsored: all)
                if let proof, !proof.lacksHeads {
                    discardedGuests.insert(revocation.grantee)
                    discard(guestKeys.union([node]), leaving: proof)
                }
            }
            for device in subKeys {
                windows[device, default: .all].keep(only: kept[device] ?? [])
                guard let left = kept[device] else { continue }
                sponsorSubjects[device, default: []].insert(node)
                if effective.knows(device, asSubKeyOf: revocation, leaving: left) {
                    endEntry(of: device, leaving: left, sponsored: all)
                }
            }
        }
    }

    /// Discards operations, except those that are void only until their proof arrives.
    private mutating func discard(_ devices: Set<DeviceID>, leaving proof: Kept) {
        for device in devices where !proof.unproven.contains(device) {
            discards[device, default: .all].keep(only: proof.byDevice[device] ?? [])
        }
    }

    /// Limits the joins that admit the device, and those that it sponsors, to the ones that the revocation leaves
    ///
    private mutating func endEntry(
        of device: DeviceID, leaving own: Set<OperationID>, sponsored: Set<OperationID>
    ) {
        entryWindows[device, default: .all].keep(only: own)
        sponsorWindows[device, default: .all].keep(only: sponsored)
    }

    /// Handles a device that signs for a guest from now on, at a node or for a guest whose sub-keys no longer count. No
    /// head belongs to the device.
    /// - Returns: whether its operations counted before.
    mutating func cut(_ device: DeviceID, of guest: AuthorID, isAtCutNode: Bool) -> Bool {
        if isAtCutNode { subKeyWindows[device] = .only([]) }
        if discardedGuests.contains(guest.bytes32) { discards[device] = .only([]) }
        return windows.updateValue(.only([]), forKey: device) != .only([])
    }

    func leaves(_ operation: OperationID, _ revocation: OperationID) -> Bool {
        kept[revocation]?.all.contains(operation) == true
    }
}

/// The operations that a revocation leaves: those that it names as heads, and their ancestors.
private struct Kept: Equatable, Sendable {
    /// The devices of the known heads.
    let headDevices: Set<DeviceID>
    /// The ones that the revocation concerns: nothing is left of any other.
    let concerned: Set<DeviceID>
    let byDevice: [DeviceID: Set<OperationID>]
    /// The operations of all devices.
    let all: Set<OperationID>
    /// The missing operations that would prove more. If there are none, no later operation changes what is kept.
    let missing: Set<OperationID>
    /// Whether heads are missing; and the devices of whose content more may be proven.
    let lacksHeads: Bool
    let unproven: Set<DeviceID>

    init(
        of heads: Set<OperationID>, by headDevices: Set<DeviceID>, concerning concerned: Set<DeviceID>,
        in chains: OperationChains
    ) {
        self.headDevices = headDevices
        self.concerned = concerned
        let ancestry = chains.ancestry(of: heads, concerning: concerned)
        (byDevice, missing, unproven) = (ancestry.kept, ancestry.missing, ancestry.unproven)
        lacksHeads = !missing.isDisjoint(with: heads)
        // Nearly always the operations of one device are all of them, and then share its memory.
        all = byDevice.count == 1 ? byDevice.first!.value : byDevice.values.reduce(into: []) { $0.formUnion($1) }
    }
}

/// The computation of one `Standing`: which revocations count, rank by rank.
private struct EffectiveRevocations {
    let facts: MembershipFacts
    let chains: OperationChains
    let eventKey: DeviceID
    private(set) var applied: [OperationID: Revocation] = [:]
    /// The operations that each revocation leaves.
    private(set) var kept: [OperationID: Kept] = [:]
    /// `kept` from the last computation.
    private let known: [OperationID: Kept]
    private var cancelled: Set<OperationID> = []

    init(_ facts: MembershipFacts, chains: OperationChains, eventKey: DeviceID, known: [OperationID: Kept]) {
        self.facts = facts
        self.chains = chains
        self.known = known
        self.eventKey = eventKey
    }

    /// Finds which revocations count among those signed with exactly this rank.
    /// - Parameter ranks: all higher ranks.
    mutating func apply(actsOf rank: Rank, _ ranks: Ranks) {
        for (id, grant) in facts.grants {
            let granter = ranks.rank(of: id, by: grant.signer)
            guard granter >= max(rank, grant.role.grantedBy) else { continue }
            for name in grant.cancels {
                guard let revocation = facts.revocations[name], revocation.grantee == grant.grantee,
                    revocation.isCancelled(byGranting: grant.role),
                    ranks.rank(of: name, by: revocation.signer) <= granter
                else { continue }
                cancelled.insert(name)
            }
        }
        var latest: [RevocationSubject: OperationID] = [:]
        for (id, revocation) in facts.revocations where !cancelled.contains(id) {
            guard ranks.rank(of: id, by: revocation.signer) == rank,
                rank > ranks.rank(of: DeviceID(revocation.grantee)),
                rank >= revocation.role?.grantedBy ?? .moderator
            else { continue }
            let subject = RevocationSubject(
                signer: revocation.signer, grantee: revocation.grantee, role: revocation.role)
            if let other = latest[subject], !isLater(id, than: other) { continue }
            latest[subject] = id
        }
        for id in latest.values {
            let revocation = facts.revocations[id]!  // the ids come from there
            applied[id] = revocation
            if let known = known[id], known.missing.isEmpty,
                known.concerned == devices(of: known.headDevices, concernedBy: revocation)
            {
                kept[id] = known
            } else {
                let heads = facts.expanded(revocation.heads)
                let devices = chains.devices(of: heads)
                kept[id] = Kept(
                    of: heads, by: devices, concerning: self.devices(of: devices, concernedBy: revocation), in: chains)
            }
        }
    }

    /// The devices among those of the revocation's heads whose operations it can make void. `Membership` recomputes the
    /// standing only for joins that touch these devices; with more of them, the result would depend on the order of
    /// arrival of joins.
    private func devices(of heads: Set<DeviceID>, concernedBy revocation: Revocation) -> Set<DeviceID> {
        let node = DeviceID(revocation.grantee)
        var (others, subKeys): (Set<DeviceID>, Set<DeviceID>) = ([node], [])
        switch revocation.role {
        case nil:
            others.formUnion(facts.sponsored[node] ?? [])
            subKeys = (facts.subKeysByNode[node] ?? []).union(facts.subKeysByGuest[AuthorID(revocation.grantee)] ?? [])
        case .page: subKeys = facts.subKeysByNode[node] ?? []
        default: break
        }
        others.formUnion(subKeys)
        for subKey in subKeys.intersection(heads) { others.formUnion(facts.sponsored[subKey] ?? []) }
        return heads.intersection(others)
    }

    /// Whether the revocation leaves a join that makes the device a sub-key of what is revoked.
    func knows(_ device: DeviceID, asSubKeyOf revocation: Revocation, leaving left: Set<OperationID>) -> Bool {
        (facts.joins[device] ?? [:]).contains { id, join in
            guard let guest = join.guest, left.contains(id) else { return false }
            return join.sponsor == DeviceID(revocation.grantee)
                || revocation.role == nil && guest.bytes32 == revocation.grantee
        }
    }

    private func isLater(_ id: OperationID, than other: OperationID) -> Bool {
        let sequences = (facts.revocations[id]!.sequence, facts.revocations[other]!.sequence)  // both are known
        return sequences.0 != sequences.1 ? sequences.0 > sequences.1 : id < other
    }

    /// Returns the operations that were signed in a role that may have been revoked.
    func window(of device: DeviceID, losing role: Role) -> Window {
        var window = Window.all
        for (id, revocation) in applied
        where revocation.grantee == device.bytes32 && (revocation.role == nil || revocation.role == role) {
            window.keep(only: kept[id]?.byDevice[device] ?? [])
        }
        return window
    }

    func isRevoked(_ role: Role, of grantee: Grantee) -> Bool {
        applied.values.contains { $0.grantee == grantee && $0.role == role }
    }
}

private struct RevocationSubject: Hashable {
    let signer: DeviceID
    let grantee: Grantee
    let role: Role?
}
