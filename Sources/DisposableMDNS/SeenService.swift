// SPDX-License-Identifier: Apache-2.0
package import DisposableValues

/// An instance of the service type, with all data that are needed to dial it. Unverified: any host can publish it.
package struct SeenService: Hashable, Sendable {
    /// Its label; UTF-8 (RFC 6763 §4.1.1).
    package let instanceName: String
    /// An address of the link's version of IP.
    package let address: IPAddress
    package let port: UInt16
    package let text: [String: [UInt8]]
}

/// An interface and a version of IP: the packets of the two versions are separate (RFC 6762 §20).
package struct LinkID: Hashable, Comparable, Sendable {
    package let interfaceIndex: UInt32
    package let isIPv6: Bool

    package init(interfaceIndex: UInt32, isIPv6: Bool) {
        self.interfaceIndex = interfaceIndex
        self.isIPv6 = isIPv6
    }

    package static func < (one: LinkID, other: LinkID) -> Bool {
        (one.interfaceIndex, one.isIPv6 ? 1 : 0) < (other.interfaceIndex, other.isIPv6 ? 1 : 0)
    }
}

/// The addresses of a link's interface.
package struct LinkDescription: Hashable, Sendable {
    package struct Network: Hashable, Sendable {
        package let address: IPAddress
        package let prefixLength: Int

        package init(address: IPAddress, prefixLength: Int) {
            self.address = address
            self.prefixLength = prefixLength
        }
    }

    package let id: LinkID
    /// The interface's own addresses of both versions of IP: they are published on both.
    package let networks: [Network]

    package init(id: LinkID, networks: [Network]) {
        self.id = id
        self.networks = networks
    }

    var addresses: [IPAddress] { networks.map(\.address) }
    var isLoopback: Bool { networks.contains { $0.address.isLoopback } }

    /// Whether an address is on this link (RFC 6762 §11).
    func isOnLink(_ address: IPAddress) -> Bool {
        networks.contains { address.hasPrefix($0.prefixLength, of: $0.address) }
    }
}
