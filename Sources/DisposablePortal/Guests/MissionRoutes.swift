// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The photos that organizers ask for (protocol/guest-api.md §10).
struct MissionRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/missions", use: list)
        group.put("api/photos/:id/mission", use: choose)
    }

    private struct ListMessage: Encodable {
        struct Mission: Encodable {
            let id: UInt32
            let text: String
            let count: Int
            let isAnswered: Bool
            /// The newest ones with thumbnails.
            let photos: [String]
        }
        let missions: [Mission]
        let turned: TurnedMessage
    }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let missions = await session.gallery.missions(for: session.guest)
        return try .json(
            ListMessage(
                missions: missions.map {
                    .init(
                        id: $0.mission.id, text: $0.mission.text, count: $0.photoCount, isAnswered: $0.isAnswered,
                        photos: $0.examples.map(\.description))
                }, turned: try await TurnedMessage(missions.flatMap(\.examples), in: session.gallery)))
    }

    /// `id` is null for none.
    private struct ChoiceMessage: Decodable { let id: UInt32? }

    @Sendable private func choose(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(ChoiceMessage.self, limits: limits)
        let photo = try context.photo()
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        try await context.stating(by: guest) {
            try await session.gallery.setMission(message.id, of: photo, by: guest)
        }
        return Response(status: .noContent)
    }
}
