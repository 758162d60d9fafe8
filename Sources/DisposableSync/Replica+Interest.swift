// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The choice of blobs to fetch (protocol/disposable-v1.md §11.4).
///
/// A member can describe blobs without end. A node fetches photos that are shown, and those that will be shown when
/// sealed photos are opened or hidden ones put back; of photos beyond their quotas only a few of each sponsor tree. The
/// rest is set aside until that changes: this delays, and nothing that the fold reads depends on it. A wanted blob
/// stays wanted, unless all of its photos turn out void.
extension Replica {
    // Events

    /// Decides about the photos of a batch, and later about all photos if the batch may have changed any.
    mutating func followInterest(_ change: AlbumChange) {
        switch change {
        case .photos(let photos):
            for photo in photos where interests.setAside.contains(photo) || interests.unshown[photo] != nil {
                interests.undecided.append(photo)
            }
        // By claims that compete for a frame any member can have its photos gain and lose it, one after the other.
        case .quotas, .everything: scheduleReview()
        }
        decide()
    }

    /// Handles a change in which operations count, or in the devices with a rank or a role.
    mutating func standingChanged(_ change: Membership.Change) {
        guard change.isOfRanks || !change.authors.isEmpty else { return }
        interests.mayBeVoid = true
        scheduleReview()
    }

    /// Decides after the store has been restored. Photos beyond their quotas with more than the thumbnail on this node
    /// keep their places, so that a restart gives nobody more of them.
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

    // Review of all photos

    /// Whether decisions are due that may cause more to be fetched.
    package var isReviewingInterest: Bool { interests.review.isRequested }

    /// Schedules a review: the first at once, the next after a pause that grows with the number of photos, since any
    /// operation may cause one.
    private mutating func scheduleReview() {
        let count = interests.setAside.count + interests.unshown.count + scheduler.wantedCount
        guard count > 0 else { return }
        interests.review.request(pause: 1_000 + UInt64(count) / 16, at: now.milliseconds)
    }

    mutating func reviewIfDue() {
        guard interests.review.isDue(at: now.milliseconds) else { return }
        if interests.mayBeVoid {
            interests.mayBeVoid = false
            for blob in scheduler.wantedBlobs.filter({ !isOfInterest($0) }).sorted() { setAside(blob) }
        }
        for photo in interests.unshown.keys where state.photo(photo)?.status != .waiting { leavePlace(photo) }
        for photo in interests.setAside.sorted() { pursue(photo) }
        interests.review.done(at: now.milliseconds)
    }

    // Decisions

    /// Wants the missing blobs of the photo that are of interest, and sets the rest aside.
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

    /// Returns the number of originals of the photo that are here or wanted. Its author may describe any number.
    private func fetchedOriginalCount(of photo: PhotoID) -> Int {
        let complete = blobs.completeBlobs(of: photo).count { $0.blobClass == .original }
        return complete
            + Set(blobs.missingBlobs(of: photo)).count { $0.blobClass == .original && scheduler.isWanted($0) }
    }

    /// - Parameter forMore: whether more than the thumbnail is missing, for which a photo beyond its quota takes a
    ///   place.
    private mutating func interest(in id: PhotoID, forMore: Bool) -> Interest {
        guard !isOwn(id) else { return .all }
        guard let photo = state.photo(id) else { return .none }
        if let slot = photo.status.slot, forMore, state.album.isContested(slot, of: photo.author),
            interests.unshown[id] == nil
        {
            let frame = RollFrame(author: photo.author, slot: slot)
            return interests.takesContested(frame, by: id) ? .all : .thumbnail
        }
        guard photo.status == .waiting, interests.unshown[id] == nil else { return .all }
        guard forMore else { return .thumbnail }
        let tree = interests.unshownByTree.tree(of: photo.device, joins: index.joins, membership: state.membership)
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

    /// Whether the photo belongs to this node or its guests; such photos are always of interest.
    private func isOwn(_ photo: PhotoID) -> Bool {
        state.album.device(of: photo).map(signs) == true || state.album.author(of: photo) == authorID
    }

    /// Whether the blob belongs to a photo that is not void.
    func isOfInterest(_ blob: BlobID) -> Bool {
        blobs.photos(with: blob).contains { state.album.exists($0) || isOwn($0) }
    }

    /// Stops requesting the blob.
    mutating func setAside(_ blob: BlobID) {
        for output in scheduler.unwant(blob) { perform(output) }
        forget(blob)
        interests.setAside.formUnion(blobs.photos(with: blob))
    }

    // Photos beyond their quotas

    private mutating func takePlace(_ photo: Photo) {
        guard interests.unshown.updateValue(photo.device, forKey: photo.id) == nil else { return }
        interests.unshownByTree.add(1, of: photo.device, joins: index.joins, membership: state.membership)
    }

    /// Frees the place of a photo that is shown, or void, for another one.
    private mutating func leavePlace(_ photo: PhotoID) {
        guard let device = interests.unshown.removeValue(forKey: photo) else { return }
        interests.unshownByTree.add(-1, of: device, joins: index.joins, membership: state.membership)
        if !interests.setAside.isEmpty { scheduleReview() }
    }

    // Originals

    /// Limits the originals of each tree that is not established; `nil` while there is room for all. Wanted originals
    /// beyond the limit that were not begun wait.
    mutating func limitOriginals(to byteCount: UInt64?) {
        interests.originalsPerTree = byteCount
        if byteCount != nil {
            for blob in scheduler.wantedBlobs.filter({ !scheduler.isStarted($0) }).sorted() {
                guard let device = interests.originals[blob], isBeyondShare(device, by: 0) else { continue }
                setAside(blob)
            }
        }
        scheduleReview()
    }

    /// Whether the device's tree exceeds its share of originals with this many bytes more.
    private mutating func isBeyondShare(_ device: DeviceID, by byteCount: UInt64) -> Bool {
        guard let originalsPerTree = interests.originalsPerTree else { return false }
        let tree = interests.originalBytesByTree.tree(of: device, joins: index.joins, membership: state.membership)
        guard tree.pool != .established else { return false }
        return UInt64(clamping: interests.originalBytesByTree.used(tree)) + byteCount > originalsPerTree
    }

    /// Counts an original that is here or wanted.
    mutating func count(original blob: BlobID, of device: DeviceID?) {
        guard blob.blobClass == .original, let device, !signs(for: device), interests.originals[blob] == nil else {
            return
        }
        interests.originals[blob] = device
        interests.originalBytesByTree.add(
            Int(clamping: blob.byteCount), of: device, joins: index.joins, membership: state.membership)
    }

    /// Stops counting a blob that is neither here nor wanted.
    mutating func forget(_ blob: BlobID) {
        interests.parts[blob] = nil
        guard let device = interests.originals.removeValue(forKey: blob) else { return }
        interests.originalBytesByTree.add(
            -Int(clamping: blob.byteCount), of: device, joins: index.joins, membership: state.membership)
        if originalsPerTree != nil, !interests.setAside.isEmpty { scheduleReview() }
    }

    // For people

    /// Whether a described blob of the photo is missing and not requested at present.
    public func isSetAside(_ photo: PhotoID) -> Bool { interests.setAside.contains(photo) }
}
