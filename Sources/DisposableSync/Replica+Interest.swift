// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Which of the blobs that operations describe are fetched (protocol/disposable-v1.md §11.4).
///
/// A member can describe blobs without end. What people are shown is fetched, and so is what they will be shown when
/// sealed photos are opened or hidden ones put back; of photos beyond their rolls a few of each sponsor tree. The rest is
/// set aside until that changes: it delays, and nothing that the fold reads depends on it. A blob that is wanted stays
/// wanted, unless all of its photos turn out void.
extension Replica {
    // What there is to decide

    /// Decides about the photos that a batch was about, and later about all where it may have changed any.
    mutating func followInterest(_ change: AlbumChange) {
        switch change {
        case .photos(let photos):
            for photo in photos where interests.setAside.contains(photo) || interests.unshown[photo] != nil {
                interests.undecided.append(photo)
            }
        case .everything: scheduleReview()
        }
        decide()
    }

    /// Other operations count than did before, or other devices have a rank or a role.
    mutating func standingChanged(_ change: Membership.Change) {
        guard change.isOfRanks || !change.authors.isEmpty else { return }
        interests.mayBeVoid = true
        scheduleReview()
    }

    /// What the store has is known. Photos beyond their rolls of which more than the thumbnail is here keep their places,
    /// so that a restart gives nobody more of them.
    mutating func decideRestored() {
        for id in interests.undecided {
            let present = blobs.completeBlobs(of: id) + blobs.missingBlobs(of: id).filter { interests.parts[$0] != nil }
            guard present.contains(where: { $0.blobClass != .thumbnail }), !isOwn(id), let photo = state.photo(id),
                photo.status == .waiting
            else { continue }
            takePlace(photo)
        }
        decide()
    }

    private mutating func decide() {
        let photos = interests.undecided
        interests.undecided = []
        for photo in photos { pursue(photo) }
    }

    // All photos again

    /// Whether decisions are due that may have more fetched.
    package var isReviewingInterest: Bool { interests.reviewDueAt != nil }

    /// The first review is made at once. The next one waits, longer where there is more to look at: anybody may give
    /// cause for one with any operation.
    private mutating func scheduleReview() {
        let count = interests.setAside.count + interests.unshown.count + scheduler.wantedCount
        guard interests.reviewDueAt == nil, count > 0 else { return }
        let pause = 1_000 + UInt64(count) / 16
        interests.reviewDueAt = max(now.milliseconds, interests.reviewedAt.map { $0 + pause } ?? 0)
    }

    mutating func reviewIfDue() {
        guard let due = interests.reviewDueAt, due <= now.milliseconds else { return }
        interests.reviewedAt = now.milliseconds
        if interests.mayBeVoid {
            interests.mayBeVoid = false
            for blob in scheduler.wantedBlobs.filter({ !isOfInterest($0) }).sorted() { setAside(blob) }
        }
        for photo in interests.unshown.keys where state.photo(photo)?.status != .waiting { leavePlace(photo) }
        for photo in interests.setAside.sorted() { pursue(photo) }
        interests.reviewDueAt = nil
    }

    // Deciding

    /// Wants what is missing of the photo and is of interest; the rest is set aside.
    private mutating func pursue(_ id: PhotoID) {
        if interests.unshown[id] != nil, state.photo(id)?.status != .waiting { leavePlace(id) }
        let missing = blobs.missingBlobs(of: id).filter {
            keptClasses.contains($0.blobClass) && !scheduler.isWanted($0)
        }
        guard let device = state.album.device(of: id), !missing.isEmpty else {
            interests.setAside.remove(id)
            return
        }
        let interest = interest(in: id, forMore: missing.contains { $0.blobClass != .thumbnail })
        var originalsLeft = isOwn(id) ? .max : Limits.originalsPerPhotoMax - fetchedOriginalCount(of: id)
        var isComplete = true
        for blob in missing {
            if blob.blobClass != .original || originalsLeft > 0, isFetched(blob, of: id, by: device, interest) {
                want(blob)
                count(original: blob, of: device)
                if blob.blobClass == .original { originalsLeft -= 1 }
            } else {
                isComplete = false
            }
        }
        if isComplete { interests.setAside.remove(id) } else { interests.setAside.insert(id) }
    }

    /// The originals of the photo that are here or wanted. Its author may describe any number.
    private func fetchedOriginalCount(of photo: PhotoID) -> Int {
        let complete = blobs.completeBlobs(of: photo).count { $0.blobClass == .original }
        return complete
            + Set(blobs.missingBlobs(of: photo)).count { $0.blobClass == .original && scheduler.isWanted($0) }
    }

    /// - Parameter forMore: whether more than the thumbnail is missing, for which a photo beyond its roll takes a place.
    private mutating func interest(in id: PhotoID, forMore: Bool) -> Interest {
        guard !isOwn(id) else { return .all }
        guard let photo = state.photo(id) else { return .none }
        if case .frame(let slot) = photo.status, forMore, state.album.isContested(slot, of: photo.author),
            interests.unshown[id] == nil
        {
            let frame = RollFrame(author: photo.author, slot: slot)
            return interests.takesContested(frame, by: id) ? .all : .thumbnail
        }
        guard photo.status == .waiting, interests.unshown[id] == nil else { return .all }
        guard forMore else { return .thumbnail }
        let tree = interests.unshownByTree.tree(of: photo.device, joins: joins, membership: state.membership)
        let placeCount =
            tree.pool == .established ? Limits.unshownPhotosEstablishedMax : Limits.unshownPhotosPlainMax
        guard interests.unshownByTree.used(tree) < placeCount else { return .thumbnail }
        takePlace(photo)
        return .all
    }

    private mutating func isFetched(
        _ blob: BlobID, of photo: PhotoID, by device: DeviceID, _ interest: Interest
    ) -> Bool {
        switch interest {
        case .none: return false
        case .thumbnail: return blob.blobClass == .thumbnail
        case .all:
            guard blob.blobClass == .original, interests.originals[blob] == nil, !isOwn(photo) else { return true }
            return !isBeyondShare(device, by: blob.byteCount)
        }
    }

    /// This node's own photos, and those of its guests, are always of interest.
    private func isOwn(_ photo: PhotoID) -> Bool {
        state.album.device(of: photo).map(signs) == true || state.album.author(of: photo) == authorID
    }

    /// Whether the blob belongs to a photo that is not void.
    func isOfInterest(_ blob: BlobID) -> Bool {
        blobs.photos(with: blob).contains { state.album.exists($0) || isOwn($0) }
    }

    /// The blob is not asked for any longer.
    mutating func setAside(_ blob: BlobID) {
        for output in scheduler.unwant(blob) { perform(output) }
        forget(blob)
        interests.setAside.formUnion(blobs.photos(with: blob))
    }

    // Photos beyond their rolls

    private mutating func takePlace(_ photo: Photo) {
        guard interests.unshown.updateValue(photo.device, forKey: photo.id) == nil else { return }
        interests.unshownByTree.add(1, of: photo.device, joins: joins, membership: state.membership)
    }

    /// The photo is shown, or void: another one may have its place.
    private mutating func leavePlace(_ photo: PhotoID) {
        guard let device = interests.unshown.removeValue(forKey: photo) else { return }
        interests.unshownByTree.add(-1, of: device, joins: joins, membership: state.membership)
        if !interests.setAside.isEmpty { scheduleReview() }
    }

    // Originals

    /// Limits the originals of each tree that is not established; `nil` while there is room for all. Of what is wanted
    /// and not begun, what is beyond the limit waits.
    mutating func limitOriginals(to byteCount: UInt64?) {
        originalsPerTree = byteCount
        if byteCount != nil {
            for blob in scheduler.wantedBlobs.filter({ !scheduler.isStarted($0) }).sorted() {
                guard let device = interests.originals[blob], isBeyondShare(device, by: 0) else { continue }
                setAside(blob)
            }
        }
        scheduleReview()
    }

    /// Whether the device's tree has more originals than its share, with so many bytes more.
    private mutating func isBeyondShare(_ device: DeviceID, by byteCount: UInt64) -> Bool {
        guard let originalsPerTree else { return false }
        let tree = interests.originalBytesByTree.tree(of: device, joins: joins, membership: state.membership)
        guard tree.pool != .established else { return false }
        return UInt64(clamping: interests.originalBytesByTree.used(tree)) + byteCount > originalsPerTree
    }

    /// An original is here or wanted.
    mutating func count(original blob: BlobID, of device: DeviceID?) {
        guard blob.blobClass == .original, let device, !signs(for: device), interests.originals[blob] == nil else {
            return
        }
        interests.originals[blob] = device
        interests.originalBytesByTree.add(
            Int(clamping: blob.byteCount), of: device, joins: joins, membership: state.membership)
    }

    /// The blob is neither here nor wanted.
    mutating func forget(_ blob: BlobID) {
        interests.parts[blob] = nil
        guard let device = interests.originals.removeValue(forKey: blob) else { return }
        interests.originalBytesByTree.add(
            -Int(clamping: blob.byteCount), of: device, joins: joins, membership: state.membership)
        if originalsPerTree != nil, !interests.setAside.isEmpty { scheduleReview() }
    }

    // For people

    /// Whether something of the photo is described, is not here and is not asked for at present.
    public func isSetAside(_ photo: PhotoID) -> Bool { interests.setAside.contains(photo) }
}
