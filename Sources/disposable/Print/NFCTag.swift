// SPDX-License-Identifier: Apache-2.0

/// The link of an event's pages as the content of an NFC tag: an NDEF message of one URI record (NFC Forum, "NFC Data
/// Exchange Format" 1.0 §3.2 and "URI Record Type Definition" 1.0 §3.2).
struct NFCTag {
    /// The smallest tag that is in wide use, NTAG213, has 144 bytes; its own header and end take 3 of them.
    static let byteCountMax = 141

    let bytes: [UInt8]

    /// Fails for a link that is not of HTTP, or does not fit on the smallest tag.
    init?(link: String) {
        let schemes: [(text: String, code: UInt8)] = [("http://", 0x03), ("https://", 0x04)]
        guard let (scheme, code) = schemes.first(where: { link.hasPrefix($0.text) }) else { return nil }
        let payload = [code] + Array(link.utf8.dropFirst(scheme.utf8.count))
        // First and last record of the message, short, of a well-known type.
        let flags: UInt8 = 0x80 | 0x40 | 0x10 | 0x01
        let header = [flags, 1, UInt8(truncatingIfNeeded: payload.count), UInt8(ascii: "U")]
        guard header.count + payload.count <= Self.byteCountMax else { return nil }
        bytes = header + payload
    }
}
