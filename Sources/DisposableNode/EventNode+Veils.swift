// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Photos that guests do not want to be in, and what moderators decide about them (protocol/disposable-v1.md §9.20).
extension EventNode {
    public var areVeilsOn: Bool { replica.state.album.areVeilsOn }

    /// Requests a veil for a photo that the guest can see, or withdraws the request. A repeated call signs no operation.
    /// Throws `Refusal.unknownPhoto`, `.noVeil`, `.tooFast`.
    public func setVeil(_ isOn: Bool, on photo: PhotoID, by guest: AuthorID) async throws {
        if isOn, replica.state.photo(photo)?.status.isVeiled != true { try self.photo(photo, seenBy: guest) }
        do { try await repeatVeil(photo, isOn: isOn, by: guest) } catch NodeError.refused(.nothingToDo) {}
    }

    private func repeatVeil(_ photo: PhotoID, isOn: Bool, by guest: AuthorID) async throws {
        _ = try await say(.veil(photo, isOn: isOn), by: guest)
        // The author may have said so at several nodes.
        while !isOn, !replica.state.album.veils(of: photo, by: guest).isEmpty {
            _ = try await say(.veil(photo, isOn: false), by: guest)
        }
    }

    /// The same by this node's person.
    func setVeil(_ isOn: Bool, on text: String) async throws -> ControlReply {
        let photo = try photo(named: text)
        if isOn, !photo.status.isVeiled { try self.photo(photo.id, seenBy: replica.authorID) }
        let salt = Entropy.bytes(OperationBody.saltByteCount)
        let ids = try await author(.say(.veil(photo.id, isOn: isOn), salt: salt))
        guard let id = ids.first else { throw NodeError.stopped }
        return .said(id: id.description, photo: photo.id.description)
    }

    /// The number of photos that one request lifts, since a node signs no faster for long than others accept.
    static let liftsAtOnceMax = 500

    /// Returns what `liftVeils` would lift now, and lifts nothing.
    func lifting(admittedSince milliseconds: UInt64) -> LiftInfo {
        let veils = replica.veils(admittedSince: milliseconds)
        return LiftInfo(photoCount: veils.photos.count, deviceCount: veils.deviceCount, photos: [])
    }

    /// Lifts the veils that only devices ask for which were let in since that time (`Replica.veils(admittedSince:)`):
    /// as many as one request may. Throws `Refusal.nothingToDo` if there is none.
    func liftVeils(admittedSince milliseconds: UInt64) async throws -> LiftInfo {
        let veils = replica.veils(admittedSince: milliseconds)
        let photos = Array(veils.photos.prefix(Self.liftsAtOnceMax))
        try await rule(.lift(photos))
        return LiftInfo(
            photoCount: veils.photos.count, deviceCount: veils.deviceCount, photos: photos.map(\.description))
    }

    /// Returns the photos that are shown to all and the veiled ones in their places, oldest first; with `author` that
    /// author's only.
    func photosWithVeiled(by author: AuthorID?) -> [Photo] {
        let photos = photosWithVeiled()
        return author == nil ? photos : photos.filter { $0.author == author }
    }

    /// Cached until a change, since every page shows them.
    private func photosWithVeiled() -> [Photo] {
        if let kept = reading.withVeiled { return kept }
        let state = replica.state
        let veiled = state.album.veiledPhotos.compactMap(state.photo).filter { $0.status.isVeiled && state.isOpen($0.id) }
        let photos = veiled.isEmpty ? visiblePhotos() : state.ordered(visiblePhotos() + veiled)
        reading.withVeiled = photos
        return photos
    }

    /// Returns a veiled photo as everybody may know it: its place and its author. `nil` if it is not veiled.
    public func veiledPhoto(_ id: PhotoID) -> AlbumPhoto? {
        guard let photo = replica.state.photo(id), photo.status.isVeiled, replica.state.isOpen(id) else { return nil }
        return AlbumPhoto(
            veiled: id, by: photo.author, AlbumPhoto.State(photo.status, isSealed: false, isPlan: false),
            addedAtMilliseconds: photo.timestamp.milliseconds)
    }
}

extension AlbumPhoto {
    init(veiled photo: AlbumPhoto) {
        self.init(
            veiled: photo.id, by: photo.author, photo.state, addedAtMilliseconds: photo.addedAtMilliseconds)
    }

    fileprivate init(veiled id: PhotoID, by author: AuthorID, _ state: State, addedAtMilliseconds: UInt64) {
        self.init(
            id: id, author: author, authorName: nil, state: state, addedAtMilliseconds: addedAtMilliseconds,
            takenAtMilliseconds: nil, width: 0, height: 0, mediaType: .other, byteCount: nil, available: [])
    }
}
