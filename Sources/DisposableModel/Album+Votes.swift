// SPDX-License-Identifier: Apache-2.0

/// The vote for the photo of the night, as the album has it (protocol/disposable-v1.md §9.27).
extension Album {
    var currentBallot: Votes.Ballot? { votes.current(base) }

    func closing(of ballot: Votes.Ballot) -> Votes.Closing? { votes.closing(of: ballot, base) }

    /// The votes of the event's ballot; `nil` while it is open.
    var tally: Votes.Tally? { votes.tally }

    func hasVoted(_ author: AuthorID) -> Bool {
        currentBallot.map { votes.hasVoted(author, in: $0, base) } ?? false
    }

    var voterCount: Int { currentBallot.map { votes.voterCount(in: $0, base) } ?? 0 }

    /// Whether further ballots of the device would not count.
    public func hasUsedUpBallots(_ device: DeviceID) -> Bool { votes.hasUsedUpBallots(device) }

    /// Whether further votes of the device in the ballot would not count.
    public func hasUsedUpVotes(_ device: DeviceID, in ballot: OperationID) -> Bool {
        votes.hasUsedUpVotes(device, in: ballot)
    }
}
