// SPDX-License-Identifier: Apache-2.0

/// The photo of the night (protocol/disposable-v1.md §9.27).
extension EventState {
    /// The event's vote; `nil` if there never was one.
    public var ballot: Ballot? {
        album.currentBallot.map { ballot in
            Ballot(
                id: ballot.id, openedAtMilliseconds: ballot.timestamp.milliseconds,
                closedAtMilliseconds: album.closing(of: ballot)?.timestamp.milliseconds, sealed: ballot.sealed)
        }
    }

    /// Whether the author has a vote in the event's ballot.
    public func hasVoted(_ author: AuthorID) -> Bool { album.hasVoted(author) }

    /// The number of authors with a vote in the event's ballot.
    public var voterCount: Int { album.voterCount }

    /// Whether the vote is the last one of its author in a closed ballot.
    public func isCounted(_ vote: OperationID) -> Bool { album.tally?.counted.contains(vote) == true }

    /// Whether votes for the photo count: it is shown to all, and is not the plan.
    public func isEligible(_ photo: PhotoID) -> Bool { eligible(photo, plan: picture(.plan)?.id) != nil }

    /// The result; `nil` while the vote is open.
    public var voteResult: VoteResult? {
        guard let tally = album.tally else { return nil }
        let plan = picture(.plan)?.id
        var counts: [PhotoID: Int] = [:]
        for (id, voters) in tally.choices {
            guard let photo = eligible(id, plan: plan) else { continue }
            // Nobody's vote for a photo of their own counts.
            counts[id] = voters.count - (voters.contains(photo.author) ? 1 : 0)
        }
        let photos = ordered(counts.filter { $0.value > 0 }.keys.compactMap(photo))
        let places = photos.enumerated().map { place, photo in (place, photo, counts[photo.id] ?? 0) }
            .sorted { ($1.2, $0.0) < ($0.2, $1.0) }
        return VoteResult(
            places: places.map { VoteResult.Place(photo: $0.1, voteCount: $0.2) }, voterCount: tally.voterCount)
    }

    private func eligible(_ id: PhotoID, plan: PhotoID?) -> Photo? {
        guard id != plan, let photo = self.photo(id), case .frame = photo.status, isOpen(id) else { return nil }
        return photo
    }
}
