// SPDX-License-Identifier: Apache-2.0

/// The DNS names of connectivity checks, and no others, as lines for dnsmasq (dnsmasq(8)).
///
/// `host-record` answers the name itself and no name below it. `local` answers all other questions about the name, such
/// as that for an IPv6 address, with no data: since version 2.86 dnsmasq would ask another server, and on a network
/// without Internet the phone would wait.
package enum CaptiveNames {
    /// Windows asks only for the addresses of this name, and compares them.
    package static let windowsName = "dns.msftncsi.com"
    package static let windowsAddresses = ["131.107.255.255", "fd3e:4f5a:5b81::1"]

    /// - Parameter address: the IPv4 address of the machine that answers the checks.
    package static func dnsmasqLines(address: String) -> [String] {
        let records =
            ConnectivityProbe.hosts.map { ($0, address) }
            + [(windowsName, windowsAddresses.joined(separator: ","))]
        return records.flatMap { name, addresses in ["host-record=\(name),\(addresses)", "local=/\(name)/"] }
    }
}
