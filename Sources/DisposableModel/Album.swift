// SPDX-License-Identifier: Apache-2.0

/// Where a photo stands, the same on every node that has the same operations.
public enum PhotoStatus: Equatable, Sendable {
    /// Visible, as this frame of its author's roll, from 1.
    case frame(UInt64)
    /// Not visible: without a claim, its slot lost to another claim, or beyond the roll. Its author may claim again.
    case waiting
    /// Taken out of the gallery by a moderator, who may put it back. It stays on all nodes.
    case hidden
    /// Taken back by its author: to be destroyed everywhere.
    case removed
    /// To be destroyed everywhere by the word of an organizer.
    case erased

    /// Whether the photo's bytes and keys are to be destroyed, and are given out no more.
    public var isWithdrawn: Bool { self == .removed || self == .erased }
}

/// A photo as the operations tell it, without its bodies.
public struct Photo: Equatable, Sendable {
    public let id: PhotoID
    /// Whose it is: a guest's own key, or that of the device.
    public let author: AuthorID
    /// What signed it.
    public let device: DeviceID
    public let sequence: UInt32
    public let timestamp: HybridTimestamp
    public let status: PhotoStatus
}

/// The members, photos and names of an event: a fold over the operations that depends on their set only, not on their
/// order, not on clocks and not on which bodies are here (protocol/disposable-v1.md §9).
///
/// - A photo exists if its operation counts. An original counts if it is not void and has the photo's author
///   a claim if it is of that author, too. The devices of one guest are one author.
/// - Of the claims to one slot of an author the lowest sequence wins, then the smallest id (`Roll`), also if its photo was
///   removed: a claimed slot stays used. A slot beyond the roll shows nothing.
/// - A photo has the lowest slot that one of its claims holds.
/// - A remove by the author counts at any time, an erase with an organizer's rank, a hide with a
///   moderator's rank until an unhide with such a rank names it.
/// - Of a device's names that count the highest sequence wins, then the smallest id; of an author's devices the one with
///   the latest timestamp.
public struct Album: Equatable, Sendable {
    private struct Entry: Equatable {
        let device: DeviceID
        let sequence: UInt32
        let timestamp: HybridTimestamp
    }
    /// What devices stated about one subject. Whether it counts is asked when somebody looks, and only of the devices
    /// whose word can count: what others state without end costs readers nothing.
    private typealias Statements = [DeviceID: Set<OperationID>]
    private struct Sayer: Equatable {
        let device: DeviceID
        /// What it is said about, where that is a photo.
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
    /// Only the author's count, and who that is may become known later.
    private var claims: [PhotoID: [DeviceID: Set<Claim>]] = [:]
    private var originals: [PhotoID: Statements] = [:]
    private var removals: [PhotoID: Statements] = [:]
    private var removalsByDevice: [DeviceID: Set<OperationID>] = [:]
    private var erases: [PhotoID: Statements] = [:]
    private var hides: [PhotoID: Statements] = [:]
    /// With the hides that each names.
    private var unhides: [PhotoID: [DeviceID: [OperationID: Set<OperationID>]]] = [:]
    private var rolls: [AuthorID: Roll] = [:]
    /// Frames that were given to authors beyond the charter's.
    private var extras: [AuthorID: [DeviceID: [OperationID: UInt64]]] = [:]
    /// The operations by which sealed photos were opened one by one.
    private var keyReleases: [PhotoID: Statements] = [:]
    private var remarks = Remarks()
    private var consents = Consents()
    /// Every name a device gave itself, the one that counts first at the end.
    private var names: [DeviceID: [Name]] = [:]
    /// The devices whose names are not in that order yet, within a batch.
    private var unorderedNames: Set<DeviceID> = []
    /// The authors whose rolls are wrong until the end of the batch.
    private var staleRolls: Set<AuthorID> = []
    /// Who said what is not about a photo's bytes and can be taken away by itself: names, captions, comments, notices.
    private var sayers: [OperationID: Sayer] = [:]
    /// The devices of other operations that have a body which the fold does not read: originals, released keys, and
    /// kinds of later versions. Such an operation is discarded only together with everything of its device.
    private var others: [OperationID: DeviceID] = [:]

    public init(membership: Membership) { self.membership = membership }

    /// Takes an operation; `resolve` follows, once for any number of them.
    /// - Returns: those for whom it changes something at once; `nil` where it is here already, of which only a body may
    ///   be new.
    mutating func take(_ operation: VerifiedOperation) -> Set<AuthorID>? {
        guard let authors = membership.note(operation) else {
            noteText(of: operation)
            remarks.noteText(of: operation)
            return nil
        }
        staleRolls.formUnion(authors)
        note(operation)
        return authors
    }

    /// Brings what was taken in line with who may do what.
    mutating func resolve() -> Membership.Change {
        let change = membership.resolve()
        for author in staleRolls.union(change.authors) { rebuildRoll(of: author) }
        staleRolls = []
        for device in unorderedNames { names[device]?.sort { ($0.sequence, $1.id) < ($1.sequence, $0.id) } }
        unorderedNames = []
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
        case .erase: erases[subject, default: [:]][device, default: []].insert(id)
        case .hide: hides[subject, default: [:]][device, default: []].insert(id)
        case .unhide:
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
        case .caption, .comment, .notice:
            remarks.note(operation)
            sayers[operation.id] = Sayer(device: header.device, photo: subject)
        case .reaction: remarks.note(operation)
        case .consent: consents.note(operation)
        case .charter, .edit, .join, .grant, .revokeRole, .revokeDevice, .reveal, .leave, .epoch, .list, .claim,
            .frames,
            nil:
            break
        }
    }

    private mutating func noteText(of operation: VerifiedOperation) {
        guard let text = operation.nameText,
            let place = names[operation.header.device]?.firstIndex(where: { $0.id == operation.id })
        else { return }
        names[operation.header.device]![place].text = text
    }

    // Rolls

    private func counts(_ claim: Claim, by device: DeviceID, on photo: PhotoID) -> Bool {
        guard let owner = author(of: photo), owner == membership.author(of: device), exists(photo) else {
            return false
        }
        return membership.counts(claim.id, by: device)
    }

    /// The claims on the photo that its author has made and that count.
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

    /// Others of the author's operations count than did before, or it speaks through other devices.
    private mutating func rebuildRoll(of author: AuthorID) {
        rolls[author] = nil
        for device in membership.devices(of: author) {
            for photo in photosByDevice[device] ?? [] { addClaims(of: photo) }
        }
    }

    // Photos

    /// Every photo of the album in the order of their ids.
    public var photoIDs: [PhotoID] { entries.keys.filter(exists).sorted() }
    public var count: Int { entries.keys.count(where: exists) }

    /// Whether the photo is here and counts: where not, it is void or not known.
    public func exists(_ photo: PhotoID) -> Bool {
        guard let entry = entries[photo] else { return false }
        return membership.counts(photo.operationID, by: entry.device)
    }

    /// The photo as it stands for an author whose roll has `limit` slots (`nil`: no limit).
    public func photo(_ id: PhotoID, limit: (AuthorID) -> UInt64?) -> Photo? {
        guard let entry = entries[id], exists(id) else { return nil }
        let author = membership.author(of: entry.device)
        return Photo(
            id: id, author: author, device: entry.device, sequence: entry.sequence, timestamp: entry.timestamp,
            status: status(of: id, by: author, limit: limit(author)))
    }

    private func status(of photo: PhotoID, by author: AuthorID, limit: UInt64?) -> PhotoStatus {
        if isRemoved(photo, by: author) { return .removed }
        if isErased(photo) { return .erased }
        if isHidden(photo) { return .hidden }
        guard let roll = rolls[author], let claims = claims[photo] else { return .waiting }
        let held = membership.devices(of: author, among: claims).flatMap(\.value).filter(roll.isHeld)
        guard let slot = held.map(\.slot).min(), slot <= limit ?? .max else { return .waiting }
        return .frame(slot)
    }

    /// The device that signed the photo, whether the photo counts or not.
    public func device(of photo: PhotoID) -> DeviceID? { entries[photo]?.device }

    public func author(of photo: PhotoID) -> AuthorID? { entries[photo].map { membership.author(of: $0.device) } }

    /// The author's photos in the order of their ids, whatever their status.
    public func photos(by author: AuthorID) -> [PhotoID] {
        membership.devices(of: author).flatMap { photosByDevice[$0] ?? [] }.filter(exists).sorted()
    }

    /// The operations that describe the photo's original, alternates of each other, smallest id first.
    public func originals(of photo: PhotoID) -> [OperationID] { statements(originals, byAuthorOf: photo) }

    /// The operations of its author that open a sealed photo, smallest id first.
    public func keyReleases(of photo: PhotoID) -> [OperationID] { statements(keyReleases, byAuthorOf: photo) }

    /// Those of the photo's author that count, smallest id first.
    private func statements(_ all: [PhotoID: Statements], byAuthorOf photo: PhotoID) -> [OperationID] {
        guard let statements = all[photo], let author = author(of: photo) else { return [] }
        return membership.devices(of: author, among: statements).flatMap { device, operations in
            operations.filter { membership.counts($0, by: device) }
        }.sorted()
    }

    // Taking away

    /// Whether `author` has taken back the photo, known or not: kept for photos that come later than their removal.
    public func isRemoved(_ photo: PhotoID, by author: AuthorID) -> Bool {
        guard let removals = removals[photo] else { return false }
        return membership.devices(of: author, among: removals).contains { device, operations in
            operations.contains { membership.countsAsRemoval($0, by: device) }
        }
    }

    /// Whether an organizer has the photo destroyed, known or not.
    public func isErased(_ photo: PhotoID) -> Bool {
        guard let erases = erases[photo] else { return false }
        return membership.everOrganizers.contains { device in
            erases[device]?.contains { membership.rank(of: $0, by: device) >= .organizer } == true
        }
    }

    /// Whether the photo's bytes and keys are to be destroyed, and are given out no more.
    public func isWithdrawn(_ photo: PhotoID, by author: AuthorID) -> Bool {
        isErased(photo) || isRemoved(photo, by: author)
    }

    /// Everything known that is taken away for good, a photo or a remark, and why.
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

    /// What these authors, or who is said to speak for them, have taken back, be it theirs or not.
    public func subjects(takenBackBy authors: Set<AuthorID>) -> Set<OperationID> {
        guard !removals.isEmpty else { return [] }
        return authors.reduce(into: []) { subjects, author in
            for device in membership.devices(of: author) { subjects.formUnion(removalsByDevice[device] ?? []) }
        }
    }

    /// Why the photo, the remark, or another operation with a body that the fold does not read is taken away for good,
    /// `nil` where it is not, or not known.
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

    /// The operations whose bodies go with `subject`: its own and, of a photo, those of all that describes it or is
    /// said about it.
    public func bodies(with subject: OperationID) -> [OperationID] {
        let photo = PhotoID(subject)
        guard entries[photo] != nil else { return sayers[subject] == nil && others[subject] == nil ? [] : [subject] }
        return [subject] + (originals[photo] ?? [:]).values.joined().sorted()
            + (keyReleases[photo] ?? [:]).values.joined().sorted() + remarks.texts(about: photo)
    }

    /// What is taken away, so that the operation's body goes with it: the operation itself or the photo that it is
    /// about. `nil` where neither is. Also right for an operation that is not here yet.
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
            // Of a photo that is not here yet only its author's count, so whoever says it is taken for the author.
            let isGone = isWithdrawn(photo, by: author(of: photo) ?? sayer) || isDiscarded(photo)
            return isGone ? header.subject : nil
        case .comment:
            let isRemoved = author(of: photo).map { self.isRemoved(photo, by: $0) } ?? false
            return isRemoved || isErased(photo) || isDiscarded(photo) ? header.subject : nil
        default: return nil
        }
    }

    /// Forgets what these bodies said.
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

    /// The hides that count and that nobody has cancelled, smallest id first: those an unhide must name.
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

    // Remarks

    /// Whether a remark counts and nobody has taken it away.
    func stands(_ remark: OperationID, by device: DeviceID) -> Bool {
        membership.counts(remark, by: device) && isUntouched(remark, by: device)
    }

    /// Whether nobody with a say has taken the operation away.
    func isUntouched(_ operation: OperationID, by device: DeviceID) -> Bool {
        let subject = PhotoID(operation)
        return !isWithdrawn(subject, by: membership.author(of: device)) && !isHidden(subject)
    }

    /// What the photo's author says under it.
    public func caption(of photo: PhotoID) -> Remarks.Remark? {
        author(of: photo).flatMap { remarks.caption(of: photo, by: $0, self) }
    }

    /// What people say about the photo, the oldest first.
    public func comments(on photo: PhotoID) -> [Remarks.Remark] { remarks.comments(on: photo, self) }

    /// Who put which emoji on the photo.
    public func reactions(to photo: PhotoID) -> [Unicode.Scalar: Set<AuthorID>] { remarks.reactions(to: photo, self) }

    /// What organizers say to all, the oldest first.
    public var notices: [Remarks.Remark] { remarks.notices(self) }

    /// Who said what can be taken away by itself, a caption, a comment, a notice or a name, counting or not; and the
    /// photo that it is about, where it is about one. `nil` where nobody has said it.
    public func remark(_ id: OperationID) -> (author: AuthorID, photo: PhotoID?)? {
        sayers[id].map { (membership.author(of: $0.device), $0.photo.operationID == .none ? nil : $0.photo) }
    }

    /// The ids of those among all such, the smallest first.
    public func remarks(where matches: (OperationID) -> Bool) -> [OperationID] { sayers.keys.filter(matches).sorted() }

    /// Comments of the author's on the photo, those taken away too, and notices of the device's: there is an end to
    /// both.
    public func commentCount(on photo: PhotoID, by author: AuthorID) -> Int {
        remarks.commentCount(on: photo, by: author, self)
    }
    public func noticeCount(by device: DeviceID) -> Int { remarks.noticeCount(by: device) }

    // The roll, for those who add

    /// Frames that organizers have given the author beyond the charter's: all that they gave, added up.
    public func extraFrames(of author: AuthorID) -> UInt64 {
        guard let extras = extras[author] else { return 0 }
        return membership.everOrganizers.reduce(0) { sum, device in
            (extras[device] ?? [:]).reduce(sum) { sum, frames in
                membership.rank(of: frames.key, by: device) >= .organizer ? sum + frames.value : sum
            }
        }
    }

    /// The author's photos that lost their slots, or were beyond a roll that has grown, with the slots that they are to
    /// claim: the same for whoever holds a key of the author, so that two who claim at once claim alike.
    public func reclaims(of author: AuthorID, limit: UInt64?) -> [(photo: PhotoID, slot: UInt64)] {
        let losers = photos(by: author).compactMap { photo(_: $0) { _ in limit } }.filter { photo in
            photo.status == .waiting && !countingClaims(on: photo.id).isEmpty
        }.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
        let held = losers.compactMap { loser in
            // A claim beyond the roll as it is now keeps its slot for when the roll grows.
            countingClaims(on: loser.id).contains { rolls[author]?.isHeld(by: $0) == true } ? nil : loser.id
        }
        guard !held.isEmpty else { return [] }
        return Array(zip(held, freeSlots(of: author, count: held.count, limit: limit)).map { ($0, $1) })
    }

    /// Slots of the author's roll that a new photo could take, first free first.
    public func freeSlots(of author: AuthorID, count: Int, limit: UInt64?) -> [UInt64] {
        (rolls[author] ?? Roll()).freeSlots(count: count, limit: limit)
    }

    /// Whether more than one claim was made to the slot.
    public func isContested(_ slot: UInt64, of author: AuthorID) -> Bool { rolls[author]?.isContested(slot) == true }

    public func usedSlotCount(of author: AuthorID) -> Int { rolls[author]?.usedCount ?? 0 }

    // Consent

    /// Whether the author has agreed to the text of this hash.
    public func hasConsented(_ author: AuthorID, to text: OperationID) -> Bool {
        consents.isGiven(to: text, by: author, membership)
    }

    /// Of those who are in, how many have.
    public func consentCount(to text: OperationID) -> Int { consents.count(to: text, membership) }

    // Names

    /// What the author is called, `nil` while it has no name here.
    public func name(of author: AuthorID) -> String? { currentName(of: author)?.text }

    /// Whether the author had names and has taken all of them back.
    public func isFormerGuest(_ author: AuthorID) -> Bool {
        currentName(of: author) == nil
            && membership.devices(of: author).contains { device in
                names[device]?.contains { isRemoved(PhotoID($0.id), by: author) } == true
            }
    }

    /// What people are shown as the author's name, `nil` where there is nothing to show.
    public func shownName(of author: AuthorID) -> String? {
        name(of: author) ?? (isFormerGuest(author) ? Self.formerGuest : nil)
    }

    /// Who has taken their names back.
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
