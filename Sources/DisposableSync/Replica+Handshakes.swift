// SPDX-License-Identifier: Apache-2.0
internal import DisposableWire
internal import OrderedCollections

/// Accepted connections that have sent the event's preface and not yet proved their identity. They have `handshakesMax`
/// places of their own, shared by source: a machine that fills them all loses its oldest to every other machine that
/// dials.
extension Replica {
    enum HandshakePlace: Equatable {
        case free
        /// This connection is closed for it.
        case takenFrom(ConnectionID)
        case none
    }

    /// Returns the place for one more connection, from `host`. If none is free, it replaces the oldest connection of
    /// the source that has the most, if its own source has fewer. A host where a member was met has priority over all
    /// others, and yields to no other host.
    func handshakePlace(for host: String) -> HandshakePlace {
        let proving = peers.filter { $0.value.device == nil && $0.value.connection.side == .listener }
        guard proving.count >= Limits.handshakesMax else { return .free }
        let hosts = proving.values.map(\.host)
        let sources = PeerSource.merged(hosts + [host])
        let counts = sources.dropLast().reduce(into: [PeerSource: Int]()) { $0[$1, default: 0] += 1 }
        /// The larger claim yields.
        func claim(_ host: String, _ source: PeerSource) -> (Int, Int) {
            let count = counts[source] ?? 0
            // Anyone with the secret can make its host known: that is worth only a few places.
            return (addresses.isKnown(host: host) && count <= Limits.knownHandshakesMax ? 0 : 1, count)
        }
        var victim: (connection: ConnectionID, claim: (Int, Int))?
        // In order of arrival, so that among equals the oldest yields.
        for (index, connection) in proving.keys.enumerated() {
            let claim = claim(hosts[index], sources[index])
            if victim.map({ claim > $0.claim }) ?? true { victim = (connection, claim) }
        }
        guard let victim, victim.claim > claim(host, sources[proving.count]) else { return .none }
        return .takenFrom(victim.connection)
    }
}
