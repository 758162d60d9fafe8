// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync

/// The consent that people give before they add photos.
///
/// A guest of the pages is always asked. The person of a node is asked only if an organizer has written a text, and
/// organizers, who may write it, are not asked.
extension EventNode {
    /// Returns `nil` until this node is a member and the event's parameters are here.
    public func consent() -> ConsentInfo? {
        guard replica.isAdmitted, let text = replica.state.consentText else {
            return nil
        }
        let rank = replica.state.membership.rank(of: replica.deviceID) ?? .participant
        return ConsentInfo(
            text: text.id.description, statement: ConsentText.statement, organizersText: text.organizers,
            isGiven: replica.state.hasConsented(replica.authorID),
            isNeeded: !text.organizers.isEmpty && rank < .organizer && !replica.state.hasConsented(replica.authorID))
    }

    /// Signs this node's person's consent to the text that the person was shown.
    /// - Parameter text: `ConsentInfo.text`. If it is not the present text, throws `Refusal.otherConsentText`.
    public func consent(to text: String) async throws {
        guard let id = OperationID(hex: text) else { throw NodeError.refused(.otherConsentText) }
        _ = try await author(.consent(to: id))
    }

    /// Throws `Refusal.noConsent` if this node's person has to agree before adding.
    func checkConsent() throws {
        guard consent()?.isNeeded != true else { throw NodeError.refused(.noConsent) }
    }

    // Guests of the pages

    /// Returns the present text, and whether the guest has agreed to it, here or at another node.
    public func consent(of guest: AuthorID?) -> GuestConsent? {
        let state = replica.state
        guard let text = state.consentText else { return nil }
        return GuestConsent(text: text, isGiven: guest.map { state.hasConsented($0) } ?? false)
    }

    public func consent(to text: OperationID, by guest: AuthorID) async throws {
        _ = try await author(.consent(to: text), by: subKey(of: guest))
    }
}
