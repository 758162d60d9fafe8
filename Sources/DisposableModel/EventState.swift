// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// Everything that an event's operations say, folded: parameters, members, photos, names.
///
/// Inputs are verified operations in any order, with repetition. The state after them depends on their set alone:
/// applying one by one, in batches or all at once gives the same (protocol/disposable-v1.md §9). Ranks, and what is void,
/// are derived once a batch, which is the costly part; so many operations at once cost little more than one.
public struct EventState: Equatable, Sendable {
    /// Enters the digest, so that nodes whose rules differ do not compare equal by chance.
    public static let foldVersion: UInt8 = 1

    public let event: EventID
    public let eventKey: VerifyingKey
    public private(set) var album: Album
    private var history = CharterHistory()
    /// Which secret is the event's.
    public private(set) var epochs = Epochs()
    /// What reveals have given as the reveal key's secret half, by the public half that it makes: of those of one key
    /// the one with the smallest id. Anybody may state false ones without end; only the true one is looked at.
    private var reveals: [Bytes32: Reveal] = [:]
    private struct Reveal: Equatable {
        let id: OperationID
        let secret: Bytes32
    }
    /// How often ranks, and what is void, were derived: the costly part. It is no part of the state.
    package private(set) var resolutionCount = 0
    /// Operations of kinds unknown here that are flagged critical, by the devices that stated them.
    private var criticalUnknowns: [DeviceID: Set<OperationID>] = [:]
    /// What `resolve` has to derive.
    private var unresolved = Unresolved()
    private struct Unresolved {
        var authors: Set<AuthorID> = []
        var hasEpochs = false
        /// Whether there are charters or edits that may count. Who made the edits is asked once ranks are derived.
        var hasCharters = false
        var editors: Set<DeviceID> = []
    }

    public init(eventKey: VerifyingKey) {
        self.eventKey = eventKey
        event = EventID(key: eventKey)
        album = Album(membership: Membership(eventKey: eventKey))
    }

    public var membership: Membership { album.membership }

    @discardableResult
    public mutating func apply(_ operation: VerifiedOperation) -> Membership.Change { apply([operation]) }

    @discardableResult
    public mutating func apply(_ operations: some Sequence<VerifiedOperation>) -> Membership.Change {
        for operation in operations { take(operation) }
        return resolve()
    }

    /// Takes an operation. Nothing else may be asked before `resolve`, which follows once for any number of them.
    package mutating func take(_ operation: VerifiedOperation) {
        guard let authors = album.take(operation) else { return }
        unresolved.authors.formUnion(authors)
        let header = operation.header
        switch operation.content {
        // Only the event key founds an event.
        case .charter(let charter) where header.device == DeviceID(eventKey):
            history.found(charter, by: operation.id)
            unresolved.hasCharters = true
        case .edit(let field, let value, let follows):
            let edit = CharterEdit(
                device: header.device, sequence: header.sequence, field: field, value: value, follows: Set(follows))
            history.add(edit, by: operation.id)
            // Also where it is not valid itself: others that follow it may have waited for it.
            unresolved.editors.insert(header.device)
        case .reveal(let secret):
            var bytes = secret.bytes
            let key = AgreementKey(scalar: SecretBytes(consuming: &bytes, in: .ordinary)).publicKey.bytes32
            if reveals[key].map({ operation.id < $0.id }) ?? true {
                reveals[key] = Reveal(id: operation.id, secret: secret)
            }
        case .epoch:
            epochs.note(operation)
            unresolved.hasEpochs = true
        default: break
        }
        if operation.kind == nil, header.flags.contains(.critical) {
            criticalUnknowns[header.device, default: []].insert(operation.id)
        }
    }

    /// Derives what follows from everything taken.
    @discardableResult
    package mutating func resolve() -> Membership.Change {
        var change = album.resolve()
        change.authors.formUnion(unresolved.authors)
        if change.isOfRanks { resolutionCount += 1 }
        if change.isOfRanks || unresolved.hasEpochs { epochs.resolve(membership) }
        if change.isOfRanks || unresolved.hasCharters || unresolved.editors.contains(where: membership.wasMadeOrganizer)
        {
            history.resolve(membership, eventKey: DeviceID(eventKey))
        }
        unresolved = Unresolved()
        return change
    }

    /// Whether an organizer has stated what must be understood and only a newer version of this program does: what is
    /// shown here may be wrong, so it is compared with nobody's.
    public var needsNewerVersion: Bool {
        guard !criticalUnknowns.isEmpty else { return false }
        return membership.everOrganizers.contains { device in
            criticalUnknowns[device]?.contains { membership.rank(of: $0, by: device) >= .organizer } == true
        }
    }

    /// The operation of the first charter that counts.
    public var charterID: OperationID? { history.charterID }

    /// The reveal that counts: of those with the secret half of the first charter's reveal key the smallest id, whoever
    /// stated it. Nobody else can have it, so nothing more is asked.
    public var revealID: OperationID? {
        guard let publicKey = charter?.revealKey, publicKey != .zero else { return nil }
        return reveals[publicKey]?.id
    }

    /// What opens the sealed photos, `nil` until they are revealed.
    public var revealKey: AgreementKey? {
        guard let publicKey = charter?.revealKey, publicKey != .zero, var bytes = reveals[publicKey]?.secret.bytes
        else { return nil }
        return AgreementKey(scalar: SecretBytes(consuming: &bytes))
    }

    /// Whether photos are open to all: nothing is sealed, or what is sealed has been revealed.
    public var isRevealed: Bool { charter.map { $0.revealKey == .zero } ?? false || revealID != nil }

    /// What photos are sealed to, `nil` where the first charter names no reveal key.
    public var sealingKey: AgreementPublicKey? {
        guard let key = charter?.revealKey, key != .zero else { return nil }
        return AgreementPublicKey(key)
    }

    /// Whether others than its author are shown the photo: its author has opened it, or all have been revealed.
    public func isOpen(_ photo: PhotoID) -> Bool { isRevealed || !album.keyReleases(of: photo).isEmpty }

    /// The charter and the edits that an edit of `field` follows, made here and now.
    public func follows(_ field: CharterField) -> [OperationID] { history.follows(field) }

    /// How many edits of the charter `device` has stated.
    public func editCount(by device: DeviceID) -> Int { history.editCount(by: device) }

    /// The event's parameters, `nil` until a charter is here.
    public var charter: Charter? { history.charter }

    /// What those who add photos agree to now, `nil` until a charter is here.
    public var consentText: ConsentText? { charter.map { ConsentText(organizers: $0.consentText) } }

    /// Whether the author has agreed to the text as it is now.
    public func hasConsented(_ author: AuthorID) -> Bool {
        consentText.map { album.hasConsented(author, to: $0.id) } ?? false
    }

    /// How many slots the author's roll has: no limit for organizers, and for all where the charter says so.
    public func rollLimit(of author: AuthorID) -> UInt64? {
        guard let frames = charter?.frames else { return 0 }
        if membership.isUnlimited(author) { return nil }
        return frames == 0 ? nil : UInt64(frames) + album.extraFrames(of: author)
    }

    /// The photo as it stands, `nil` when unknown or its operation counts for nothing.
    public func photo(_ id: PhotoID) -> Photo? { album.photo(id, limit: rollLimit) }

    /// Every photo that counts in the order of their ids, whatever its status.
    public var photos: [Photo] { album.photoIDs.compactMap(photo) }

    /// What is taken away for good, photos and remarks, and why (`DestructionSchedule` says when it is destroyed).
    public var withdrawals: [OperationID: WithdrawalReason] { album.withdrawals }

    /// Forgets what these bodies said, as if they had never been here. What counts does not change.
    public mutating func forgetBodies(_ ids: [OperationID]) { album.forgetBodies(ids) }

    public static func == (left: Self, right: Self) -> Bool {
        left.event == right.event && left.eventKey == right.eventKey && left.album == right.album
            && left.history == right.history && left.epochs == right.epochs
            && left.criticalUnknowns == right.criticalUnknowns && left.reveals == right.reveals
    }

    /// The visible photos in the order in which people see them.
    public var gallery: [Photo] { ordered(photos.filter { if case .frame = $0.status { true } else { false } }) }

    /// Photos in the order in which people see them: by time, pulled into the event's days, then by counter, device,
    /// sequence number and id.
    public func ordered(_ photos: [Photo]) -> [Photo] {
        let window = window
        return photos.map { ($0, min(max($0.timestamp.milliseconds, window.lowerBound), window.upperBound)) }
            .sorted { left, right in
                if left.1 != right.1 { return left.1 < right.1 }
                return (left.0.timestamp.counter, left.0.device, left.0.sequence, left.0.id)
                    < (right.0.timestamp.counter, right.0.device, right.0.sequence, right.0.id)
            }
            .map(\.0)
    }

    /// Milliseconds since 1970 UTC between which photos are shown to have been added, whatever they say: from a day
    /// before the event to a day after it.
    public var window: ClosedRange<UInt64> {
        guard let charter else { return 0...HybridTimestamp.millisecondsMax }
        let (start, dayMilliseconds) = (charter.startsAtMilliseconds, 86_400_000 as UInt64)
        return (start - min(start, dayMilliseconds))...(charter.endsAtMilliseconds + dayMilliseconds)
    }

    /// One hash of what every attendee sees: equal digests, equal galleries. `nil` until a charter is here, and where
    /// this version does not know all that must be known.
    public var digest: Bytes32? {
        guard let charterID, let charter, !needsNewerVersion else { return nil }
        var hash = BLAKE2b()
        hash.update(Domain.galleryDigest + [Self.foldVersion])
        hash.update(charterID.bytes)
        let photos = photos
        var record: [UInt8] = []
        for field in CharterField.allCases {
            let value = charter.bytes(of: field)
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
            }
            if let caption = album.caption(of: photo.id) { caption.id.bytes32.append(to: &record) }
            if record.count > 4096 {
                hash.update(record)
                record.removeAll(keepingCapacity: true)
            }
        }
        for name in album.nameOperations {
            name.author.bytes32.append(to: &record)
            name.id.bytes32.append(to: &record)
        }
        record.append(isRevealed ? 1 : 0)
        hash.update(record)
        return Bytes32(hash.finalize())
    }
}
