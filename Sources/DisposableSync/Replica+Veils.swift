// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire

/// Veils, and what moderators decide about them: checked here by the same rules as on all nodes.
extension Replica {
    func veil(_ photo: PhotoID, isOn: Bool, by device: DeviceID, author: AuthorID) throws(Refusal) -> Draft {
        let own = state.album.veils(of: photo, by: author)
        guard isOn else {
            guard let first = own.first else { throw .nothingToDo }
            return Draft(kind: .remove, subject: first)
        }
        guard state.album.areVeilsOn else { throw .noVeil(.off) }
        guard let known = state.photo(photo) else { throw .unknownPhoto(photo.short) }
        guard known.author != author else { throw .noVeil(.own) }
        guard state.album.lifts(of: photo).isEmpty else { throw .noVeil(.lifted) }
        guard case .frame = known.status, own.isEmpty else { throw .nothingToDo }
        if let limit = state.album.veilLimit(reachedBy: device) { throw .noVeil(limit) }
        return Draft(kind: .veil, subject: photo.operationID)
    }

    /// Signs that guests can have photos veiled, or takes back all known settings that say so.
    func sign(veils isOn: Bool, _ rank: Rank, with signer: inout ChainSigner) throws(Refusal) {
        guard rank >= .organizer else { throw .rankTooLow(needed: .organizer) }
        guard state.album.areVeilsOn != isOn else { throw .nothingToDo }
        guard !isOn else {
            _ = try signer.sign(Draft(kind: .veiling))
            return
        }
        for setting in state.album.veilings { _ = try signer.sign(Draft(kind: .erase, subject: setting)) }
    }

    /// Signs a lift of each of those photos that are veiled.
    func sign(liftsOf photos: [PhotoID], _ rank: Rank, with signer: inout ChainSigner) throws(Refusal) {
        guard rank >= .moderator else { throw .rankTooLow(needed: .moderator) }
        for photo in photos where state.photo(photo) == nil { throw .unknownPhoto(photo.short) }
        let veiled = photos.filter { state.photo($0)?.status.isVeiled == true }
        guard !veiled.isEmpty else { throw .nothingToDo }
        for photo in veiled { _ = try signer.sign(Draft(kind: .lift, subject: photo.operationID)) }
    }

    /// Returns the veiled photos that only devices ask for which were let in at a time or later, in milliseconds since
    /// 1970 UTC. Guests of pages go with the node that serves them; a node that has, or ever had, a rank or a role from
    /// an organizer is none of these devices.
    ///
    /// A changed node may claim that it was let in earlier than it was, but not before this node itself let it in since
    /// its start, nor before its sponsor (`Join.enteredAt`).
    public func veils(admittedSince milliseconds: UInt64) -> RecentVeils {
        var (photos, devices) = ([PhotoID](), Set<DeviceID>())
        for photo in state.album.veiledPhotos where state.photo(photo)?.status.isVeiled == true {
            let nodes = Set(
                state.album.veilRequesters(of: photo).map { device in
                    index.joins[device].map { $0.isSubKey ? $0.sponsor : device } ?? device
                })
            let areRecent = nodes.allSatisfy { node in
                guard let join = index.joins[node], !state.membership.isEstablished(node) else { return false }
                return join.enteredAt >= milliseconds
            }
            guard areRecent else { continue }
            photos.append(photo)
            devices.formUnion(nodes)
        }
        return RecentVeils(photos: photos.sorted(), deviceCount: devices.count)
    }

    /// Signs the withdrawal of all known lifts.
    func signWithdrawal(
        ofLifts photo: PhotoID, _ rank: Rank, with signer: inout ChainSigner
    ) throws(Refusal) {
        guard rank >= .moderator else { throw .rankTooLow(needed: .moderator) }
        guard state.photo(photo) != nil else { throw .unknownPhoto(photo.short) }
        let lifts = state.album.lifts(of: photo)
        guard !lifts.isEmpty else { throw .nothingToDo }
        for lift in lifts { _ = try signer.sign(Draft(kind: .hide, subject: lift)) }
    }
}

/// The veiled photos that only devices ask for which were let in lately, smallest id first.
public struct RecentVeils: Equatable, Sendable {
    public let photos: [PhotoID]
    /// The number of nodes that ask for them, or whose guests do.
    public let deviceCount: Int

    package init(photos: [PhotoID], deviceCount: Int) {
        self.photos = photos
        self.deviceCount = deviceCount
    }
}
