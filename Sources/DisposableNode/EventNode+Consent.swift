// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync

/// What people agree to before they add photos.
///
/// A guest of the pages is asked always. The person of a node only where an organizer has written something to agree
/// to, and not organizers, who may write it.
extension EventNode {
    /// `nil` until this node is in and the event's parameters are here.
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

    /// Agrees for this node's person, to the text that the person was shown.
    /// - Parameter text: `ConsentInfo.text`. Another than the one that counts now throws `NodeError.otherConsentText`.
    public func consent(to text: String) async throws {
        guard let id = OperationID(hex: text) else { throw NodeError.otherConsentText }
        _ = try await author(.consent(to: id))
    }

    /// Throws `NodeError.noConsent` where this node's person has to agree before adding.
    func checkConsent() throws {
        guard consent()?.isNeeded != true else { throw NodeError.noConsent }
    }

    // Guests of the pages

    /// The text that counts now, and whether the guest has agreed to it, here or at another node.
    public func consent(of guest: AuthorID?) -> (text: ConsentText, isGiven: Bool)? {
        let state = replica.state
        guard let text = state.consentText else { return nil }
        return (text, guest.map { state.hasConsented($0) } ?? false)
    }

    public func consent(to text: OperationID, by guest: AuthorID) async throws {
        _ = try await author(.consent(to: text), by: subKey(of: guest))
    }
}

/// What there is to agree to, and whether this node's person has.
public struct ConsentInfo: Codable, Sendable, Equatable {
    /// The hash of all of the text, by which one version is told from the next: 64 hexadecimal digits.
    public var text: String
    /// What holds in every event.
    public var statement: String
    /// Empty where they have written none.
    public var organizersText: String
    public var isGiven: Bool
    /// Whether nothing is added from this node before.
    public var isNeeded: Bool
}
