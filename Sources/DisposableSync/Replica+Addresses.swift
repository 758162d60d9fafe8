// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Peer exchange: members tell each other where the others are, so that one address is enough to find all of them. What
/// is told was proved to the teller; to the receiver it is a hint, worth one dial.
extension Replica {
    /// To a peer that has come to be trusted, where the others are; to the others, where it is.
    mutating func exchangeAddresses() {
        guard isAdmitted else { return }
        for (connection, peer) in peers where !peer.isIntroduced && peer.device != nil && trusts(peer) {
            peers[connection]?.isIntroduced = true
            if let address = peer.listensAt { addresses.met(at: address) }
            let others = peers.filter {
                $0.key != connection && $0.value.isIntroduced && $0.value.device != peer.device
            }
            tell(others.values.compactMap(\.listensAt).suffix(Limits.addressesPerMessageMax), to: connection)
            guard let address = peer.listensAt else { continue }
            for other in others.keys { tell([address], to: other) }
        }
        tellPages()
    }

    /// An address of this machine itself means something to who is on it as well, and to nobody else.
    private mutating func tell(_ addresses: [PeerAddress], to connection: ConnectionID) {
        guard let host = peers[connection]?.host else { return }
        let useful = addresses.filter {
            IPAddress.bytes($0.host) != nil && (!IPAddress.isLoopback($0.host) || IPAddress.isLoopback(host))
        }
        if !useful.isEmpty { send(.addresses(useful), to: connection) }
    }

    /// More than a peer can know by honest means in the time is not looked at.
    mutating func receive(_ addresses: [PeerAddress], from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        let allowed = addresses.prefix(max(0, Limits.toldAddressesMax - peer.toldAddressCount))
        peers[connection]?.toldAddressCount += addresses.count
        for address in allowed where !IPAddress.isLoopback(address.host) || IPAddress.isLoopback(peer.host) {
            self.addresses.add(address, isPersistent: false, at: now)
        }
    }

    /// Where members have been met, the latest first: what is worth keeping for the next start.
    public var rememberedAddresses: [PeerAddress] { addresses.remembered }
}
