// SPDX-License-Identifier: Apache-2.0
package import CAvahi

/// DNS-SD TXT data as Avahi's string list (RFC 6763 §6).
public enum TextRecord {
    public static let entryCountMax = 32
    /// Length bytes included: RFC 6763 §6.2 wants a TXT record to fit into one Ethernet packet.
    public static let byteCountMax = 1300
    /// A DNS character-string: key, "=" and value.
    static let entryByteCountMax = 255

    static func validate(_ text: [String: [UInt8]]) throws(DiscoveryError) {
        guard text.count <= entryCountMax else {
            throw .tooManyTextEntries(count: text.count, limit: entryCountMax)
        }
        var total = 0
        for (key, value) in text.sorted(by: { $0.key < $1.key }) {
            let isPrintable = key.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "=") }
            guard isPrintable, !key.isEmpty else { throw .invalidTextKey(key) }
            let byteCount = key.utf8.count + 1 + value.count
            guard byteCount <= entryByteCountMax else {
                throw .textEntryTooLong(key: key, byteCount: byteCount, limit: entryByteCountMax)
            }
            total += 1 + byteCount
        }
        guard total <= byteCountMax else { throw .textTooLong(byteCount: total, limit: byteCountMax) }
    }

    /// Calls `body` with the string list of `text`, which is freed afterwards; Avahi copies what it keeps.
    static func withList<R>(_ text: [String: [UInt8]], _ body: (UnsafeMutablePointer<AvahiStringList>?) -> R) -> R {
        var list: UnsafeMutablePointer<AvahiStringList>?
        // The list grows at its head: adding backwards puts the pairs on the wire in the order of their keys.
        for (key, value) in text.sorted(by: { $0.key > $1.key }) {
            list = avahi_string_list_add_pair_arbitrary(list, key, value, value.count)
        }
        defer { avahi_string_list_free(list) }
        return body(list)
    }

    /// The pairs of a received record; `nil` if it exceeds the limits, so it is none of ours. Of a repeated key the
    /// first counts, an entry without key is skipped (RFC 6763 §6.4), a key without "=" has an empty value.
    package static func pairs(of list: UnsafeMutablePointer<AvahiStringList>?) -> [String: [UInt8]]? {
        var pairs: [String: [UInt8]] = [:]
        var entryCount = 0
        var total = 0
        var next = list
        while let entry = next {
            next = avahi_string_list_get_next(entry)
            entryCount += 1
            total += 1 + avahi_string_list_get_size(entry)
            guard entryCount <= entryCountMax, total <= byteCountMax else { return nil }
            var key: UnsafeMutablePointer<CChar>?
            var value: UnsafeMutablePointer<CChar>?
            var byteCount = 0
            guard avahi_string_list_get_pair(entry, &key, &value, &byteCount) == 0, let key else { continue }
            defer {
                avahi_free(key)
                avahi_free(value)
            }
            let name = String(cString: key)
            guard !name.isEmpty, pairs[name] == nil else { continue }
            pairs[name] = value.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: byteCount)) } ?? []
        }
        return pairs
    }
}
