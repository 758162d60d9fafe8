// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableValues
internal import DisposableWire
internal import OrderedCollections

/// Peer exchange: members send each other the addresses of others, so that one address suffices to find all of them.
/// The sender has proof of an address; for the receiver it is a hint, worth one dial.
extension Replica {
    /// Sends a newly trusted peer the addresses of the others, and the others its address.
    mutating func exchangeAddresses() {
        guard isAdmitted else { return }
        for (connection, peer) in peers where !peer.addresses.isIntroduced && peer.device != nil && trusts(peer) {
            peer.addresses.isIntroduced = true
            if let address = peer.addresses.listener { addresses.met(at: address) }
            let others = peers.filter {
                $0.key != connection && $0.value.addresses.isIntroduced && $0.value.device != peer.device
            }
            tell(chosen(others.values.compactMap(\.addresses.listener)), to: connection)
            guard let address = peer.addresses.listener else { continue }
            for other in others.keys { tell([address], to: other) }
        }
        announcePortal()
    }

    /// Returns as many as one message may have: the latest, but sources take turns.
    private func chosen(_ addresses: [PeerAddress]) -> [PeerAddress] {
        let latest = Array(addresses.reversed())
        let turns = PeerSource.turns(latest.map(\.host))
        let indices = latest.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
        return indices.prefix(Limits.addressesPerMessageMax).sorted(by: >).map { latest[$0] }
    }

    /// Sends addresses; those of this machine itself only to peers on this machine.
    private mutating func tell(_ addresses: [PeerAddress], to connection: ConnectionID) {
        guard let host = peers[connection]?.host else { return }
        let useful = addresses.filter {
            IPAddress($0.host) != nil && (!IPAddress.isLoopback($0.host) || IPAddress.isLoopback(host))
        }
        if !useful.isEmpty { send(.addresses(useful), to: connection) }
    }

    /// Handles addresses from a peer, up to the number that it can know by honest means in the time.
    mutating func receive(_ addresses: [PeerAddress], from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        let allowed = addresses.prefix(max(0, Limits.toldAddressesMax - peer.addresses.receivedCount))
        peer.addresses.receivedCount += addresses.count
        for address in allowed where !IPAddress.isLoopback(address.host) || IPAddress.isLoopback(peer.host) {
            self.addresses.add(address, isPersistent: false, at: now)
        }
    }

    /// The addresses where members were met, latest first, to be stored for the next start.
    public var rememberedAddresses: [PeerAddress] { addresses.remembered }
}
