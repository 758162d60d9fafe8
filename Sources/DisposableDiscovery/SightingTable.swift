// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import DisposableMDNS

/// Which instances are resolved through the daemon, and what was last told about each.
///
/// Everybody on the network can invent instances and change them at any rate, so the table is bounded, and so are the
/// resolvers that are begun and the sightings that are told in a second. What exceeds a rate waits for ``takeDue(at:)``;
/// an instance that comes while the table is full is seen when it is next announced as new.
package struct SightingTable {
    package static let instanceCountMax = 512

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
        /// The interface's name is kept because an interface that has gone can no longer be asked for it.
        let interfaceName: String
        let domain: String
        var resolver: OpaquePointer?
        /// What was told last, and what is true by the daemon's word.
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

    /// Notes an instance that is new. True if it may be resolved now; false if it waits.
    package mutating func insert(_ key: Key, domain: String, interfaceName: String, at now: UInt64) -> Bool {
        precondition(!isFull, "\(entries.count) instances, the limit is \(Self.instanceCountMax)")
        entries[key] = Entry(interfaceName: interfaceName, domain: domain)
        return resolvers.take(at: now)
    }

    package mutating func setResolver(_ resolver: OpaquePointer, of key: Key) { entries[key]?.resolver = resolver }

    /// What a resolver found, as a sighting: `nil` if `key` is not being resolved, or the records are none of ours.
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

    /// The update to pass on: `nil` if `key` is not being resolved, `sighting` is no news, or it waits.
    package mutating func resolve(_ key: Key, to sighting: Sighting, at now: UInt64) -> DiscoveryUpdate? {
        guard let entry = entries[key] else { return nil }
        entries[key]?.latest = sighting
        guard entry.told != sighting, sightings.take(at: now) else { return nil }
        entries[key]?.told = sighting
        return .found(sighting)
    }

    /// What has waited and need not any more: instances to resolve, with their domains, and updates to pass on.
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

    /// The resolver to free, and the update to pass on if this was the last trace of the instance on its interface.
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
