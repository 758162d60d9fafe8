// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// Frames that guests give each other (protocol/guest-api.md §17).
struct GiftRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/gifts", use: list)
        group.post("api/gift", use: give)
    }

    private struct GiftsMessage: Encodable {
        struct Person: Encodable {
            let id: String
            let name: OrNull<String>
            let count: Int

            init(_ person: GuestGifts.Person) {
                (id, name, count) = (person.author.description, OrNull(person.name), person.count)
            }
        }
        let left: Int
        let atOnce: Int
        let received: [Person]
        let given: [Person]
        let people: [Person]
        let count: Int

        init(_ gifts: GuestGifts) {
            (left, atOnce, count) = (gifts.left, EventState.giftMax, gifts.peopleCount)
            received = gifts.received.map(Person.init)
            given = gifts.given.map(Person.init)
            people = gifts.people.map(Person.init)
        }
    }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        try context.requireEvent().gate.admitGiftList(of: guest)
        let gifts = try await session.gallery.gifts(of: guest, limit: limits.answers.photographerCountMax)
        return try .json(GiftsMessage(gifts))
    }

    private struct GiftMessage: Decodable {
        let to: String
        let count: Int
        let left: Int
    }

    @Sendable private func give(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(GiftMessage.self, limits: limits)
        guard let recipient = AuthorID(hex: message.to) else {
            throw PortalError.malformed("the recipient's key has 64 digits")
        }
        guard (1...EventState.giftMax).contains(message.count) else {
            throw PortalError.malformed("count is a number from 1 to \(EventState.giftMax)")
        }
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest, count: message.count)
        try await context.stating(by: guest, count: message.count) {
            try await session.gallery.give(message.count, to: recipient, by: guest, left: message.left)
        }
        return Response(status: .noContent)
    }
}
