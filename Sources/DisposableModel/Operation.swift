// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// What an operation's body says, by kind.
public enum OperationContent: Equatable, Sendable {
    case charter(Charter)
    /// One field of the charter, with what the edit follows.
    case edit(CharterField, Charter, follows: [OperationID])
    /// The delegation of the guest for whom the device signs, where it does.
    case join(Admission, Delegation?)
    /// The revocations that a grant cancels, and the reveal key's secret half sealed to a new organizer's device: 80
    /// bytes or none. The fold does not look at the latter.
    case grant(cancels: [OperationID], revealKey: [UInt8] = [])
    /// The ends of the chains that still count, of either kind of revocation.
    case revocation(heads: [OperationID])
    /// Heads of a revocation that names the list instead, because it cannot name as many itself.
    case list([OperationID])
    /// The hides that an unhide cancels.
    case unhide(hides: [OperationID])
    /// The reveal key's secret half, 32 bytes; true or not.
    case reveal(Bytes32)
    case keyRelease(ReleasedKeys)
    /// A new event secret, to which the 32 bytes are a commitment, or, without them, more boxes with one that is there.
    case epoch(commitment: Bytes32?, seals: [SealedSecret])
    case name(String)
    /// Of a caption, a comment or a notice.
    case text(String)
    case photo(PhotoManifest)
    case original(OriginalManifest)
    /// The body is the header's, but says nothing of its kind. The operation counts as one whose body is not here, so
    /// that what is in the sets does not depend on which bodies are.
    case unreadable
    /// Kinds without a body, and kinds of a later version, whose bodies are kept as bytes.
    case none
}

/// A signed, immutable fact, whose signature has been checked.
///
/// Only the codec makes one, after the check; nothing else in the engine accepts anything less.
public struct VerifiedOperation: Equatable, Sendable {
    public let id: OperationID
    public let header: OperationHeader
    public let signature: Signature
    /// The exact bytes that were made, salt first. `nil` where this node does not have them (erased, or not yet here);
    /// empty for kinds without a body.
    public let body: [UInt8]?
    /// Decoded from `body`; `nil` when the body is not here.
    public let content: OperationContent?

    package init(
        id: OperationID, header: OperationHeader, signature: Signature, body: [UInt8]?, content: OperationContent?
    ) {
        self.id = id
        self.header = header
        self.signature = signature
        self.body = body
        self.content = content
    }

    public var kind: OperationKind? { OperationKind(rawValue: header.kind) }

    /// As a node has it that has not got the body.
    public var bodiless: VerifiedOperation {
        VerifiedOperation(id: id, header: header, signature: signature, body: nil, content: nil)
    }
}

/// A statement before it has a place in a chain: what the device wants to say.
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
