// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The guest of a session: it proves its key, delegates to this node's key, and gives its consent
/// (protocol/guest-api.md §3).
struct GuestRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.post("api/guest/key", use: key)
        group.post("api/guest", use: enter)
        group.put("api/guest/name", use: rename)
        group.post("api/guest/consent", use: consent)
        group.delete("api/guest", use: erase)
    }

    private struct KeyMessage: Decodable { let guest: String }
    private struct KeyAnswer: Encodable { let subKey: String }

    @Sendable private func key(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(KeyMessage.self, limits: limits)
        let event = try context.requireEvent()
        guard let guest = AuthorID(hex: message.guest) else {
            throw PortalError.malformed("the guest's key has 64 digits")
        }
        return try .json(KeyAnswer(subKey: try await event.gallery.subKey(of: guest).description))
    }

    private struct EnterMessage: Decodable {
        let guest: String
        let delegation: String
        let proof: String
        let name: String?
    }

    @Sendable private func enter(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(EnterMessage.self, limits: limits)
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        guard let guest = AuthorID(hex: message.guest),
            let delegation = [UInt8](hex: message.delegation).flatMap({ Signature($0) }),
            let proof = [UInt8](hex: message.proof).flatMap({ Signature($0) })
        else { throw PortalError.malformed("guest, delegation and proof are 64, 128 and 128 digits") }
        let entry = GuestEntry(event: event, session: session, address: context.addressKey)
        try await entry.enter(
            guest, delegation: Delegation(guest: guest, signature: delegation), proof: proof, name: message.name)
        let entered = GuestSession(
            gallery: session.gallery, id: session.id, storageKey: session.storageKey, guest: guest)
        let place = SessionRoutes.Place(request.head.authority ?? "", context)
        return try .json(try await SessionRoutes.me(of: entered, in: event, at: place))
    }

    // Pending uploads and removals are dropped as well: they would be signed after it.
    @Sendable private func erase(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        let event = try context.requireEvent()
        try await event.closeHandover(of: guest)
        for id in await event.sessions.all(of: guest) { try await event.uploads.dropAll(of: id) }
        try await event.uploads.withdrawAll(of: guest)
        // A guest that is unknown to the event has nothing to erase.
        if session.delegation != nil, try await !session.gallery.guest(guest).hasEntered {
            return Response(status: .noContent)
        }
        _ = try await context.requireActingGuest()
        try await context.stating(by: guest) { try await session.gallery.eraseAll(of: guest) }
        return Response(status: .noContent)
    }

    private struct ConsentMessage: Decodable { let id: String }

    @Sendable private func consent(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(ConsentMessage.self, limits: limits)
        let (session, guest) = try await context.requireActingGuest()
        guard let text = OperationID(hex: message.id) else {
            throw PortalError.malformed("the text's id has 64 digits")
        }
        try await context.stating(by: guest) { try await session.gallery.consent(to: text, by: guest) }
        return Response(status: .noContent)
    }

    private struct NameMessage: Decodable { let name: String }

    @Sendable private func rename(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(NameMessage.self, limits: limits)
        _ = try context.requireGuest()
        guard let name = try GuestEntry.name(message.name) else { throw Refusal.malformedName }
        let options = try await context.requireSession().gallery.options()
        guard options.nameRule != .never else { throw Refusal.namesOff }
        let (session, guest) = try await context.requireActingGuest()
        try await context.stating(by: guest) { try await session.gallery.setName(name, of: guest) }
        return Response(status: .noContent)
    }
}
