// SPDX-License-Identifier: Apache-2.0

/// The photos, annotations and names of an event: a fold over the operations that depends only on their set, not on
/// their order, on clocks, or on the bodies that this node has (protocol/disposable-v1.md §9).
///
/// - A photo exists if its operation counts. An original counts if it is not void and has the photo's
///   author, a claim if it is of that author, too. The devices of one guest are one author.
/// - The claim to a frame with the lowest sequence wins, then the smallest id (`Roll`), even if its photo was deleted:
///   a claimed frame stays used. A frame beyond the quota shows nothing.
/// - A photo has the lowest frame that one of its claims holds. A gift takes part as a claim does.
/// - A remove by the author counts at any time, an erase with an organizer's rank, a hide with a
///   moderator's rank until an unhide with such a rank names it.
/// - The effective name of a device is its counting name with the highest sequence, then the smallest id; that of an
///   author is the one with the latest timestamp among its devices.
public struct Album: Equatable, Sendable {
    /// The operations of each device about one subject. Whether one counts is checked on reading, and only for the
    /// devices whose operations can count: an endless stream from others costs readers nothing.
    private typealias Statements = [DeviceID: Set<OperationID>]
    struct Sayer: Equatable {
        let device: DeviceID
        /// The photo that the operation is about, if any.
        let photo: PhotoID
    }

    /// The members, the photos, the withdrawals and the times.
    private(set) var base: AlbumBase
    /// All claims: only the author's count, and the author may become known later.
    private var claims: [PhotoID: [DeviceID: Set<Claim>]] = [:]
    private var originals: [PhotoID: Statements] = [:]
    private(set) var quotas = Quotas()
    /// The operations that opened single sealed photos.
    private var keyReleases: [PhotoID: Statements] = [:]
    private(set) var remarks = Remarks()
    private(set) var pictures = Pictures()
    private(set) var votes = Votes()
    private(set) var approvals = Approvals()
    private(set) var veils = Veils()
    private(set) var pageSealings = PageSealings()
    /// The authors with an approved photo.
    private(set) var trusted: Set<AuthorID> = []
    private(set) var consents = Consents()
    private(set) var names = Names()
    /// The parts that are out of date until the end of the batch.
    private var stale = Stale()
    /// The signers of texts that can be withdrawn by themselves: names, captions, comments, notices, messages.
    private(set) var sayers: [OperationID: Sayer] = [:]
    /// The devices of other operations with a body that the fold does not read: originals, released keys, and kinds of
    /// later versions. Such an operation is discarded only together with everything of its device.
    private var others: [OperationID: DeviceID] = [:]

    public init(membership: Membership) { base = AlbumBase(membership: membership) }

    public var membership: Membership { base.membership }

    /// Adds an operation. Call `resolve` afterwards, once for any number of operations.
    /// - Returns: the authors for which the operation changes something at once; `nil` for a duplicate, which may still
    ///   bring a missing body.
    mutating func take(_ operation: VerifiedOperation) -> Set<AuthorID>? {
        guard let authors = base.note(operation) else {
            names.noteText(of: operation)
            remarks.noteText(of: operation)
            return nil
        }
        stale.rolls.formUnion(authors)
        if !authors.isEmpty { (stale.isTrust, stale.areVeils) = (true, true) }
        note(operation)
        return authors
    }

    /// Applies the effects of the added operations on ranks and on which operations count.
    mutating func resolve() -> Membership.Change {
        let resolved = base.resolve()
        var change = resolved.change
        let hasNewAuthors = !stale.rolls.isEmpty || !change.authors.isEmpty
        quotas.resolve(base.membership, hasNewRanks: change.isOfRanks)
        let authors = stale.rolls.union(change.authors)
        for author in authors { rebuildRoll(of: author) }
        stale.rolls = []
        change.ticketHolders = quotas.resolveTickets(base.membership, authors: authors, hasNewRanks: change.isOfRanks)
        names.resolve()
        approvals.resolve(base.membership, hasNewRanks: change.isOfRanks)
        if stale.isTrust || change.isOfRanks || !change.authors.isEmpty { findTrusted() }
        if !veils.isEmpty, stale.areVeils || change.isOfRanks || !change.authors.isEmpty { veils.resolve(base) }
        stale.areVeils = false
        if votes.isStale || resolved.hasNewTimes || hasNewAuthors || change.isOfRanks { votes.resolve(base) }
        return change
    }

    private mutating func note(_ operation: VerifiedOperation) {
        let header = operation.header
        let subject = PhotoID(header.subject)
        let (id, device) = (operation.id, header.device)
        // Showing the photo reads these, too.
        if [.claim, .original, .keyRelease, .spot].contains(operation.kind) { remarks.countOne(about: subject) }
        switch operation.kind {
        case .original, .keyRelease, .twinning: others[id] = device
        case nil where header.bodyByteCount > 0: others[id] = device
        default: break
        }
        switch operation.kind {
        case .photo:
            let photo = PhotoID(operation.id)
            if approvals.mentions(photo, base.membership) { stale.isTrust = true }
            noteVeils(about: photo.operationID)
            addClaims(of: photo)
        case .claim where header.argument > 0:
            let claim = Claim(sequence: header.sequence, id: id, slot: header.argument)
            claims[subject, default: [:]][device, default: []].insert(claim)
            if counts(claim, by: device, on: subject) {
                quotas.add(claim, of: base.membership.author(of: device))
            }
        case .frames: quotas.noteExtra(operation)
        case .gift:
            if let gift = quotas.noteGift(operation) { add(gift: gift, by: device) }
        case .keyRelease: keyReleases[subject, default: [:]][device, default: []].insert(id)
        case .original: originals[subject, default: [:]][device, default: []].insert(id)
        case .remove, .erase, .hide, .unhide:
            if mayTakeAway(operation) { noteVeils(about: header.subject) }
        case .name:
            names.note(operation)
            sayers[id] = Sayer(device: device, photo: subject)
        case .caption, .comment, .notice, .message:
            remarks.note(operation)
            sayers[operation.id] = Sayer(device: header.device, photo: subject)
        case .approval: approvals.note(operation)
        case .approve, .unapprove:
            approvals.note(operation)
            if base.membership.everModerators.contains(device) { stale.isTrust = true }
        case .reaction, .answer, .turn: remarks.note(operation)
        case .picture, .spot: pictures.note(operation)
        case .ballot, .vote, .closing: votes.note(operation)
        case .veiling, .veil, .lift:
            veils.note(operation)
            // A setting or a lift by anybody else changes nothing before a rank does.
            if operation.kind == .veil || base.membership.everModerators.contains(device) { stale.areVeils = true }
        case .pageSealing: pageSealings.note(operation)
        case .consent: consents.note(operation)
        case .tickets, .ticketUse, .ticketRuling: quotas.noteTickets(operation)
        // Another join of a device may lead to another sponsor tree.
        case .join: stale.areVeils = true
        case .charter, .edit, .grant, .revokeRole, .revokeDevice, .reveal, .leave, .epoch, .list, .claim, .share,
            .shareRelease, .twinning, nil:
            break
        }
    }

    /// Sets the number of frames that the charter gives each guest, `nil` where gifts of frames have no effect; and
    /// whether it gives them to those with a ticket only.
    mutating func setFramesForGifts(_ count: UInt64?, needsTickets: Bool) {
        quotas.setBasic(count, needsTickets: needsTickets)
    }

    private mutating func noteVeils(about subject: OperationID) {
        if veils.mayDepend(on: subject) { stale.areVeils = true }
    }

    // Quotas

    private func counts(_ claim: Claim, by device: DeviceID, on photo: PhotoID) -> Bool {
        guard let owner = author(of: photo), owner == base.membership.author(of: device), exists(photo) else {
            return false
        }
        return base.membership.counts(claim.id, by: device)
    }

    /// Returns the claims on the photo that its author has made and that count.
    func countingClaims(on photo: PhotoID) -> [Claim] {
        guard let claims = claims[photo], let author = author(of: photo) else { return [] }
        return base.membership.devices(of: author, among: claims).flatMap { device, claims in
            claims.filter { counts($0, by: device, on: photo) }
        }
    }

    private mutating func addClaims(of photo: PhotoID) {
        guard let author = author(of: photo) else { return }
        for claim in countingClaims(on: photo) { quotas.add(claim, of: author) }
    }

    /// Recomputes an author's quota after other operations of the author count than before, or it has other devices.
    private mutating func rebuildRoll(of author: AuthorID) {
        quotas.clear(author)
        for device in base.membership.devices(of: author) {
            for photo in base.photosByDevice[device] ?? [] { addClaims(of: photo) }
            for gift in quotas.gifts(by: device) { add(gift: gift, by: device) }
        }
    }

    /// Adds a gift that counts, whatever becomes of its frame.
    private mutating func add(gift: Claim, by device: DeviceID) {
        let author = base.membership.author(of: device)
        guard gift.recipient != author, base.membership.counts(gift.id, by: device) else { return }
        quotas.add(gift, of: author)
    }

    // Photos

    /// The photos that count, in the order of their ids.
    public var photoIDs: [PhotoID] { base.entries.keys.filter(exists).sorted() }
    public var count: Int { base.entries.keys.count(where: exists) }

    /// Whether the photo is known and counts; an unknown or void photo does not exist.
    public func exists(_ photo: PhotoID) -> Bool {
        base.exists(photo)
    }

    /// Returns when the photo was added, by its timestamp and those of its ancestors in its chain; milliseconds since
    /// 1970 UTC, 0 if it is unknown.
    public func photoTime(of photo: PhotoID) -> UInt64 {
        guard let entry = base.entries[photo] else { return 0 }
        return base.time(of: photo.operationID, entry.timestamp)
    }

    /// Returns about how many operations a node reads again because of one more: all of a device whose timestamps go back;
    /// and, whenever the photo, the messages or the name are shown, those about the photo, or the messages or names of the
    /// device. The votes of a closed ballot are counted again with each further one, ballot, closing and join, and each
    /// operation of a device whose timestamps go back. Weights are measured: to read one about a photo, a message, or a
    /// vote costs an eighth of following one in a chain, a name four times as much as following.
    public func consequenceCount(of header: OperationHeader) -> Int {
        let recounted = votes.recountedCount / 8
        var followed = base.times.followedCount(of: header.device)
        if followed > 0 { followed += recounted }
        return switch header.knownKind {
        case .caption, .comment, .reaction, .answer, .spot, .turn, .claim, .original, .keyRelease:
            followed + remarks.count(about: PhotoID(header.subject)) / 8
        case .name: followed + 4 * names.count(of: header.device)
        case .message: followed + remarks.messageCount(of: header.device) / 8
        // A device that gets another author has all its operations read again.
        case .join: followed + ownCount(of: header.device) / 8 + recounted
        case .ballot, .closing: followed + recounted
        case .vote: followed + votes.count(in: header.subject) / 8
        case .ticketUse: followed + quotas.tickets.useCount(of: TicketKey(header.subject.bytes32)) / 8
        default: followed
        }
    }

    /// Returns about how many operations are read again when the device gets another author: its content, its removes,
    /// and the uses of the tickets that it has used.
    private func ownCount(of device: DeviceID) -> Int {
        base.times.count(of: device) + base.withdrawn.removeCount(by: device) + quotas.tickets.useCount(by: device)
    }

    /// Returns the photo as shown with a quota of `limit` frames for its author at its time (`nil`: no limit).
    public func photo(_ id: PhotoID, limit: (AuthorID, UInt64) -> UInt64?) -> Photo? {
        guard let entry = base.entries[id], exists(id) else { return nil }
        let author = base.membership.author(of: entry.device)
        return Photo(
            id: id, author: author, device: entry.device, sequence: entry.sequence, timestamp: entry.timestamp,
            status: status(of: id, by: author, limit: limit(author, photoTime(of: id))))
    }

    private func status(of photo: PhotoID, by author: AuthorID, limit: UInt64?) -> PhotoStatus {
        if isRemoved(photo, by: author) { return .removed }
        if isErased(photo) { return .erased }
        if isHidden(photo) { return .hidden }
        guard let roll = quotas.roll(of: author), let claims = claims[photo] else { return .waiting }
        let held = base.membership.devices(of: author, among: claims).flatMap(\.value).filter(roll.isHeld)
        guard let slot = held.map(\.slot).min(), slot <= limit ?? .max else { return .waiting }
        if needsApproval(photo, by: author) { return .pending(slot) }
        return veils.isVeiled(photo, base) ? .veiled(slot) : .frame(slot)
    }

    private mutating func findTrusted() {
        stale.isTrust = false
        trusted = Set(approvals.approved(base.membership).filter(exists).compactMap(author))
    }

    /// Returns the device that signed the photo, whether the photo counts or not.
    public func device(of photo: PhotoID) -> DeviceID? { base.entries[photo]?.device }

    public func author(of photo: PhotoID) -> AuthorID? { base.author(of: photo) }

    /// Returns the author's photos in the order of their ids, whatever their status.
    public func photos(by author: AuthorID) -> [PhotoID] {
        base.membership.devices(of: author).flatMap { base.photosByDevice[$0] ?? [] }.filter(exists).sorted()
    }

    /// Returns the operations that describe the photo's original, alternates of each other, smallest id first.
    public func originals(of photo: PhotoID) -> [OperationID] { statements(originals, byAuthorOf: photo) }

    /// Returns the author's operations that open a sealed photo, smallest id first.
    public func keyReleases(of photo: PhotoID) -> [OperationID] { statements(keyReleases, byAuthorOf: photo) }

    /// Returns the operations by the photo's author that count, smallest id first.
    private func statements(_ all: [PhotoID: Statements], byAuthorOf photo: PhotoID) -> [OperationID] {
        guard let statements = all[photo], let author = author(of: photo) else { return [] }
        return base.membership.devices(of: author, among: statements).flatMap { device, operations in
            operations.filter { base.membership.counts($0, by: device) }
        }.sorted()
    }

    // Withdrawing

    /// Whether `author` has deleted the photo, known or not: a photo may arrive after its deletion.
    public func isRemoved(_ photo: PhotoID, by author: AuthorID) -> Bool {
        base.isRemoved(photo, by: author)
    }

    /// Whether an organizer has erased the photo, known or not.
    public func isErased(_ photo: PhotoID) -> Bool { base.isErased(photo) }

    /// Whether nodes purge the photo's bytes and keys, and serve them no longer.
    public func isWithdrawn(_ photo: PhotoID, by author: AuthorID) -> Bool {
        base.isWithdrawn(photo, by: author)
    }

    /// Every known photo and annotation that was withdrawn for good, with the reason.
    public var withdrawals: [OperationID: WithdrawalReason] {
        var withdrawals: [OperationID: WithdrawalReason] = [:]
        for subject in base.withdrawn.subjects.map(\.operationID) {
            withdrawals[subject] = withdrawal(of: subject)
        }
        guard base.membership.hasDiscarded else { return withdrawals }
        func add(_ id: OperationID, by device: DeviceID) {
            if withdrawals[id] == nil, base.membership.isDiscarded(id, by: device) { withdrawals[id] = .discarded }
        }
        for (photo, entry) in base.entries { add(photo.operationID, by: entry.device) }
        for (id, sayer) in sayers { add(id, by: sayer.device) }
        for (id, device) in others { add(id, by: device) }
        return withdrawals
    }

    /// Returns the subjects that these authors, or devices that sign for them, have deleted, even if they do not own
    /// them.
    public func subjects(takenBackBy authors: Set<AuthorID>) -> Set<OperationID> {
        base.withdrawn.subjects(removedBy: authors, base.membership)
    }

    /// Returns why the photo, the annotation, or another operation with a body that the fold does not read was
    /// withdrawn for good; `nil` if it was not, or is not known.
    public func withdrawal(of subject: OperationID) -> WithdrawalReason? {
        let photo = PhotoID(subject)
        guard base.withdrawn.mentions(photo) || base.membership.hasDiscarded else { return nil }
        if let device = base.entries[photo]?.device ?? sayers[subject]?.device {
            if isRemoved(photo, by: base.membership.author(of: device)) { return .removed }
            if isErased(photo) { return .erased }
            return base.membership.isDiscarded(subject, by: device) ? .discarded : nil
        }
        return others[subject].map { base.membership.isDiscarded(subject, by: $0) } == true ? .discarded : nil
    }

    private func isDiscarded(_ photo: PhotoID) -> Bool {
        base.entries[photo].map { base.membership.isDiscarded(photo.operationID, by: $0.device) } ?? false
    }

    /// Returns the operations whose bodies are purged with `subject`: its own and, for a photo, those of all operations
    /// that describe or annotate it.
    public func bodies(with subject: OperationID) -> [OperationID] {
        let photo = PhotoID(subject)
        guard base.entries[photo] != nil else {
            return sayers[subject] == nil && others[subject] == nil ? [] : [subject]
        }
        return [subject] + (originals[photo] ?? [:]).values.joined().sorted()
            + (keyReleases[photo] ?? [:]).values.joined().sorted() + remarks.texts(about: photo)
    }

    /// Returns the withdrawn subject with which the operation's body is purged: the operation itself, or its photo;
    /// `nil` if neither is withdrawn. Also valid for an operation that has not arrived yet.
    public func withdrawnSubject(of id: OperationID, _ header: OperationHeader) -> OperationID? {
        guard !base.withdrawn.isEmpty || base.membership.hasDiscarded else { return nil }
        let kind = header.knownKind
        guard kind?.isErasable != false else { return nil }
        if base.membership.isDiscarded(id, by: header.device) { return id }
        guard let kind, kind != .twinning else { return nil }  // no remove withdraws a twinning
        let sayer = base.membership.author(of: header.device)
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
            names.forgetText(of: id, by: sayer.device)
        }
    }

    public func isHidden(_ photo: PhotoID) -> Bool { base.isHidden(photo) }

    /// Returns the hides that count and that nobody has cancelled, smallest id first: an unhide must name them.
    public func hides(of photo: PhotoID) -> [OperationID] {
        base.hides(of: photo)
    }
}
