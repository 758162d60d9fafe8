// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The fold of an event's operations: parameters, members, photos, names.
///
/// Inputs are verified operations in any order, with repetition. The state depends on their set alone: applying them
/// one by one, in batches or all at once gives the same state (protocol/disposable-v1.md §9). Effective roles and void
/// operations are derived once for each batch, which is the costly part; so many operations at once cost little more
/// than one.
public struct EventState: Equatable, Sendable {
    /// Enters the digest, so that nodes whose rules differ do not compare equal by chance.
    public static let foldVersion: UInt8 = 1

    public let event: EventID
    public let eventKey: VerifyingKey
    public private(set) var album: Album
    private var history = CharterHistory()
    /// The epochs of the event secret.
    public private(set) var epochs = Epochs()
    /// The reveal key's secret halves that reveals have given, by the public half that each makes; among reveals of one
    /// key the one with the smallest id. Anyone may sign false ones without end; only the true one is used.
    private var reveals: [Bytes32: Reveal] = [:]
    private struct Reveal: Equatable {
        let id: OperationID
        let secret: Bytes32
    }
    /// The shares of the reveal key's secret half: given to organizers, and published.
    private(set) var shares = ShareRecords()
    /// The operations that join the gallery with those of other events.
    private(set) var twinnings = Twinnings()
    /// The twins, in the order in which they were named first; at most `Twin.countMax`. Derived from the twinnings.
    public private(set) var twins: [Twin] = []
    /// The number of derivations of effective roles and void operations: the costly part. Not part of the state.
    package private(set) var resolutionCount = 0
    /// The moments; `nil` if the event has none, or its charter is not known. Derived from the charter.
    public private(set) var moments: Moments?
    /// The operations of unknown kinds that are flagged critical, by their devices.
    private var criticalUnknowns: [DeviceID: Set<OperationID>] = [:]
    /// The derivations that `resolve` has to do.
    private var unresolved = Unresolved()
    private struct Unresolved {
        var authors: Set<AuthorID> = []
        var hasEpochs = false
        var hasShares = false
        /// Whether there are charters or edits that may count. The editors' ranks are checked once they are derived.
        var hasCharters = false
        var editors: Set<DeviceID> = []
        /// The devices with other twinnings than before, and erases that may end one, with their devices. Their ranks
        /// are checked likewise.
        var twinners: Set<DeviceID> = []
        var erases: [OperationID: DeviceID] = [:]

        var isEmpty: Bool {
            !hasEpochs && !hasShares && !hasCharters && authors.isEmpty && editors.isEmpty && twinners.isEmpty
                && erases.isEmpty
        }
    }

    public init(eventKey: VerifyingKey) {
        self.eventKey = eventKey
        event = EventID(key: eventKey)
        album = Album(membership: Membership(eventKey: eventKey))
    }

    public var membership: Membership { album.membership }

    @discardableResult
    public mutating func apply(_ operation: VerifiedOperation) -> Membership.Change {
        take(operation)
        return resolve()
    }

    @discardableResult
    public mutating func apply(_ operations: some Sequence<VerifiedOperation>) -> Membership.Change {
        for operation in operations { take(operation) }
        return resolve()
    }

    /// Adds an operation. Call `resolve` before any query, once for any number of operations.
    package mutating func take(_ operation: VerifiedOperation) {
        guard let authors = album.take(operation) else {
            if twinnings.noteBody(of: operation) { unresolved.twinners.insert(operation.header.device) }
            return
        }
        if !authors.isEmpty { unresolved.authors.formUnion(authors) }
        if operation.header.set == .authority { note(operation) }
        let header = operation.header
        if header.flags.contains(.critical), OperationKind(rawValue: header.kind) == nil {
            criticalUnknowns[header.device, default: []].insert(operation.id)
        }
    }

    /// Adds an operation that concerns more than the album.
    private mutating func note(_ operation: VerifiedOperation) {
        let header = operation.header
        switch operation.content {
        // Only the event key creates an event.
        case .charter(let charter) where header.device == DeviceID(eventKey):
            history.found(charter, by: operation)
            unresolved.hasCharters = true
        case .edit(let field, let value, let follows):
            let edit = CharterEdit(
                device: header.device, sequence: header.sequence, timestamp: header.timestamp, field: field,
                value: value, follows: Set(follows))
            history.add(edit, by: operation.id)
            // Even if it is not valid itself: others that follow it may have waited for it.
            unresolved.editors.insert(header.device)
        case .reveal(let secret):
            var bytes = secret.bytes
            let key = AgreementKey(scalar: SecretBytes(consuming: &bytes, in: .ordinary)).publicKey.bytes32
            if reveals[key].map({ operation.id < $0.id }) ?? true {
                reveals[key] = Reveal(id: operation.id, secret: secret)
            }
        case .share, .shareRelease:
            shares.note(operation)
            unresolved.hasShares = true
        case .epoch:
            epochs.note(operation)
            unresolved.hasEpochs = true
        default: break
        }
        if operation.kind == .twinning, twinnings.note(operation) { unresolved.twinners.insert(header.device) }
        if operation.kind == .erase, !twinnings.isEmpty { unresolved.erases[operation.id] = header.device }
    }

    /// Derives everything that follows from the added operations.
    @discardableResult
    package mutating func resolve() -> Membership.Change {
        var change = album.resolve()
        guard change.isOfRanks || !unresolved.isEmpty else { return change }
        change.authors.formUnion(unresolved.authors)
        if change.isOfRanks { resolutionCount += 1 }
        if change.isOfRanks || unresolved.hasEpochs { epochs.resolve(membership) }
        if change.isOfRanks || unresolved.hasCharters || unresolved.editors.contains(where: membership.wasMadeOrganizer)
        {
            history.resolve(membership, eventKey: DeviceID(eventKey))
            album.setFramesForGifts(charter?.framesForGifts, needsTickets: charter?.options.needsTickets == true)
            moments = charter.flatMap { charter in
                history.salt.flatMap { Moments(charter, keys: MomentKeys(salt: $0, event: event)) }
            }
            unresolved.hasShares = true
        }
        if unresolved.hasShares { shares.resolve(charter?.seal ?? CharterSeal()) }
        // Anybody may sign twinnings and erases without end.
        if change.isOfRanks || unresolved.twinners.contains(where: membership.wasMadeOrganizer)
            || unresolved.erases.contains(where: { membership.rank(of: $0.key, by: $0.value) >= .organizer })
        {
            twins = twinnings.twins(album.base)
        }
        unresolved = Unresolved()
        return change
    }

    /// Whether an organizer has signed a critical operation that only a newer version of this program understands: what
    /// is shown here may be wrong, so it is not compared with other nodes.
    public var needsNewerVersion: Bool {
        guard !criticalUnknowns.isEmpty else { return false }
        return membership.everOrganizers.contains { device in
            criticalUnknowns[device]?.contains { membership.rank(of: $0, by: device) >= .organizer } == true
        }
    }

    /// Whether guests may see the event: no organizer has deleted it, or uses what this program does not know.
    public var mayBeShown: Bool { !needsNewerVersion && charter?.isDeleted != true }

    /// The operation of the first charter that counts.
    public var charterID: OperationID? { history.charterID }

    /// The time of the first charter, in milliseconds since 1970 UTC: no clock that is set shows an earlier one.
    public var foundedAtMilliseconds: UInt64? { history.foundedAtMilliseconds }

    /// The `reveal` that counts: the one with the smallest id among those with the secret half of the first charter's
    /// reveal key. Only its holders can sign one, so the signer is not checked.
    public var revealID: OperationID? {
        guard let publicKey = charter?.revealKey, publicKey != .zero else { return nil }
        return reveals[publicKey]?.id
    }

    /// The key that opens the sealed photos, `nil` until they are revealed.
    public var revealKey: AgreementKey? {
        guard let publicKey = charter?.revealKey, publicKey != .zero,
            var bytes = (reveals[publicKey]?.secret ?? shares.secret)?.bytes
        else { return nil }
        return AgreementKey(scalar: SecretBytes(consuming: &bytes))
    }

    /// Whether photos are open to all: nothing is sealed, or what is sealed has been revealed.
    public var isRevealed: Bool {
        charter.map { $0.revealKey == .zero } ?? false || revealID != nil || shares.secret != nil
    }

    /// The key to which photos are sealed, `nil` if the first charter names no reveal key.
    public var sealingKey: AgreementPublicKey? {
        guard let key = charter?.revealKey, key != .zero else { return nil }
        return AgreementPublicKey(key)
    }

    /// The key to which guests' pages seal photos now: the first charter's reveal key, while page sealing is on and
    /// nothing has revealed the photos; otherwise `nil`.
    public var pageSealingKey: AgreementPublicKey? {
        isRevealed || album.pageSealingSettings.isEmpty ? nil : sealingKey
    }

    /// Whether the photo is shown to people other than its author: its author has opened it, or all have been revealed.
    public func isOpen(_ photo: PhotoID) -> Bool { isRevealed || !album.keyReleases(of: photo).isEmpty }

    /// Returns the charter and the edits that an edit of `field` made here and now follows.
    public func follows(_ field: CharterField) -> [OperationID] { history.follows(field) }

    /// Returns how many edits of the charter `device` has signed.
    public func editCount(by device: DeviceID) -> Int { history.editCount(by: device) }

    /// The event's parameters, `nil` until a charter is known.
    public var charter: Charter? { history.charter }

    /// The present consent text for people who add photos, `nil` until a charter is known.
    public var consentText: ConsentText? { charter.map { ConsentText(organizers: $0.organizer.consentText) } }

    /// Whether the author has agreed to the present text.
    public func hasConsented(_ author: AuthorID) -> Bool {
        consentText.map { album.hasConsented(author, to: $0.id) } ?? false
    }

    /// Returns the number of frames in the author's quota at a time (milliseconds since 1970 UTC): no limit for
    /// organizers, and for all if the charter says so.
    public func rollLimit(of author: AuthorID, at milliseconds: UInt64) -> UInt64? {
        rollLimit(of: author, at: milliseconds, charter)
    }

    private func rollLimit(of author: AuthorID, at milliseconds: UInt64, _ charter: Charter?) -> UInt64? {
        guard let charter else { return 0 }
        if membership.isUnlimited(author) { return nil }
        let given = album.extraFrames(of: author) + album.receivedFrames(of: author)
        if charter.options.needsTickets, lacksTicket(author) { return given }
        return charter.frames(at: milliseconds).map { $0 + given }
    }

    /// Returns the same for a photo of that time: none outside of the event's times.
    private func photoLimit(of author: AuthorID, at milliseconds: UInt64, _ charter: Charter?) -> UInt64? {
        untimeliness(of: author, at: milliseconds, tolerance: Charter.toleranceMilliseconds, charter) == nil
            ? rollLimit(of: author, at: milliseconds, charter) : 0
    }

    /// Returns why the author's photos of this time do not count; `nil` if they do. Those of organizers and
    /// photographers count at any time.
    public func untimeliness(of author: AuthorID, at milliseconds: UInt64, tolerance: UInt64) -> Untimeliness? {
        untimeliness(of: author, at: milliseconds, tolerance: tolerance, charter)
    }

    private func untimeliness(
        of author: AuthorID, at milliseconds: UInt64, tolerance: UInt64, _ charter: Charter?
    ) -> Untimeliness? {
        guard let verdict = charter?.untimeliness(at: milliseconds, tolerance: tolerance) else { return nil }
        return membership.isUnlimited(author) ? nil : verdict
    }

    /// Returns why the photo is outside of the event's times; `nil` if it is not, or is unknown.
    public func untimeliness(of photo: Photo) -> Untimeliness? {
        untimeliness(
            of: photo.author, at: album.photoTime(of: photo.id), tolerance: Charter.toleranceMilliseconds)
    }

    /// Returns the author's photos that lost their frames, with the frames to claim for them (`Album.reclaims`).
    public func reclaims(of author: AuthorID) -> [(photo: PhotoID, slot: UInt64)] {
        let charter = charter
        return album.reclaims(of: author) { photoLimit(of: $0, at: $1, charter) }
    }

    /// Returns the photo, `nil` if it is unknown or its operation does not count.
    public func photo(_ id: PhotoID) -> Photo? { photo(id, charter) }

    private func photo(_ id: PhotoID, _ charter: Charter?) -> Photo? {
        album.photo(id) { photoLimit(of: $0, at: $1, charter) }
    }

    /// The photos that count, in the order of their ids, whatever their status.
    public var photos: [Photo] {
        // Once for all photos: a copy of the charter takes as long as the rest.
        let charter = charter
        return album.photoIDs.compactMap { photo($0, charter) }
    }

    /// The photos and annotations that were withdrawn for good, with the reason (`DestructionSchedule` says when to
    /// purge).
    public var withdrawals: [OperationID: WithdrawalReason] { album.withdrawals }

    /// Drops the content of these bodies, as if they had never arrived. What counts does not change.
    public mutating func forgetBodies(_ ids: [OperationID]) { album.forgetBodies(ids) }

    public static func == (left: Self, right: Self) -> Bool {
        left.event == right.event && left.eventKey == right.eventKey && left.album == right.album
            && left.history == right.history && left.epochs == right.epochs
            && left.criticalUnknowns == right.criticalUnknowns && left.reveals == right.reveals
            && left.shares == right.shares && left.twinnings == right.twinnings
            && left.twins == right.twins
    }

    /// The visible photos, except for the plan, in the order in which people see them.
    public var gallery: [Photo] { ordered(visible(among: photos)) }

    /// Returns the visible ones of these photos, except for the plan, in the same order.
    public func visible(among photos: [Photo]) -> [Photo] {
        let plan = album.chosenPicture(.plan)
        return photos.filter { if case .frame = $0.status { $0.id != plan } else { false } }
    }

    /// Returns the photo that has the role: the one that organizers have chosen last, if it has a frame and is shown.
    public func picture(_ role: PictureRole) -> Photo? {
        guard let photo = album.chosenPicture(role).flatMap(self.photo), case .frame = photo.status else { return nil }
        return photo
    }

    /// Returns where on the event's plan the photo's author has put it.
    public func spot(of photo: PhotoID) -> Spot? { picture(.plan).flatMap { album.spot(of: photo, on: $0.id) } }

    /// Sorts photos in display order: by time, clamped to the event's days, then by counter, device, sequence number
    /// and id.
    public func ordered(_ photos: [Photo]) -> [Photo] {
        let window = window
        return photos.map { ($0, DisplayPlace($0, in: window)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The range of the display times of photos, whatever they say, in milliseconds since 1970 UTC: from a day before
    /// the event to a day after it.
    public var window: ClosedRange<UInt64> {
        guard let charter else { return 0...HybridTimestamp.millisecondsMax }
        let (start, dayMilliseconds) = (charter.schedule.startsAtMilliseconds, 86_400_000 as UInt64)
        return (start - min(start, dayMilliseconds))...(charter.endsAtMilliseconds + dayMilliseconds)
    }

    /// A hash of the gallery that every attendee sees: equal digests mean equal galleries. `nil` until a charter is
    /// known, and if this version does not understand a critical operation.
    public var digest: Bytes32? {
        guard let charterID, let charter, !needsNewerVersion else { return nil }
        var hash = BLAKE2b()
        hash.update(Domain.galleryDigest + [Self.foldVersion])
        hash.update(charterID.bytes)
        let photos = photos
        let missions = Set(charter.missions.map(\.id))
        var record: [UInt8] = []
        for field in CharterField.allCases {
            let value = charter.bytes(of: field)
            if field.isAdded, value.allSatisfy({ $0 == 0 }) { continue }
            record.append(field.rawValue)
            record.appendBigEndian(UInt32(value.count))
            record.append(contentsOf: value)
        }
        record.appendBigEndian(UInt64(photos.count))
        for photo in photos {
            photo.id.bytes32.append(to: &record)
            switch photo.status {
            case .waiting: record.append(0)
            case .frame(let slot):
                record.append(1)
                record.appendBigEndian(slot)
            case .removed: record.append(2)
            case .hidden: record.append(3)
            case .erased: record.append(4)
            case .pending(let slot):
                record.append(5)
                record.appendBigEndian(slot)
            case .veiled(let slot):
                record.append(6)
                record.appendBigEndian(slot)
            }
            if let caption = album.caption(of: photo.id) { caption.id.bytes32.append(to: &record) }
            if !missions.isEmpty, let mission = album.answer(of: photo.id), missions.contains(mission) {
                record.appendBigEndian(mission)
            }
            if record.count > 4096 {
                hash.update(record)
                record.removeAll(keepingCapacity: true)
            }
        }
        for name in album.nameOperations {
            name.author.bytes32.append(to: &record)
            name.id.bytes32.append(to: &record)
        }
        for role in PictureRole.allCases {
            guard let picture = picture(role) else { continue }
            record.append(role.rawValue)
            picture.id.bytes32.append(to: &record)
        }
        record.append(isRevealed ? 1 : 0)
        hash.update(record)
        return Bytes32(hash.finalize())
    }
}
