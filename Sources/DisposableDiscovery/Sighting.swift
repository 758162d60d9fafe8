// SPDX-License-Identifier: Apache-2.0

/// One instance, seen on one interface at one address. A hint where to dial, never an identity: anybody on the network
/// can publish anything, and what was true may not be any more.
public struct Sighting: Sendable, Hashable {
    public let instanceName: String
    /// Numeric address. A link-local IPv6 address carries its interface, "fe80::1%eth0", and is useless without it.
    public let host: String
    public let port: UInt16
    public let text: [String: [UInt8]]
    public let interfaceName: String

    public init(instanceName: String, host: String, port: UInt16, text: [String: [UInt8]], interfaceName: String) {
        self.instanceName = instanceName
        self.host = host
        self.port = port
        self.text = text
        self.interfaceName = interfaceName
    }
}

/// A change in what can be seen.
public enum DiscoveryUpdate: Sendable, Equatable {
    /// Resolved for the first time at this address, or with changed address, port or text. An interface with both IPv4
    /// and IPv6 gives one sighting for each.
    case found(Sighting)
    /// Not seen on this interface any more, neither by IPv4 nor by IPv6.
    case lost(instanceName: String, interfaceName: String)
    /// How the network is reached has been chosen or has changed; with `.off`, why.
    case mode(DiscoveryMode, reason: String?)
}
