// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The members of the event, their ranks, and which operations count: derived from joins, grants and revocations alone,
/// in any order of arrival (protocol/disposable-v1.md §9.1, §9.2).
///
/// - A device admitted by the event key is an organizer; a device admitted by a member is a participant.
/// - A join counts only while its sponsor is a member. Any one join that counts suffices.
/// - A device is its own author, unless a join that counts carries a guest's delegation.
/// - Operations that a revocation does not leave are void (`Standing`). A join sponsored by a removed device, or by a
///   sub-key that the revocation names, counts only if the revocation leaves it.
/// - A member with a leave that counts has departed: it is in no list and serves no pages, but none of its operations
///   is void.
public struct Membership: Equatable, Sendable {
    /// The argument of a `revokeDevice` that discards what it does not leave.
    public static let discardArgument: UInt64 = 1

    let eventKey: DeviceID
    private(set) var facts = MembershipFacts()
    private(set) var chains = OperationChains()
    private(set) var standing: Standing
    /// The devices with a path of joins to the event key, if nothing had ever been revoked.
    private var entered: Entrance
    /// The devices with a path of joins that count.
    private(set) var admitted: Entrance
    /// The guest of each sub-key, and the sub-keys of each guest.
    private var guests: [DeviceID: AuthorID] = [:]
    private var delegations: [AuthorID: Set<DeviceID>] = [:]
    private var needsResolving = false  // The effective roles are out of date.
    private var hasNewEntries = false  // So are `admitted` and the guests.
    /// The members that are nodes, without devices that sign for a guest. As of the last `resolve`.
    public private(set) var nodeCount = 0
    private var isNodeCountStale = false

    public init(eventKey: VerifyingKey) {
        self.eventKey = DeviceID(eventKey)
        standing = Standing(eventKey: DeviceID(eventKey))
        entered = Entrance(eventKey: DeviceID(eventKey))
        admitted = entered
    }

    /// The effect of an operation on other operations.
    public struct Change: Equatable, Sendable {
        /// The authors with a change in which of their operations count, or in their devices.
        public internal(set) var authors: Set<AuthorID> = []
        public internal(set) var isOfRanks = false  // Whether ranks may have changed.
        /// The authors that have a ticket, or have none, since.
        public internal(set) var ticketHolders: Set<AuthorID> = []
    }

    /// Records every operation. Call `resolve` afterwards, once for any number of operations, to update ranks and void
    /// operations.
    /// - Returns: the authors for which the operation changes something at once; `nil` for a duplicate.
    mutating func note(_ operation: VerifiedOperation) -> Set<AuthorID>? {
        guard chains.insert(operation) else { return nil }
        // An operation that completes the proof of an ancestry changes what is void.
        if standing.missing.contains(operation.id) { needsResolving = true }
        let header = operation.header
        guard header.set == .authority else { return [] }
        if operation.kind == .leave {
            facts.leaves[header.device, default: []].insert(operation.id)
            isNodeCountStale = true
        }
        switch operation.content {
        case .join(let admission, let delegation):
            isNodeCountStale = true
            let join = MembershipFacts.Join(
                sponsor: admission.sponsor, guest: delegation?.guest, epoch: admission.epoch)
            let isNews = facts.add(join, of: header.device, by: operation.id)
            entered.add(header.device, sponsor: join.sponsor)
            if needsResolving || isNews && touchesStanding(join, of: header.device) {
                (needsResolving, hasNewEntries) = (true, true)
                return []
            }
            if isNews, cut(join, of: header.device) { return [author(of: header.device)] }
            return admit(header.device, join, operation.id)
        case .grant(let cancels, let revealKey):
            guard let role = Role(rawValue: UInt8(clamping: header.argument)) else { break }
            facts.rulings[header.device, default: []].insert(operation.id)
            facts.grants[operation.id] = Grant(
                signer: header.device, grantee: header.subject.bytes32, role: role, cancels: Set(cancels),
                revealKey: revealKey)
            if rank(of: operation.id, by: header.device) >= role.grantedBy { needsResolving = true }
        case .revocation(let heads):
            let role = Role(rawValue: UInt8(clamping: header.argument))
            // Membership is not a role that can be revoked.
            guard operation.kind == .revokeDevice || (role != nil && role != .participant) else { break }
            facts.rulings[header.device, default: []].insert(operation.id)
            facts.revocations[operation.id] = Revocation(
                signer: header.device, sequence: header.sequence, grantee: header.subject.bytes32,
                role: operation.kind == .revokeDevice ? nil : role, heads: Set(heads),
                isDiscarding: operation.kind == .revokeDevice && header.argument == Self.discardArgument)
            if rank(of: operation.id, by: header.device) > .participant { needsResolving = true }
        case .list(let ids): facts.lists[operation.id] = ids
        default: break
        }
        return []
    }

    /// Recomputes ranks and void operations, if a recorded operation may change them.
    mutating func resolve() -> Change {
        var change = Change()
        if needsResolving { change = Change(authors: workOutStanding(), isOfRanks: true) }
        if needsResolving || isNodeCountStale { nodeCount = countNodes() }
        (needsResolving, hasNewEntries, isNodeCountStale) = (false, false, false)
        return change
    }

    /// Returns about how many devices and operations are examined again when the operation arrives: 0, unless it
    /// completes the proof of what a revocation leaves. Ranks and void operations are then derived again.
    public func examinedCount(with id: OperationID) -> Int {
        standing.missing.contains(id) ? facts.joins.count + standing.incompleteCount : 0
    }

    private func countNodes() -> Int {
        let gone = Set(standing.windows.keys).union(facts.leaves.keys.filter(hasLeft))
        return admitted.count - 1 - guests.count - gone.count { admitted.contains($0) && guests[$0] == nil }
    }

    /// Whether a new join changes more than `admit` or `cut` do: it makes an organizer, takes a rank from a device that
    /// now signs for a guest, belongs to a removed device whose operations a revocation names as heads, or makes void
    /// the operations of a device that was a member.
    ///
    /// A join that a removed device sponsored counts only if it is an ancestor of a head, and its device is then the
    /// device of that head. So a removed device that sponsors joins without end costs a step for each.
    private func touchesStanding(_ join: MembershipFacts.Join, of device: DeviceID) -> Bool {
        if join.sponsor == eventKey { return true }
        let isCut = isCut(join)
        if isCut || standing.sponsorSubjects[join.sponsor] != nil {
            var subjects = standing.sponsorSubjects[join.sponsor] ?? []
            subjects.insert(join.sponsor)
            if let guest = join.guest { subjects.insert(DeviceID(guest.bytes32)) }
            if subjects.contains(where: { standing.headDevices[$0]?.contains(device) == true }) { return true }
        }
        guard let guest = join.guest else { return false }
        // The join discards the earlier operations of the device.
        if standing.discardedGuests.contains(guest.bytes32), (facts.joins[device]?.count ?? 0) > 1,
            standing.discards[device] != .only([])
        {
            return true
        }
        return standing.ranks.hasHadRank(device)
            || isCut && admitted.contains(device) && standing.windows[device] != .only([])
    }

    /// Whether the join makes its device a sub-key of a node or a guest whose sub-keys no longer count.
    private func isCut(_ join: MembershipFacts.Join) -> Bool {
        guard let guest = join.guest else { return false }
        return standing.cutNodes.contains(join.sponsor) || standing.outcasts.contains(guest.bytes32)
    }

    /// Makes the operations of the device void if it becomes a sub-key of a node or guest whose sub-keys no longer
    /// count. No head belongs to this device, so the revocation leaves nothing of it. Returns false if it does not.
    private mutating func cut(_ join: MembershipFacts.Join, of device: DeviceID) -> Bool {
        guard isCut(join), let guest = join.guest else { return false }
        if standing.cut(device, of: guest, isAtCutNode: standing.cutNodes.contains(join.sponsor)) {
            let joins = facts.joins[device] ?? [:]
            let left = Set(joins.filter { isLeft($0.value, $0.key, of: device) }.map(\.value.sponsor))
            for sponsor in Set(joins.values.map(\.sponsor)).subtracting(left) {
                admitted.forget(device, waitingFor: sponsor)
            }
        }
        return true
    }

    /// Admits the device of the join, and all that waited for it. Returns the authors for which that changes anything.
    private mutating func admit(_ device: DeviceID, _ join: MembershipFacts.Join, _ id: OperationID) -> Set<AuthorID> {
        guard isLeft(join, id, of: device) else { return [] }
        // A repeated join of a member can only change its guest. Anyone may sign such joins without end, so this is
        // cheap.
        if admitted.contains(device), admitted.contains(join.sponsor) {
            guard let guest = join.guest, guests[device].map({ guest < $0 }) ?? true else { return [] }
            let before = author(of: device)
            speak(device, for: guest)
            return [before, guest]
        }
        var changed: Set<AuthorID> = []
        for device in admitted.add(device, sponsor: join.sponsor) {
            changed.insert(author(of: device))
            updateGuest(of: device)
            changed.insert(author(of: device))
        }
        return changed
    }

    private func counts(_ operation: OperationID, ofOneWith window: Window?) -> Bool {
        window?.contains(operation) != false
    }

    /// Whether no revocation makes the join void: neither of its device nor of its sponsor.
    func isLeft(_ join: MembershipFacts.Join, _ id: OperationID, of device: DeviceID) -> Bool {
        counts(id, ofOneWith: standing.sponsorWindows[join.sponsor])
            && counts(id, ofOneWith: join.guest == nil ? standing.entryWindows[device] : standing.windows[device])
    }

    private mutating func updateGuest(of device: DeviceID) {
        let counting = (facts.joins[device] ?? [:]).filter {
            admitted.contains($0.value.sponsor) && isLeft($0.value, $0.key, of: device)
        }
        speak(device, for: counting.values.compactMap(\.guest).min())
    }

    private mutating func speak(_ device: DeviceID, for guest: AuthorID?) {
        guard guest != guests[device] else { return }
        if let before = guests[device] {
            delegations[before]?.remove(device)
            if delegations[before]?.isEmpty == true { delegations[before] = nil }
        }
        guests[device] = guest
        if let guest { delegations[guest, default: []].insert(device) }
    }

    private mutating func workOutStanding() -> Set<AuthorID> {
        let before = self
        standing = Standing(facts, chains: chains, eventKey: eventKey, before: before.standing)
        let devices = devices(touchedSince: before.standing)
        if !hasNewEntries, !devices.contains(where: { hasOtherJoins($0, than: before) }) {
            return Set(devices.filter { before.standing.windows[$0] != standing.windows[$0] }.map(author))
        }
        admitted = Entrance(eventKey: eventKey)
        for (device, joins) in facts.joins {
            for (id, join) in joins where isLeft(join, id, of: device) {
                admitted.add(device, sponsor: join.sponsor)
            }
        }
        for device in facts.joins.keys { updateGuest(of: device) }
        var changed: Set<AuthorID> = []
        for device in facts.joins.keys
        where before.admitted.contains(device) != admitted.contains(device)
            || before.author(of: device) != author(of: device)
            || before.standing.windows[device] != standing.windows[device]
        {
            changed.formUnion([before.author(of: device), author(of: device)])
        }
        return changed
    }

    // Members

    /// Whether operations of `device` belong to the sets, void or not: those of every device that ever joined, and of
    /// the event key. This never becomes false, so that all nodes keep the same sets.
    public func mayAuthor(_ device: DeviceID) -> Bool { entered.contains(device) }

    /// Whether `device` is a member and was not removed. The event key is no device and takes no photos.
    public func isMember(_ device: DeviceID) -> Bool {
        device != eventKey && admitted.contains(device) && standing.windows[device] == nil
    }

    /// Whether `device` was removed.
    public func isRevoked(_ device: DeviceID) -> Bool { standing.windows[device] != nil }

    /// Whether `operation` of `device` counts: it is not void, and its device's join counts.
    public func counts(_ operation: OperationID, by device: DeviceID) -> Bool {
        device != eventKey && admitted.contains(device) && counts(operation, ofOneWith: standing.windows[device])
    }

    /// Whether both operations of `device` count.
    func counts(_ operation: OperationID, _ other: OperationID, by device: DeviceID) -> Bool {
        guard device != eventKey, admitted.contains(device) else { return false }
        let window = standing.windows[device]
        return counts(operation, ofOneWith: window) && counts(other, ofOneWith: window)
    }

    /// Whether a removal discards the operation's body, if it has one that the fold does not read.
    func isDiscarded(_ operation: OperationID, by device: DeviceID) -> Bool {
        standing.discards[device].map { !$0.contains(operation) } ?? false
    }

    /// Whether a removal discards anything, known or not.
    var hasDiscarded: Bool { !standing.discards.isEmpty }

    /// As `counts`, for an author's deletions: these also count after the device was removed, unless it is the sub-key
    /// of a portal that was cut off.
    func countsAsRemoval(_ operation: OperationID, by device: DeviceID) -> Bool {
        counts(operation, ofOneWith: standing.subKeyWindows[device])
    }

    public var count: Int { devices.count }

    /// The members that have not departed, in the order of their keys.
    public var devices: [DeviceID] { facts.joins.keys.filter { isMember($0) && !hasLeft($0) }.sorted() }

    /// Whether `device` has signed a leave. It stays trusted until all nodes have what it leaves: its own node then
    /// destroys its keys, and a holder of a copy can be removed like any other device.
    public func hasLeft(_ device: DeviceID) -> Bool {
        facts.leaves[device]?.contains { counts($0, by: device) } == true
    }

    /// Whether `device` has departed by one of these operations: no other leave of it counts.
    package func hasLeft(_ device: DeviceID, onlyBy operations: Set<OperationID>) -> Bool {
        hasLeft(device) && facts.leaves[device]?.contains { !operations.contains($0) && counts($0, by: device) } != true
    }

    /// Whether `author` is present: has a device that is a member and has not departed.
    public func isPresent(_ author: AuthorID) -> Bool {
        devices(of: author).contains { isMember($0) && !hasLeft($0) }
    }

    /// Whether another node than that of `device` is a member of the event.
    public func hasOtherNodes(than device: DeviceID) -> Bool {
        facts.joins.keys.contains { $0 != device && guests[$0] == nil && isMember($0) && !hasLeft($0) }
    }

    /// The members that are nodes and have not departed, in the order of their keys.
    var nodes: [DeviceID] { devices.filter { guests[$0] == nil } }

    /// Returns `listed`, the event key, and the devices that they have admitted under `epoch`, directly or not.
    public func devices(under epoch: OperationID, from listed: Set<DeviceID>) -> Set<DeviceID> {
        var sponsored: [DeviceID: [DeviceID]] = [:]
        for (device, joins) in facts.joins {
            for (id, join) in joins where join.epoch == epoch && isLeft(join, id, of: device) {
                sponsored[join.sponsor, default: []].append(device)
            }
        }
        var inside: Set<DeviceID> = []
        var reached = Array(listed) + [eventKey]
        while let device = reached.popLast() {
            if inside.insert(device).inserted { reached += sponsored[device] ?? [] }
        }
        return inside
    }

    // Authors

    /// Returns the author of the operations of `device`.
    public func author(of device: DeviceID) -> AuthorID { guests[device] ?? AuthorID(device) }

    /// Whether an operation that belongs to the set can have this author.
    public func isAuthor(_ author: AuthorID) -> Bool { devices(of: author).contains(where: isMember) }

    /// The authors whose operations count or have counted, removed since or not, in the order of their keys.
    public var authors: [AuthorID] { Set(facts.joins.keys.filter(admitted.contains).map(author)).sorted() }

    /// Returns the devices of this author.
    package func devices(of author: AuthorID) -> Set<DeviceID> {
        let device = DeviceID(author.bytes32)
        return (delegations[author] ?? []).union(guests[device] == nil ? [device] : [])
    }

    /// Returns the entries of the author's devices in `said`: iterates over the smaller of both.
    func devices<Said>(of author: AuthorID, among said: [DeviceID: Said]) -> [(key: DeviceID, value: Said)] {
        if said.count <= (delegations[author]?.count ?? 0) {
            return said.filter { self.author(of: $0.key) == author }.map { ($0.key, $0.value) }
        }
        return devices(of: author).compactMap { device in said[device].map { (device, $0) } }
    }

    // Ranks and roles

    /// Returns the rank of `device`, `nil` if it is not a member.
    public func rank(of device: DeviceID) -> Rank? {
        device == eventKey || isMember(device) ? standing.ranks.rank(of: device) : nil
    }

    /// Returns the rank of `device` for `operation`: operations signed before a rank was lost keep that rank.
    public func rank(of operation: OperationID, by device: DeviceID) -> Rank {
        standing.ranks.rank(of: operation, by: device)
    }

    /// Every device that has, or once had, such a rank, the event key included: only their operations can count as acts
    /// of that rank.
    var everOrganizers: Set<DeviceID> { standing.ranks.everOrganizers }
    var everModerators: Set<DeviceID> { standing.ranks.everModerators }

    /// Whether the event key ever made `device` an organizer; true for the event key itself.
    func wasMadeOrganizer(_ device: DeviceID) -> Bool { standing.ranks.wasMadeOrganizer(device) }

    /// Whether `device` is the event key, or has or ever had a rank or role that only an organizer can grant. Losing it
    /// does not change the result.
    public func isEstablished(_ device: DeviceID) -> Bool {
        device == eventKey || standing.ranks.hasHadRank(device) || standing.distinguished.contains(device.bytes32)
    }

    /// Whether `device` may serve pages to guests beyond its own machine.
    public func mayServePages(_ device: DeviceID) -> Bool {
        isMember(device) && !hasLeft(device) && standing.pages.contains(device)
    }

    /// Whether the author's quota has no limit because of a role.
    public func isUnlimited(_ author: AuthorID) -> Bool {
        standing.unlimited.contains(author.bytes32)
    }

    /// Whether the device or guest was given `role` and still has it.
    public func holds(_ role: Role, _ grantee: Grantee) -> Bool {
        let device = DeviceID(grantee)
        return switch role {
        case .participant: isAuthor(AuthorID(grantee)) || isMember(device)
        case .moderator: rank(of: device) == .moderator
        case .organizer: rank(of: device) == .organizer
        case .page: mayServePages(device)
        case .photographer: standing.unlimited.contains(grantee)
        }
    }
}
