// SPDX-License-Identifier: Apache-2.0

/// The vote for the photo of the night, as the album has it (protocol/disposable-v1.md §9.27).
extension Album {
    var currentBallot: Votes.Ballot? { remarks.votes.current(self) }

    func closing(of ballot: Votes.Ballot) -> Votes.Closing? { remarks.votes.closing(of: ballot, self) }

    /// Returns the time of an operation by its timestamp and those of its ancestors in its chain.
    func time(of operation: OperationID, _ timestamp: HybridTimestamp) -> UInt64 {
        times.correction(of: operation) ?? timestamp.milliseconds
    }

    /// The votes of the event's ballot; `nil` while it is open.
    var tally: Votes.Tally? { remarks.votes.tally }

    func hasVoted(_ author: AuthorID) -> Bool {
        currentBallot.map { remarks.votes.hasVoted(author, in: $0, self) } ?? false
    }

    var voterCount: Int { currentBallot.map { remarks.votes.voterCount(in: $0, self) } ?? 0 }

    /// Whether further ballots of the device would not count.
    public func hasUsedUpBallots(_ device: DeviceID) -> Bool { remarks.votes.hasUsedUpBallots(device) }

    /// Whether further votes of the device in the ballot would not count.
    public func hasUsedUpVotes(_ device: DeviceID, in ballot: OperationID) -> Bool {
        remarks.votes.hasUsedUpVotes(device, in: ballot)
    }
}
