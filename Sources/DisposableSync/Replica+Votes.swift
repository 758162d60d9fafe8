// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// The photo of the night (protocol/disposable-v1.md §9.27): checked here by the same rules as on all nodes.
extension Replica {
    func vote(
        for photo: PhotoID?, in id: OperationID, _ sealed: SealedVote, by device: DeviceID, author: AuthorID,
        _ salt: [UInt8]
    ) throws(Refusal) -> Draft {
        guard let ballot = state.ballot, ballot.id == id, ballot.isOpen else { throw .noVote(.notOpen) }
        if let photo {
            guard state.photo(photo)?.author != author else { throw .noVote(.own) }
            guard state.isEligible(photo) else { throw .unknownPhoto(photo.short) }
        }
        guard !state.album.hasUsedUpVotes(device, in: id) else { throw .noVote(.usedUp) }
        return Draft(kind: .vote, subject: id, body: OperationBody.encode(.vote(sealed), salt: salt))
    }

    func openVote(
        _ ballot: SealedBallot, by device: DeviceID, _ rank: Rank, _ salt: [UInt8]
    ) throws(Refusal) -> Draft {
        guard rank >= .organizer else { throw .rankTooLow(needed: .organizer) }
        guard state.ballot?.isOpen != true else { throw .noVote(.open) }
        guard !state.album.hasUsedUpBallots(device) else { throw .noVote(.usedUp) }
        return Draft(kind: .ballot, body: OperationBody.encode(.ballot(ballot), salt: salt))
    }

    func closeVote(
        _ id: OperationID, secret: Bytes32, _ rank: Rank, _ salt: [UInt8]
    ) throws(Refusal) -> Draft {
        guard rank >= .organizer else { throw .rankTooLow(needed: .organizer) }
        guard let ballot = state.ballot, ballot.id == id, ballot.isOpen else { throw .noVote(.notOpen) }
        var bytes = secret.bytes
        guard AgreementKey(scalar: SecretBytes(consuming: &bytes)).publicKey == ballot.sealed.key else {
            throw .noVote(.noSecret)
        }
        return Draft(kind: .closing, subject: id, body: OperationBody.encode(.closing(secret), salt: salt))
    }
}
