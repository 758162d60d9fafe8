// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Logging

/// The services of this node for guests without a node: it keeps a sub-key for each, with which it signs their
/// operations.
extension EventNode {
    /// The portal's view of an event.
    public struct Hosting: Sendable {
        public let links: GuestLinks
        public let device: DeviceID
        public let eventKey: VerifyingKey
        /// A folder of the event, created already, readable by its owner only.
        public let folderPath: String
        /// The key for what pages keep in that folder, which is not in it. 32 bytes.
        public let folderKey: SecretBytes
        let watchers: AlbumWatchers

        /// Returns the changes from now on, for one reader; also after the event's database was rebuilt.
        public func updates() -> AsyncStream<GalleryUpdate> { watchers.updates() }
    }

    public func hosting() throws -> Hosting {
        let path = store.folder.path + "/portal"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return Hosting(
            links: links, device: replica.deviceID, eventKey: store.keys.eventKey, folderPath: path,
            folderKey: KeyDerivation.key(
                from: store.keys.importSecret, context: Domain.Key.portalFolder, input: event.bytes),
            watchers: watchers)
    }

    public var charter: Charter? { replica.state.charter }

    /// Returns the key with which this node signs for `guest`: derived, so that it is the same after a restart, from a
    /// secret outside of the database, so that a restored copy of that cannot sign.
    func subKey(of guest: AuthorID) throws -> SigningKey {
        SigningKey(
            seed: KeyDerivation.key(
                from: store.keys.importSecret, context: Domain.Key.guestSubKey, input: event.bytes + guest.bytes))
    }

    public func subKeyID(of guest: AuthorID) throws -> DeviceID {
        DeviceID(try subKey(of: guest).verifyingKey)
    }

    /// Admits the guest's sub-key, unless it is a member; returns when that is stored.
    public func enter(_ delegation: Delegation) async throws {
        let key = try subKey(of: delegation.guest)
        let device = DeviceID(key.verifyingKey)
        guard delegation.delegates(to: device, at: replica.deviceID, event: event) else {
            throw NodeError.refused(.notAdmitted)
        }
        guard !replica.state.membership.isRevoked(device) else { throw NodeError.refused(.removed) }
        guard !replica.state.membership.isMember(device) else { return }
        let admission = Admission(of: device, to: event, by: store.keys.device)
        let body = OperationBody.encode(
            .join(admission, delegation), salt: Entropy.bytes(OperationBody.saltByteCount))
        _ = try await author(.join(body: body), by: key)
    }

    public func guest(_ guest: AuthorID) throws -> GuestStatus {
        let state = replica.state
        return GuestStatus(
            hasEntered: state.membership.isAuthor(guest),
            isRemoved: state.membership.isRevoked(try subKeyID(of: guest)),
            name: state.album.name(of: guest),
            usedFrameCount: state.album.usedSlotCount(of: guest), frameLimit: rollLimit(of: guest))
    }

    public func setName(_ name: String, of guest: AuthorID) async throws {
        guard Label.isAcceptable(name) else { throw NodeError.refused(.malformedName) }
        guard replica.state.album.name(of: guest) != name else { return }
        let body = OperationBody.encode(.name(name), salt: Entropy.bytes(OperationBody.saltByteCount))
        _ = try await author(.name(body: body), by: subKey(of: guest))
    }

    /// Deletes everything that the guest has given, at any node.
    public func eraseAll(of guest: AuthorID) async throws {
        _ = try await eraseAll(of: guest, by: subKey(of: guest))
    }

    /// Claims frames for photos of a guest that lost theirs; failed claims are repeated later.
    func reclaim(for guest: AuthorID) async {
        do { _ = try await author(.reclaim, by: subKey(of: guest)) } catch {
            logger.debug("frames not claimed again", metadata: ["guest": "\(guest.short)", "reason": "\(error)"])
        }
    }

    // Adding

    /// Adds a file as a photo of the guest; its metadata is overwritten in the file itself. The same bytes again are the
    /// existing photo. A package that the guest's page has sealed is kept as it is: this node cannot open it. Throws
    /// `.metadataLeft` for a file whose location, camera and author cannot be removed, and `.pageSealing` for one that
    /// is not sealed as the event wants.
    /// - Parameters:
    ///   - path: the path of the file, which is changed.
    ///   - guest: the guest, who has entered.
    ///   - mission: the id of the mission that the photo answers.
    ///   - cameraAhead: the milliseconds by which the clock of the guest's camera is ahead, for photos that this node
    ///     can open; negative if it is behind.
    public func add(
        fileAt path: String, by guest: AuthorID, mission: UInt32? = nil, cameraAhead: Int64 = 0
    ) async throws -> PhotoID {
        let key = try subKey(of: guest)
        try checkStanding(of: DeviceID(key.verifyingKey))
        let isSealed = try await readers.run { SealedPackage.isOne(at: path) }
        try checkPageSealing(isSealed: isSealed)
        await beginImport()
        defer { endImport() }
        var ingest = ingest(metadata: .removeOrRefuse, by: DeviceID(key.verifyingKey))
        ingest.cameraAheadMilliseconds = cameraAhead
        let prepared: PhotoIngest.Prepared
        do {
            let check: (OriginalManifest) async throws -> Void = { original in
                try await self.checkRoll(of: guest, adding: original)
            }
            prepared =
                try await isSealed
                ? ingest.prepare(packageAt: path, check: check) : ingest.prepare(inPlace: path, check: check)
        } catch let refusal as Refusal {
            throw NodeError.refused(refusal)
        } catch let error as StoreError {
            throw NodeError.storage("\(error)")
        }
        // Two uploads of one file may be in progress at once; the second finds the result of the first.
        let blob = prepared.original.original.id
        let work = LoneWork.adding(blob, by: guest)
        await withCheckedContinuation { reading.loneWork.acquire(work, $0) }
        defer { reading.loneWork.release(work) }
        // A photo that is added again must stay.
        let leaving = destruction.removals.photos(leavingBy: guest)
        if let known = photo(with: blob, by: guest, except: leaving) { return known }
        if let known = try await photoTakenElsewhere(
            like: prepared.original, by: guest, except: leaving)
        {
            return known
        }
        let ids = try await author(
            .photo(
                body: OperationBody.encode(.photo(prepared.photo), salt: Entropy.bytes(OperationBody.saltByteCount)),
                originalBody: OperationBody.encode(
                    .original(prepared.original), salt: Entropy.bytes(OperationBody.saltByteCount)), mission: mission),
            by: key)
        guard let id = ids.first else { throw NodeError.stopped }
        await noteStated(prepared)
        return PhotoID(id)
    }

    /// Throws if there is no frame for one more photo, before anything of it is kept: otherwise a guest with a full
    /// quota could fill the disk with photos that are not shown.
    private func checkRoll(of guest: AuthorID, adding original: OriginalManifest) async throws {
        let state = replica.state
        let limit = rollLimit(of: guest)
        guard state.album.freeSlots(of: guest, count: 1, limit: limit).isEmpty,
            photo(with: original.original.id, by: guest) == nil,
            try await photoTakenElsewhere(like: original, by: guest, except: []) == nil
        else { return }
        throw NodeError.refused(
            state.lacksTicket(guest) ? .noTicket(.missing) : .rollFull(limit: limit ?? 0))
    }

    /// Returns the author's photo of exactly these bytes, unless it was deleted.
    func photo(
        with blob: BlobID, by author: AuthorID, except leaving: Set<PhotoID> = []
    ) -> PhotoID? {
        return replica.photos(with: blob).sorted().first {
            replica.state.album.author(of: $0) == author && !replica.state.album.isWithdrawn($0, by: author)
                && !leaving.contains($0)
        }
    }

    /// Returns the guest's photo of the same bytes that another node took, if its file is complete here: a page that
    /// comes from there sends photos again that were not confirmed. Other nodes seal with other keys, so only the
    /// content identifies it.
    private func photoTakenElsewhere(
        like original: OriginalManifest, by guest: AuthorID, except leaving: Set<PhotoID>
    ) async throws -> PhotoID? {
        let (state, own) = (replica.state, try subKeyID(of: guest))
        let candidates = state.album.photoIDs.filter { id in
            state.album.author(of: id) == guest && !state.album.isWithdrawn(id, by: guest) && !leaving.contains(id)
                && replica.isComplete(.original, of: id)
        }.compactMap(state.photo).filter { $0.device != own }
        let described = try await describe(candidates, includesComments: false)
        return described.first { $0.original?.sha256 == original.sha256 }?.photo.id
    }
}

/// Work for guests that is done once at a time.
enum LoneWork: Hashable {
    case adding(BlobID, by: AuthorID)
    case collectingPersonalData
}
