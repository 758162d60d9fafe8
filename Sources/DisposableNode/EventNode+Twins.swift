// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// Joining the gallery with that of another event, on this event's side (protocol/disposable-v1.md §9.28).
extension EventNode {
    private static let separatedKey = "separated "

    /// Whether this node only reads the event, for the gallery of a twin: it adds nothing and serves no pages of it.
    nonisolated var isReader: Bool { summary.current.isReader }

    var twins: [Twin] { replica.state.twins }

    /// Returns the events among these that an organizer has ever named as a twin.
    func namedTwins(among others: [EventID]) -> [EventID] { others.filter(replica.state.hasNamedTwin) }

    /// Whether an organizer has ended the twinning with the event, and it was not renewed.
    func hasEndedTwin(_ other: EventID) -> Bool { replica.state.hasEndedTwin(other) }

    /// Whether pages may show this event's photos with those of `other`, as far as this event decides it. A node that
    /// was removed does not hear any longer what is hidden and withdrawn.
    func isShown(with other: EventID) -> Bool {
        mayShowPages && isAdmitted && twins.contains { $0.event == other }
    }

    /// Returns invitations of the twins whose secrets are sealed under one of this node's, but for those in which its
    /// person takes part, and those that it has forgotten since their last twinning.
    func readableTwins() throws -> [Invitation] {
        let secrets = replica.keyring.all.map(\.secret)
        var readable: [Invitation] = []
        for twin in twins {
            let known = context.events[twin.event]
            guard known?.isReader != false, let operation = twin.operations.last else { continue }
            // The disk is asked about others only: this is called every second.
            if known == nil, try separated(twin.event) == operation { continue }
            guard let secret = Self.secret(of: twin, openedWith: secrets) else { continue }
            // Nodes of this event that have read the twin answer for it at the same addresses.
            readable.append(
                Invitation(
                    eventKey: twin.eventKey, secret: secret, name: twin.name,
                    addresses: Array(replica.rememberedAddresses.prefix(Invitation.addressCountMax))))
        }
        return readable
    }

    private static func secret(of twin: Twin, openedWith secrets: [SecretBytes]) -> SecretBytes? {
        for sealed in twin.secrets {
            for secret in secrets {
                if let opened = sealed.opened(with: secret, twin: twin.event) { return opened }
            }
        }
        return nil
    }

    /// Notes that the twin was forgotten, so that only a new twinning brings it back.
    func noteSeparated(_ other: EventID) throws {
        guard let operation = twins.first(where: { $0.event == other })?.operations.last else { return }
        try store.setMetadata(operation.bytes, for: Self.separatedKey + other.description)
    }

    private func separated(_ other: EventID) throws -> OperationID? {
        try store.metadata(for: Self.separatedKey + other.description).flatMap { OperationID($0) }
    }

    /// Takes another secret of an event that this node reads and that has not let it in: one a minute, since two events
    /// with this one as their twin may give two.
    func readAgain(_ invitation: Invitation) throws {
        guard !isAdmitted, departure.readAgainAt.map({ now.milliseconds >= $0 }) ?? true,
            try renew(invitation)
        else { return }
        departure.readAgainAt = now.milliseconds + 60_000
    }

    /// Makes the text with which the organizer of another event joins its gallery with this one.
    /// Throws `NodeError.twins`, and `.refused(.notAdmitted)` before the event's charter is here.
    func offer(to other: EventID) throws -> TwinOffer {
        guard other != event else { throw NodeError.twins(.own) }
        guard !isReader else { throw NodeError.twins(.reader) }
        guard replica.state.charter != nil else { throw NodeError.refused(.notAdmitted) }
        let agreement: TwinAgreement
        if let key = store.keys.organizer {
            agreement = TwinAgreement(of: store.keys.eventKey, with: other, by: key)
        } else {
            let membership = replica.state.membership
            guard membership.rank(of: replica.deviceID) == .organizer,
                let id = membership.organizerGrant(of: replica.deviceID),
                let grant = try store.operations([id]).first
            else { throw NodeError.twins(.unproven) }
            agreement = TwinAgreement(
                of: store.keys.eventKey, organizer: .init(header: grant.header, signature: grant.signature),
                with: other, by: store.keys.device)
        }
        return TwinOffer(
            invitation: Invitation(
                eventKey: store.keys.eventKey, secret: replica.keyring.current.secret, name: name,
                addresses: context.reachableAddresses), agreement: agreement, other: other)
    }

    /// Joins the gallery with that of the event of the offer, in place of earlier twinnings with it. Durable when this
    /// returns. Throws `NodeError.twins`, `Refusal.rankTooLow`.
    func accept(_ offer: TwinOffer) async throws {
        guard offer.invitation.event != event else { throw NodeError.twins(.own) }
        guard offer.other == event, offer.agreement.joins(event) else { throw NodeError.twins(.invalid) }
        try await twin(with: offer.agreement, named: offer.invitation.name, secret: offer.invitation.secret)
    }

    /// Gives the members of now the present secret of a twin. Throws `NodeError.twins`, `Refusal.rankTooLow`.
    func renew(_ other: EventID, secret: SecretBytes) async throws {
        guard let twin = twins.first(where: { $0.event == other }) else { throw NodeError.twins(.unknown(other.short)) }
        try await self.twin(with: twin.agreement, named: twin.name, secret: secret)
    }

    /// Throws `NodeError.twins` if this event cannot have another event as a twin, or have it once more, and
    /// `Refusal.secretUnknown` while its present secret is not here.
    func checkTwin(_ other: EventID) throws {
        guard !isReader else { throw NodeError.twins(.reader) }
        guard twins.count < Twin.countMax || twins.contains(where: { $0.event == other }) else {
            throw NodeError.twins(.full)
        }
        guard replica.state.twinningCount(by: replica.deviceID) < Twin.perDeviceMax else {
            throw NodeError.twins(.usedUp)
        }
        guard replica.keyring.epoch == replica.state.epochs.current else { throw NodeError.refused(.secretUnknown) }
    }

    private func twin(with agreement: TwinAgreement, named name: String, secret: SecretBytes) async throws {
        let other = agreement.event
        try checkTwin(other)
        guard let nonce = Bytes32(Entropy.bytes(Bytes32.byteCount)) else { throw NodeError.stopped }
        let keyring = replica.keyring
        let sealed = TwinSecret(
            of: secret, twin: other, under: keyring.current.secret, epoch: keyring.epoch, nonce: nonce)
        try await rule(.twin(Twinning(agreement: agreement, name: name, secret: sealed)))
    }

    /// Separates the galleries again. Durable when this returns. Throws `Refusal.rankTooLow`, `.nothingToDo`.
    func separate(from other: EventID) async throws { try await rule(.untwin(other)) }

    /// Returns the event of the twin that a person names: by its present name, the name in the twinning, or the start of
    /// its id.
    func twin(named text: String) throws -> EventID {
        let matches = twins.filter { twin in
            let name = context.events[twin.event]?.summary.current.name ?? twin.name
            return twin.event.description.hasPrefix(text.lowercased()) || name == text || twin.name == text
        }
        guard let first = matches.first, matches.count == 1, !text.isEmpty else {
            throw NodeError.twins(.unknown(text))
        }
        return first.event
    }

    /// Returns the state of each twin, as far as it is known in this event alone.
    func twinInfos() -> [TwinInfo] {
        let current = replica.state.epochs.current
        return twins.map { twin in
            TwinInfo(
                event: twin.event.description, name: twin.name,
                joinedAt: Timestamps.iso8601(twin.joinedAtMilliseconds), state: .waiting, photoCount: 0,
                mayBeSaved: false, needsRenewal: twin.secrets.first?.epoch != current)
        }
    }

    /// The current secret of the event; `nil` until this node is a member.
    var currentSecret: SecretBytes? { replica.isAdmitted ? replica.keyring.current.secret : nil }

    /// Whether a twinning with `other` gives its members the present secret of that event.
    func givesSecret(_ secret: SecretBytes, of other: EventID) -> Bool {
        guard let sealed = twins.first(where: { $0.event == other })?.secrets.first else { return false }
        return replica.keyring.all.contains {
            sealed.opened(with: $0.secret, twin: other)?.isEqual(to: secret) == true
        }
    }

    var visiblePhotoCount: Int { visiblePhotos().count }

    /// The photos that everybody at the event sees: no sealed ones that this node could open.
    var shownToAll: Set<PhotoID> { Set(visiblePhotos().map(\.id)) }

    /// Whether guests may save the photos of this event with their originals, and so those of a twin may, too.
    var mayBeSaved: Bool { replica.state.charter?.options.downloads == .everyone }

    /// Makes an event that this node only reads one in which its person takes part.
    func takePart(as name: String?) throws {
        try store.endReading()
        if let name {
            try store.setMetadata(Array(name.utf8), for: "own name")
            names.own = name
        }
        departure.isReader = false
        refreshSummary()
        sayName()
    }

    /// Whether the galleries have been separated for so long, without a renewal since.
    /// - Parameters:
    ///   - hasEnded: whether they are separated now.
    ///   - milliseconds: the time.
    func isSeparated(_ hasEnded: Bool, for milliseconds: UInt64) -> Bool {
        guard hasEnded else {
            departure.separatedSince = nil
            return false
        }
        let since = departure.separatedSince ?? now.milliseconds
        departure.separatedSince = since
        return now.milliseconds - since >= milliseconds
    }

    // Pages

    /// Returns the photos of this event among these.
    func known(among photos: [PhotoID]) -> [PhotoID] { photos.filter { replica.state.album.exists($0) } }

    /// Returns the places of the last photos before `end`, oldest first, of those that are shown to all, at most
    /// `limit` of them; with the number of all such photos, and the time of the oldest in milliseconds since 1970 UTC.
    func places(
        before end: DisplayPlace?, limit: Int, withVeiled: Bool
    ) -> (places: [DisplayPlace], totalCount: Int, earliestMilliseconds: UInt64?) {
        let state = replica.state
        let photos = withVeiled ? photosWithVeiled(by: nil) : visiblePhotos()
        var (low, high) = (0, photos.count)
        while let end, low < high {
            let middle = (low + high) / 2
            if state.displayPlace(of: photos[middle]) < end { low = middle + 1 } else { high = middle }
        }
        let last = end == nil ? photos.count : low
        return (
            photos[max(0, last - limit)..<last].map { state.displayPlace(of: $0) }, photos.count,
            photos.first?.timestamp.milliseconds
        )
    }

    /// Returns the place of a photo, shown or not; `nil` for one of another event.
    func place(of photo: PhotoID) -> DisplayPlace? {
        replica.state.photo(photo).map { replica.state.displayPlace(of: $0) }
    }

    /// Returns photos with all the details that a page shows, in this order; those that are no longer shown to all are
    /// left out.
    /// - Parameter isForTwin: whether they are shown with another event's.
    func shownPhotos(_ ids: [PhotoID], isForTwin: Bool) async throws -> [AlbumPhoto] {
        let photos = ids.compactMap(replica.state.photo).filter {
            $0.status.isVeiled || (try? photo($0.id, seenBy: nil)) != nil
        }
        return try await albumPhotos(photos, for: nil).map { photo in
            if photo.isVeiled { return AlbumPhoto(veiled: photo) }
            return isForTwin ? forTwin(photo) : photo
        }
    }

    /// Returns a photo that everybody may see, as it is shown with another event's photos.
    public func twinPhoto(_ id: PhotoID) async throws -> AlbumPhoto {
        forTwin(try await albumPhoto(id, for: nil))
    }

    /// Missions, moments, the plan, zones and highlights are those of the event alone. Guests of another event save no
    /// more than the guests of this one.
    private func forTwin(_ photo: AlbumPhoto) -> AlbumPhoto {
        var photo = photo
        (photo.context, photo.isHighlight) = (AlbumPhoto.Context(), false)
        if !mayBeSaved { photo.available.remove(.original) }
        return photo
    }
}
