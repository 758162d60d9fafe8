// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// §9.28: the text with which an organizer agrees that the galleries of two events are joined.
struct AgreementVector: Vector {
    static let questions: Set = ["text"]
    static let failures: Set = [
        "not an invitation", "unsupported version", "invalid character", "damaged", "limit exceeded", "malformed",
    ]

    private var text: String

    /// The bytes of the text, including invalid ones.
    private var bytes: [UInt8] {
        get { Array(text.utf8) }
        set { text = String(decoding: newValue, as: UTF8.self) }
    }
    var received: [WritableKeyPath<Self, [UInt8]>] { [\.bytes] }

    func outcome() -> Outcome {
        do throws(InvitationError) {
            let offer = try TwinOffer(text: text)
            guard let again = try? TwinOffer(text: offer.text), again.invitation == offer.invitation,
                again.agreement == offer.agreement, again.other == offer.other
            else { return .unstable }
            let invitation = offer.invitation
            return .success([
                "eventKey": .text(invitation.eventKey.bytes32), "event": .text(invitation.event),
                "secret": .secret(invitation.secret), "name": .string(invitation.name),
                "addresses": .list(invitation.addresses), "other": .text(offer.other),
                "grant": .hex(offer.agreement.organizer?.bytes ?? []),
                "signature": .hex(offer.agreement.signature.bytes),
                "joins": .bool(offer.agreement.joins(offer.other)), "isCanonical": .bool(offer.text == text),
            ])
        } catch { return Outcome(error.name) }
    }
}
