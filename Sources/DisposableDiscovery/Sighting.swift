// SPDX-License-Identifier: Apache-2.0

/// An instance that was seen on one interface at one address. A hint for dialling, never an identity: any host on the
/// network can publish anything, and the information may be outdated.
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
    /// No longer seen on this interface, neither by IPv4 nor by IPv6.
    case lost(instanceName: String, interfaceName: String)
    /// The mode was chosen or has changed; with `.off`, the reason.
    case mode(DiscoveryMode, reason: String?)
}
