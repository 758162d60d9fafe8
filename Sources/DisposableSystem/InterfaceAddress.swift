// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// One address of one network interface of this machine.
package struct InterfaceAddress: Sendable, Hashable {
    package let name: String
    package let index: UInt32
    /// Numeric; a link-local IPv6 address carries its interface, "fe80::1%eth0".
    package let host: String
    package let isIPv6: Bool
    /// Whether the interface is a loopback interface.
    package let isLoopback: Bool
    /// Whether the address is within 169.254.0.0/16 or fe80::/10.
    package let isLinkLocal: Bool
    /// Four or sixteen, in network order.
    package let bytes: [UInt8]
    /// The length of the network prefix, in bits.
    package let prefixLength: Int
    /// Whether neighbours can be reached by multicast: not through a tunnel, which is a point-to-point link.
    package let carriesMulticast: Bool
    /// Whether the link is up: a cable is plugged in, a wireless network was joined.
    package let isRunning: Bool

    /// Whether a numeric address is on the network of this one, so that it is reached without a router.
    package func isOnSameNetwork(as host: String) -> Bool {
        let family = isIPv6 ? AF_INET6 : AF_INET
        var other = [UInt8](repeating: 0, count: bytes.count)
        guard !host.utf8.contains(0), inet_pton(family, host, &other) == 1 else { return false }
        return (0..<prefixLength).allSatisfy { bit in
            (bytes[bit / 8] ^ other[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }

    /// The likelihood that people are on its network, most likely first: radio, then cards and sticks, then software
    /// interfaces such as bridges of virtual machines.
    package var rank: Int {
        if access("/sys/class/net/\(name)/wireless", F_OK) == 0 { return 0 }
        return access("/sys/class/net/\(name)/device", F_OK) == 0 ? 1 : 2
    }

    /// Returns the IPv4 and IPv6 addresses of all interfaces that are up, in the system's order. `nil` if the system
    /// refuses, as it does when the process has opened all files that it may.
    package static func all() -> [InterfaceAddress]? {
        var head: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&head) == 0 else { return nil }
        defer { freeifaddrs(head) }
        var result: [InterfaceAddress] = []
        var next = head
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let index = Self.index(of: entry.pointee.ifa_name) else { return nil }
            if let address = InterfaceAddress(entry.pointee, index: index) { result.append(address) }
        }
        return result
    }

    /// Returns the index of an interface, 0 if there is none of that name. `nil` if the system refuses: the query uses
    /// a socket.
    package static func index(of name: UnsafePointer<CChar>) -> UInt32? {
        let index = if_nametoindex(name)
        return index > 0 || errno == ENODEV ? index : nil
    }

    private init?(_ entry: ifaddrs, index: UInt32) {
        guard entry.ifa_flags & UInt32(IFF_UP) != 0, let address = entry.ifa_addr else { return nil }
        let length: socklen_t
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            isIPv6 = false
            bytes = Self.bytes(of: address, isIPv6: false)
            isLinkLocal = bytes[0] == 169 && bytes[1] == 254
        case AF_INET6:
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            isIPv6 = true
            bytes = Self.bytes(of: address, isIPv6: true)
            isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        default: return nil
        }
        var text = [UInt8](repeating: 0, count: Int(NI_MAXHOST))
        let status = text.withUnsafeMutableBytes { buffer in
            getnameinfo(
                address, length, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), socklen_t(buffer.count),
                nil, 0, NI_NUMERICHOST)
        }
        guard status == 0 else { return nil }
        host = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        name = String(cString: entry.ifa_name)
        self.index = index
        isRunning = entry.ifa_flags & UInt32(IFF_RUNNING) != 0
        isLoopback = entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
        let isPointToPoint = entry.ifa_flags & UInt32(IFF_POINTOPOINT) != 0
        carriesMulticast = isLoopback || entry.ifa_flags & UInt32(IFF_MULTICAST) != 0 && !isPointToPoint
        let isIPv6 = isIPv6
        let mask = entry.ifa_netmask.map { Self.bytes(of: $0, isIPv6: isIPv6) } ?? []
        prefixLength = mask.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>, isIPv6: Bool) -> [UInt8] {
        guard isIPv6 else {
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        }
        return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
        }
    }
}
