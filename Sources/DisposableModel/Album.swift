// SPDX-License-Identifier: Apache-2.0

/// The state of a photo, the same on every node that has the same operations.
public enum PhotoStatus: Equatable, Sendable {
    /// Visible, in this frame of its author's quota, from 1.
    case frame(UInt64)
    /// In this frame, and visible to its author and to moderators only, until a moderator approves it.
    case pending(UInt64)
    /// In this frame, and visible to its author and to moderators only, until a moderator decides what a guest has asked
    /// for.
    case veiled(UInt64)
    /// Not visible: the photo has no claim, another claim won its frame, or its frame is beyond the quota. The author
    /// may claim again.
    case waiting
    /// Taken out of the gallery by a moderator, who may put it back. The photo stays on all nodes.
    case hidden
    /// Deleted by its author: all nodes purge it.
    case removed
    /// Erased by an organizer: all nodes purge it.
    case erased

    /// Whether nodes purge the photo's bytes and keys, and serve them no longer.
    public var isWithdrawn: Bool { self == .removed || self == .erased }

    /// The photo's frame, also while it waits for approval.
    public var slot: UInt64? {
        switch self {
        case .frame(let slot), .pending(let slot), .veiled(let slot): slot
        case .waiting, .hidden, .removed, .erased: nil
        }
    }
    public var isPending: Bool { if case .pending = self { true } else { false } }
    public var isVeiled: Bool { if case .veiled = self { true } else { false } }
}

/// A photo as the operations describe it, without their bodies.
public struct Photo: Equatable, Sendable {
    public let id: PhotoID
    /// The author: a guest's own key, or that of the device.
    public let author: AuthorID
    /// The device that signed the photo.
    public let device: DeviceID
    public let sequence: UInt32
    public let timestamp: HybridTimestamp
    public let status: PhotoStatus
}

/// The photos, annotations and names of an event: a fold over the operations that depends only on their set, not on
/// their order, on clocks, or on the bodies that this node has (protocol/disposable-v1.md §9).
///
/// - A photo exists if its operation counts. An original counts if it is not void and has the photo's
///   author, a claim if it is of that author, too. The devices of one guest are one author.
/// - The claim to a frame with the lowest sequence wins, then the smallest id (`Roll`), even if its photo was deleted:
///   a claimed frame stays used. A frame beyond the quota shows nothing.
/// - A photo has the lowest frame that one of its claims holds.
/// - A remove by the author counts at any time, an erase with an organizer's rank, a hide with a
///   moderator's rank until an unhide with such a rank names it.
/// - The effective name of a device is its counting name with the highest sequence, then the smallest id; that of an
///   author is the one with the latest timestamp among its devices.
public struct Album: Equatable, Sendable {
    private struct Entry: Equatable {
        let device: DeviceID
        let sequence: UInt32
        let timestamp: HybridTimestamp
    }
    /// The operations of each device about one subject. Whether one counts is checked on reading, and only for the
    /// devices whose operations can count: an endless stream from others costs readers nothing.
    private typealias Statements = [DeviceID: Set<OperationID>]
    private struct Sayer: Equatable {
        let device: DeviceID
        /// The photo that the operation is about, if any.
        let photo: PhotoID
    }
    private struct Name: Equatable {
        let sequence: UInt32
        let timestamp: HybridTimestamp
        let id: OperationID
        var text: String?
    }

    public private(set) var membership: Membership
    private var entries: [PhotoID: Entry] = [:]
    private var photosByDevice: [DeviceID: Set<PhotoID>] = [:]
    /// All claims: only the author's count, and the author may become known later.
    private var claims: [PhotoID: [DeviceID: Set<Claim>]] = [:]
    private var originals: [PhotoID: Statements] = [:]
    private var removals: [PhotoID: Statements] = [:]
    private var removalsByDevice: [DeviceID: Set<OperationID>] = [:]
    private var erases: [PhotoID: Statements] = [:]
    private var hides: [PhotoID: Statements] = [:]
    /// Each with the hides that it names.
    private var unhides: [PhotoID: [DeviceID: [OperationID: Set<OperationID>]]] = [:]
    private var rolls: [AuthorID: Roll] = [:]
    /// The extra frames that each author was given.
    private var extras: [AuthorID: [DeviceID: [OperationID: UInt64]]] = [:]
    /// The operations that opened single sealed photos.
    private var keyReleases: [PhotoID: Statements] = [:]
    private var remarks = Remarks()
    private var approvals = Approvals()
    private var veils = Veils()
    private var areVeilsStale = false
    /// The authors with an approved photo.
    private var trusted: Set<AuthorID> = []
    private var isTrustStale = false
    private var consents = Consents()
    /// Every name that a device has set, with the effective one last.
    private var names: [DeviceID: [Name]] = [:]
    /// The devices whose names are still to be sorted at the end of the batch.
    private var unorderedNames: Set<DeviceID> = []
    /// The authors whose quotas are out of date until the end of the batch.
    private var staleRolls: Set<AuthorID> = []
    /// The signers of texts that can be withdrawn by themselves: names, captions, comments, notices, messages.
    private var sayers: [OperationID: Sayer] = [:]
    /// The devices of other operations with a body that the fold does not read: originals, released keys, and kinds of
    /// later versions. Such an operation is discarded only together with everything of its device.
    private var others: [OperationID: DeviceID] = [:]
    private var times = ChainTimes()

    public init(membership: Membership) { self.membership = membership }

    /// Adds an operation. Call `resolve` afterwards, once for any number of operations.
    /// - Returns: the authors for which the operation changes something at once; `nil` for a duplicate, which may still
    ///   bring a missing body.
    mutating func take(_ operation: VerifiedOperation) -> Set<AuthorID>? {
        guard let authors = membership.note(operation) else {
            noteText(of: operation)
            remarks.noteText(of: operation)
            return nil
        }
        staleRolls.formUnion(authors)
        if !authors.isEmpty { (isTrustStale, areVeilsStale) = (true, true) }
        times.insert(operation.id, operation.header.device, in: membership.chains)
        note(operation)
        return authors
    }

    /// Applies the effects of the added operations on ranks and on which operations count.
    mutating func resolve() -> Membership.Change {
        times.resolve(in: membership.chains)
        let change = membership.resolve()
        for author in staleRolls.union(change.authors) { rebuildRoll(of: author) }
        staleRolls = []
        for device in unorderedNames { names[device]?.sort { ($0.sequence, $1.id) < ($1.sequence, $0.id) } }
        unorderedNames = []
        approvals.resolve(membership, hasNewRanks: change.isOfRanks)
        if isTrustStale || change.isOfRanks || !change.authors.isEmpty { findTrusted() }
        if !veils.isEmpty, areVeilsStale || change.isOfRanks || !change.authors.isEmpty { veils.resolve(self) }
        areVeilsStale = false
        return change
    }

    private mutating func note(_ operation: VerifiedOperation) {
        let header = operation.header
        let subject = PhotoID(header.subject)
        let (id, device) = (operation.id, header.device)
        switch operation.kind {
        case .original, .keyRelease: others[id] = device
        case nil where header.bodyByteCount > 0: others[id] = device
        default: break
        }
        switch operation.kind {
        case .photo:
            let photo = PhotoID(operation.id)
            entries[photo] = Entry(device: header.device, sequence: header.sequence, timestamp: header.timestamp)
            photosByDevice[header.device, default: []].insert(photo)
            if approvals.mentions(photo, membership) { isTrustStale = true }
            noteVeils(about: photo.operationID)
            addClaims(of: photo)
        case .claim where header.argument > 0:
            let claim = Claim(sequence: header.sequence, id: id, slot: header.argument)
            claims[subject, default: [:]][device, default: []].insert(claim)
            if counts(claim, by: device, on: subject) {
                rolls[membership.author(of: device), default: Roll()].add(claim)
            }
        case .frames where (1...UInt64(Charter.framesMax)).contains(header.argument):
            extras[AuthorID(header.subject.bytes32), default: [:]][device, default: [:]][id] = header.argument
        case .keyRelease: keyReleases[subject, default: [:]][device, default: []].insert(id)
        case .original: originals[subject, default: [:]][device, default: []].insert(id)
        case .remove:
            removals[subject, default: [:]][device, default: []].insert(id)
            removalsByDevice[device, default: []].insert(header.subject)
            noteVeils(about: header.subject)
        case .erase:
            erases[subject, default: [:]][device, default: []].insert(id)
            noteVeils(about: header.subject)
        case .hide:
            hides[subject, default: [:]][device, default: []].insert(id)
            noteVeils(about: header.subject)
        case .unhide:
            noteVeils(about: header.subject)
            guard case .unhide(let named) = operation.content else { break }
            unhides[subject, default: [:]][device, default: [:]][id] = Set(named)
        case .name:
            let name = Name(
                sequence: header.sequence, timestamp: header.timestamp, id: id, text: operation.nameText)
            if let last = names[device]?.last, (name.sequence, last.id) < (last.sequence, name.id) {
                unorderedNames.insert(device)
            }
            names[device, default: []].append(name)
            sayers[id] = Sayer(device: device, photo: subject)
        case .caption, .comment, .notice, .message:
            remarks.note(operation)
            sayers[operation.id] = Sayer(device: header.device, photo: subject)
        case .approval: approvals.note(operation)
        case .approve, .unapprove:
            approvals.note(operation)
            isTrustStale = true
        case .reaction, .answer, .picture, .spot, .turn: remarks.note(operation)
        case .veiling, .veil, .lift:
            veils.note(operation)
            areVeilsStale = true
        case .consent: consents.note(operation)
        // Another join of a device may lead to another sponsor tree.
        case .join: areVeilsStale = true
        case .charter, .edit, .grant, .revokeRole, .revokeDevice, .reveal, .leave, .epoch, .list, .claim,
            .frames,
            nil:
            break
        }
    }

    private mutating func noteVeils(about subject: OperationID) {
        if veils.mayDepend(on: subject) { areVeilsStale = true }
    }

    private mutating func noteText(of operation: VerifiedOperation) {
        guard let text = operation.nameText,
            let place = names[operation.header.device]?.firstIndex(where: { $0.id == operation.id })
        else { return }
        names[operation.header.device]![place].text = text
    }

    // Quotas

    private func counts(_ claim: Claim, by device: DeviceID, on photo: PhotoID) -> Bool {
        guard let owner = author(of: photo), owner == membership.author(of: device), exists(photo) else {
            return false
        }
        return membership.counts(claim.id, by: device)
    }

    /// Returns the claims on the photo that its author has made and that count.
    private func countingClaims(on photo: PhotoID) -> [Claim] {
        guard let claims = claims[photo], let author = author(of: photo) else { return [] }
        return membership.devices(of: author, among: claims).flatMap { device, claims in
            claims.filter { counts($0, by: device, on: photo) }
        }
    }

    private mutating func addClaims(of photo: PhotoID) {
        guard let author = author(of: photo) else { return }
        for claim in countingClaims(on: photo) { rolls[author, default: Roll()].add(claim) }
    }

    /// Recomputes an author's quota after other operations of the author count than before, or it has other devices.
    private mutating func rebuildRoll(of author: AuthorID) {
        rolls[author] = nil
        for device in membership.devices(of: author) {
            for photo in photosByDevice[device] ?? [] { addClaims(of: photo) }
        }
    }

    // Photos

    /// The photos that count, in the order of their ids.
    public var photoIDs: [PhotoID] { entries.keys.filter(exists).sorted() }
    public var count: Int { entries.keys.count(where: exists) }

    /// Whether the photo is known and counts; an unknown or void photo does not exist.
    public func exists(_ photo: PhotoID) -> Bool {
        guard let entry = entries[photo] else { return false }
        return membership.counts(photo.operationID, by: entry.device)
    }

    /// Returns when the photo was added, by its timestamp and those of its ancestors in its chain; milliseconds since
    /// 1970 UTC, 0 if it is unknown.
    public func photoTime(of photo: PhotoID) -> UInt64 {
        guard let entry = entries[photo] else { return 0 }
        return times.correction(of: photo.operationID) ?? entry.timestamp.milliseconds
    }

    /// Returns about how many operations a node reads again because of one more: all of a device whose timestamps go back;
    /// and, whenever the photo, the messages or the name are shown, those about the photo, or the messages or names of the
    /// device. Weights are measured: to read one about a photo, or a message, costs an eighth of following one in a chain,
    /// a name four times as much as following.
    public func consequenceCount(of header: OperationHeader) -> Int {
        let followed = times.followedCount(of: header.device)
        return switch OperationKind(rawValue: header.kind) {
        case .caption, .comment, .reaction, .answer, .spot, .turn:
            followed + remarks.count(about: PhotoID(header.subject)) / 8
        case .name: followed + 4 * (names[header.device]?.count ?? 0)
        case .message: followed + remarks.messageCount(of: header.device) / 8
        default: followed
        }
    }

    /// Returns the photo as shown with a quota of `limit` frames for its author at its time (`nil`: no limit).
    public func photo(_ id: PhotoID, limit: (AuthorID, UInt64) -> UInt64?) -> Photo? {
        guard let entry = entries[id], exists(id) else { return nil }
        let author = membership.author(of: entry.device)
        return Photo(
            id: id, author: author, device: entry.device, sequence: entry.sequence, timestamp: entry.timestamp,
            status: status(of: id, by: author, limit: limit(author, photoTime(of: id))))
    }

    private func status(of photo: PhotoID, by author: AuthorID, limit: UInt64?) -> PhotoStatus {
        if isRemoved(photo, by: author) { return .removed }
        if isErased(photo) { return .erased }
        if isHidden(photo) { return .hidden }
        guard let roll = rolls[author], let claims = claims[photo] else { return .waiting }
        let held = membership.devices(of: author, among: claims).flatMap(\.value).filter(roll.isHeld)
        guard let slot = held.map(\.slot).min(), slot <= limit ?? .max else { return .waiting }
        if needsApproval(photo, by: author) { return .pending(slot) }
        return veils.isVeiled(photo, self) ? .veiled(slot) : .frame(slot)
    }

    // Approval

    /// The rule in force, and the settings that make it so: a new one follows them.
    public var approvalRule: ApprovalRule { approvals.rule }
    public var approvalSettings: [OperationID] { approvals.latest }

    /// Whether the photo waits for a moderator's approval, if it has a frame.
    private func needsApproval(_ photo: PhotoID, by author: AuthorID) -> Bool {
        needsApproval(photo, by: author, under: approvals.rule)
    }

    private func needsApproval(_ photo: PhotoID, by author: AuthorID, under rule: ApprovalRule) -> Bool {
        guard rule != .none, let device = entries[photo]?.device, !isModerators(photo.operationID, by: device),
            !membership.isUnlimited(author), !approvals.isApproved(photo, membership)
        else { return false }
        return rule == .all || !trusted.contains(author)
    }

    /// Whether the photo would wait for approval if this rule were in force.
    public func wouldWait(_ photo: PhotoID, under rule: ApprovalRule) -> Bool {
        author(of: photo).map { needsApproval(photo, by: $0, under: rule) } ?? false
    }

    /// Whether a photo that this author adds now, without the rank of a moderator, waits for approval.
    public func holdsNewPhotos(by author: AuthorID) -> Bool {
        approvals.rule != .none && !membership.isUnlimited(author)
            && (approvals.rule == .all || !trusted.contains(author))
    }

    /// Whether a moderator has approved the photo, needed or not.
    public func isApproved(_ photo: PhotoID) -> Bool { approvals.isApproved(photo, membership) }

    /// Returns the approvals of the photo that count, smallest id first: an `unapprove` must name them.
    public func approvals(of photo: PhotoID) -> [OperationID] { approvals.standing(of: photo, membership) }

    private mutating func findTrusted() {
        isTrustStale = false
        trusted = Set(approvals.approved(membership).filter(exists).compactMap(author))
    }

    // Veils

    /// Whether guests can have photos veiled.
    public var areVeilsOn: Bool { veils.isOn(self) }

    /// Returns the settings that make it so, and the lifts of a photo, smallest id first: an erase, or a hide, names one.
    public var veilings: [OperationID] { veils.standingSwitches(self) }
    public func lifts(of photo: PhotoID) -> [OperationID] { veils.standingLifts(of: photo, self) }

    /// Returns the author's veils of the photo that were not withdrawn, smallest id first.
    public func veils(of photo: PhotoID, by author: AuthorID) -> [OperationID] {
        veils.veils(of: photo, by: author, self)
    }

    /// Returns the limit that keeps one more veil by this device from counting: `.usedUp`, `.full` or `nil`.
    public func veilLimit(reachedBy device: DeviceID) -> VeilRefusal? {
        if veils.count(by: membership.author(of: device)) >= Veils.perAuthorMax { return .usedUp }
        if veils.isUsedUp(by: device) { return .usedUp }
        return veils.count(inTree: membership.sponsorTree(of: device)) < Veils.perTreeMax ? nil : .full
    }

    /// The photos that are veiled, if they have a frame and do not wait for approval.
    public var veiledPhotos: Set<PhotoID> { veils.veiled(self) }

    /// Returns the device that signed the photo, whether the photo counts or not.
    public func device(of photo: PhotoID) -> DeviceID? { entries[photo]?.device }

    public func author(of photo: PhotoID) -> AuthorID? { entries[photo].map { membership.author(of: $0.device) } }

    /// Returns the author's photos in the order of their ids, whatever their status.
    public func photos(by author: AuthorID) -> [PhotoID] {
        membership.devices(of: author).flatMap { photosByDevice[$0] ?? [] }.filter(exists).sorted()
    }

    /// Returns the operations that describe the photo's original, alternates of each other, smallest id first.
    public func originals(of photo: PhotoID) -> [OperationID] { statements(originals, byAuthorOf: photo) }

    /// Returns the author's operations that open a sealed photo, smallest id first.
    public func keyReleases(of photo: PhotoID) -> [OperationID] { statements(keyReleases, byAuthorOf: photo) }

    /// Returns the operations by the photo's author that count, smallest id first.
    private func statements(_ all: [PhotoID: Statements], byAuthorOf photo: PhotoID) -> [OperationID] {
        guard let statements = all[photo], let author = author(of: photo) else { return [] }
        return membership.devices(of: author, among: statements).flatMap { device, operations in
            operations.filter { membership.counts($0, by: device) }
        }.sorted()
    }

    // Withdrawing

    /// Whether `author` has deleted the photo, known or not: a photo may arrive after its deletion.
    public func isRemoved(_ photo: PhotoID, by author: AuthorID) -> Bool {
        guard let removals = removals[photo] else { return false }
        return membership.devices(of: author, among: removals).contains { device, operations in
            operations.contains { membership.countsAsRemoval($0, by: device) }
        }
    }

    /// Whether an organizer has erased the photo, known or not.
    public func isErased(_ photo: PhotoID) -> Bool {
        guard let erases = erases[photo] else { return false }
        return membership.everOrganizers.contains { device in
            erases[device]?.contains { membership.rank(of: $0, by: device) >= .organizer } == true
        }
    }

    /// Whether nodes purge the photo's bytes and keys, and serve them no longer.
    public func isWithdrawn(_ photo: PhotoID, by author: AuthorID) -> Bool {
        isErased(photo) || isRemoved(photo, by: author)
    }

    /// Every known photo and annotation that was withdrawn for good, with the reason.
    public var withdrawals: [OperationID: WithdrawalReason] {
        var withdrawals: [OperationID: WithdrawalReason] = [:]
        for subject in Set(removals.keys).union(erases.keys).map(\.operationID) {
            withdrawals[subject] = withdrawal(of: subject)
        }
        guard membership.hasDiscarded else { return withdrawals }
        func add(_ id: OperationID, by device: DeviceID) {
            if withdrawals[id] == nil, membership.isDiscarded(id, by: device) { withdrawals[id] = .discarded }
        }
        for (photo, entry) in entries { add(photo.operationID, by: entry.device) }
        for (id, sayer) in sayers { add(id, by: sayer.device) }
        for (id, device) in others { add(id, by: device) }
        return withdrawals
    }

    /// Returns the subjects that these authors, or devices that sign for them, have deleted, even if they do not own
    /// them.
    public func subjects(takenBackBy authors: Set<AuthorID>) -> Set<OperationID> {
        guard !removals.isEmpty else { return [] }
        return authors.reduce(into: []) { subjects, author in
            for device in membership.devices(of: author) { subjects.formUnion(removalsByDevice[device] ?? []) }
        }
    }

    /// Returns why the photo, the annotation, or another operation with a body that the fold does not read was
    /// withdrawn for good; `nil` if it was not, or is not known.
    public func withdrawal(of subject: OperationID) -> WithdrawalReason? {
        let photo = PhotoID(subject)
        guard removals[photo] != nil || erases[photo] != nil || membership.hasDiscarded else { return nil }
        if let device = entries[photo]?.device ?? sayers[subject]?.device {
            if isRemoved(photo, by: membership.author(of: device)) { return .removed }
            if isErased(photo) { return .erased }
            return membership.isDiscarded(subject, by: device) ? .discarded : nil
        }
        return others[subject].map { membership.isDiscarded(subject, by: $0) } == true ? .discarded : nil
    }

    private func isDiscarded(_ photo: PhotoID) -> Bool {
        entries[photo].map { membership.isDiscarded(photo.operationID, by: $0.device) } ?? false
    }

    /// Returns the operations whose bodies are purged with `subject`: its own and, for a photo, those of all operations
    /// that describe or annotate it.
    public func bodies(with subject: OperationID) -> [OperationID] {
        let photo = PhotoID(subject)
        guard entries[photo] != nil else { return sayers[subject] == nil && others[subject] == nil ? [] : [subject] }
        return [subject] + (originals[photo] ?? [:]).values.joined().sorted()
            + (keyReleases[photo] ?? [:]).values.joined().sorted() + remarks.texts(about: photo)
    }

    /// Returns the withdrawn subject with which the operation's body is purged: the operation itself, or its photo;
    /// `nil` if neither is withdrawn. Also valid for an operation that has not arrived yet.
    public func withdrawnSubject(of id: OperationID, _ header: OperationHeader) -> OperationID? {
        guard !removals.isEmpty || !erases.isEmpty || membership.hasDiscarded else { return nil }
        let kind = OperationKind(rawValue: header.kind)
        guard kind?.isErasable != false else { return nil }
        if membership.isDiscarded(id, by: header.device) { return id }
        guard let kind else { return nil }
        let sayer = membership.author(of: header.device)
        if isWithdrawn(PhotoID(id), by: sayer) { return id }
        let photo = PhotoID(header.subject)
        switch kind {
        case .original, .keyRelease, .caption:
            // The author of an unknown photo is unknown, too, and only its author's operations count: assume the
            // signer.
            let isGone = isWithdrawn(photo, by: author(of: photo) ?? sayer) || isDiscarded(photo)
            return isGone ? header.subject : nil
        case .comment:
            let isRemoved = author(of: photo).map { self.isRemoved(photo, by: $0) } ?? false
            return isRemoved || isErased(photo) || isDiscarded(photo) ? header.subject : nil
        default: return nil
        }
    }

    /// Drops the texts that these bodies held.
    mutating func forgetBodies(_ ids: [OperationID]) {
        for id in ids {
            guard let sayer = sayers[id] else { continue }
            remarks.forgetText(of: id, by: sayer.device, about: sayer.photo)
            if let place = names[sayer.device]?.firstIndex(where: { $0.id == id }) {
                names[sayer.device]![place].text = nil
            }
        }
    }

    public func isHidden(_ photo: PhotoID) -> Bool { !hides(of: photo).isEmpty }

    /// Returns the hides that count and that nobody has cancelled, smallest id first: an unhide must name them.
    public func hides(of photo: PhotoID) -> [OperationID] {
        guard let hides = hides[photo] else { return [] }
        let unhides = unhides[photo] ?? [:]
        var (hidden, cancelled): (Set<OperationID>, Set<OperationID>) = ([], [])
        for device in membership.everModerators {
            hidden.formUnion((hides[device] ?? []).filter { isModerators($0, by: device) })
            for (id, named) in unhides[device] ?? [:] where isModerators(id, by: device) { cancelled.formUnion(named) }
        }
        return hidden.subtracting(cancelled).sorted()
    }

    private func isModerators(_ operation: OperationID, by device: DeviceID) -> Bool {
        membership.rank(of: operation, by: device) >= .moderator
    }

    // Annotations

    /// Whether an annotation counts and is neither withdrawn nor hidden.
    func stands(_ remark: OperationID, by device: DeviceID) -> Bool {
        membership.counts(remark, by: device) && isUntouched(remark, by: device)
    }

    /// Whether no effective operation withdraws or hides the operation.
    func isUntouched(_ operation: OperationID, by device: DeviceID) -> Bool {
        let subject = PhotoID(operation)
        return !isWithdrawn(subject, by: membership.author(of: device)) && !isHidden(subject)
    }

    /// Returns the caption by the photo's author.
    public func caption(of photo: PhotoID) -> Remarks.Remark? {
        author(of: photo).flatMap { remarks.caption(of: photo, by: $0, self) }
    }

    /// Returns the comments on the photo, oldest first.
    public func comments(on photo: PhotoID) -> [Remarks.Remark] { remarks.comments(on: photo, self) }

    /// Returns the authors of each emoji on the photo.
    public func reactions(to photo: PhotoID) -> [Unicode.Scalar: Set<AuthorID>] { remarks.reactions(to: photo, self) }

    /// Returns the id of the mission that the photo's author has it answer, whether the charter has that mission or not.
    public func answer(of photo: PhotoID) -> UInt32? {
        author(of: photo).flatMap { remarks.answer(of: photo, by: $0, self) }
    }

    /// Returns how the photo's author has turned it.
    public func turn(of photo: PhotoID) -> PhotoTurn {
        author(of: photo).map { remarks.turn(of: photo, by: $0, self) } ?? .none
    }

    /// Returns the organizers that have made the photo a highlight (protocol/disposable-v1.md §9.17).
    public func highlighters(of photo: PhotoID) -> Set<AuthorID> { remarks.highlighters(of: photo, self) }

    public func isHighlight(_ photo: PhotoID) -> Bool { !highlighters(of: photo).isEmpty }

    /// Returns the photo that organizers have given the role last, whether it is shown or not.
    public func chosenPicture(_ role: PictureRole) -> PhotoID? { remarks.pictures.chosen(role, self) }

    /// Returns where on this plan the photo's author has put it.
    public func spot(of photo: PhotoID, on plan: PhotoID) -> Spot? {
        author(of: photo).flatMap { remarks.pictures.spot(of: photo, by: $0, on: plan, self) }
    }

    /// Whether the photo's author has put it on a plan, the event's present one or another.
    public func isPlaced(_ photo: PhotoID) -> Bool {
        author(of: photo).map { remarks.pictures.isPlaced(photo, by: $0, self) } ?? false
    }

    /// The organizers' notices, oldest first.
    public var notices: [Remarks.Remark] { remarks.notices(self) }

    /// The messages to the organizers (§9.22), oldest first.
    public var messages: [Remarks.Remark] { remarks.messages(self) }

    /// Whether the operation is a known message, counting or not.
    public func isMessage(_ id: OperationID) -> Bool {
        sayers[id].map { remarks.isMessage(id, by: $0.device) } ?? false
    }

    /// Whether messages of the device are known, counting or not.
    public func hasMessages(of device: DeviceID) -> Bool { remarks.messageCount(of: device) > 0 }

    /// Returns how many messages the author has written, including withdrawn ones: the number is limited.
    public func messageCount(by author: AuthorID) -> Int { remarks.messageCount(by: author, self) }

    /// Returns the author and, if any, the photo of a text that can be withdrawn by itself (a caption, comment, notice,
    /// message or name), counting or not; `nil` if it is unknown.
    public func remark(_ id: OperationID) -> (author: AuthorID, photo: PhotoID?)? {
        sayers[id].map { (membership.author(of: $0.device), $0.photo.operationID == .none ? nil : $0.photo) }
    }

    /// Returns the ids of all such texts that match, smallest first.
    public func remarks(where matches: (OperationID) -> Bool) -> [OperationID] { sayers.keys.filter(matches).sorted() }

    /// Returns how many comments the author has made on the photo, including withdrawn ones: the number is limited, as
    /// is that of a device's notices.
    public func commentCount(on photo: PhotoID, by author: AuthorID) -> Int {
        remarks.commentCount(on: photo, by: author, self)
    }
    public func noticeCount(by device: DeviceID) -> Int { remarks.noticeCount(by: device) }

    // The quota, for nodes that add photos

    /// Returns the sum of the extra frames that organizers have given the author.
    public func extraFrames(of author: AuthorID) -> UInt64 {
        guard let extras = extras[author] else { return 0 }
        return membership.everOrganizers.reduce(0) { sum, device in
            (extras[device] ?? [:]).reduce(sum) { sum, frames in
                membership.rank(of: frames.key, by: device) >= .organizer ? sum + frames.value : sum
            }
        }
    }

    /// Returns the author's photos that lost their frames, or were beyond a quota that has grown, with the frames to
    /// claim for them. The result is the same for every holder of one of the author's keys, so that two concurrent
    /// claims agree.
    package func reclaims(
        of author: AuthorID, limit: (AuthorID, UInt64) -> UInt64?
    ) -> [(photo: PhotoID, slot: UInt64)] {
        let losers = photos(by: author).compactMap { photo($0, limit: limit) }.filter { photo in
            photo.status == .waiting && !countingClaims(on: photo.id).isEmpty
        }.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
        let held = losers.compactMap { loser in
            // A claim beyond the present quota keeps its frame in case the quota grows.
            countingClaims(on: loser.id).contains { rolls[author]?.isHeld(by: $0) == true } ? nil : loser.id
        }
        guard !held.isEmpty else { return [] }
        // A later photo may have more frames, so one that gets none leaves its frame to the next.
        var free = freeSlots(of: author, count: held.count, limit: nil)[...]
        return held.compactMap { photo in
            guard let slot = free.first, slot <= limit(author, photoTime(of: photo)) ?? .max else { return nil }
            free.removeFirst()
            return (photo, slot)
        }
    }

    /// Returns the first `count` free frames of the author's quota, for new photos.
    public func freeSlots(of author: AuthorID, count: Int, limit: UInt64?) -> [UInt64] {
        (rolls[author] ?? Roll()).freeSlots(count: count, limit: limit)
    }

    /// Whether the frame has more than one claim.
    public func isContested(_ slot: UInt64, of author: AuthorID) -> Bool { rolls[author]?.isContested(slot) == true }

    public func usedSlotCount(of author: AuthorID) -> Int { rolls[author]?.usedCount ?? 0 }

    // Consent

    /// Whether the author has agreed to the text of this hash.
    public func hasConsented(_ author: AuthorID, to text: OperationID) -> Bool {
        consents.isGiven(to: text, by: author, membership)
    }

    /// Returns how many members have agreed to it.
    public func consentCount(to text: OperationID) -> Int { consents.count(to: text, membership) }

    // Names

    /// Returns the author's name, `nil` while it has none here.
    public func name(of author: AuthorID) -> String? { currentName(of: author)?.text }

    /// Whether the author had names and has deleted all of them.
    public func isFormerGuest(_ author: AuthorID) -> Bool {
        currentName(of: author) == nil
            && membership.devices(of: author).contains { device in
                names[device]?.contains { isRemoved(PhotoID($0.id), by: author) } == true
            }
    }

    /// Returns the name to display for the author, `nil` if there is none.
    public func shownName(of author: AuthorID) -> String? {
        name(of: author) ?? (isFormerGuest(author) ? Self.formerGuest : nil)
    }

    /// The displayed name of an author who has deleted all names.
    public static let formerGuest = "former guest"

    private func currentName(of author: AuthorID) -> Name? {
        membership.devices(of: author).compactMap { device in
            names[device]?.last { stands($0.id, by: device) }
        }.max { ($0.timestamp, $1.id) < ($1.timestamp, $0.id) }
    }

    /// The name operations that count, by author, for the digest.
    package var nameOperations: [(author: AuthorID, id: OperationID)] {
        Set(names.keys.map(membership.author)).sorted().compactMap { author in
            currentName(of: author).map { (author, $0.id) }
        }
    }
}

extension VerifiedOperation {
    fileprivate var nameText: String? {
        if case .name(let text) = content { text } else { nil }
    }
}
