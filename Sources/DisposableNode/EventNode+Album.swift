// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync

/// The gallery in pages, and its changes, for the portal.
extension EventNode {
    /// Returns a page, newest first, of photos older than `cursor`; with `author` of that author's only. Where `viewer`
    /// is the author these are all that are not withdrawn, otherwise those that are shown to all.
    /// - Parameters:
    ///   - cursor: the last photo of the page before; `nil` for the first page.
    ///   - limit: photos at most.
    ///   - author: `nil` for the photos of all.
    ///   - group: a part of the photos that are shown to all, or all.
    ///   - withVeiled: also the photos that are veiled, without anything of them; for all photos.
    ///   - viewer: the guest; `nil` for somebody who is no guest yet.
    public func page(
        before cursor: PhotoID?, limit: Int, by author: AuthorID?, among group: PhotoGroup = .all,
        withVeiled: Bool = false, for viewer: AuthorID?
    ) async throws -> PhotoPage {
        let state = replica.state
        let photos: [Photo]
        switch group {
        case .highlights: photos = highlights()
        case .moment(let day):
            photos = (momentPhotos()[day]?.photos ?? []).filter { author == nil || $0.author == author }
        case .mission(let id):
            photos = (missionPhotos()[id] ?? []).filter { author == nil || $0.author == author }
        case .zone(let name):
            photos = visiblePhotos().filter { state.zone(of: $0) == name && (author == nil || $0.author == author) }
        case .all where withVeiled && viewer == nil: photos = photosWithVeiled(by: author)
        case .all: photos = self.photos(by: author, for: viewer)
        }
        var end = photos.count
        if let cursor {
            if let place = photos.lastIndex(where: { $0.id == cursor }) {
                end = place
            } else if let gone = state.photo(cursor) {
                // Withdrawn since: its former position.
                end = state.ordered(photos + [gone]).firstIndex { $0.id == cursor } ?? 0
            } else {
                throw NodeError.refused(.unknownPhoto(cursor.short))
            }
        }
        let start = max(0, end - limit)
        let page = try await albumPhotos(photos[start..<end].reversed(), for: viewer).map {
            $0.isVeiled && $0.author != viewer ? AlbumPhoto(veiled: $0) : $0
        }
        return PhotoPage(
            photos: page, next: start > 0 ? page.last?.id : nil, totalCount: photos.count,
            earliestMilliseconds: photos.first?.timestamp.milliseconds)
    }

    /// Returns the photos that are shown to all, oldest first; with `author` that author's only. Where `viewer` is the
    /// author these are all that are not withdrawn.
    private func photos(by author: AuthorID?, for viewer: AuthorID?) -> [Photo] {
        guard let author else { return visiblePhotos() }
        guard author == viewer else { return visiblePhotos().filter { $0.author == author } }
        let state = replica.state
        return state.ordered(
            state.album.photos(by: author).compactMap(state.photo).filter { !$0.status.isWithdrawn })
    }

    /// Returns the authors of the photos that are shown to all, and the number of all authors. The author with the most
    /// photos is the first, and only `limit` of them are returned.
    public func photographers(limit: Int) -> PhotographerPage {
        var counts: [AuthorID: Int] = [:]
        for photo in visiblePhotos() { counts[photo.author, default: 0] += 1 }
        let first = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit)
        let album = replica.state.album
        return PhotographerPage(
            photographers: first.map {
                Photographer(author: $0.key, name: album.shownName(of: $0.key), photoCount: $0.value)
            }, totalCount: counts.count)
    }

    /// Returns the zones at which photos came in that are shown to all, in the organizers' order.
    public func zoneCounts() -> [ZoneCount] {
        let state = replica.state
        guard let zones = state.charter?.zones.list, !zones.isEmpty else { return [] }
        var counts: [String: Int] = [:]
        for photo in visiblePhotos() {
            if let name = state.zone(of: photo) { counts[name, default: 0] += 1 }
        }
        // Several nodes may be at one place.
        return zones.compactMap { zone in
            counts.removeValue(forKey: zone.name).map { ZoneCount(name: zone.name, photoCount: $0) }
        }
    }

    /// Returns the quarters of an hour in which photos were added, the latest first, of the same photos as `page`.
    /// - Parameters:
    ///   - limit: quarters at most; those before are left out.
    ///   - author: `nil` for the photos of all.
    ///   - viewer: the guest; `nil` for somebody who is no guest yet.
    public func photoQuarters(limit: Int, by author: AuthorID?, for viewer: AuthorID?) -> [PhotoQuarter] {
        var quarters: [UInt64: (count: Int, example: PhotoID?)] = [:]
        for photo in photos(by: author, for: viewer).reversed() {
            var quarter = quarters[photo.timestamp.milliseconds / 900_000] ?? (0, nil)
            quarter.count += 1
            // Usually the newest one has its thumbnail, and no other is looked at.
            if quarter.example == nil, mayBeSeen(photo, by: viewer), replica.isComplete(.thumbnail, of: photo.id) {
                quarter.example = photo.id
            }
            quarters[photo.timestamp.milliseconds / 900_000] = quarter
        }
        return quarters.sorted { $0.key > $1.key }.prefix(limit).map {
            PhotoQuarter(number: $0.key, count: $0.value.count, example: $0.value.example)
        }
    }

    /// Returns a photo that `viewer` may see: one with a frame, or the viewer's own that waits. Otherwise throws
    /// `Refusal.unknownPhoto`.
    @discardableResult
    func photo(_ id: PhotoID, seenBy viewer: AuthorID?) throws -> Photo {
        guard let photo = replica.state.photo(id) else { throw NodeError.refused(.unknownPhoto(id.short)) }
        switch photo.status {
        case .frame where mayBeSeen(photo, by: viewer) || photo.author == viewer: return photo
        case .waiting where photo.author == viewer, .pending where photo.author == viewer,
            .hidden where photo.author == viewer, .veiled where photo.author == viewer:
            return photo
        case .frame, .pending, .veiled, .waiting, .hidden, .removed, .erased:
            throw NodeError.refused(.unknownPhoto(id.short))
        }
    }

    /// Returns a photo with all the details that a page shows.
    public func albumPhoto(_ id: PhotoID, for viewer: AuthorID?) async throws -> AlbumPhoto {
        let photo = try photo(id, seenBy: viewer)
        guard let described = try await albumPhotos([photo], for: viewer).first else {
            throw NodeError.stopped
        }
        return described
    }

    func albumPhotos(_ photos: [Photo], for viewer: AuthorID?) async throws -> [AlbumPhoto] {
        let described = try await describe(photos, includesComments: false)
        // Once for all photos: each access copies it.
        let replica = replica
        let state = replica.state
        let plan = state.picture(.plan)?.id
        let hasRevealKey = opener.revealKey != nil
        return described.map { photo in
            // No viewer here can open photos that were sealed at another node, or by a page.
            let isLocked =
                photo.manifest?.isPageSealed == true && !hasRevealKey && !state.isOpen(photo.photo.id)
            let present = mayBeSeen(photo.photo, by: viewer, in: replica) && !isLocked ? BlobClass.allCases : []
            let isSealed = !state.isOpen(photo.photo.id)
            return AlbumPhoto(
                id: photo.photo.id, author: photo.photo.author,
                authorName: state.album.shownName(of: photo.photo.author),
                state: AlbumPhoto.State(photo.photo.status, isSealed: isSealed, isPlan: plan == photo.photo.id),
                isSealed: isSealed, addedAtMilliseconds: photo.photo.timestamp.milliseconds,
                takenAtMilliseconds: photo.manifest?.takenAtMilliseconds, width: photo.manifest?.width ?? 0,
                height: photo.manifest?.height ?? 0, mediaType: photo.mediaType,
                byteCount: photo.original?.original.byteCount,
                available: Set(present.filter { replica.isComplete($0, of: photo.photo.id) }),
                caption: present.isEmpty ? nil : photo.remarks.caption?.text,
                commentCount: photo.remarks.commentCount,
                reactions: state.album.reactions(to: photo.photo.id),
                isHighlight: state.album.isHighlight(photo.photo.id),
                moment: state.moment(of: photo.photo.id), mission: photo.mission, spot: photo.spot,
                zone: photo.zone, turn: photo.turn)
        }
    }

    /// Reads parts of a blob's plaintext; blocks on the disk.
    public struct BlobReader: Sendable {
        let blobs: BlobStore
        let reference: BlobReference
        /// This node makes thumbnails and previews as JPEG, whatever the type of the original.
        public let mediaType: MediaType
        public var byteCount: UInt64 { reference.byteCount }

        /// Throws if the blob is no longer here.
        public func read(_ range: Range<UInt64>) throws -> [UInt8] { try blobs.plaintext(of: reference, range: range) }
    }

    /// Returns `nil` if the photo has no blob of the class, or the blob is not here (yet). Throws
    /// `Refusal.unknownPhoto` for a photo that `viewer` may not see.
    public func reader(_ blobClass: BlobClass, of id: PhotoID, for viewer: AuthorID?) async throws -> BlobReader? {
        try await reader(blobClass, of: photo(id, seenBy: viewer), for: viewer)
    }

    func reader(_ blobClass: BlobClass, of photo: Photo, for viewer: AuthorID?) async throws -> BlobReader? {
        guard let found = try await describe([photo], includesComments: false).first, mayBeSeen(photo, by: viewer),
            replica.isComplete(blobClass, of: photo.id)
        else { return nil }
        let reference =
            switch blobClass {
            case .thumbnail: found.manifest?.thumbnail
            case .preview: found.manifest?.preview
            case .original: found.original?.original
            }
        guard let reference, let opened = opener.open(reference, released: found.released) else { return nil }
        return BlobReader(
            blobs: store.blobs, reference: opened, mediaType: blobClass == .original ? found.mediaType : .jpeg)
    }

    /// Returns the photos that are shown to all, oldest first; cached until a change, since every page needs them.
    func visiblePhotos() -> [Photo] { lookUp().visible }

    /// `nil` if photos are shown at once, or have been revealed.
    public var sealed: SealedPhotos? {
        let state = replica.state
        guard let charter = state.charter, !state.isRevealed else {
            return nil
        }
        return SealedPhotos(
            count: lookUp().sealedCount,
            // Several organizers decide when they do it: no node does at a time.
            revealsAtMilliseconds: charter.seal.shares == nil ? charter.revealsAtMilliseconds : nil,
            isForOrganizers: charter.reveal == .never, organizerCount: charter.seal.shares?.threshold,
            pageKey: pageSealingKey)
    }

    private func lookUp() -> (visible: [Photo], sealedCount: Int) {
        if let kept = reading.gallery { return kept }
        let state = replica.state
        let gallery = state.gallery
        let visible = state.isRevealed ? gallery : gallery.filter { state.isOpen($0.id) }
        reading.gallery = (visible, gallery.count - visible.count)
        return (visible, gallery.count - visible.count)
    }

    // Changes

    func albumChanged(_ change: AlbumChange) {
        reading.forgetChanged()
        let updates: [GalleryUpdate] =
            switch change {
            case .photos(let photos): photos.map(update)
            case .quotas(let photos): photos.map(update) + [.event]
            case .everything: [.event, .everything]
            }
        if change == .everything { messagesChanged() }
        for update in updates { tellReaders(update) }
    }

    private func update(_ photo: PhotoID) -> GalleryUpdate {
        // A photo of an author that has not joined yet does not exist.
        replica.state.photo(photo).map { !$0.status.isWithdrawn } == true ? .photo(photo) : .removed(photo)
    }

    func tellReaders(_ update: GalleryUpdate) {
        switch update {
        case .photo(let photo), .removed(let photo):
            let album = replica.state.album
            watchers.tell(update)
            if PictureRole.allCases.contains(where: { album.chosenPicture($0) == photo }) { watchers.tell(.event) }
        case .event, .messages, .everything: watchers.tell(update)
        }
        tellTwins(update)
    }

    /// Tells the readers of the galleries that are shown with this one.
    private func tellTwins(_ update: GalleryUpdate) {
        switch update {
        case .photo, .removed, .everything:
            for event in context.twins.events(showing: event) { context.events[event]?.watchers.tell(update) }
        case .event, .messages: break
        }
    }
}
