// SPDX-License-Identifier: Apache-2.0
internal import DisposableWire
internal import OrderedCollections

/// Accepted connections that have shown the event's preface and not yet who is there. They have `handshakesMax` places of
/// their own, shared by source: a machine that fills them all loses the oldest of its own to every other machine that
/// dials.
extension Replica {
    enum HandshakePlace: Equatable {
        case free
        /// This connection ends for it.
        case takenFrom(ConnectionID)
        case none
    }

    /// The place of one more connection, from `host`. Where none is free it takes that of the oldest connection of the
    /// source that has the most, if its own source has fewer. A host where a member was met comes before all others,
    /// and gives way to no other host.
    func handshakePlace(for host: String) -> HandshakePlace {
        let proving = peers.filter { $0.value.device == nil && $0.value.connection.side == .listener }
        guard proving.count >= Limits.handshakesMax else { return .free }
        let hosts = proving.values.map(\.host)
        let sources = PeerSource.merged(hosts + [host])
        let counts = sources.dropLast().reduce(into: [PeerSource: Int]()) { $0[$1, default: 0] += 1 }
        /// What is larger gives way.
        func claim(_ host: String, _ source: PeerSource) -> (Int, Int) {
            let count = counts[source] ?? 0
            // Anybody with the secret gets its host known: that is worth a few places.
            return (addresses.isKnown(host: host) && count <= Limits.knownHandshakesMax ? 0 : 1, count)
        }
        var victim: (connection: ConnectionID, claim: (Int, Int))?
        // In the order in which they came, so that of equals the oldest goes.
        for (index, connection) in proving.keys.enumerated() {
            let claim = claim(hosts[index], sources[index])
            if victim.map({ claim > $0.claim }) ?? true { victim = (connection, claim) }
        }
        guard let victim, victim.claim > claim(host, sources[proving.count]) else { return .none }
        return .takenFrom(victim.connection)
    }
}
