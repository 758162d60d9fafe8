// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// The photo of the night: a vote that nobody can read before an organizer closes it (protocol/disposable-v1.md §9.27).
extension EventNode {
    /// The event's vote and whether it is open; `nil` if there never was one.
    public var voteState: PhotoVote.State? {
        replica.state.ballot.map { PhotoVote.State(ballot: $0.id, isOpen: $0.isOpen) }
    }

    /// Returns the event's vote; `nil` if there never was one.
    public func vote(seenBy viewer: AuthorID?) -> PhotoVote? {
        let state = replica.state
        guard let ballot = state.ballot else { return nil }
        let (result, voterCount) = countVotes()
        let places = result?.places ?? []
        return PhotoVote(
            ballot: ballot.id, openedAtMilliseconds: ballot.openedAtMilliseconds,
            closedAtMilliseconds: ballot.closedAtMilliseconds, hasVoted: viewer.map(state.hasVoted) ?? false,
            voterCount: voterCount,
            places: places.prefix(PhotoVote.placesMax).map { place in
                PhotoVote.Place(
                    photo: place.photo.id, author: place.photo.author,
                    authorName: state.album.shownName(of: place.photo.author), voteCount: place.voteCount)
            }, winnerCount: result?.winners.count ?? 0, placeCount: places.count)
    }

    /// Returns the result, `nil` while the vote is open, and the number of authors with a vote; cached until a change,
    /// since every page asks for them.
    private func countVotes() -> (result: VoteResult?, voterCount: Int) {
        if let kept = reading.vote { return kept }
        let state = replica.state
        let counted = (state.voteResult, state.voterCount)
        reading.vote = counted
        return counted
    }

    /// Votes for a photo that the guest can see, or for none, in place of an earlier vote. Durable when this returns.
    /// Throws `Refusal.noVote`, `.unknownPhoto`, `.tooFast`.
    /// - Parameters:
    ///   - photo: `nil` for none.
    ///   - ballot: the vote that the guest has seen.
    ///   - guest: the voter.
    public func vote(for photo: PhotoID?, in ballot: OperationID, by guest: AuthorID) async throws {
        if let photo { try self.photo(photo, seenBy: guest) }
        let sealed = try sealedVote(for: photo, in: ballot, by: subKeyID(of: guest))
        _ = try await say(.vote(photo, in: ballot, sealed), by: guest)
    }

    /// The same by this node's person, and the organizers' commands.
    func perform(_ act: VoteAct) async throws -> VoteInfo? {
        switch act {
        case .open: try await openVote()
        case .close: try await closeVote()
        case .cast(let text):
            guard let ballot = replica.state.ballot?.id else { throw NodeError.refused(.noVote(.notOpen)) }
            let photo = try text.map { try self.photo(named: $0).id }
            if let photo { try self.photo(photo, seenBy: replica.authorID) }
            let sealed = try sealedVote(for: photo, in: ballot, by: replica.deviceID)
            let salt = Entropy.bytes(OperationBody.saltByteCount)
            _ = try await author(.say(.vote(photo, in: ballot, sealed), salt: salt))
        case .result: break
        }
        return vote(seenBy: replica.authorID).map(VoteInfo.init)
    }

    /// Opens a vote, whose secret every organizer's node of now can read. Throws `Refusal.rankTooLow`, `.noVote`.
    func openVote() async throws {
        let ballot = SealedBallot(
            secret: Entropy.secret(AgreementKey.byteCount, in: .ordinary), organizers: replica.state.messageRecipients,
            seed: Entropy.secret(32, in: .ordinary))
        guard let ballot else { throw NodeError.refused(.noVote(.noSecret)) }
        try await rule(.openVote(ballot))
    }

    /// Closes the open vote. Throws `Refusal.rankTooLow`, `.noVote`.
    func closeVote() async throws {
        guard let ballot = replica.state.ballot, ballot.isOpen else { throw NodeError.refused(.noVote(.notOpen)) }
        let isOrganizers =
            store.keys.organizer != nil
            || (replica.state.membership.rank(of: replica.deviceID) ?? .participant) >= .organizer
        guard isOrganizers else { throw NodeError.refused(.rankTooLow(needed: .organizer)) }
        let keys = [store.keys.organizer, store.keys.device].compactMap(\.self)
        guard let secret = keys.lazy.compactMap({ ballot.sealed.secret(for: $0) }).first else {
            throw NodeError.refused(.noVote(.noSecret))
        }
        try await rule(.closeVote(ballot.id, secret: secret))
    }

    /// Votes for no photo in place of the author's vote, while the vote is open.
    /// - Parameter key: the sub-key of a guest; `nil` for this device.
    func withdrawVote(of author: AuthorID, by key: SigningKey?) async throws {
        guard let ballot = replica.state.ballot, ballot.isOpen, replica.state.hasVoted(author) else { return }
        let device = key.map { DeviceID($0.verifyingKey) } ?? replica.deviceID
        while true {
            do {
                let sealed = try sealedVote(for: nil, in: ballot.id, by: device)
                let salt = Entropy.bytes(OperationBody.saltByteCount)
                _ = try await self.author(.say(.vote(nil, in: ballot.id, sealed), salt: salt), by: key)
                return
            } catch NodeError.refused(.tooFast(let seconds)) {
                try await Task.sleep(for: .seconds(seconds))
            } catch NodeError.refused(.noVote) {
                // It was closed meanwhile.
                return
            }
        }
    }

    private func sealedVote(
        for photo: PhotoID?, in ballot: OperationID, by device: DeviceID
    ) throws -> SealedVote {
        let ephemeral = AgreementKey(scalar: Entropy.secret(AgreementKey.byteCount, in: .ordinary))
        guard let open = replica.state.ballot, open.id == ballot, open.isOpen,
            let sealed = SealedVote(for: photo, by: device, key: open.sealed.key, ephemeral: ephemeral)
        else { throw NodeError.refused(.noVote(.notOpen)) }
        return sealed
    }
}

extension VoteInfo {
    init(_ vote: PhotoVote) {
        self.init(
            id: vote.ballot.description, openedAt: Timestamps.iso8601(vote.openedAtMilliseconds),
            closedAt: vote.closedAtMilliseconds.map(Timestamps.iso8601), hasVoted: vote.hasVoted,
            voterCount: vote.voterCount,
            places: vote.places.map { place in
                Place(
                    photo: place.photo.description, author: place.authorName ?? place.author.short,
                    votes: place.voteCount)
            }, winnerCount: vote.winnerCount, placeCount: vote.placeCount)
    }
}
