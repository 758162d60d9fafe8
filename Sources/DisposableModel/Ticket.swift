// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableValues

/// The name of a ticket: the public half of its Ed25519 key pair.
public struct TicketKey: Identifier {
    public let bytes32: Bytes32
    public init(_ bytes: Bytes32) { bytes32 = bytes }
    public init(_ key: VerifyingKey) { bytes32 = key.bytes32 }
}

/// The printed secret of a ticket: 16 bytes, from which its key pair follows (protocol/disposable-v1.md §9.24).
public struct TicketSecret: Sendable {
    public static let byteCount = 16
    /// The characters of `text`.
    public static let characterCount = 22

    private let bytes: SecretBytes

    /// Returns `nil` unless `text` is one of `text`.
    public init?(text: some StringProtocol) {
        guard text.utf8.count == Self.characterCount, var bytes = Base64URL.bytes(text, count: Self.byteCount) else {
            return nil
        }
        self.bytes = SecretBytes(consuming: &bytes)
    }

    /// Derives the secret of the ticket with a number, so that the node that has made tickets can print them again.
    /// - Parameters:
    ///   - number: the number of the ticket, from 1.
    ///   - secret: the import secret of the organizer's device, 32 bytes.
    ///   - event: the event that the ticket is for.
    public init(number: UInt64, from secret: SecretBytes, event: EventID) {
        var input = event.bytes
        input.appendBigEndian(number)
        bytes = KeyDerivation.key(from: secret, context: Domain.Key.ticketSecret, input: input).withSpan {
            SecretBytes(copying: $0.extracting(first: Self.byteCount))
        }
    }

    /// 22 characters of Base64 for URLs.
    public var text: String { Base64URL.text(bytes.withSpan { span in (0..<span.count).map { span[$0] } }) }

    /// Returns the key pair of the ticket.
    public func signingKey(in event: EventID) -> SigningKey {
        SigningKey(seed: KeyDerivation.key(from: bytes, context: Domain.Key.ticket, input: event.bytes))
    }
}

/// The signature of a ticket over the key of the author that uses it: it is of no use to anybody else.
public struct TicketProof: Equatable, Sendable {
    public let author: AuthorID
    public let signature: Signature

    public init(author: AuthorID, signature: Signature) {
        (self.author, self.signature) = (author, signature)
    }

    /// Creates the proof, signed by the ticket's key.
    public init(of author: AuthorID, event: EventID, by key: SigningKey) {
        self.author = author
        signature = key.signature(for: Self.signedBytes(author, event))
    }

    public func proves(_ ticket: TicketKey, event: EventID) -> Bool {
        VerifyingKey(ticket.bytes32).isValid(signature, for: Self.signedBytes(author, event))
    }

    private static func signedBytes(_ author: AuthorID, _ event: EventID) -> [UInt8] {
        Domain.ticket + event.bytes + author.bytes
    }
}
