// SPDX-License-Identifier: Apache-2.0

/// The vote for the photo of the night, as one person may see it.
public struct PhotoVote: Equatable, Sendable {
    /// The photos that are listed as its result.
    public static let placesMax = 12

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
    /// The operation that opened the vote.
    public var ballot: OperationID
    /// Milliseconds since 1970 UTC.
    public var openedAtMilliseconds: UInt64
    /// Milliseconds since 1970 UTC; `nil` while the vote is open.
    public var closedAtMilliseconds: UInt64?
    /// Whether the viewer has a vote in it, for a photo or for none.
    public var hasVoted: Bool
    /// The number of people with a vote, for a photo or for none.
    public var voterCount: Int
    /// The photos with votes, most votes first, at most `placesMax`; empty while the vote is open.
    public var places: [Place]
    /// The number of photos with the most votes, listed or not.
    public var winnerCount: Int
    /// The number of photos with votes, listed or not.
    public var placeCount: Int

    public init(
        ballot: OperationID, openedAtMilliseconds: UInt64, closedAtMilliseconds: UInt64?, hasVoted: Bool,
        voterCount: Int, places: [Place], winnerCount: Int, placeCount: Int
    ) {
        self.ballot = ballot
        self.openedAtMilliseconds = openedAtMilliseconds
        self.closedAtMilliseconds = closedAtMilliseconds
        self.hasVoted = hasVoted
        self.voterCount = voterCount
        self.places = places
        self.winnerCount = winnerCount
        self.placeCount = placeCount
    }

    public var state: State { State(ballot: ballot, isOpen: closedAtMilliseconds == nil) }
    /// The photos with the most votes, several in a tie; empty while the vote is open. At most `placesMax`.
    public var winners: ArraySlice<Place> { places.prefix(winnerCount) }
}
