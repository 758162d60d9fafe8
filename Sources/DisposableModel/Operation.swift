// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The content of an operation's body, by kind.
public enum OperationContent: Equatable, Sendable {
    case charter(Charter)
    /// One field of the charter, with the operations that the edit follows.
    case edit(CharterField, Charter, follows: [OperationID])
    /// The delegation is present if the device signs for a guest.
    case join(Admission, Delegation?)
    /// The revocations that a grant cancels, and the reveal key's secret half sealed to a new organizer's device: 80
    /// bytes or none. The fold does not use the latter.
    case grant(cancels: [OperationID], revealKey: [UInt8] = [])
    /// The heads that a revocation leaves, for both kinds of revocation.
    case revocation(heads: [OperationID])
    /// Heads of a revocation that names this list because it cannot name as many itself.
    case list([OperationID])
    /// The hides that an unhide cancels.
    case unhide(hides: [OperationID])
    /// The settings that a setting of the approval rule follows.
    case approval(follows: [OperationID])
    case approve([PhotoID])
    /// The approvals that are withdrawn.
    case unapprove(approvals: [OperationID])
    /// The reveal key's secret half, 32 bytes; true or not.
    case reveal(Bytes32)
    case keyRelease(ReleasedKeys)
    /// A share of that secret half in a box for the subject's device, 80 bytes; whether the box opens or not.
    case share(box: [UInt8])
    /// A published share of it, 32 bytes; true or not.
    case shareRelease(Bytes32)
    /// A new event secret, to which the 32 bytes are a commitment, or, without them, more boxes with an existing
    /// secret.
    case epoch(commitment: Bytes32?, seals: [SealedSecret])
    case name(String)
    /// The text of a caption, a comment or a notice.
    case text(String)
    /// The sealed text of a message to the organizers.
    case message(SealedMessage)
    /// The keys of tickets, in the order of their numbers.
    case tickets([TicketKey])
    case ticketUse(TicketProof)
    case ballot(SealedBallot)
    case vote(SealedVote)
    /// The secret half of a ballot's key, 32 bytes; true or not.
    case closing(Bytes32)
    /// The gallery is joined with that of the event that is the subject.
    case twinning(Twinning)
    case photo(PhotoManifest)
    case original(OriginalManifest)
    /// The body has the header's hash but is not valid for its kind. The operation counts like one whose body is
    /// missing, so that the sets do not depend on which bodies a node has.
    case unreadable
    /// Kinds without a body, and kinds of a later version, whose bodies are kept as bytes.
    case none
}

/// A signed, immutable operation whose signature has been verified.
///
/// Only the codec makes one, after verification; nothing else in the engine accepts anything less.
public struct VerifiedOperation: Equatable, Sendable {
    public let id: OperationID
    public let header: OperationHeader
    /// Kept, because every part of the fold asks for it.
    public let kind: OperationKind?
    public let signature: Signature
    /// The exact bytes that were signed, salt first. `nil` if this node does not have them (erased, or not yet
    /// received); empty for kinds without a body.
    public let body: [UInt8]?
    /// Decoded from `body`; `nil` if the body is missing.
    public let content: OperationContent?

    package init(
        id: OperationID, header: OperationHeader, signature: Signature, body: [UInt8]?, content: OperationContent?
    ) {
        self.id = id
        self.header = header
        kind = header.knownKind
        self.signature = signature
        self.body = body
        self.content = content
    }

    /// The operation as stored by a node without its body.
    public var bodiless: VerifiedOperation {
        VerifiedOperation(id: id, header: header, signature: signature, body: nil, content: nil)
    }
}

/// An operation that is not signed yet and has no place in a chain.
public struct Draft: Equatable, Sendable {
    public var kind: OperationKind
    public var subject: OperationID
    public var argument: UInt64
    /// The body's bytes, salt first; empty for kinds without one.
    public var body: [UInt8]

    public init(kind: OperationKind, subject: OperationID = .none, argument: UInt64 = 0, body: [UInt8] = []) {
        self.kind = kind
        self.subject = subject
        self.argument = argument
        self.body = body
    }
}
