// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import Foundation
internal import SwiftProtobuf

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

extension Invitation {
    private static let scheme = "DISPOSABLE"
    private static let version = "1"
    private static let checksumByteCount = 4

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
        return "\(Self.scheme)\(Self.version):" + Base32.encode(payload + Self.checksum(payload))
    }

    /// Decodes the text form.
    public init(text: String) throws(InvitationError) {
        let compact = text.filter { !$0.isWhitespace }
        guard !compact.lowercased().hasPrefix("http") else { throw .guestLink }
        guard let colon = compact.firstIndex(of: ":"), compact[..<colon].uppercased().hasPrefix(Self.scheme) else {
            throw .notAnInvitation
        }
        let version = String(compact[..<colon].dropFirst(Self.scheme.count))
        guard version == Self.version else { throw .unsupportedVersion(version) }
        guard compact.utf8.count <= Limits.invitationCharacterCountMax else {
            throw .tooLong(characterCount: compact.count)
        }
        let digits = compact[compact.index(after: colon)...]
        // The position refers to the text as given, where a person looks for it.
        var isDigit = false
        for (offset, character) in text.enumerated() {
            if isDigit, !character.isWhitespace, Base32.value(of: character) == nil {
                throw .invalidCharacter(character, position: offset + 1)
            }
            isDigit = isDigit || character == ":"
        }
        guard let bytes = Base32.decode(digits), bytes.count > Self.checksumByteCount else { throw .damaged }
        let payload = Array(bytes.dropLast(Self.checksumByteCount))
        guard Self.checksum(payload) == Array(bytes.suffix(Self.checksumByteCount)) else { throw .damaged }
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

    private static func checksum(_ payload: [UInt8]) -> [UInt8] {
        Array(BLAKE2b.hash(Domain.invitationChecksum, payload).bytes.prefix(checksumByteCount))
    }
}

/// The encoding of RFC 4648 §6 without padding.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = ""
        var buffer: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(alphabet[Int(buffer >> UInt32(bitCount) & 31)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bitCount) & 31)]) }
        return text
    }

    static func value(of digit: Character) -> UInt32? {
        guard let ascii = digit.asciiValue else { return nil }
        switch ascii {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(ascii - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return UInt32(ascii - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): return UInt32(ascii - UInt8(ascii: "2")) + 26
        default: return nil
        }
    }

    /// Returns `nil` if a character is no digit, or left-over bits are not zero.
    static func decode(_ text: some Sequence<Character>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bitCount = 0
        for digit in text {
            guard let value = value(of: digit) else { return nil }
            buffer = buffer << 5 | value
            bitCount += 5
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bitCount)))
        }
        guard bitCount < 5, buffer & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return bytes
    }
}
