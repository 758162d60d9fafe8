// SPDX-License-Identifier: Apache-2.0

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
