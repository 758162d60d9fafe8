// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import DisposableMDNS
internal import DisposableValues
internal import Glibc

/// The DNS-SD type of Disposable.
let serviceType = "_disposable._tcp"

/// Avahi's constants with the types of its functions' parameters.
let anyInterface = AvahiIfIndex(AVAHI_IF_UNSPEC)
let anyProtocol = AvahiProtocol(AVAHI_PROTO_UNSPEC)
let noPublishFlags = AvahiPublishFlags(0)
let noLookupFlags = AvahiLookupFlags(0)

/// Returns Avahi's text for one of its error codes.
func avahiMessage(_ code: some BinaryInteger) -> String { String(cString: avahi_strerror(CInt(code))) }

/// - Throws: ``DiscoveryError/avahi(function:message:)`` for a negative `code`.
func check(_ code: CInt, _ function: String) throws(DiscoveryError) {
    guard code >= 0 else { throw .avahi(function: function, message: avahiMessage(code)) }
}

func interfaceName(_ index: AvahiIfIndex) -> String? {
    guard index > 0 else { return nil }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(UInt32(index), &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension IPAddress {
    init?(_ address: AvahiAddress) {
        if address.proto == AvahiProtocol(AVAHI_PROTO_INET6) {
            self.init(withUnsafeBytes(of: address.data.ipv6.address) { Array($0) })
        } else {
            self.init(withUnsafeBytes(of: address.data.ipv4.address) { Array($0) })
        }
    }
}

/// DNS-SD TXT data as Avahi's string list.
enum AvahiText {
    /// Calls `body` with the string list of `text`, which is freed afterwards; Avahi copies the parts that it keeps.
    static func withList<R>(_ text: [String: [UInt8]], _ body: (UnsafeMutablePointer<AvahiStringList>?) -> R) -> R {
        var list: UnsafeMutablePointer<AvahiStringList>?
        // The list grows at its head: adding backwards puts the pairs on the wire in the order of their keys.
        for (key, value) in text.sorted(by: { $0.key > $1.key }) {
            list = avahi_string_list_add_pair_arbitrary(list, key, value, value.count)
        }
        defer { avahi_string_list_free(list) }
        return body(list)
    }

    /// Returns the data as on the wire; `nil` if it is longer than ``TextRecord/byteCountMax``.
    static func bytes(of list: UnsafeMutablePointer<AvahiStringList>?) -> [UInt8]? {
        var bytes: [UInt8] = []
        var next = list
        while let entry = next {
            next = avahi_string_list_get_next(entry)
            let count = avahi_string_list_get_size(entry)
            guard count <= TextRecord.entryByteCountMax, bytes.count + 1 + count <= TextRecord.byteCountMax,
                let text = avahi_string_list_get_text(entry)
            else { return nil }
            bytes.append(UInt8(count))
            bytes.append(contentsOf: UnsafeBufferPointer(start: text, count: count))
        }
        return bytes
    }
}
