// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import Foundation
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

/// The entry of a guest: the session gets a guest, and the guest joins the event.
///
/// The guest's sub-key joins when the guest first does something that is signed: gives a name, agrees, adds a photo or
/// text. Until then a guest costs the session's record here, and nothing elsewhere.
struct GuestEntry: Sendable {
    let event: PortalEvent
    let session: GuestSession
    let address: String

    /// Checks both signatures and stores the guest of the session; durable when this returns. A guest with a name, or
    /// one that the event knows, joins at once.
    func enter(
        _ guest: AuthorID, delegation: Delegation, proof: Signature, name: String?
    ) async throws {
        let gallery = event.gallery
        // If the event asks for no names, the node does not sign a name that a page sends.
        let isNamed = await gallery.options().nameRule != .never
        let name = try isNamed ? name.flatMap { try Self.name($0) } : nil
        guard let challenge = await event.sessions.takeChallenge(of: session.id) else { throw PortalError.noSession }
        let subKey = try await gallery.subKey(of: guest)
        let proven = Domain.guestProof + gallery.event.bytes + gallery.node.bytes + subKey.bytes + challenge
        guard guest.verifyingKey.isValid(proof, for: proven),
            delegation.guest == guest, delegation.delegates(to: subKey, at: gallery.node, event: gallery.event)
        else {
            throw PortalError(
                .forbidden, "wrong-signature", "the guest's signature is not for this photo box and challenge",
                hint: "Load the page again.")
        }
        let status = try await gallery.guest(guest)
        if status.isRemoved { throw PortalError(Refusal.removed) }
        if !status.hasEntered {
            if await event.isOutside(session), session.opening.guest != guest.description {
                throw PortalError.wallCodeNeeded
            }
            try await event.sessions.admitNewGuest(to: session.id)
        }
        let joins = status.hasEntered || name != nil
        if joins { try await admit(delegation) }
        if let name {
            // Not counted by address: a crowd behind one router enters at the same moment.
            try event.gate.beginStatement(of: guest)
            defer { event.gate.endStatement(of: guest) }
            try await gallery.setName(name, of: guest)
        }
        let replaced = try await event.sessions.setGuest(guest, of: session.id, delegation: joins ? nil : delegation)
        event.handovers.finish(by: session.id)
        try await event.forget(replaced)
    }

    /// Joins the guest's sub-key to the event, unless it is a member. Throws 429 if too many new guests join.
    func join(_ delegation: Delegation) async throws {
        try await admit(delegation)
        try await event.sessions.noteJoined(session.id)
    }

    private func admit(_ delegation: Delegation) async throws {
        if try await !event.gallery.guest(delegation.guest).hasEntered { try event.gate.admitNewGuest(from: address) }
        try await event.gallery.enter(delegation.guest, delegation: delegation)
    }

    /// Returns the name without surrounding spaces; `nil` for none. Throws for an invalid one.
    static func name(_ text: String) throws(PortalError) -> String? {
        let name = text.trimmingCharacters(in: .whitespaces)
        if name.isEmpty { return nil }
        guard Label.isAcceptable(name) else { throw PortalError(Refusal.malformedName) }
        return name
    }
}
