// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import Foundation
internal import SwiftProtobuf

extension Disposable_V1_TwinningBody {
    init(_ twinning: Twinning) {
        self.init()
        let agreement = twinning.agreement
        eventKey = Data(agreement.eventKey.bytes32.bytes)
        name = twinning.name
        grant = Data(agreement.organizer?.bytes ?? [])
        signature = Data(agreement.signature.bytes)
        if twinning.secret.epoch != .none { epoch = Data(twinning.secret.epoch.bytes) }
        nonce = Data(twinning.secret.nonce.bytes)
        box = Data(twinning.secret.box)
    }
}

extension Twinning {
    /// Returns `nil` for a body that breaks the rules (protocol/disposable-v1.md §8.4). Whether it is proven is checked
    /// with the operation's signature.
    init?(_ message: Disposable_V1_TwinningBody) {
        guard let agreement = TwinAgreement(message.eventKey, grant: message.grant, message.signature),
            Label.isWellFormed(message.name), let epoch = OperationID(epoch: message.epoch),
            let nonce = Bytes32(message.nonce),
            let secret = TwinSecret(epoch: epoch, nonce: nonce, box: [UInt8](message.box))
        else { return nil }
        self.init(agreement: agreement, name: message.name, secret: secret)
    }
}

extension TwinAgreement {
    fileprivate init?(_ eventKey: Data, grant: Data, _ signature: Data) {
        guard let key = Bytes32(eventKey), let signature = Signature(signature) else { return nil }
        var organizer: Organizer?
        if !grant.isEmpty {
            organizer = Organizer([UInt8](grant))
            guard organizer != nil else { return nil }
        }
        self.init(eventKey: VerifyingKey(key), organizer: organizer, signature: signature)
    }
}

/// The text that an organizer gives the organizer of another event, so that the galleries of both are joined: the
/// agreement, and what nodes need to read the event (protocol/disposable-v1.md §9.28). It is a secret, as an invitation
/// is.
public struct TwinOffer: Sendable {
    /// The signer's event, as in its nodes' invitation.
    public let invitation: Invitation
    public let agreement: TwinAgreement
    /// The event whose organizer is to take it.
    public let other: EventID

    /// The agreement joins the event of the invitation with `other`.
    public init(invitation: Invitation, agreement: TwinAgreement, other: EventID) {
        (self.invitation, self.agreement, self.other) = (invitation, agreement, other)
    }

    private static let scheme = "DISPOSABLETWIN"
    private static let version = "1"

    /// Whether the text is one of these, or a later version of one, and not an invitation.
    public static func isOffer(_ text: String) -> Bool {
        text.filter { !$0.isWhitespace }.uppercased().hasPrefix(scheme)
    }

    /// `DISPOSABLETWIN1:` and upper-case base 32 of the body and a checksum of four bytes, as of an invitation.
    public var text: String {
        var message = Disposable_V1_TwinAgreementBody()
        message.eventKey = Data(invitation.eventKey.bytes32.bytes)
        message.name = invitation.name
        message.grant = Data(agreement.organizer?.bytes ?? [])
        message.signature = Data(agreement.signature.bytes)
        message.other = Data(other.bytes)
        message.secret = invitation.secret.withSpan { span in Data((0..<span.count).map { span[$0] }) }
        message.addresses = Array(invitation.addresses.compactMap(\.message).prefix(Invitation.addressCountMax))
        guard let payload: [UInt8] = try? message.serializedBytes() else {
            preconditionFailure("agreement not serialised")
        }
        return BodyText.encode(payload, scheme: Self.scheme, version: Self.version)
    }

    /// Decodes the text form. The reasons are those of an invitation.
    public init(text: String) throws(InvitationError) {
        let payload = try BodyText.payload(of: text, scheme: Self.scheme, version: Self.version)
        guard let message = try? Disposable_V1_TwinAgreementBody(serializedBytes: payload),
            let agreement = TwinAgreement(message.eventKey, grant: message.grant, message.signature),
            let other = EventID(message.other), message.secret.count == Invitation.secretByteCount,
            message.addresses.count <= Invitation.addressCountMax, Label.isWellFormed(message.name)
        else { throw .malformed }
        var addresses: [PeerAddress] = []
        for item in message.addresses {
            guard let address = PeerAddress(item) else { throw .malformed }
            addresses.append(address)
        }
        var secret = [UInt8](message.secret)
        self.init(
            invitation: Invitation(
                eventKey: agreement.eventKey, secret: SecretBytes(consuming: &secret), name: message.name,
                addresses: addresses), agreement: agreement, other: other)
    }
}
