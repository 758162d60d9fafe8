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

            init(_ person: PortalGifts.Person) {
                (id, name, count) = (person.author.description, OrNull(person.name), person.count)
            }
        }
        let left: Int
        let atOnce: Int
        let received: [Person]
        let given: [Person]
        let people: [Person]
        let count: Int

        init(_ gifts: PortalGifts) {
            (left, atOnce, count) = (gifts.left, EventState.giftMax, gifts.peopleCount)
            received = gifts.received.map(Person.init)
            given = gifts.given.map(Person.init)
            people = gifts.people.map(Person.init)
        }
    }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
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
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        try await context.stating(by: guest) {
            try await session.gallery.give(message.count, to: recipient, by: guest, left: message.left)
        }
        return Response(status: .noContent)
    }
}

extension PortalError {
    init(_ refusal: GiftRefusal) {
        switch refusal {
        case .off: self.init(.conflict, "gifts-off", "at this event nobody gives photos of their film to others")
        case .unlimited: self.init(.conflict, "gifts-off", "your film has no end: you have nothing to give away")
        case .oneself: self.init(.conflict, "no-recipient", "this is you", hint: "Choose somebody else.")
        case .unknownRecipient:
            self.init(
                .conflict, "no-recipient", "this person is not at the party, or has left it",
                hint: "Choose somebody else.")
        case .recipientUnlimited:
            self.init(
                .conflict, "no-recipient", "this person's film has no end", hint: "Choose somebody else.")
        case .recipientFull(let left):
            self.init(
                .conflict, "recipient-full", "this person can receive \(left) more photos",
                hint: "Give fewer, or choose somebody else.")
        case .number:
            self = .malformed("count is a number from 1 to \(EventState.giftMax)")
        case .tooFew(let left):
            self.init(
                .conflict, "too-few-frames", "you can give \(left) photos",
                hint: "What others gave you cannot be passed on.")
        case .changed(let left):
            self.init(
                .conflict, "frames-changed", "your film has changed: you can give \(left) photos now",
                hint: "Look whether they were given, and repeat it if they were not.")
        }
    }
}
