// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// Single-use invitations (protocol/guest-api.md §18).
struct TicketRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/ticket", use: show)
        group.post("api/ticket", use: take)
    }

    private struct TicketMessage: Encodable {
        let isMissing: Bool
        let number: OrNull<UInt64>
        let lost: OrNull<UInt64>

        init(_ ticket: GuestTicket) {
            (isMissing, number, lost) = (ticket.isMissing, OrNull(ticket.number), OrNull(ticket.lostNumber))
        }
    }

    @Sendable private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        return try .json(TicketMessage(await session.gallery.ticket(of: guest)))
    }

    private struct UseMessage: Decodable { let ticket: String }

    @Sendable private func take(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(UseMessage.self, limits: limits)
        return try .json(TicketMessage(await Self.use(message.ticket, context)))
    }

    /// Uses a ticket for the guest of the session. Returns the guest's ticket; throws `Refusal.noTicket`.
    static func use(_ ticket: String, _ context: PortalContext) async throws -> GuestTicket {
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest, count: 1)
        try await context.stating(by: guest, count: 1) {
            try await session.gallery.use(ticket: ticket, by: guest)
        }
        return try await session.gallery.ticket(of: guest)
    }
}
