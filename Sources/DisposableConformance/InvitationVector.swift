// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// §6.9: the text with which a node joins.
struct InvitationVector: Vector {
    static let questions: Set = ["text"]
    static let failures: Set = [
        "not an invitation", "guest link", "unsupported version", "invalid character", "damaged", "limit exceeded",
        "malformed",
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
            let invitation = try Invitation(text: text)
            guard (try? Invitation(text: invitation.text)) == invitation else { return .unstable }
            return .success([
                "eventKey": .text(invitation.eventKey.bytes32), "event": .text(invitation.event),
                "secret": .secret(invitation.secret),
                "name": .string(invitation.name), "addresses": .list(invitation.addresses),
                "isCanonical": .bool(invitation.text == text),
            ])
        } catch { return Outcome(error.name) }
    }
}

extension InvitationError {
    /// As the vectors name it.
    var name: String {
        switch self {
        case .notAnInvitation: "not an invitation"
        case .guestLink: "guest link"
        case .unsupportedVersion: "unsupported version"
        case .invalidCharacter: "invalid character"
        case .tooLong: "limit exceeded"
        case .damaged: "damaged"
        case .malformed: "malformed"
        }
    }
}
