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
    /// The operations about a photo, which may be unknown.
    struct Description: Equatable {
        /// All claims: only the author's count, and the author may become known later.
        var claims = Statements<Claim>.none
        var originals = Statements<OperationID>.none
        /// The number of operations, counting or not, also of those that are kept elsewhere: showing the photo reads
        /// them all.
        var count = 0
    }
    struct Sayer: Equatable {
        let device: DeviceID
        /// The photo that the operation is about, if any.
        let photo: PhotoID
    }

    /// The members, the photos, the withdrawals and the times.
    private(set) var base: AlbumBase
    private(set) var descriptions: [PhotoID: Description] = [:]
    private(set) var quotas = Quotas()
    /// The operations that opened single sealed photos.
    private(set) var keyReleases: [PhotoID: Statements<OperationID>] = [:]
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
        if !authors.isEmpty {
            stale.rolls.formUnion(authors)
            (stale.isTrust, stale.areVeils) = (true, true)
        }
        note(operation)
        return authors
    }

    /// Applies the effects of the added operations on ranks and on which operations count.
    mutating func resolve() -> Membership.Change {
        let resolved = base.resolve()
        var change = resolved.change
        guard !stale.isEmpty || resolved.hasNewTimes || change.isOfRanks || !change.authors.isEmpty else {
            return change
        }
        stale.areParts = false
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
        switch operation.kind {
        case .photo:
            let photo = PhotoID(id)
            if approvals.mentions(photo, base.membership) { stale.isTrust = true }
            noteVeils(about: photo.operationID)
            addClaims(on: photo, of: device)
        case .claim:
            guard header.argument > 0 else { return describe(subject) }
            let claim = Claim(sequence: header.sequence, id: id, slot: header.argument)
            describe(subject) { $0.claims.insert(claim, by: device) }
            if let owner = self.device(of: subject), counts(claim, by: device, on: subject, of: owner) {
                quotas.add(claim, of: base.membership.author(of: device))
            }
        case .frames:
            quotas.noteExtra(operation)
            stale.areParts = true
        case .gift:
            if let gift = quotas.noteGift(operation) { add(gift: gift, by: device) }
        case .original: describe(subject) { $0.originals.insert(id, by: device) }
        case .keyRelease:
            describe(subject)
            keyReleases[subject, default: .none].insert(id, by: device)
        case .remove, .erase, .hide, .unhide:
            if mayTakeAway(operation) { noteVeils(about: header.subject) }
        case .name:
            names.note(operation)
            stale.areParts = true
            sayers[id] = Sayer(device: device, photo: subject)
        case .caption, .comment:
            describe(subject)
            note(remark: operation)
        case .notice, .message: note(remark: operation)
        case .approval:
            approvals.note(operation)
            stale.areParts = true
        case .approve, .unapprove:
            approvals.note(operation)
            if base.membership.everModerators.contains(device) { stale.isTrust = true }
        case .reaction, .answer, .turn:
            describe(subject)
            remarks.note(operation)
        case .spot:
            describe(subject)
            pictures.note(operation)
        case .picture: pictures.note(operation)
        case .ballot, .vote, .closing:
            votes.note(operation)
            stale.areParts = true
        case .veiling, .veil, .lift:
            veils.note(operation)
            // A setting or a lift by anybody else changes nothing before a rank does.
            if operation.kind == .veil || base.membership.everModerators.contains(device) { stale.areVeils = true }
        case .pageSealing: pageSealings.note(operation)
        case .consent: consents.note(operation)
        case .tickets, .ticketUse, .ticketRuling:
            quotas.noteTickets(operation)
            stale.areParts = true
        // Another join of a device may lead to another sponsor tree.
        case .join: stale.areVeils = true
        case .charter, .edit, .grant, .revokeRole, .revokeDevice, .reveal, .leave, .epoch, .list, .share,
            .shareRelease, .twinning, nil:
            break
        }
    }

    private mutating func note(remark operation: VerifiedOperation) {
        remarks.note(operation)
        sayers[operation.id] = Sayer(device: operation.header.device, photo: PhotoID(operation.header.subject))
    }

    /// Counts an operation about the photo.
    private mutating func describe(_ photo: PhotoID, _ add: (inout Description) -> Void = { _ in }) {
        func update(_ description: inout Description) {
            description.count += 1
            add(&description)
        }
        update(&descriptions[photo, default: Description()])
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

    private func counts(_ claim: Claim, by device: DeviceID, on photo: PhotoID, of owner: DeviceID) -> Bool {
        if owner == device { return base.membership.counts(photo.operationID, claim.id, by: device) }
        return base.membership.author(of: owner) == base.membership.author(of: device)
            && base.membership.counts(photo.operationID, by: owner) && base.membership.counts(claim.id, by: device)
    }

    /// Returns the claims on the photo that its author has made and that count.
    func countingClaims(on photo: PhotoID) -> [Claim] {
        guard let claims = descriptions[photo]?.claims, let owner = device(of: photo) else { return [] }
        return base.membership.statements(claims, by: base.membership.author(of: owner))
            .filter { counts($0.said, by: $0.device, on: photo, of: owner) }.map(\.said)
    }

    private mutating func addClaims(on photo: PhotoID, of owner: DeviceID) {
        switch descriptions[photo]?.claims {
        case nil, .some(.none): break
        // Without lists, as this is done for every photo of a removed device.
        case .one(let claim, let device):
            guard counts(claim, by: device, on: photo, of: owner) else { break }
            quotas.add(claim, of: base.membership.author(of: owner))
        case .several:
            for claim in countingClaims(on: photo) { quotas.add(claim, of: base.membership.author(of: owner)) }
        }
    }

    /// Recomputes an author's quota after other operations of the author count than before, or it has other devices.
    private mutating func rebuildRoll(of author: AuthorID) {
        quotas.clear(author)
        for device in base.membership.devices(of: author) {
            for photo in base.photosByDevice[device] ?? [] { addClaims(on: photo, of: device) }
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
            followed + (descriptions[PhotoID(header.subject)]?.count ?? 0) / 8
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
        guard let roll = quotas.roll(of: author), let claims = descriptions[photo]?.claims else { return .waiting }
        let held = base.membership.statements(claims, by: author).lazy.map(\.said).filter(roll.isHeld)
        guard let slot = held.map(\.slot).min(), slot <= limit ?? .max else { return .waiting }
        if needsApproval(photo, by: author) { return .pending(slot) }
        return veils.isVeiled(photo, base) ? .veiled(slot) : .frame(slot)
    }

    private mutating func findTrusted() {
        stale.isTrust = false
        let approved = approvals.approved(base.membership)
        trusted = approved.isEmpty ? [] : Set(approved.filter(exists).compactMap(author))
    }

    /// Returns the device that signed the photo, whether the photo counts or not.
    public func device(of photo: PhotoID) -> DeviceID? { base.entries[photo]?.device }

    public func author(of photo: PhotoID) -> AuthorID? { base.author(of: photo) }

    /// Returns the author's photos in the order of their ids, whatever their status.
    public func photos(by author: AuthorID) -> [PhotoID] {
        base.membership.devices(of: author).flatMap { base.photosByDevice[$0] ?? [] }.filter(exists).sorted()
    }

    /// Returns the operations that describe the photo's original, alternates of each other, smallest id first.
    public func originals(of photo: PhotoID) -> [OperationID] {
        statements(descriptions[photo]?.originals, byAuthorOf: photo)
    }

    /// Returns the author's operations that open a sealed photo, smallest id first.
    public func keyReleases(of photo: PhotoID) -> [OperationID] { statements(keyReleases[photo], byAuthorOf: photo) }

    /// Returns the operations by the photo's author that count, smallest id first.
    private func statements(_ all: Statements<OperationID>?, byAuthorOf photo: PhotoID) -> [OperationID] {
        guard let all, let author = author(of: photo) else { return [] }
        return base.membership.statements(all, by: author).filter { base.membership.counts($0.said, by: $0.device) }
            .map(\.said).sorted()
    }

    /// Drops the texts that these bodies held.
    mutating func forgetBodies(_ ids: [OperationID]) {
        for id in ids {
            guard let sayer = sayers[id] else { continue }
            remarks.forgetText(of: id, by: sayer.device, about: sayer.photo)
            names.forgetText(of: id, by: sayer.device)
        }
    }
}
