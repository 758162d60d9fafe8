// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import DisposableSystem
import DisposableValues
import Foundation

/// The checks of this machine's addresses, which guests type, and of its database.
extension Doctor {
    /// Notes, not problems: nodes work with such addresses.
    func findAddresses() -> [Finding] {
        let addresses = (InterfaceAddress.all() ?? []).filter { address in
            !address.isIPv6 && !address.isLoopback && !address.isLinkLocal && address.isRunning
                && (interface ?? address.name) == address.name
        }
        return addresses.filter { !Self.isPrivate($0) }.map(Self.publicAddress) + Self.equalNetworks(addresses)
    }

    /// Whether it belongs to a local network, or to the clients of a provider (RFC 6598).
    private static func isPrivate(_ address: InterfaceAddress) -> Bool {
        IPAddress.isLocal(address.host) || (address.bytes[0] == 100 && address.bytes[1] & 0xC0 == 64)
    }

    private static func publicAddress(_ address: InterfaceAddress) -> Finding {
        Finding(
            check: "addresses", state: .note,
            text: "\(address.name) has an address of the Internet, \(address.host), on this network",
            hint: """
                browsers may warn before they open a page over plain HTTP there, and a page may be reached from the \
                Internet: use a router that gives private addresses, or --tls with a certificate that browsers accept
                """)
    }

    /// Two interfaces on one network: the system sends what is for one of them out through either.
    private static func equalNetworks(_ addresses: [InterfaceAddress]) -> [Finding] {
        var findings: [Finding] = []
        for (index, one) in addresses.enumerated() {
            for other in addresses[(index + 1)...]
            where one.name != other.name
                && (one.isOnSameNetwork(as: other.host) || other.isOnSameNetwork(as: one.host))
            {
                findings.append(equalNetworks(one, other))
            }
        }
        return findings
    }

    private static func equalNetworks(_ one: InterfaceAddress, _ other: InterfaceAddress) -> Finding {
        let list = "\(one.name) (\(one.host)) and \(other.name) (\(other.host))"
        guard ![one.host, other.host].contains(Hotspot.address) else {
            return Finding(
                check: "addresses", state: .note,
                text: "\(list) have addresses of one network: this machine's hotspot, and that of another machine",
                hint: "end one of the two, on this machine with `disposable hotspot --stop`")
        }
        return Finding(
            check: "addresses", state: .note, text: "\(list) have addresses of one network",
            hint: """
                if it is one network, use one of them: unplug the cable, or leave the Wi-Fi; if there are two, guests \
                of one may not reach this machine: choose other addresses in one of the routers, or --interface NAME
                """)
    }

    /// The version of SQLite. Before 3.51.3 two connections that write or checkpoint at once may lose a transaction. A
    /// folder is locked by the one program that has it open, and that has one connection for writing.
    func findDatabase() -> Finding {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>?
        guard let symbol = dlsym(nil, "sqlite3_libversion"),
            let text = unsafeBitCast(symbol, to: Version.self)()
        else { return Finding(check: "database", state: .note, text: "the version of SQLite is not known") }
        let version = String(cString: text)
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        let isFixed = !numbers.lexicographicallyPrecedes([3, 51, 3])
        return Finding(
            check: "database", state: .good,
            text: "SQLite \(version)"
                + (isFixed ? "" : "; its fault with several writers does not matter, as each folder has one"))
    }
}
