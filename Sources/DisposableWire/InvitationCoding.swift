// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import Foundation
internal import SwiftProtobuf

extension Invitation {
    private static let scheme = "DISPOSABLE"
    private static let version = "1"

    /// The text form: `DISPOSABLE1:` and upper-case base 32 (RFC 4648 §6, no padding) of the body and a checksum of
    /// four bytes. Only upper case and digits, for which a QR code is smallest; decoding ignores case and white space.
    /// Addresses that are of no use on other machines (names, IPv6 link-local ones) are left out, and all after the
    /// eighth.
    public var text: String {
        var message = Disposable_V1_InvitationBody()
        message.eventKey = Data(eventKey.bytes32.bytes)
        message.secret = secret.withSpan { span in Data((0..<span.count).map { span[$0] }) }
        message.name = name
        message.addresses = Array(addresses.compactMap(\.message).prefix(Self.addressCountMax))
        guard let payload: [UInt8] = try? message.serializedBytes() else {
            preconditionFailure("invitation not serialised")
        }
        return BodyText.encode(payload, scheme: Self.scheme, version: Self.version)
    }

    /// Decodes the text form.
    public init(text: String) throws(InvitationError) {
        guard !text.filter({ !$0.isWhitespace }).lowercased().hasPrefix("http") else { throw .guestLink }
        let payload = try BodyText.payload(of: text, scheme: Self.scheme, version: Self.version)
        guard let message = try? Disposable_V1_InvitationBody(serializedBytes: payload),
            let key = Bytes32(message.eventKey), message.secret.count == Self.secretByteCount,
            message.addresses.count <= Self.addressCountMax,
            Label.isWellFormed(message.name)
        else { throw .malformed }
        var secret = [UInt8](message.secret)
        var addresses: [PeerAddress] = []
        for item in message.addresses {
            guard let address = PeerAddress(item) else { throw .malformed }
            addresses.append(address)
        }
        self.init(
            eventKey: VerifyingKey(key), secret: SecretBytes(consuming: &secret), name: message.name,
            addresses: addresses)
    }
}
