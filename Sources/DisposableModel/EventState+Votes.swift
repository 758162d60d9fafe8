// SPDX-License-Identifier: Apache-2.0

/// The event's vote for the photo of the night, open or closed.
public struct Ballot: Equatable, Sendable {
    public let id: OperationID
    /// Milliseconds since 1970 UTC, by the clocks of the organizers' nodes.
    public let openedAtMilliseconds: UInt64
    /// `nil` while the vote is open.
    public let closedAtMilliseconds: UInt64?
    /// The key to which votes are sealed, and its secret half for organizers.
    public let sealed: SealedBallot

    public var isOpen: Bool { closedAtMilliseconds == nil }
}

/// The result of a closed vote.
public struct VoteResult: Equatable, Sendable {
    /// A photo with at least one vote.
    public struct Place: Equatable, Sendable {
        public let photo: Photo
        /// The number of authors, 1 or more.
        public let voteCount: Int
    }
    /// The photos with votes that are shown, most votes first, then in display order.
    public let places: [Place]
    /// The number of authors with a vote, for a photo or for none.
    public let voterCount: Int

    /// The photos with the most votes: several in a tie, none if no shown photo has a vote.
    public var winners: [Place] { places.filter { $0.voteCount == places.first?.voteCount } }
}

/// The reason why somebody cannot vote, or open or close a vote.
public enum VoteRefusal: String, CaseIterable, Equatable, Sendable {
    /// No vote is open, or another one than the author has seen.
    case notOpen
    /// A vote is open already.
    case open
    /// Nobody votes for a photo of their own.
    case own
    /// The device has signed as many votes, or ballots, as count.
    case usedUp
    /// The secret of the vote is not sealed to this node.
    case noSecret
}

extension VoteRefusal {
    var message: String {
        switch self {
        case .notOpen: "no vote is open, or the organizers have just opened or closed one"
        case .open: "a vote is open already"
        case .own: "you cannot vote for a photo of your own"
        case .usedUp: "limit reached: you have changed this vote as often as one can"
        case .noSecret: "this node cannot close the vote: its secret was not sealed to it"
        }
    }

    var hint: String? {
        switch self {
        case .notOpen: "look again"
        case .open: "close it first"
        case .own: "choose a photo of somebody else"
        case .usedUp: nil
        case .noSecret: "use the node of an organizer who was one when the vote was opened"
        }
    }
}

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
