// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An IPv4 or IPv6 address, without an interface.
package struct IPAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let isIPv6: Bool
    private let high: UInt64
    private let low: UInt64

    /// - Parameter bytes: four or sixteen, in network order; `nil` for another count.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        isIPv6 = bytes.count == 16
        high = bytes.prefix(bytes.count / 2).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.suffix(bytes.count / 2).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// `nil` for anything else than a numeric address, and for one with a zone. Nothing is looked up.
    package init?(_ text: String) {
        guard let bytes = Self.parsed(text) else { return nil }
        self.init(bytes)
    }

    private static func parsed(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }  // C would stop reading there
        for (family, byteCount) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: byteCount)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// The usual text form.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package var bytes: [UInt8] {
        let half = isIPv6 ? 8 : 2
        return [high, low].flatMap { part in
            (0..<half).map { UInt8(truncatingIfNeeded: part >> UInt64(8 * (half - 1 - $0))) }
        }
    }

    package static func < (one: IPAddress, other: IPAddress) -> Bool {
        (one.isIPv6 ? 1 : 0, one.high, one.low) < (other.isIPv6 ? 1 : 0, other.high, other.low)
    }

    package var isLoopback: Bool { isIPv6 ? high == 0 && low == 1 : high >> 8 == 127 }
    /// Whether it is within 169.254.0.0/16 or fe80::/10.
    package var isLinkLocal: Bool { isIPv6 ? high >> 54 == 0xFE80 >> 6 : high == 0xA9FE }

    /// The IPv4 address if this is one that an IPv6 socket shows (::ffff:10.0.0.7), otherwise the address itself.
    package var unmapped: IPAddress { isMapped ? IPAddress(bytes.suffix(4)) ?? self : self }
    private var isMapped: Bool { isIPv6 && high == 0 && low >> 32 == 0xFFFF }

    /// False for addresses that cannot be dialled: unspecified, multicast, broadcast, IPv4 mapped to IPv6.
    package var isDialable: Bool {
        guard isIPv6 else { return high >> 8 != 0 && high >> 8 < 224 }
        return high >> 56 != 0xFF && !(high == 0 && low == 0) && !isMapped
    }

    /// Whether the first `length` bits equal those of `other`; false for the other version of IP.
    package func hasPrefix(_ length: Int, of other: IPAddress) -> Bool {
        guard isIPv6 == other.isIPv6, length <= (isIPv6 ? 128 : 32), length >= 0 else { return false }
        let half = isIPv6 ? 64 : 16
        func differs(_ one: UInt64, _ other: UInt64, _ count: Int) -> Bool {
            count > 0 && (one ^ other) >> UInt64(half - count) != 0
        }
        return !differs(high, other.high, min(half, length)) && !differs(low, other.low, max(0, length - half))
    }
}

/// Hosts as text: an address or a name.
extension IPAddress {
    /// Whether the host is an address and not a name, with or without a zone such as `%eth0`.
    package static func isNumeric(_ host: String) -> Bool {
        let parts = host.split(separator: "%", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = IPAddress(String(first)) else { return false }
        return parts.count == 1 || (address.isIPv6 && !parts[1].isEmpty)
    }

    /// Whether the host is an address of the machine itself, 127.0.0.0/8 or ::1.
    package static func isLoopback(_ host: String) -> Bool { IPAddress(host)?.isLoopback == true }

    /// Whether the host is an IPv4 address of a local network: private (RFC 1918) or link-local.
    package static func isLocal(_ host: String) -> Bool {
        guard let bytes = IPAddress(host)?.bytes, bytes.count == 4 else { return false }
        switch (bytes[0], bytes[1]) {
        case (10, _), (172, 16...31), (192, 168), (169, 254): return true
        default: return false
        }
    }
}
