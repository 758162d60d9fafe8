// SPDX-License-Identifier: Apache-2.0

/// The reason for closing a connection or refusing a request; the numbers of protocol/disposable-v1.md §15.
public enum ProtocolCode: UInt32, CaseIterable, Error, Sendable {
    // Closing a connection
    case malformed = 1
    case limitExceeded = 2
    case unsupportedVersion = 3
    case authenticationFailed = 4
    case duplicateConnection = 5
    case busy = 6
    case shuttingDown = 7
    case sameDevice = 8
    case unresponsive = 9
    case notAdmitted = 10
    case rotated = 11
    case invitationReplaced = 12
    // Refusing a request
    case notHere = 32
    case removed = 33

    /// The meaning, for logs and people.
    public var meaning: String {
        switch self {
        case .malformed: "bytes that are no message of this protocol"
        case .limitExceeded: "more than a limit allows"
        case .unsupportedVersion: "no common version of the protocol"
        case .authenticationFailed: "the identity was not proved"
        case .duplicateConnection: "there is another connection between these nodes"
        case .busy: "too much to do; later"
        case .shuttingDown: "the node is stopping"
        case .sameDevice: "the other side has this node's own key"
        case .unresponsive: "silence for too long"
        case .notAdmitted: "the device is not in the event"
        case .rotated: "the event has a new secret, and what leads to it was sent"
        case .invitationReplaced: "this invitation was replaced; ask the organizer for the new one"
        case .notHere: "the sender does not have this"
        case .removed: "this is no longer given out"
        }
    }

    /// Whether to retry without a new reason.
    public var mayRetry: Bool {
        switch self {
        case .busy, .shuttingDown, .unresponsive, .notAdmitted, .rotated, .invitationReplaced: true
        case .malformed, .limitExceeded, .unsupportedVersion, .authenticationFailed, .duplicateConnection, .sameDevice,
            .notHere, .removed:
            false
        }
    }
}
