// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync

/// The contact sheet for the person at this node: the photos that guests see, the hidden ones, and the marked ones.
extension EventNode {
    public struct SheetPhoto: Sendable {
        public let album: AlbumPhoto
        public let isFavourite: Bool
        /// The pictures of the event for which organizers use the photo.
        public let pictures: [PictureRole]
        public var isHidden: Bool { album.state == .hidden }
    }

    public struct Sheet: Sendable {
        public let photos: [SheetPhoto]
        /// The last photo of this page, if another page follows.
        public let next: PhotoID?
        public let totalCount: Int
    }

    public enum SheetFilter: Sendable {
        case all, shown, hidden, favourites, pending, veiled
    }

    /// The event's phase by this node's clock; `nil` until its charter is here.
    public var phase: EventPhase? {
        replica.state.charter?.phase(at: now.wallClockMilliseconds, isRevealed: replica.state.isRevealed)
    }

    /// Returns the photos older than `cursor`, newest first; pending and veiled photos oldest first. Of the sealed photos,
    /// returns only those that the user of this node may see. Throws `Refusal.unknownPhoto` if the cursor is not a
    /// photo of the event.
    /// - Parameters:
    ///   - filter: the kind of photos.
    ///   - author: `nil` for the photos of all.
    ///   - cursor: the last photo of the page before; `nil` for the first page.
    ///   - limit: photos at most.
    public func sheet(
        _ filter: SheetFilter, by author: AuthorID?, before cursor: PhotoID?, limit: Int
    ) async throws -> Sheet {
        let (state, favourites) = (replica.state, try favourites())
        func inOrder(_ photos: [Photo]) -> [Photo] {
            let ordered = state.ordered(photos)
            return filter == .pending || filter == .veiled ? ordered.reversed() : ordered
        }
        var photos: [Photo]
        switch filter {
        case .shown: photos = visiblePhotos()
        case .hidden: photos = state.ordered(state.photos.filter { $0.status == .hidden })
        case .pending: photos = inOrder(sheetPhotos().filter(\.status.isPending))
        case .veiled: photos = inOrder(sheetPhotos().filter(\.status.isVeiled))
        case .all: photos = sheetPhotos()
        case .favourites: photos = state.ordered(favourites.compactMap(state.photo).filter(\.isOnSheet))
        }
        if filter != .shown, !state.isRevealed {
            photos.removeAll { [replica] in !mayBeSeen($0, by: replica.authorID, in: replica) }
        }
        photos.removeAll { !mayBeJudged($0) }
        if let author { photos.removeAll { $0.author != author } }
        var end = photos.count
        if let cursor {
            guard let last = state.photo(cursor) else { throw NodeError.refused(.unknownPhoto(cursor.short)) }
            // It may have left the sheet since the last page: then continue at its former position.
            end =
                photos.lastIndex { $0.id == cursor }
                ?? inOrder(photos + [last]).firstIndex { $0.id == cursor } ?? 0
        }
        let start = max(0, end - limit)
        let page = try await albumPhotos(photos[start..<end].reversed(), for: replica.authorID)
        return Sheet(
            photos: page.map { photo in
                SheetPhoto(
                    album: photo, isFavourite: favourites.contains(photo.id), pictures: roles(of: photo.id))
            },
            next: start > 0 ? page.last?.id : nil, totalCount: photos.count)
    }

    /// Returns a photo of the sheet. Throws `Refusal.unknownPhoto` for one that is not on it.
    public func sheetPhoto(_ id: PhotoID) async throws -> SheetPhoto {
        guard let described = try await albumPhotos([photoOnSheet(id)], for: replica.authorID).first else {
            throw NodeError.stopped
        }
        return SheetPhoto(album: described, isFavourite: try favourites().contains(id), pictures: roles(of: id))
    }

    /// Returns `nil` if the blob is not here. Throws `Refusal.unknownPhoto` for a photo that is not on the sheet.
    public func sheetReader(_ blobClass: BlobClass, of id: PhotoID) async throws -> BlobReader? {
        try await reader(blobClass, of: photoOnSheet(id), for: replica.authorID)
    }

    private func photoOnSheet(_ id: PhotoID) throws -> Photo {
        guard let photo = replica.state.photo(id), photo.isOnSheet, mayBeJudged(photo),
            mayBeSeen(photo, by: replica.authorID)
        else { throw NodeError.refused(.unknownPhoto(id.short)) }
        return photo
    }

    private func roles(of photo: PhotoID) -> [PictureRole] {
        PictureRole.allCases.filter { replica.state.album.chosenPicture($0) == photo }
    }

    /// Returns the newest comments on a photo of the sheet. Throws `Refusal.unknownPhoto` for other photos.
    public func sheetComments(on photo: PhotoID) async throws -> CommentPage {
        _ = try await sheetPhoto(photo)
        return try comments(on: photo, before: nil, limit: Self.commentCountMax)
    }

    private static let commentCountMax = 100

    /// The number of photos that wait for approval and that this node's person may see.
    public var pendingCount: Int {
        sheetPhotos().count { [replica] in
            $0.status.isPending && mayBeJudged($0) && mayBeSeen($0, by: replica.authorID, in: replica)
        }
    }

    /// The number of veiled photos that this node's person may decide about.
    public var veiledCount: Int {
        sheetPhotos().count { [replica] in
            $0.status.isVeiled && mayBeJudged($0) && mayBeSeen($0, by: replica.authorID, in: replica)
        }
    }

    /// Whether the photo is neither pending nor veiled, or is this person's own, or this person moderates.
    private func mayBeJudged(_ photo: Photo) -> Bool {
        guard photo.status.isPending || photo.status.isVeiled, photo.author != replica.authorID, store.keys.organizer == nil else {
            return true
        }
        return (replica.state.membership.rank(of: replica.deviceID) ?? .participant) >= .moderator
    }

    /// Which photos need approval.
    public var approvalRule: ApprovalRule { replica.state.album.approvalRule }

    private func sheetPhotos() -> [Photo] {
        if let kept = reading.sheet { return kept }
        let state = replica.state
        let photos = state.ordered(state.photos.filter(\.isOnSheet))
        reading.sheet = photos
        return photos
    }

    // Favourites

    /// The limit on favourites, which are read and written together.
    private static let favouriteCountMax = 2_000
    private static let favouritesKey = "favourites"

    /// Returns the favourites of this node: they are not shared, and are deleted with the event.
    func favourites() throws -> Set<PhotoID> {
        let bytes = try store.metadata(for: Self.favouritesKey) ?? []
        let ids = stride(from: 0, to: bytes.count, by: Bytes32.byteCount).compactMap { start in
            Bytes32(bytes[start..<min(start + Bytes32.byteCount, bytes.count)]).map { PhotoID($0) }
        }
        return Set(ids)
    }

    /// Stores a mark; durable when this returns. Throws `NodeError.tooManyFavourites`.
    func setFavourite(_ photo: PhotoID, isOn: Bool) throws {
        var favourites = try favourites()
        if isOn { favourites.insert(photo) } else { favourites.remove(photo) }
        // Photos that were deleted since make room.
        favourites = favourites.filter { replica.state.photo($0).map { !$0.status.isWithdrawn } ?? false }
        guard favourites.count <= Self.favouriteCountMax else {
            throw NodeError.tooManyFavourites(limit: Self.favouriteCountMax)
        }
        try store.setMetadata(
            favourites.isEmpty ? nil : favourites.sorted().flatMap(\.bytes), for: Self.favouritesKey)
        tellReaders(.photo(photo))
    }

    // The archive

    private static let archiveKey = "archived"

    /// Whether the event is in this node's archive: the desk lists it last. Nothing else changes, and no other node is
    /// told.
    public var isArchived: Bool { get throws { try store.metadata(for: Self.archiveKey) != nil } }

    /// Durable when this returns.
    func setArchived(_ isOn: Bool) throws { try store.setMetadata(isOn ? [] : nil, for: Self.archiveKey) }
}

extension Photo {
    /// Whether guests see it, or would see it if it were not hidden.
    fileprivate var isOnSheet: Bool {
        switch status {
        case .frame, .pending, .veiled, .hidden: true
        case .waiting, .removed, .erased: false
        }
    }
}
