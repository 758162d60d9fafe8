// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes

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
