// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not a nodes' invitation, precise enough for a person.
public enum InvitationError: Error, Equatable, Sendable {
    /// It does not start with `DISPOSABLE1:`.
    case notAnInvitation
    /// It is a guests' link, which opens a page and admits no node.
    case guestLink
    case unsupportedVersion(String)
    /// The position is counted from the first character of the text, from 1.
    case invalidCharacter(Character, position: Int)
    case tooLong(characterCount: Int)
    /// The checksum does not match: a part is missing or a character is wrong.
    case damaged
    /// The checksum matches, but the content is not an invitation.
    case malformed
}

extension InvitationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAnInvitation: "the text is no invitation, which begins with DISPOSABLE1:"
        case .guestLink: "this is the guests' link, which opens a page and does not admit nodes"
        case .unsupportedVersion(let version):
            "the invitation is of version \(version), this program reads version 1"
        case .invalidCharacter(let character, let position):
            "the invitation has a wrong character, \"\(character)\", at position \(position)"
        case .tooLong(let count): "a text of \(count) characters is too long for an invitation"
        case .damaged: "the invitation is damaged: a part of it is missing or changed"
        case .malformed: "the text is complete but is not an invitation"
        }
    }
}
