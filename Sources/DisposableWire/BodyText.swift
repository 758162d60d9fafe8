// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel

/// The text form of a body that a person passes on: a scheme and its version, a colon, and upper-case base 32 (RFC 4648
/// §6, no padding) of the body and a checksum of four bytes. Only upper case and digits, for which a QR code is
/// smallest; decoding ignores case and white space.
enum BodyText {
    private static let checksumByteCount = 4

    static func encode(_ payload: [UInt8], scheme: String, version: String) -> String {
        "\(scheme)\(version):" + Base32.encode(payload + checksum(payload))
    }

    /// Returns the body of a text.
    static func payload(
        of text: String, scheme: String, version expected: String
    ) throws(InvitationError) -> [UInt8] {
        let compact = text.filter { !$0.isWhitespace }
        guard let colon = compact.firstIndex(of: ":"), compact[..<colon].uppercased().hasPrefix(scheme) else {
            throw .notAnInvitation
        }
        let version = String(compact[..<colon].dropFirst(scheme.count))
        guard version == expected else { throw .unsupportedVersion(version) }
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
        guard let bytes = Base32.decode(digits), bytes.count > checksumByteCount else { throw .damaged }
        let payload = Array(bytes.dropLast(checksumByteCount))
        guard checksum(payload) == Array(bytes.suffix(checksumByteCount)) else { throw .damaged }
        return payload
    }

    private static func checksum(_ payload: [UInt8]) -> [UInt8] {
        Array(BLAKE2b.hash(Domain.invitationChecksum, payload).bytes.prefix(checksumByteCount))
    }
}
