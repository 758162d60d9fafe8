// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The vote for the photo of the night (protocol/guest-api.md §20).
struct VoteRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/vote", use: show)
        group.put("api/vote", use: vote)
    }

    private struct VoteMessage: Encodable {
        struct Place: Encodable {
            let photo: String
            let author: String
            let authorName: OrNull<String>
            let votes: Int

            init(_ place: PhotoVote.Place) {
                (photo, author) = (place.photo.description, place.author.description)
                (authorName, votes) = (OrNull(place.authorName), place.voteCount)
            }
        }
        let id: String
        let isOpen: Bool
        let hasVoted: Bool
        let voters: Int
        let winners: [Place]
        let count: Int

        init(_ vote: PhotoVote) {
            (id, isOpen) = (vote.state.ballot.description, vote.state.isOpen)
            (hasVoted, voters, count) = (vote.hasVoted, vote.voterCount, vote.winnerCount)
            winners = vote.winners.map(Place.init)
        }
    }

    @Sendable private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        guard let vote = try await session.gallery.vote(for: session.guest) else {
            throw PortalError(Refusal.noVote(.notOpen))
        }
        return try .json(VoteMessage(vote))
    }

    private struct CastMessage: Decodable {
        let ballot: String
        let photo: String?
    }

    @Sendable private func vote(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(CastMessage.self, limits: limits)
        let photo = message.photo.map { PhotoID(hex: $0) }
        guard let ballot = OperationID(hex: message.ballot), photo != .some(nil) else {
            throw PortalError.malformed("ballot and photo are ids of 64 digits; photo is null for none")
        }
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        try await context.stating(by: guest) {
            try await session.gallery.vote(for: photo ?? nil, in: ballot, by: guest)
        }
        return Response(status: .noContent)
    }
}
