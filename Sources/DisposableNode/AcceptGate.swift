// SPDX-License-Identifier: Apache-2.0
package import DisposableSync
internal import DisposableWire
internal import Synchronization

/// Decides which accepted connections are looked at, before a byte of theirs has been read.
///
/// Strangers have so many places all together and so many for each address, and each address so many connections a
/// second. Addresses where a member has been met have places of their own: whoever fills the others keeps no member
/// out. A place is held until the connection has shown the preface of an event, or has ended.
package struct AcceptGate {
    package struct Place: Hashable, Sendable {
        let source: PeerSource
        let isKnown: Bool
    }

    /// Hosts where a member has been met.
    private var knownHosts: Set<String> = []
    private var allowances: [PeerSource: Allowance] = [:]
    private var placeCounts: [Place: Int] = [:]

    package init() {}

    package mutating func know(_ hosts: some Sequence<String>) { knownHosts = Set(hosts.map(Self.withoutZone)) }

    private static func withoutZone(_ host: String) -> String { String(host.prefix { $0 != "%" }) }

    /// A place for a connection from `host`, `nil` where there is none: then it is to be closed.
    package mutating func admit(from host: String, at now: Instant) -> Place? {
        let place = Place(source: PeerSource(host), isKnown: knownHosts.contains(Self.withoutZone(host)))
        guard spend(place.source, at: now.milliseconds) else { return nil }
        let taken = placeCounts.reduce(0) { $0 + ($1.key.isKnown == place.isKnown ? $1.value : 0) }
        let limit =
            place.isKnown ? Limits.unauthenticatedKnownConnectionsMax : Limits.unauthenticatedConnectionsMax
        let takenBySource = placeCounts[place] ?? 0
        guard taken < limit, takenBySource < Limits.unauthenticatedConnectionsPerAddressMax else { return nil }
        placeCounts[place] = takenBySource + 1
        return place
    }

    package mutating func leave(_ place: Place) {
        guard let count = placeCounts[place] else { return }
        placeCounts[place] = count > 1 ? count - 1 : nil
    }

    /// One connection more from the source. False where there have been too many lately, or too many others are
    /// counted.
    private mutating func spend(_ source: PeerSource, at now: UInt64) -> Bool {
        let limit = Limits.acceptsPerAddressBurstMax
        if allowances[source] == nil, allowances.count >= Limits.acceptAddressesMax {
            // Whose allowance is full again may be forgotten.
            allowances = allowances.filter { $0.value.saved(at: now, atMost: limit) < limit }
            guard allowances.count < Limits.acceptAddressesMax else { return false }
        }
        var allowance =
            allowances[source] ?? Allowance(perSecond: Limits.acceptsPerSecondPerAddress, burst: limit, at: now)
        guard (allowance.levelAt ?? 0) <= now else { return false }
        allowance.spend(1, at: now)
        allowances[source] = allowance
        return true
    }
}

/// The gate as the threads that accept connections share it with the node.
final class Gate: Sendable {
    let state = Mutex(AcceptGate())
}
