// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues
internal import NIOCore

/// The key under which an address is counted: an IPv4 address, an IPv6 network of 64 bits, or one link-local IPv6
/// address.
package struct AddressKey: Hashable, Sendable {
    package let text: String
    /// Whether the address is a loopback address.
    package let isLoopback: Bool
    /// The index of the interface of a link-local address; `nil` for all other addresses.
    package let link: Int?

    /// - Parameters:
    ///   - address: an IP address in its usual form; `nil` if the connection has none.
    ///   - interface: the index of the interface, for a link-local address.
    package init(_ address: String?, interface: Int = 0) {
        let address = IPAddress(address ?? "")?.unmapped
        let bytes = address?.bytes ?? []
        isLoopback = address?.isLoopback == true
        // All machines of one link share the link-local network, so only the whole address distinguishes them.
        let isLinkLocal = bytes.starts(with: [0xFE]) && bytes[1] & 0xC0 == 0x80
        link = isLinkLocal ? interface : nil
        let network = bytes.count == 16 && !isLinkLocal ? bytes.prefix(8) : bytes[...]
        text = network.map { String($0, radix: 16) }.joined(separator: ".") + (isLinkLocal ? "%\(interface)" : "")
    }

    init(_ address: SocketAddress?) {
        var interface = 0
        if case .v6 = address {
            address?.withSockAddr { bytes, size in
                // sockaddr_in6: family and port 4 bytes, flow 4, address 16, then the interface (RFC 3493 §3.3).
                guard size >= 28 else { return }
                interface = Int(UnsafeRawPointer(bytes).load(fromByteOffset: 24, as: UInt32.self))
            }
        }
        self.init(address?.ipAddress, interface: interface)
    }
}

/// Distinguishes link-local addresses, up to a number for each interface; further ones count as one address.
///
/// A machine can assign itself any number of link-local addresses. Without a bound each would have its own rate. Pure:
/// time is an argument.
package struct LinkLocalAddresses: Sendable {
    /// The idle time after which an address is replaced by another.
    package static let lifetime = Duration.seconds(600)

    private let countMax: Int
    private var seenAt: [Int: [String: ContinuousClock.Instant]] = [:]

    package init(countMax: Int) { self.countMax = countMax }

    /// Returns the text under which the address is counted.
    package mutating func key(for address: AddressKey, at now: ContinuousClock.Instant) -> String {
        guard let link = address.link else { return address.text }
        var known = seenAt[link] ?? [:]
        if known[address.text] == nil, known.count >= countMax {
            guard let oldest = known.min(by: { $0.value < $1.value }), now - oldest.value >= Self.lifetime else {
                return "link-local%\(link)"
            }
            known[oldest.key] = nil
        }
        known[address.text] = now
        seenAt[link] = known
        return address.text
    }
}
