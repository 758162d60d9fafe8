// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// Guests' messages to the organizers (protocol/guest-api.md §16). Guests can send and take back, and list none.
struct MessageRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.post("api/message", use: send)
        group.delete("api/message/:message", use: remove)
    }

    private struct TextMessage: Decodable { let text: String }
    private struct SentMessage: Encodable { let id: String }

    @Sendable private func send(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(TextMessage.self, limits: limits)
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        let id = try await context.stating(by: guest) { try await session.gallery.message(message.text, by: guest) }
        return try .json(SentMessage(id: id.description), status: .created)
    }

    @Sendable private func remove(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try await context.requireActingGuest()
        guard let id = context.parameters.get("message").flatMap({ OperationID(hex: $0) }) else {
            throw PortalError(Refusal.unknownMessage(context.parameters.get("message") ?? ""))
        }
        try await context.stating(by: guest) { try await session.gallery.removeMessage(id, by: guest) }
        return Response(status: .noContent)
    }
}
