// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// Who belongs to the event, with which rank, and which operations count: derived from joins, grants and revocations
/// alone, whatever order they came in (protocol/disposable-v1.md §9.1, §9.2).
///
/// - A device admitted by the event key is an organizer; a device admitted by a member is a participant.
/// - A join counts only while its sponsor is a member. Any one join that counts suffices.
/// - A device is its own author, unless a join that counts carries a guest's delegation.
/// - Operations that a revocation does not leave are void (`Standing`). A join sponsored by a removed device, or by a
///   sub-key that the revocation names, counts only if the revocation leaves it.
/// - A member with a leave that counts has departed: it is in no list and serves no pages, but none of its operations is
///   void.
public struct Membership: Equatable, Sendable {
    struct Join: Equatable, Sendable {
        let sponsor: DeviceID
        let guest: AuthorID?
        let epoch: OperationID
    }

    /// What was said, whether it counts or not.
    struct Facts: Equatable, Sendable {
        private(set) var joins: [DeviceID: [OperationID: Join]] = [:]
        /// Whom each has let in.
        private(set) var sponsored: [DeviceID: Set<DeviceID>] = [:]
        /// Devices that sign for a guest, by the node that has let them in, and by the guest.
        private(set) var subKeysByNode: [DeviceID: Set<DeviceID>] = [:]
        private(set) var subKeysByGuest: [AuthorID: Set<DeviceID>] = [:]
        private(set) var subKeys: Set<DeviceID> = []
        var grants: [OperationID: Grant] = [:]
        var revocations: [OperationID: Revocation] = [:]
        var lists: [OperationID: [OperationID]] = [:]
        var leaves: [DeviceID: Set<OperationID>] = [:]

        /// The operations that a revocation's heads stand for: a list stands for what it names. A list that is named in
        /// a list stands for nothing, so there are no circles.
        func expanded(_ heads: Set<OperationID>) -> Set<OperationID> {
            guard heads.contains(where: { lists[$0] != nil }) else { return heads }
            return heads.reduce(into: []) { expanded, head in
                guard let named = lists[head] else { return expanded.formUnion([head]) }
                expanded.formUnion(named.lazy.filter { lists[$0] == nil })
            }
        }

        /// Returns whether the join says of its device what none before has said.
        mutating func add(_ join: Join, of device: DeviceID, by id: OperationID) -> Bool {
            joins[device, default: [:]][id] = join
            let isSponsoredAnew = sponsored[join.sponsor, default: []].insert(device).inserted
            guard let guest = join.guest else { return isSponsoredAnew }
            subKeys.insert(device)
            let isOfNewNode = subKeysByNode[join.sponsor, default: []].insert(device).inserted
            let isForNewGuest = subKeysByGuest[guest, default: []].insert(device).inserted
            return isSponsoredAnew || isOfNewNode || isForNewGuest
        }
    }

    /// The argument of a `revokeDevice` that discards what it does not leave.
    public static let discardArgument: UInt64 = 1

    private let eventKey: DeviceID
    private var facts = Facts()
    private var chains = OperationChains()
    private var standing: Standing
    /// Those with a way of joins to the event key, if nothing had ever been revoked.
    private var entered: Entrance
    /// Those with one that counts.
    private var admitted: Entrance
    /// Of devices that sign for a guest, and the other way round.
    private var guests: [DeviceID: AuthorID] = [:]
    private var delegations: [AuthorID: Set<DeviceID>] = [:]
    /// Whether something was noted that the standing does not show yet.
    private var needsResolving = false

    public init(eventKey: VerifyingKey) {
        self.eventKey = DeviceID(eventKey)
        standing = Standing(eventKey: DeviceID(eventKey))
        entered = Entrance(eventKey: DeviceID(eventKey))
        admitted = entered
    }

    /// What an operation changes for what other operations say.
    public struct Change: Equatable, Sendable {
        /// Those of whom other operations count from now on, or who speak through other devices.
        public internal(set) var authors: Set<AuthorID> = []
        /// Whether ranks may have changed.
        public internal(set) var isOfRanks = false
    }

    /// Takes part of every operation. Ranks, and what revocations leave, follow with `resolve`, once for any number of
    /// operations.
    /// - Returns: those for whom the operation changes something at once; `nil` for an operation that is here already.
    mutating func note(_ operation: VerifiedOperation) -> Set<AuthorID>? {
        guard chains.insert(operation) else { return nil }
        let header = operation.header
        // What proves an ancestry changes what is void.
        if standing.missing.contains(operation.id) { needsResolving = true }
        if operation.kind == .leave { facts.leaves[header.device, default: []].insert(operation.id) }
        switch operation.content {
        case .join(let admission, let delegation):
            let join = Join(sponsor: admission.sponsor, guest: delegation?.guest, epoch: admission.epoch)
            let isNews = facts.add(join, of: header.device, by: operation.id)
            entered.add(header.device, sponsor: join.sponsor)
            guard !needsResolving else { return [] }
            if isNews, touchesStanding(join, of: header.device) {
                needsResolving = true
                return []
            }
            if isNews, cut(join, of: header.device) { return [author(of: header.device)] }
            return admit(header.device, join, operation.id)
        case .grant(let cancels, let revealKey):
            guard let role = Role(rawValue: UInt8(clamping: header.argument)) else { break }
            facts.grants[operation.id] = Grant(
                signer: header.device, grantee: header.subject.bytes32, role: role, cancels: Set(cancels),
                revealKey: revealKey)
            if rank(of: operation.id, by: header.device) >= role.grantedBy { needsResolving = true }
        case .revocation(let heads):
            let role = Role(rawValue: UInt8(clamping: header.argument))
            // To be in is nothing that can be taken away as a role.
            guard operation.kind == .revokeDevice || (role != nil && role != .participant) else { break }
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

    /// Derives ranks, and what is void, from everything noted, where something noted may change them.
    mutating func resolve() -> Change {
        guard needsResolving else { return Change() }
        needsResolving = false
        return Change(authors: workOutStanding(), isOfRanks: true)
    }

    /// Whether the join, should it say anything new, changes more than `admit` or `cut` do: it makes an organizer, takes
    /// a rank away from a device that now signs for a guest, belongs to a removed device whose operations a revocation
    /// names as heads, or makes operations void of a device that was in.
    ///
    /// A join that a removed device sponsored counts only if it is an ancestor of a head, and its device is then the
    /// device of that head. So a removed device that sponsors joins without end costs a step for each.
    private func touchesStanding(_ join: Join, of device: DeviceID) -> Bool {
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
        return standing.hasHadRank(device)
            || isCut && admitted.contains(device) && standing.windows[device] != .only([])
    }

    /// Whether the join makes its device the sub-key of a node or a guest whose sub-keys count no more.
    private func isCut(_ join: Join) -> Bool {
        guard let guest = join.guest else { return false }
        return standing.cutNodes.contains(join.sponsor) || standing.outcasts.contains(guest.bytes32)
    }

    /// Makes void what the device states, where it becomes the sub-key of a node or guest whose sub-keys count no more.
    /// No head is of this device, so the revocation leaves nothing of it. False where it does not.
    private mutating func cut(_ join: Join, of device: DeviceID) -> Bool {
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

    /// The join lets in its device, and all who waited for it. Returns those for whom that changes anything.
    private mutating func admit(_ device: DeviceID, _ join: Join, _ id: OperationID) -> Set<AuthorID> {
        guard isLeft(join, id, of: device) else { return [] }
        // Who is in and comes in again speaks for somebody else at most. Anybody may do so without end, so it is cheap.
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

    /// Whether no revocation makes the join void: of its device, or of its sponsor.
    private func isLeft(_ join: Join, _ id: OperationID, of device: DeviceID) -> Bool {
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

    // Who is in

    /// Whether operations of `device` belong to the sets, be they void or not: those who ever came in, and the event
    /// key. It never becomes false, so that all nodes keep the same sets.
    public func mayAuthor(_ device: DeviceID) -> Bool { entered.contains(device) }

    /// Whether `device` is in, and has not been put out. The event key is no device and takes no photos.
    public func isMember(_ device: DeviceID) -> Bool {
        device != eventKey && admitted.contains(device) && standing.windows[device] == nil
    }

    /// Whether `device` has been put out.
    public func isRevoked(_ device: DeviceID) -> Bool { standing.windows[device] != nil }

    /// Whether `operation` of `device` counts: it is not void, and its device's join counts.
    public func counts(_ operation: OperationID, by device: DeviceID) -> Bool {
        device != eventKey && admitted.contains(device) && counts(operation, ofOneWith: standing.windows[device])
    }

    /// Whether a removal has the operation's body destroyed, if it has one that the fold does not read.
    func isDiscarded(_ operation: OperationID, by device: DeviceID) -> Bool {
        standing.discards[device].map { !$0.contains(operation) } ?? false
    }

    /// Whether a removal has anything destroyed, known or not.
    var hasDiscarded: Bool { !standing.discards.isEmpty }

    /// As `counts`, for taking back what is one's own: that counts, too, after one has been put out, unless one is
    /// the sub-key of a page node that was cut off.
    func countsAsRemoval(_ operation: OperationID, by device: DeviceID) -> Bool {
        counts(operation, ofOneWith: standing.subKeyWindows[device])
    }

    public var count: Int { devices.count }

    /// Members that have not gone, in the order of their keys.
    public var devices: [DeviceID] { facts.joins.keys.filter { isMember($0) && !hasLeft($0) }.sorted() }

    /// Whether `device` has said that it goes. It is trusted on, until everybody has what it leaves here: its own node
    /// destroys its keys then, and who has a copy of them can be put out like anybody else.
    public func hasLeft(_ device: DeviceID) -> Bool {
        facts.leaves[device]?.contains { counts($0, by: device) } == true
    }

    /// Whether `author` is there: in by a device that has not gone.
    public func isPresent(_ author: AuthorID) -> Bool {
        devices(of: author).contains { isMember($0) && !hasLeft($0) }
    }

    /// Whether another node than that of `device` is in the event.
    public func hasOtherNodes(than device: DeviceID) -> Bool {
        facts.joins.keys.contains { $0 != device && guests[$0] == nil && isMember($0) && !hasLeft($0) }
    }

    /// The joins by which `device` is in, the smallest id first; where none counts, those by which it was.
    public func joins(of device: DeviceID) -> [(id: OperationID, sponsor: DeviceID)] {
        let joins = facts.joins[device] ?? [:]
        let counting = joins.filter { admitted.contains($0.value.sponsor) && isLeft($0.value, $0.key, of: device) }
        return (counting.isEmpty ? joins : counting).map { ($0.key, $0.value.sponsor) }.sorted { $0.0 < $1.0 }
    }

    /// Whether a join of the device under that epoch counts.
    public func hasEntered(_ device: DeviceID, under epoch: OperationID) -> Bool {
        (facts.joins[device] ?? [:]).contains { id, join in
            join.epoch == epoch && admitted.contains(join.sponsor) && isLeft(join, id, of: device)
        }
    }

    /// Members that are nodes and have not gone, in the order of their keys.
    var nodes: [DeviceID] { devices.filter { guests[$0] == nil } }

    /// `listed`, the event key, and whom they have let in under `epoch`, near or far.
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

    // Whose words are whose

    /// Whose words the operations of `device` are.
    public func author(of device: DeviceID) -> AuthorID { guests[device] ?? AuthorID(device) }

    /// Whether anything that belongs to the set can be this author's.
    public func isAuthor(_ author: AuthorID) -> Bool { devices(of: author).contains(where: isMember) }

    /// Everybody whose words count or have counted, put out since or not, in the order of their keys.
    public var authors: [AuthorID] { Set(facts.joins.keys.filter(admitted.contains).map(author)).sorted() }

    /// The devices whose words are this author's.
    package func devices(of author: AuthorID) -> Set<DeviceID> {
        let device = DeviceID(author.bytes32)
        return (delegations[author] ?? []).union(guests[device] == nil ? [device] : [])
    }

    /// What the author's devices stated, of what several devices stated: looks at the fewer of both.
    func devices<Said>(of author: AuthorID, among said: [DeviceID: Said]) -> [(key: DeviceID, value: Said)] {
        if said.count <= (delegations[author]?.count ?? 0) {
            return said.filter { self.author(of: $0.key) == author }.map { ($0.key, $0.value) }
        }
        return devices(of: author).compactMap { device in said[device].map { (device, $0) } }
    }

    // Ranks and roles

    /// The rank of `device`, `nil` for those who are not in.
    public func rank(of device: DeviceID) -> Rank? {
        device == eventKey || isMember(device) ? standing.rank(of: device) : nil
    }

    /// Members that are nodes: those that sign for a guest have no network of their own.
    public var nodeCount: Int {
        let gone = Set(standing.windows.keys).union(facts.leaves.keys.filter(hasLeft))
            .count { admitted.contains($0) && guests[$0] == nil }
        return admitted.count - 1 - guests.count - gone
    }

    /// The rank with which `device` states `operation`: what one did before one lost a rank counts as it did.
    public func rank(of operation: OperationID, by device: DeviceID) -> Rank {
        standing.rank(of: operation, by: device)
    }

    /// Every device that has, or once had, such a rank, the event key among them: only what these state can count as an
    /// act of that rank.
    var everOrganizers: Set<DeviceID> { standing.everOrganizers }
    var everModerators: Set<DeviceID> { standing.everModerators }

    /// Whether the event key ever made `device` an organizer; the event key itself, too.
    func wasMadeOrganizer(_ device: DeviceID) -> Bool { standing.wasMadeOrganizer(device) }

    /// Whether `device` is the event key, or has or ever had a rank or role that takes an organizer to give. Losing it
    /// does not end that.
    public func isEstablished(_ device: DeviceID) -> Bool {
        device == eventKey || standing.hasHadRank(device) || standing.distinguished.contains(device.bytes32)
    }

    /// Whether `device` may serve pages to guests beyond its own machine.
    public func mayServePages(_ device: DeviceID) -> Bool {
        isMember(device) && !hasLeft(device) && standing.pages.contains(device)
    }

    /// Whether the author's roll is without a limit because of who the author is.
    public func isUnlimited(_ author: AuthorID) -> Bool {
        standing.unlimited.contains(author.bytes32)
    }

    /// The heads that a revocation of `grantee` names to leave all that is here: the ends of its chains and those of
    /// its sub-keys, and the joins of the devices that these let in. Heads that prove the most come first: a list
    /// that is cut loses the least, and neither forks of a chain nor invented sub-keys displace heads of others.
    public func heads(leaving grantee: Grantee) -> [OperationID] { heads(leaving: [grantee])[0] }

    /// The same for several revocations, in the same order: all operations are looked at once, not once for each.
    /// - Parameter isDiscarding: leaves of the grantee itself, or of the devices that sign for it, their joins alone:
    ///   without these nothing would count of the guests and devices that it let in.
    public func heads(leaving grantees: [Grantee], isDiscarding: Bool = false) -> [[OperationID]] {
        let own = grantees.reduce(into: Set<DeviceID>()) { $0.formUnion(subKeys(of: $1).union([DeviceID($1)])) }
        let ends = chains.worths(of: own)
        let sponsored = own.reduce(into: Set<DeviceID>()) { $0.formUnion(facts.sponsored[$1] ?? []) }
        let counts = chains.counts(of: sponsored)
        return grantees.map { heads(leaving: $0, isDiscarding: isDiscarding, ends, counts) }
    }

    /// - Parameters:
    ///   - ends: of the chains of the grantee and its sub-keys.
    ///   - counts: how many operations the devices have stated that the grantee and its sub-keys let in.
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
                // Without the node's own join nothing of its sub-keys counts.
                if let join = longest(in: .authority) { worths[join.id] = .max }
                continue
            }
            // Without its join nothing of a sub-key counts, and without anything else its join proves nothing. One more
            // for the longest of its chains, so that no fork of the node's own comes before it.
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

    /// Whether the revocation, which counts, leaves the operation, as far as is proven here.
    public func leaves(_ operation: OperationID, _ revocation: OperationID) -> Bool {
        standing.leaves(operation, revocation)
    }

    /// The devices that sign for guests at that node, or for that guest, whether that counts or not.
    public func subKeys(of grantee: Grantee) -> Set<DeviceID> {
        (facts.subKeysByNode[DeviceID(grantee)] ?? []).union(facts.subKeysByGuest[AuthorID(grantee)] ?? [])
    }

    /// The devices that only `grantee` vouches for: without the joins that it sponsored no path of joins leads to them
    /// from the event key. Those that stated the most come first.
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
            && (standing.rank(of: device) > .participant || standing.pages.contains(device)
                || standing.unlimited.contains(device.bytes32))
    }

    /// Whether the device signs for a guest, whether that counts or not.
    public func isSubKey(_ device: DeviceID) -> Bool { facts.subKeys.contains(device) }

    /// All grants and revocations, counting or not, with what proves which acts the revocations leave: what shows
    /// somebody why it is not in, and is told nothing else.
    public var rulings: [OperationID] {
        // One walk for all revocations: anybody may state one, and name what it likes.
        let heads = facts.revocations.values.reduce(into: Set<OperationID>()) { $0.formUnion($1.heads) }
        return chains.authority(endingAt: facts.expanded(heads)).union(facts.grants.keys).union(facts.revocations.keys)
            .union(heads.filter { facts.lists[$0] != nil }).sorted()
    }

    /// The number of grants and revocations, whether they count or not.
    public var rulingCount: Int { facts.grants.count + facts.revocations.count }

    /// Who has stated a grant or a revocation, in the order of their keys.
    public var rulers: [DeviceID] {
        Set(facts.grants.values.map(\.signer)).union(facts.revocations.values.map(\.signer)).sorted()
    }

    /// What grants have sealed to `device`, each the reveal key's secret half where its granter was honest.
    public func sealedRevealKeys(for device: DeviceID) -> [[UInt8]] {
        facts.grants.sorted { $0.key < $1.key }.map(\.value)
            .filter { $0.grantee == device.bytes32 && !$0.revealKey.isEmpty }.map(\.revealKey)
    }

    /// Whether the device or guest has been given `role` and has it still.
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

    /// The revocations about this device or guest, the smallest id first: those that count, and those that others have
    /// stated without the rank for it, or that were cancelled.
    public func revocations(of grantee: Grantee) -> [StatedRevocation] {
        facts.revocations.filter { $0.value.grantee == grantee }.sorted { $0.key < $1.key }
            .map { id, revocation in
                StatedRevocation(
                    id: id, signer: revocation.signer, role: revocation.role, isDiscarding: revocation.isDiscarding,
                    counts: standing.applied.contains(id))
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

/// Who has a way of sponsors to the event key, as joins come in any order.
private struct Entrance: Equatable, Sendable {
    private var inside: Set<DeviceID>
    /// Those whose joins wait for a sponsor, by that sponsor.
    private var waiting: [DeviceID: Set<DeviceID>] = [:]

    init(eventKey: DeviceID) { inside = [eventKey] }

    /// With the event key itself.
    var count: Int { inside.count }

    func contains(_ device: DeviceID) -> Bool { inside.contains(device) }

    /// Returns those for whom a sponsor has come in by this join, with the device itself.
    @discardableResult
    mutating func add(_ device: DeviceID, sponsor: DeviceID) -> Set<DeviceID> {
        guard inside.contains(sponsor) else {
            waiting[sponsor, default: []].insert(device)
            return []
        }
        var touched: Set<DeviceID> = []
        // A queue instead of recursion: a chain of sponsors may be as long as the list of members.
        var admitted = [device]
        while let device = admitted.popLast() {
            touched.insert(device)
            inside.insert(device)
            if let others = waiting.removeValue(forKey: device) { admitted.append(contentsOf: others) }
        }
        return touched
    }

    /// The device's joins by that sponsor do not count any more. It is not in.
    mutating func forget(_ device: DeviceID, waitingFor sponsor: DeviceID) {
        waiting[sponsor]?.remove(device)
        if waiting[sponsor]?.isEmpty == true { waiting[sponsor] = nil }
    }
}
