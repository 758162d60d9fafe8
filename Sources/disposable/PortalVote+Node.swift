// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal

extension PortalVote {
    init(_ vote: EventNode.PhotoVote) {
        self.init(
            state: State(ballot: vote.ballot, isOpen: vote.closedAtMilliseconds == nil), hasVoted: vote.hasVoted,
            voterCount: vote.voterCount,
            winners: vote.places.prefix(vote.winnerCount).map { place in
                Place(
                    photo: place.photo, author: place.author, authorName: place.authorName, voteCount: place.voteCount)
            }, winnerCount: vote.winnerCount)
    }
}
