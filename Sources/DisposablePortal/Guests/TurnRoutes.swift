// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// Turning guests' own photos when they are shown (protocol/guest-api.md §15).
struct TurnRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) { group.put("api/photos/:id/turn", use: turn) }

    private struct TurnMessage: Decodable { let degrees: Int }

    @Sendable private func turn(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(TurnMessage.self, limits: limits)
        guard let turn = PhotoTurn(degrees: message.degrees) else {
            throw PortalError.malformed("degrees are 0, 90, 180 or 270")
        }
        let photo = try context.photo()
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        try await context.stating(by: guest) { try await session.gallery.setTurn(turn, of: photo, by: guest) }
        return Response(status: .noContent)
    }
}

/// The photos of an answer that are turned: degrees by id (protocol/guest-api.md §15).
struct TurnedMessage: Encodable {
    private let degrees: [String: Int]

    init(_ photos: [PhotoID], in gallery: any Gallery) async throws {
        let turns = try await gallery.turns(of: photos)
        degrees = Dictionary(uniqueKeysWithValues: turns.map { ($0.description, $1.degrees) })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(degrees)
    }
}
