// SPDX-License-Identifier: Apache-2.0

/// A command about the vote for the photo of the night.
public enum VoteAct: Codable, Sendable, Equatable {
    /// By an organizer.
    case open
    /// By this node's person: for the photo of this id or start of an id, or for none. It replaces the earlier vote.
    case cast(photo: String?)
    /// By an organizer whose node has the vote's secret.
    case close
    case result
}

/// The vote for the photo of the night, as the command line prints it.
public struct VoteInfo: Codable, Sendable, Equatable {
    /// A photo with votes.
    public struct Place: Codable, Sendable, Equatable {
        public var photo: String
        /// The name of the photo's author, or the start of the author's key.
        public var author: String
        public var votes: Int
    }
    public var id: String
    /// ISO 8601.
    public var openedAt: String
    /// Absent while the vote is open.
    public var closedAt: String?
    /// Whether this node's person has a vote in it.
    public var hasVoted: Bool
    /// The number of people with a vote, for a photo or for none.
    public var voterCount: Int
    /// The photos with the most votes, several in a tie, and then the others, at most `PhotoVote.placesMax`. Empty
    /// while the vote is open.
    public var places: [Place]
    /// The number of photos with the most votes, listed or not.
    public var winnerCount: Int
    /// The number of photos with votes, listed or not.
    public var placeCount: Int
}
