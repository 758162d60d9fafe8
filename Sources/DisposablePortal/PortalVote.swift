// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// The vote for the photo of the night, as one guest may see it.
public struct PortalVote: Equatable, Sendable {
    public struct State: Equatable, Sendable {
        /// The operation that opened the vote.
        public var ballot: OperationID
        public var isOpen: Bool

        public init(ballot: OperationID, isOpen: Bool) {
            self.ballot = ballot
            self.isOpen = isOpen
        }
    }
    /// A photo with votes.
    public struct Place: Equatable, Sendable {
        public var photo: PhotoID
        public var author: AuthorID
        public var authorName: String?
        public var voteCount: Int

        public init(photo: PhotoID, author: AuthorID, authorName: String?, voteCount: Int) {
            self.photo = photo
            self.author = author
            self.authorName = authorName
            self.voteCount = voteCount
        }
    }
    public var state: State
    /// Whether the viewer has a vote in it, for a photo or for none.
    public var hasVoted: Bool
    /// The number of people with a vote.
    public var voterCount: Int
    /// The photos with the most votes, several in a tie; empty while the vote is open. At most 12.
    public var winners: [Place]
    /// The number of such photos, listed or not.
    public var winnerCount: Int

    public init(state: State, hasVoted: Bool, voterCount: Int, winners: [Place], winnerCount: Int) {
        self.state = state
        self.hasVoted = hasVoted
        self.voterCount = voterCount
        self.winners = winners
        self.winnerCount = winnerCount
    }
}
