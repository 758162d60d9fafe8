// SPDX-License-Identifier: Apache-2.0
package import DisposableSync
internal import DisposableWire
internal import Synchronization

/// Decides which accepted connections are handled, before a byte of theirs has been read.
///
/// Unauthenticated connections have a number of places in total and for each address, and each address a number of
/// connections a second. Addresses where a member was met have places of their own: a flood from others keeps no member
/// out. A place is held until the connection has sent the preface of an event, or has ended.
package struct AcceptGate {
    package struct Place: Hashable, Sendable {
        let source: PeerSource
        let isKnown: Bool
    }

    /// Hosts where a member was met.
    private var knownHosts: Set<String> = []
    private var allowances: [PeerSource: Allowance] = [:]
    private var placeCounts: [Place: Int] = [:]

    package init() {}

    package mutating func know(_ hosts: some Sequence<String>) { knownHosts = Set(hosts.map(Self.withoutZone)) }

    private static func withoutZone(_ host: String) -> String { String(host.prefix { $0 != "%" }) }

    /// Returns a place for a connection from `host`, `nil` if there is none: then close the connection.
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

    /// Charges one more connection to the source. Returns false if there were too many recently, or too many other
    /// sources are counted.
    private mutating func spend(_ source: PeerSource, at now: UInt64) -> Bool {
        let limit = Limits.acceptsPerAddressBurstMax
        if allowances[source] == nil, allowances.count >= Limits.acceptAddressesMax {
            // A source whose allowance is full again may be dropped.
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

/// The gate, shared by the threads that accept connections and the node.
final class SharedAcceptGate: Sendable {
    let state = Mutex(AcceptGate())
}
