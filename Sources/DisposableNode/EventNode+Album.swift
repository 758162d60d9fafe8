// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Synchronization

/// The gallery in pages, and its changes, for the portal.
extension EventNode {
    public struct AlbumPhoto: Sendable {
        public let photo: Photo
        public let authorName: String?
        /// `nil` if its body is missing.
        public let manifest: PhotoManifest?
        public let original: OriginalManifest?
        public let available: Set<BlobClass>
        /// The caption by its author.
        public let caption: String?
        public let commentCount: Int
        public let reactions: [Unicode.Scalar: Set<AuthorID>]
        /// Whether an organizer has made it a highlight.
        public let isHighlight: Bool
        /// Whether it is the event's plan, which is not shown among the photos.
        public let isPlan: Bool
        /// The place on the event's plan where its author has put it.
        public let spot: Spot?
        /// The turn by its author.
        public let turn: PhotoTurn
        /// Whether it is shown only to its author at present.
        public let isSealed: Bool
        /// The moment to which it belongs.
        public let moment: MomentVerdict?
        /// The mission that it answers.
        public let mission: Mission?
        let released: ReleasedKeys?
    }

    public struct AlbumPage: Sendable {
        public let photos: [AlbumPhoto]
        /// The last photo of this page, if another page follows.
        public let next: PhotoID?
        public let totalCount: Int
        /// The time of the oldest photo of all pages.
        public let earliestMilliseconds: UInt64?
    }

    /// Returns a page, newest first, of photos older than `cursor`; with `author` of that author's only. Where `viewer`
    /// is the author these are all that are not withdrawn, otherwise those that are shown to all.
    /// - Parameters:
    ///   - cursor: the last photo of the page before; `nil` for the first page.
    ///   - limit: photos at most.
    ///   - author: `nil` for the photos of all.
    ///   - onlyHighlights: those of the photos that are shown to all that organizers have made highlights.
    ///   - day: that of a moment, for its photos only.
    ///   - mission: an id, for the photos that answer that mission.
    ///   - withVeiled: also the photos that are veiled, without anything of them.
    ///   - viewer: the guest; `nil` for somebody who is no guest yet.
    public func page(
        before cursor: PhotoID?, limit: Int, by author: AuthorID?, onlyHighlights: Bool = false,
        momentOf day: UInt32? = nil, answering mission: UInt32? = nil,
        withVeiled: Bool = false, for viewer: AuthorID?
    ) async throws -> AlbumPage {
        let state = replica.state
        let photos: [Photo]
        if onlyHighlights {
            photos = highlights()
        } else if let day {
            photos = (momentPhotos()[day]?.photos ?? []).filter { author == nil || $0.author == author }
        } else if let mission {
            photos = (missionPhotos()[mission] ?? []).filter { author == nil || $0.author == author }
        } else if withVeiled, viewer == nil {
            photos = photosWithVeiled(by: author)
        } else {
            photos = self.photos(by: author, for: viewer)
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
            $0.photo.status.isVeiled && $0.photo.author != viewer ? AlbumPhoto(veiled: $0.photo) : $0
        }
        return AlbumPage(
            photos: page, next: start > 0 ? page.last?.photo.id : nil, totalCount: photos.count,
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

    public struct Photographer: Sendable {
        public let author: AuthorID
        public let name: String?
        public let photoCount: Int
    }

    /// Returns the authors of the photos that are shown to all, and the number of all authors. The author with the most
    /// photos is the first, and only `limit` of them are returned.
    public func photographers(limit: Int) -> (first: [Photographer], totalCount: Int) {
        var counts: [AuthorID: Int] = [:]
        for photo in visiblePhotos() { counts[photo.author, default: 0] += 1 }
        let first = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit)
        let album = replica.state.album
        return (
            first.map { Photographer(author: $0.key, name: album.shownName(of: $0.key), photoCount: $0.value) },
            counts.count
        )
    }

    /// The photos that were added in the same quarter of an hour.
    public struct PhotoQuarter: Sendable {
        /// The number of 15 minutes since 1970 UTC; time zones differ by whole quarters.
        public let number: UInt64
        public let count: Int
        /// The newest of them whose thumbnail is here.
        public let example: PhotoID?
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
        let plan = replica.state.picture(.plan)?.id
        let hasRevealKey = opener.revealKey != nil
        return described.map { photo in
            // No viewer here can open photos that were sealed at another node, or by a page.
            let isLocked =
                photo.manifest?.isPageSealed == true && !hasRevealKey && !replica.state.isOpen(photo.photo.id)
            let present = mayBeSeen(photo.photo, by: viewer) && !isLocked ? BlobClass.allCases : []
            return AlbumPhoto(
                photo: photo.photo, authorName: replica.state.album.shownName(of: photo.photo.author),
                manifest: photo.manifest, original: photo.original,
                available: Set(present.filter { replica.isComplete($0, of: photo.photo.id) }),
                caption: present.isEmpty ? nil : photo.remarks.caption?.text,
                commentCount: photo.remarks.commentCount,
                reactions: replica.state.album.reactions(to: photo.photo.id),
                isHighlight: replica.state.album.isHighlight(photo.photo.id),
                isPlan: plan == photo.photo.id, spot: photo.spot, turn: photo.turn,
                isSealed: !replica.state.isOpen(photo.photo.id),
                moment: replica.state.moment(of: photo.photo.id), mission: photo.mission, released: photo.released)
        }
    }

    /// Reads parts of a blob's plaintext; blocks on the disk.
    public struct BlobReader: Sendable {
        let blobs: BlobStore
        let reference: BlobReference
        public var byteCount: UInt64 { reference.byteCount }

        /// Throws if the blob is no longer here.
        public func read(_ range: Range<UInt64>) throws -> [UInt8] { try blobs.plaintext(of: reference, range: range) }
    }

    /// Returns `nil` if the photo has no blob of the class, or the blob is not here (yet).
    public func reader(_ blobClass: BlobClass, of photo: AlbumPhoto) -> BlobReader? {
        let reference =
            switch blobClass {
            case .thumbnail: photo.manifest?.thumbnail
            case .preview: photo.manifest?.preview
            case .original: photo.original?.original
            }
        guard photo.available.contains(blobClass), let reference,
            let opened = opener.open(reference, released: photo.released)
        else { return nil }
        return BlobReader(blobs: store.blobs, reference: opened)
    }

    /// Returns the photos that are shown to all, oldest first; cached until a change, since every page needs them.
    func visiblePhotos() -> [Photo] { lookUp().visible }

    /// The photos that only their authors see so far.
    public struct Sealed: Sendable {
        public let count: Int
        /// The planned time of the reveal, if any.
        public let revealsAtMilliseconds: UInt64?
        public let isForOrganizers: Bool
        /// The key to which guests' pages seal photos, 32 bytes; `nil` if this node does it.
        public let pageKey: Bytes32?
    }

    /// `nil` if photos are shown at once, or have been revealed.
    public var sealed: Sealed? {
        let state = replica.state
        guard let charter = state.charter, !state.isRevealed else {
            return nil
        }
        return Sealed(
            count: lookUp().sealedCount, revealsAtMilliseconds: charter.revealsAtMilliseconds,
            isForOrganizers: charter.reveal == .never, pageKey: pageSealingKey)
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
        let updates: [AlbumUpdate] =
            switch change {
            case .photos(let photos): photos.map(update)
            case .quotas(let photos): photos.map(update) + [.parameters]
            case .everything: [.parameters, .everything]
            }
        if change == .everything { messagesChanged() }
        for update in updates { tellReaders(update) }
    }

    private func update(_ photo: PhotoID) -> AlbumUpdate {
        // A photo of an author that has not joined yet does not exist.
        replica.state.photo(photo).map { !$0.status.isWithdrawn } == true ? .photo(photo) : .removed(photo)
    }

    func tellReaders(_ update: AlbumUpdate) {
        switch update {
        case .photo(let photo), .removed(let photo):
            let album = replica.state.album
            watchers.tell(update)
            if PictureRole.allCases.contains(where: { album.chosenPicture($0) == photo }) { watchers.tell(.parameters) }
        case .parameters, .messages, .everything: watchers.tell(update)
        }
    }

    /// A change to display.
    public enum AlbumUpdate: Sendable, Equatable {
        case photo(PhotoID)
        case removed(PhotoID)
        case parameters
        /// Messages to the organizers, of which guests are told nothing.
        case messages
        case everything
    }
}

/// Cached results of gallery queries, since every page needs them.
struct AlbumReading {
    /// The photos that are shown to all, oldest first, and the number of sealed photos in addition.
    var gallery: (visible: [Photo], sealedCount: Int)?
    /// The same including hidden ones.
    var sheet: [Photo]?
    /// The photos of each moment that are shown to all.
    var moments: [UInt32: MomentGroup]?
    /// The photos of each mission that are shown to all.
    var missions: [UInt32: [Photo]]?
    /// The photos on the plan that are shown to all, oldest first.
    var placed: [PlacedPhoto]?
    /// The highlights that are shown to all, oldest first.
    var highlights: [Photo]?
    /// The photos that are shown to all, with the veiled ones in their places.
    var withVeiled: [Photo]?
    /// The sizes of photos' originals, by the operations that describe them; these never change.
    var originalByteCounts: [OperationID: UInt64] = [:]
    var mailbox = Mailbox()
    /// The people who can receive frames, for a while.
    var recipients: (people: [EventNode.GiftPerson], until: ContinuousClock.Instant)?
    var loneWork = KeyedLocks<LoneWork>()

    /// The last card that this node has signed.
    var card: SignedCard?
    /// The activity of the hour before a time, in milliseconds since 1970 UTC.
    var activity: (before: UInt64, counted: RecentActivity)?

    mutating func forgetChanged() {
        (gallery, sheet, moments, missions, placed) = (nil, nil, nil, nil, nil)
        (highlights, withVeiled) = (nil, nil)
    }
}

/// The watchers of the album: they continue when a database is rebuilt, and end with the event.
package final class AlbumWatchers: Sendable {
    private typealias Sink = AsyncStream<EventNode.AlbumUpdate>.Continuation
    /// `nil` once the event has ended.
    private let sinks = Mutex<[Sink]?>([])

    /// Returns the changes from now on; ends with the event.
    /// - Parameters:
    ///   - countMax: the number of the newest updates that are kept for the reader.
    ///   - first: an update that the reader gets at once.
    package func updates(
        keeping countMax: Int = 1_024, first: EventNode.AlbumUpdate? = nil
    ) -> AsyncStream<EventNode.AlbumUpdate> {
        let (stream, sink) = AsyncStream.makeStream(
            of: EventNode.AlbumUpdate.self, bufferingPolicy: .bufferingNewest(countMax))
        if let first { sink.yield(first) }
        sinks.withLock { if $0?.append(sink) == nil { sink.finish() } }
        return stream
    }

    func tell(_ update: EventNode.AlbumUpdate) {
        sinks.withLock { sinks in
            sinks = sinks?.filter { sink in
                switch sink.yield(update) {
                case .terminated: return false
                // A reader that is too slow loads everything again.
                case .dropped: sink.yield(.everything)
                default: break
                }
                return true
            }
        }
    }

    func end() {
        for sink in sinks.withLock({ $0.take() }) ?? [] { sink.finish() }
    }
}
