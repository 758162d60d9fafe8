// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Logging

/// What this node does for guests who have none: it keeps a sub-key for each, and signs with it what they want said.
extension EventNode {
    /// What the portal shows of an event and keeps for it.
    public struct Hosting: Sendable {
        public let links: GuestLinks
        public let device: DeviceID
        public let eventKey: VerifyingKey
        /// A folder of the event's, made already, readable by its owner only.
        public let folderPath: String
        let watchers: AlbumWatchers

        /// What changes from now on, for one reader; also after the event's database was rebuilt.
        public func updates() -> AsyncStream<AlbumUpdate> { watchers.updates() }
    }

    public func hosting() throws -> Hosting {
        let path = store.folder.path + "/portal"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return Hosting(
            links: links, device: replica.deviceID, eventKey: store.keys.eventKey, folderPath: path, watchers: watchers)
    }

    public var charter: Charter? { replica.state.charter }

    /// The key by which this node signs for `guest`: derived, so that it is the same after a restart, and from a secret
    /// outside of the database, so that a restored copy of that cannot sign.
    func subKey(of guest: AuthorID) throws -> SigningKey {
        SigningKey(
            seed: KeyDerivation.key(
                from: store.keys.importSecret, context: Domain.Key.guestSubKey, input: event.bytes + guest.bytes))
    }

    public func subKeyID(of guest: AuthorID) throws -> DeviceID {
        DeviceID(try subKey(of: guest).verifyingKey)
    }

    /// Lets the guest's sub-key in, unless it is in; returns when that is on disk.
    public func enter(_ delegation: Delegation) async throws {
        let key = try subKey(of: delegation.guest)
        let device = DeviceID(key.verifyingKey)
        guard delegation.delegates(to: device, at: replica.deviceID, event: event) else {
            throw NodeError.notAdmitted
        }
        guard !replica.state.membership.isRevoked(device) else { throw NodeError.putOut }
        guard !replica.state.membership.isMember(device) else { return }
        let admission = Admission(of: device, to: event, by: store.keys.device)
        let body = OperationBody.encode(
            .join(admission, delegation), salt: Entropy.bytes(OperationBody.saltByteCount))
        _ = try await author(.join(body: body), by: key)
    }

    public struct Guest: Sendable, Equatable {
        /// Whether a node has let the guest in, this one or another.
        public let hasEntered: Bool
        /// Whether the guest's sub-key here was removed from the event.
        public let isRemoved: Bool
        public let name: String?
        public let usedFrameCount: Int
        /// `nil` without a limit.
        public let frameLimit: UInt64?
    }

    public func guest(_ guest: AuthorID) throws -> Guest {
        let state = replica.state
        return Guest(
            hasEntered: state.membership.isAuthor(guest),
            isRemoved: state.membership.isRevoked(try subKeyID(of: guest)),
            name: state.album.name(of: guest),
            usedFrameCount: state.album.usedSlotCount(of: guest), frameLimit: state.rollLimit(of: guest))
    }

    public func setName(_ name: String, of guest: AuthorID) async throws {
        guard Label.isAcceptable(name) else { throw NodeError.malformedName(name) }
        guard replica.state.album.name(of: guest) != name else { return }
        let body = OperationBody.encode(.name(name), salt: Entropy.bytes(OperationBody.saltByteCount))
        _ = try await author(.name(body: body), by: subKey(of: guest))
    }

    /// Takes back all that the guest has given, wherever that was.
    public func eraseAll(of guest: AuthorID) async throws {
        _ = try await eraseAll(of: guest, by: subKey(of: guest))
    }

    /// Claims slots for photos of a guest that lost theirs; what is not done now is at the next occasion.
    func reclaim(for guest: AuthorID) async {
        do { _ = try await author(.reclaim, by: subKey(of: guest)) } catch {
            logger.debug("slots not claimed again", metadata: ["guest": "\(guest.short)", "reason": "\(error)"])
        }
    }

    public func remove(_ photo: PhotoID, by guest: AuthorID) async throws {
        _ = try await author(.remove(photo), by: subKey(of: guest))
    }

    // Adding

    /// States a file as a photo of the guest. The same bytes again are the photo they were before. Throws
    /// `.metadataLeft` for a file that cannot be rid of what tells where it was made, with which camera and by whom.
    /// - Parameter leaving: the guest's photos that are about to be taken back, asked for in the last moment: what is
    ///   given anew is to stay.
    public func add(
        fileAt path: String, by guest: AuthorID,
        except leaving: @Sendable () async -> Set<PhotoID> = { [] }
    ) async throws -> PhotoID {
        let key = try subKey(of: guest)
        try checkStanding(of: DeviceID(key.verifyingKey))
        await beginImport()
        defer { endImport() }
        let ingest = ingest(metadata: .removeOrRefuse)
        let prepared: PhotoIngest.Prepared
        do {
            prepared = try await ingest.prepare(path: path) { original in
                try await self.checkRoll(of: guest, adding: original)
            }
        } catch let refusal as PhotoIngest.Refusal {
            throw NodeError.refusedFile(reason: refusal.reason)
        } catch let error as StoreError {
            throw NodeError.storage("\(error)")
        }
        // Two uploads of one file may be under way at once; the second finds what the first made of it.
        let blob = prepared.original.original.id
        let turn = AddingTurn(guest: guest, blob: blob)
        while reading.adding[turn] != nil { await withCheckedContinuation { reading.adding[turn]?.append($0) } }
        reading.adding[turn] = []
        defer { for waiting in reading.adding.removeValue(forKey: turn) ?? [] { waiting.resume() } }
        let leaving = await leaving()
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
                    .original(prepared.original), salt: Entropy.bytes(OperationBody.saltByteCount))),
            by: key)
        guard let id = ids.first else { throw NodeError.stopped }
        await noteStated(prepared)
        return PhotoID(id)
    }

    /// Throws where there is no frame for one more photo, before anything of it is kept: else a guest with a full roll
    /// could fill the disk with what nobody sees.
    private func checkRoll(of guest: AuthorID, adding original: OriginalManifest) async throws {
        let state = replica.state
        let limit = state.rollLimit(of: guest)
        guard state.album.freeSlots(of: guest, count: 1, limit: limit).isEmpty,
            photo(with: original.original.id, by: guest) == nil,
            try await photoTakenElsewhere(like: original, by: guest, except: []) == nil
        else { return }
        throw NodeError(AuthoringError.rollFull(limit: limit ?? 0))
    }

    /// The author's photo of these very bytes, unless it was taken back.
    func photo(
        with blob: BlobID, by author: AuthorID, except leaving: Set<PhotoID> = []
    ) -> PhotoID? {
        return replica.photos(with: blob).sorted().first {
            replica.state.album.author(of: $0) == author && !replica.state.album.isWithdrawn($0, by: author)
                && !leaving.contains($0)
        }
    }

    /// The guest's photo of the same bytes that another node took, where its file is here whole: a page that has come
    /// from there brings again what it was not told of. Other nodes seal with other keys, so only the content tells.
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

/// One file of one guest on its way to becoming a photo.
struct AddingTurn: Hashable {
    let guest: AuthorID
    let blob: BlobID
}
