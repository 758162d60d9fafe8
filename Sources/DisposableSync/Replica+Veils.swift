// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
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

    func lift(_ photo: PhotoID, _ rank: Rank) throws(Refusal) -> Draft {
        guard rank >= .moderator else { throw .rankTooLow(needed: .moderator) }
        guard let known = state.photo(photo) else { throw .unknownPhoto(photo.short) }
        guard known.status.isVeiled else { throw .nothingToDo }
        return Draft(kind: .lift, subject: photo.operationID)
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
