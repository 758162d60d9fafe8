// SPDX-License-Identifier: Apache-2.0

/// The data of a TXT record of DNS-SD: pairs of key and value (RFC 6763 §6).
package enum TextRecord {
    package static let entryCountMax = 32
    /// Including length bytes: RFC 6763 §6.2 recommends that a TXT record fits into one Ethernet packet.
    package static let byteCountMax = 1_300
    /// A DNS character-string: key, "=" and value.
    package static let entryByteCountMax = 255

    /// Encodes entries in the order of their keys, each at most ``entryByteCountMax`` bytes, as ``Advertisement``
    /// checks; no pairs are one empty entry (RFC 6763 §6.1).
    package static func encode(_ pairs: [String: [UInt8]]) -> [UInt8] {
        guard !pairs.isEmpty else { return [0] }
        return pairs.sorted { $0.key < $1.key }.flatMap { key, value in
            let entry = Array(key.utf8) + [UInt8(ascii: "=")] + value
            return [UInt8(entry.count)] + entry
        }
    }

    /// Decodes the pairs of a received record; `nil` if it exceeds the limits or ends inside an entry, and therefore is
    /// not one of ours. The first of a repeated key counts, an entry without a key of printable ASCII is skipped (RFC
    /// 6763 §6.4), a key without "=" has an empty value.
    package static func pairs(of bytes: [UInt8]) -> [String: [UInt8]]? {
        guard bytes.count <= byteCountMax else { return nil }
        var pairs: [String: [UInt8]] = [:]
        var entryCount = 0
        var start = 0
        while start < bytes.count {
            let end = start + 1 + Int(bytes[start])
            entryCount += 1
            guard end <= bytes.count, entryCount <= entryCountMax else { return nil }
            let entry = bytes[start + 1..<end]
            start = end
            let key = entry.prefix { $0 != UInt8(ascii: "=") }
            guard !key.isEmpty, key.allSatisfy({ 0x20...0x7E ~= $0 }) else { continue }
            let text = String(decoding: key, as: UTF8.self)
            if pairs[text] == nil { pairs[text] = Array(entry.dropFirst(key.count + 1)) }
        }
        return pairs
    }
}
