// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The event's cover and plan, and the photos on the plan (protocol/disposable-v1.md §9.19).
extension EventNode {
    /// Returns the photo that has the role, if it is shown to all.
    public func picture(_ role: PictureRole) async throws -> ShownPicture? {
        guard let photo = shownPicture(role) else { return nil }
        let manifest = try await describe([photo], includesComments: false).first?.manifest
        return ShownPicture(photo: photo.id, width: manifest?.width ?? 0, height: manifest?.height ?? 0)
    }

    /// Returns the photo that has the role, if it is shown to all.
    func shownPicture(_ role: PictureRole) -> Photo? {
        replica.state.picture(role).flatMap { mayBeSeen($0, by: nil) ? $0 : nil }
    }

    /// Returns the photos of a part of the plan that are shown to all, newest first.
    /// - Parameters:
    ///   - box: the part of the plan.
    ///   - author: `nil` for those of all.
    ///   - times: the times of adding, in milliseconds since 1970 UTC; `nil` for all.
    ///   - limit: photos at most; older ones are left out.
    public func pins(
        in box: SpotBox, by author: AuthorID?, added times: Range<UInt64>? = nil, limit: Int
    ) -> PinPage {
        let album = replica.state.album
        let found = placedPhotos().filter {
            box.contains($0.spot) && (author == nil || $0.photo.author == author)
                && times?.contains($0.photo.timestamp.milliseconds) != false
        }
        let pins = found.suffix(limit).reversed().map {
            Pin(
                photo: $0.photo.id, author: $0.photo.author, authorName: album.shownName(of: $0.photo.author),
                spot: $0.spot)
        }
        return PinPage(pins: pins, totalCount: found.count)
    }

    /// Returns the photos on the plan that are shown to all, oldest first; cached until a change.
    private func placedPhotos() -> [PlacedPhoto] {
        if let kept = reading.placed { return kept }
        let album = replica.state.album
        let placed = shownPicture(.plan).map { plan in
            visiblePhotos().compactMap { photo in
                album.spot(of: photo.id, on: plan.id).map { PlacedPhoto(photo: photo, spot: $0) }
            }
        }
        reading.placed = placed ?? []
        return placed ?? []
    }

    /// Puts the guest's own photo on the plan, or takes it off; no operation if there is no change. Throws
    /// `Refusal.unknownPhoto`, `.notYours`, `.notShownYet` for a sealed photo, `.otherPlan`, `.tooFast`.
    /// - Parameters:
    ///   - spot: the place; `nil` takes the photo off.
    ///   - plan: the plan that the guest saw; `.otherPlan` if it is another one by now.
    ///   - photo: a photo of the guest.
    ///   - guest: the guest, who has entered.
    public func setSpot(_ spot: Spot?, on plan: PhotoID?, of photo: PhotoID, by guest: AuthorID) async throws {
        guard try self.photo(photo, seenBy: guest).author == guest else { throw NodeError.refused(.notYours(photo)) }
        if spot != nil {
            try check(isOpen: photo)
            guard let shown = shownPicture(.plan), shown.id == plan else { throw NodeError.refused(.otherPlan) }
        }
        do { _ = try await say(.spot(photo, spot), by: guest) } catch NodeError.refused(.nothingToDo) {}
    }

    /// Makes a photo the event's cover or plan; `nil` takes the picture off. A sealed photo of this node's person is
    /// opened, as guests are to see it. Throws `Refusal.rankTooLow`, `.unknownPhoto`, `.notShown`, `.nothingToDo`.
    func setPicture(_ role: PictureRole, to name: String?) async throws -> PhotoID? {
        let photo = try name.map { try self.photo(named: $0) }
        let isSealed = photo.map { !replica.state.isOpen($0.id) } ?? false
        if let photo, isSealed, photo.author != replica.authorID { throw NodeError.refused(.notShown(photo.id)) }
        try await rule(.say(.picture(role, photo?.id), salt: Entropy.bytes(OperationBody.saltByteCount)))
        if let photo, isSealed { try await releaseKeys(of: photo) }
        return photo?.id
    }
}
