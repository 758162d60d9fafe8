// SPDX-License-Identifier: Apache-2.0
internal import CAvahi

/// Which instances are being resolved, and what was last told about each. Bounded, because everybody on the network
/// can invent instances; one that comes while the table is full is seen when it is next announced as new.
package struct SightingTable {
    package static let resolverCountMax = 512

    /// What Avahi tells instances apart by; `protocolNumber` is AVAHI_PROTO_INET or AVAHI_PROTO_INET6.
    package struct Key: Hashable {
        package let name: String
        package let interfaceIndex: Int32
        package let protocolNumber: Int32

        /// From the arguments of a callback; browsers report the end of a list without a name.
        package init(_ name: UnsafePointer<CChar>?, _ interfaceIndex: Int32, _ protocolNumber: Int32) {
            self.name = name.map { String(cString: $0) } ?? ""
            self.interfaceIndex = interfaceIndex
            self.protocolNumber = protocolNumber
        }
    }

    private struct Entry {
        let resolver: OpaquePointer
        let interfaceName: String
        var sighting: Sighting?
    }

    private var entries: [Key: Entry] = [:]

    package init() {}

    package var isFull: Bool { entries.count >= Self.resolverCountMax }

    package func contains(_ key: Key) -> Bool { entries[key] != nil }

    /// The interface's name is kept because an interface that has gone can no longer be asked for it.
    package mutating func insert(_ key: Key, resolver: OpaquePointer, interfaceName: String) {
        precondition(!isFull, "\(entries.count) resolvers, the limit is \(Self.resolverCountMax)")
        entries[key] = Entry(resolver: resolver, interfaceName: interfaceName)
    }

    /// What a resolver found, as a sighting: `nil` if `key` is not being resolved, or the records are none of ours.
    func sighting(
        of key: Key, address: UnsafePointer<AvahiAddress>?, port: UInt16, text: UnsafeMutablePointer<AvahiStringList>?
    ) -> Sighting? {
        guard let entry = entries[key], let address, let pairs = TextRecord.pairs(of: text) else { return nil }
        return Sighting(
            instanceName: key.name, host: numericHost(address, interfaceName: entry.interfaceName), port: port,
            text: pairs, interfaceName: entry.interfaceName)
    }

    /// The update to pass on: `nil` if `key` is not being resolved or `sighting` is no news.
    package mutating func resolve(_ key: Key, to sighting: Sighting) -> DiscoveryUpdate? {
        guard let entry = entries[key], entry.sighting != sighting else { return nil }
        entries[key]?.sighting = sighting
        return .found(sighting)
    }

    /// The resolver to free, and the update to pass on if this was the last trace of the instance on its interface.
    package mutating func remove(_ key: Key) -> (resolver: OpaquePointer, update: DiscoveryUpdate?)? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        guard let sighting = entry.sighting else { return (entry.resolver, nil) }
        let isStillSeen = entries.contains { other, value in
            other.name == key.name && other.interfaceIndex == key.interfaceIndex && value.sighting != nil
        }
        let lost = DiscoveryUpdate.lost(instanceName: key.name, interfaceName: sighting.interfaceName)
        return (entry.resolver, isStillSeen ? nil : lost)
    }
}
