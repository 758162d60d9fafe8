// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableValues
internal import Foundation

/// Addresses on the wire, in invitations and in Addresses.
extension PeerAddress {
    /// `nil` for an address that is of no use on other machines: a name, or an IPv6 link-local one.
    var message: Disposable_V1_NodeAddress? {
        guard let ip = IPAddress(host), !Self.needsZone(ip), port > 0 else { return nil }
        var message = Disposable_V1_NodeAddress()
        message.ip = Data(ip.bytes)
        message.port = UInt32(port)
        return message
    }

    init?(_ message: Disposable_V1_NodeAddress) {
        guard let ip = IPAddress(message.ip), !Self.needsZone(ip), let port = UInt16(exactly: message.port), port > 0
        else { return nil }
        self.init(host: ip.description, port: port)
    }

    /// Whether the address is IPv6 link-local (fe80::/10), which is ambiguous without an interface of one machine.
    private static func needsZone(_ ip: IPAddress) -> Bool { ip.isIPv6 && ip.isLinkLocal }
}
