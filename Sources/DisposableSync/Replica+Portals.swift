// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The addresses of the event's portals: nodes exchange them, so that a guest whose portal is gone can continue at
/// another.
extension Replica {
    /// The pages of another node.
    public struct ServedPages: Sendable, Equatable {
        public let device: DeviceID
        /// IPv4, the most likely first.
        public let addresses: [PeerAddress]
        /// Whether the node is connected; it may serve guests even if it is not.
        public let isConnected: Bool
    }

    public var ownPages: [PeerAddress] { portals.own }

    /// The pages of the other portals, the connected ones first, then the most recently announced.
    public var otherPages: [ServedPages] {
        let connected = Set(peers.values.compactMap(\.device))
        let known = portals.portals { $0 != device && state.membership.mayServePages($0) }
            .map { ServedPages(device: $0, addresses: $1, isConnected: connected.contains($0)) }
        return known.filter(\.isConnected) + known.filter { !$0.isConnected }
    }

    /// Sends each trusted peer the addresses that it was not sent yet.
    mutating func announcePortal() {
        for (connection, peer) in peers where peer.addresses.isIntroduced {
            let useful = portals.announcement(to: peer.host)
            guard useful != peer.addresses.portal else { continue }
            peer.addresses.portal = useful
            send(.pages(useful), to: connection)
        }
    }

    mutating func receive(pages addresses: [PeerAddress], from connection: ConnectionID) {
        guard let peer = peers[connection], let other = peer.device else { return }
        let isChanged = portals.receive(
            addresses, of: other, from: peer.host, isPortal: state.membership.mayServePages)
        if isChanged, state.membership.mayServePages(other) { outputs.append(.changed(.pages)) }
    }
}
