// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// The host of a `Host` field: a name, an IPv4 address or an IPv6 address in brackets, with or without a port.
package struct HostName: Equatable {
    package let name: String
    package let isAddress: Bool

    package init?(_ authority: String) {
        var host = Substring(authority)
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]"), Self.isPort(host[host.index(after: end)...]) else { return nil }
            name = String(host[host.index(after: host.startIndex)..<end])
            isAddress = IPAddress(name)?.isIPv6 == true
            if !isAddress { return nil }
            return
        }
        if let colon = host.firstIndex(of: ":") {
            guard Self.isPort(host[colon...]) else { return nil }
            host = host[..<colon]
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        if host.isEmpty { return nil }
        name = String(host)
        isAddress = IPAddress(name)?.isIPv6 == false
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.hasPrefix(":") && text.dropFirst().utf8.allSatisfy { (48...57).contains($0) }
    }
}
