// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address, without an interface.
package struct IPAddress: Hashable, Comparable, Sendable {
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

    /// False for addresses that cannot be dialled: unspecified, multicast, broadcast, IPv4 mapped to IPv6.
    var isDialable: Bool {
        guard isIPv6 else { return high >> 8 != 0 && high >> 8 < 224 }
        let isMapped = high == 0 && low >> 32 == 0xFFFF
        return high >> 56 != 0xFF && !(high == 0 && low == 0) && !isMapped
    }

    /// Whether the first `length` bits equal those of `other`; false for the other version of IP.
    func hasPrefix(_ length: Int, of other: IPAddress) -> Bool {
        guard isIPv6 == other.isIPv6, length <= (isIPv6 ? 128 : 32), length >= 0 else { return false }
        let half = isIPv6 ? 64 : 16
        func differs(_ one: UInt64, _ other: UInt64, _ count: Int) -> Bool {
            count > 0 && (one ^ other) >> UInt64(half - count) != 0
        }
        return !differs(high, other.high, min(half, length)) && !differs(low, other.low, max(0, length - half))
    }
}
