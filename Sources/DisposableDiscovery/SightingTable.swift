// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import DisposableMDNS
internal import DisposableValues

/// The instances that are resolved through the daemon, with the last report on each.
///
/// Any host on the network can invent instances and change them at any rate, so the table is bounded, and so are the
/// resolvers that are started and the sightings that are reported in a second. Those beyond a rate wait for
/// ``takeDue(at:)``; an instance that appears while the table is full is seen when it is next announced as new.
package struct SightingTable {
    package static let instanceCountMax = 512

    /// Avahi's identification of an instance; `protocolNumber` is AVAHI_PROTO_INET or AVAHI_PROTO_INET6.
    package struct Key: Hashable {
        package let name: String
        package let interfaceIndex: Int32
        package let protocolNumber: Int32

        /// Creates a key from the arguments of a callback; browsers report the end of a list without a name.
        package init(_ name: UnsafePointer<CChar>?, _ interfaceIndex: Int32, _ protocolNumber: Int32) {
            self.name = name.map { String(cString: $0) } ?? ""
            self.interfaceIndex = interfaceIndex
            self.protocolNumber = protocolNumber
        }
    }

    private struct Entry {
        /// The interface's name is stored because it cannot be queried for a removed interface.
        let interfaceName: String
        let domain: String
        var resolver: OpaquePointer?
        /// The last reported sighting, and the latest one from the daemon.
        var told: Sighting?
        var latest: Sighting?
    }

    private var entries: [Key: Entry] = [:]
    private var resolvers = TokenBucket(
        perSecond: MDNSLimits.newInstancesPerSecond, burst: MDNSLimits.newInstancesBurstMax)
    private var sightings = TokenBucket(
        perSecond: MDNSLimits.sightingsPerSecond, burst: MDNSLimits.sightingsBurstMax)

    package init() {}

    package var isFull: Bool { entries.count >= Self.instanceCountMax }

    package func contains(_ key: Key) -> Bool { entries[key] != nil }

    /// Adds a new instance. Returns true if it may be resolved now; false if it waits.
    package mutating func insert(_ key: Key, domain: String, interfaceName: String, at now: UInt64) -> Bool {
        precondition(!isFull, "\(entries.count) instances, the limit is \(Self.instanceCountMax)")
        entries[key] = Entry(interfaceName: interfaceName, domain: domain)
        return resolvers.take(at: now)
    }

    package mutating func setResolver(_ resolver: OpaquePointer, of key: Key) { entries[key]?.resolver = resolver }

    /// Returns a resolver's result as a sighting: `nil` if `key` is not being resolved, or the records are not ours.
    func sighting(
        of key: Key, address: UnsafePointer<AvahiAddress>?, port: UInt16, text: UnsafeMutablePointer<AvahiStringList>?
    ) -> Sighting? {
        guard let entry = entries[key], let address = address.flatMap({ IPAddress($0.pointee) }),
            let pairs = AvahiText.bytes(of: text).flatMap(TextRecord.pairs)
        else { return nil }
        return Sighting(
            instanceName: key.name, host: numericHost(address, interfaceName: entry.interfaceName), port: port,
            text: pairs, interfaceName: entry.interfaceName)
    }

    /// Returns the update to report: `nil` if `key` is not being resolved, `sighting` is not new, or it waits.
    package mutating func resolve(_ key: Key, to sighting: Sighting, at now: UInt64) -> DiscoveryUpdate? {
        guard let entry = entries[key] else { return nil }
        entries[key]?.latest = sighting
        guard entry.told != sighting, sightings.take(at: now) else { return nil }
        entries[key]?.told = sighting
        return .found(sighting)
    }

    /// Returns the work that need not wait any longer: instances to resolve, with their domains, and updates to report.
    package mutating func takeDue(at now: UInt64) -> (
        unresolved: [(key: Key, domain: String)], updates: [DiscoveryUpdate]
    ) {
        var (unresolved, updates): ([(key: Key, domain: String)], [DiscoveryUpdate]) = ([], [])
        for (key, entry) in entries {
            if entry.resolver == nil, resolvers.take(at: now) { unresolved.append((key, entry.domain)) }
            guard let latest = entry.latest, latest != entry.told, sightings.take(at: now) else { continue }
            entries[key]?.told = latest
            updates.append(.found(latest))
        }
        return (unresolved, updates)
    }

    /// Returns the resolver to free, and the update to report if this was the last trace of the instance on its
    /// interface.
    package mutating func remove(_ key: Key) -> (resolver: OpaquePointer?, update: DiscoveryUpdate?)? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        guard let told = entry.told else { return (entry.resolver, nil) }
        let others = [AVAHI_PROTO_INET, AVAHI_PROTO_INET6].map { Int32($0) }.filter { $0 != key.protocolNumber }
        let isStillSeen = others.contains { entries[Key(key, protocolNumber: $0)]?.told != nil }
        let lost = DiscoveryUpdate.lost(instanceName: key.name, interfaceName: told.interfaceName)
        return (entry.resolver, isStillSeen ? nil : lost)
    }
}

extension SightingTable.Key {
    fileprivate init(_ key: Self, protocolNumber: Int32) {
        name = key.name
        interfaceIndex = key.interfaceIndex
        self.protocolNumber = protocolNumber
    }
}
