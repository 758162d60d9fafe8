// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableValues
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// A guest continues on another phone with a one-time code (protocol/guest-api.md §22).
struct HandoverRoutes: Sendable {
    /// The digits of a session's id that name it to the guest's other phone. Only the guest's own are compared.
    private static let digitCount = 16

    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/handover", use: show)
        group.post("api/handover", use: open)
        group.delete("api/handover", use: close)
        group.post("api/handover/box", use: seal)
        group.delete("api/handover/:phone", use: end)
        group.post("api/handover/key", use: offer)
        group.get("api/handover/box", use: box)
    }

    // The first phone

    private struct CodeMessage: Encodable {
        let code: String
        /// The part of the link in the code's picture that is exchanged in its place.
        let token: String
        let seconds: Int
    }

    @Sendable private func open(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        let event = try context.requireEvent()
        try event.gate.admitHandover(of: guest)
        try await event.closeHandover(of: guest)
        let opened = event.handovers.open(
            for: guest, at: event.gallery.event,
            by: .init(session: session.id, address: context.addressKey, hasJoined: session.delegation == nil))
        return try .json(
            CodeMessage(
                code: opened.code, token: Base64URL.text(opened.token), seconds: Int(opened.endsIn.components.seconds)),
            status: .created)
    }

    private struct HandoverMessage: Encodable {
        struct Phone: Encodable {
            let id: String
            let since: UInt64
        }
        let state: String
        let seconds: Int
        let key: OrNull<String>
        let phones: [Phone]
    }

    @Sendable private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        let event = try context.requireEvent()
        let standing = event.handovers.standing(of: guest, at: event.gallery.event)
        let state = standing.map { !$0.isUsed ? "open" : $0.isSealed ? "sealed" : "used" } ?? "none"
        let phones = await event.sessions.handedOver(of: guest, except: session.id)
        return try .json(
            HandoverMessage(
                state: state, seconds: max(0, Int(standing?.endsIn.components.seconds ?? 0)),
                key: OrNull(standing?.key?.description),
                phones: phones.map { .init(id: Self.name(of: $0.id), since: $0.openedAt) }))
    }

    private struct BoxMessage: Codable {
        let key: String
        let box: String
    }

    @Sendable private func seal(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(BoxMessage.self, limits: limits)
        let (_, guest) = try context.requireGuest()
        let event = try context.requireEvent()
        guard let key = Bytes32(hex: message.key), message.box.utf8.count <= limits.handovers.boxCharacterCountMax,
            message.box.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil
        else { throw PortalError.malformed("the key has 64 digits, and the box is base64url") }
        let box = Handovers.Box(key: key, text: message.box)
        guard event.handovers.seal(box, by: guest, at: event.gallery.event) else { throw PortalError.noHandover }
        return Response(status: .noContent)
    }

    /// Withdraws the code. A phone that has used it, and is not the guest yet, has no session afterwards.
    @Sendable private func close(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (_, guest) = try context.requireGuest()
        try await context.requireEvent().closeHandover(of: guest)
        return Response(status: .noContent)
    }

    /// Ends the session of a phone that continues as this guest.
    @Sendable private func end(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        let event = try context.requireEvent()
        let name = context.parameters.get("phone") ?? ""
        let phones = await event.sessions.handedOver(of: guest, except: session.id)
        guard let phone = phones.first(where: { Self.name(of: $0.id) == name }) else { throw PortalError.noHandover }
        try await event.endHandedOver(phone.id)
        return Response(status: .noContent)
    }

    private static func name(of session: Bytes32) -> String { String(session.description.prefix(digitCount)) }

    // The other phone, in the session that the code has opened

    private struct KeyMessage: Decodable { let key: String }

    @Sendable private func offer(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(KeyMessage.self, limits: limits)
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        guard let key = Bytes32(hex: message.key) else { throw PortalError.malformed("the key has 64 digits") }
        guard event.handovers.offer(key, by: session.id) else { throw PortalError.noHandover }
        return Response(status: .noContent)
    }

    private struct WaitingMessage: Encodable {
        let key: OrNull<String>
        let box: OrNull<String>
    }

    @Sendable private func box(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        guard let box = event.handovers.box(for: session.id) else { throw PortalError.noHandover }
        return try .json(WaitingMessage(key: OrNull(box?.key.description), box: OrNull(box?.text)))
    }
}

extension PortalError {
    fileprivate static let noHandover = PortalError(
        .notFound, "no-handover", "no one-time code of this guest is in use, or the other phone has waited too long",
        hint: "Ask for another code on the first phone.")
}
