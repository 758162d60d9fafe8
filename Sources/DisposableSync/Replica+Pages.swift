// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The addresses of the event's pages: nodes exchange them, so that a guest whose node is gone can continue at another.
extension Replica {
    /// The pages of another node.
    public struct ServedPages: Sendable, Equatable {
        public let device: DeviceID
        /// IPv4, the most likely first.
        public let addresses: [PeerAddress]
        /// Whether the node is connected; it may serve guests even if it is not.
        public let isConnected: Bool
    }

    /// The pages of the other portals, the connected ones first, then the most recently announced.
    public var otherPages: [ServedPages] {
        let connected = Set(peers.values.compactMap(\.device))
        let known = heardPages.elements.reversed().filter { $0.key != device && state.membership.mayServePages($0.key) }
            .map { ServedPages(device: $0.key, addresses: $0.value, isConnected: connected.contains($0.key)) }
        return known.filter(\.isConnected) + known.filter { !$0.isConnected }
    }

    /// Sends each trusted peer the pages that it was not sent yet.
    mutating func tellPages() {
        for (connection, peer) in peers where peer.isIntroduced {
            let useful = ownPages.filter { !IPAddress.isLoopback($0.host) || IPAddress.isLoopback(peer.host) }
            guard useful != peer.toldPages else { continue }
            peers[connection]?.toldPages = useful
            send(.pages(useful), to: connection)
        }
    }

    /// Handles a peer's pages. Addresses outside of networks like this one are dropped: browsers would be sent there.
    mutating func receive(pages addresses: [PeerAddress], from connection: ConnectionID) {
        guard let peer = peers[connection], let other = peer.device else { return }
        let isHere = IPAddress.isLoopback(peer.host)
        let usable = addresses.filter { address in
            guard IPAddress.bytes(address.host)?.count == 4 else { return false }
            return address.host == peer.host || IPAddress.isLocal(address.host)
                || (isHere && IPAddress.isLoopback(address.host))
        }
        let likeliest = usable.filter { $0.host == peer.host } + usable.filter { $0.host != peer.host }
        guard heardPages[other] ?? [] != likeliest else { return }
        heardPages[other] = nil
        if !likeliest.isEmpty { heardPages[other] = likeliest }
        // Nodes that may not serve pages are dropped first, so that they cannot crowd out portals.
        if heardPages.count > Limits.pageServersMax {
            let index = heardPages.keys.firstIndex { !state.membership.mayServePages($0) } ?? 0
            heardPages.remove(at: index)
        }
        if state.membership.mayServePages(other) { outputs.append(.changed(.pages)) }
    }
}
