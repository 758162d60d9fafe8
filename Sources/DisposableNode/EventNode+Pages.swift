// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableDiscovery
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableValues
internal import DisposableWire

/// The addresses of guests' pages: this node's own, and those of the others.
extension EventNode {
    /// Whether this node may serve guests beyond its own machine: an organizer's, or one with the role page.
    public var servesPages: Bool {
        replica.state.membership.mayServePages(replica.deviceID) && mayShowPages && !departure.isReader
    }

    /// Whether pages may show the event, also to this node's own machine.
    public var mayShowPages: Bool { replica.state.mayBeShown }

    /// The addresses at which guests on other machines reach the event: none if this node may not serve them, `nil` if
    /// the system does not provide them now.
    var pageAddresses: [PeerAddress]? { servesPages ? context.portalAddresses : [] }

    /// The guests' link at each of these addresses. A certificate that browsers accept comes first; a warning would be a
    /// bad first screen, so without such a one plain HTTP does.
    var guestLinks: [String] {
        let plain = (pageAddresses ?? []).map { PageAddress($0) }
        var secure: [PageAddress] = []
        if let pages = context.reach.portal?.secure, let name = pages.name, !plain.isEmpty {
            secure = [PageAddress(PeerAddress(host: name, port: pages.port), isSecure: true)]
        }
        return (secure + plain).map { links.current.text(at: $0) }
    }

    /// The guests' link over HTTPS with a certificate of which browsers warn; `nil` without such a one.
    var warnedLink: String? {
        guard let secure = context.reach.portal?.secure, secure.name == nil, let first = pageAddresses?.first else {
            return nil
        }
        let address = PeerAddress(host: first.host, port: secure.port)
        return links.current.text(at: PageAddress(address, isSecure: true))
    }

    /// Announces this node's pages to other nodes, as long as it may serve them. Nodes on the same machine also use its
    /// loopback address. Unknown addresses withdraw nothing.
    func tellPages() {
        guard let others = pageAddresses else { return }
        var addresses: [PeerAddress] = []
        if let pages = context.reach.portal, servesPages {
            let here = pages.hosts.isEmpty ? ["127.0.0.1"] : pages.hosts.filter(IPAddress.isLoopback)
            addresses =
                others.filter { IPAddress($0.host)?.isIPv6 == false }
                .prefix(Limits.pageAddressesMax - 1) + here.prefix(1).map { PeerAddress(host: $0, port: pages.port) }
        }
        guard replica.ownPages != addresses else { return }
        apply(.servesPages(addresses))
    }

    func pagesChanged() {
        tellReaders(.event)
        announce(.peers(event))
    }

    /// Whether a member is connected to this node that is at an address or serves its pages there. Two nodes may be
    /// connected by other addresses than guests use, such as those of IPv6.
    func isMemberConnected(at address: IPAddress) -> Bool {
        let servers = replica.otherPages.filter { pages in
            pages.addresses.contains { IPAddress($0.host) == address }
        }.map(\.device)
        return replica.livePeers.contains { peer in
            let host = PeerAddress(peer.address)?.host ?? peer.address
            return peer.isAdmitted && (servers.contains(peer.device) || IPAddress(host)?.unmapped == address)
        }
    }

    /// At most eight, the most likely to be available first.
    public var otherPages: [OtherPages] {
        return replica.otherPages.map { pages in
            let author = replica.state.membership.author(of: pages.device)
            return OtherPages(
                node: pages.device, name: replica.state.album.name(of: author), addresses: pages.addresses)
        }
    }

    /// Returns a proof to a page that this node answers at `authority`: only for that authority, this event, and the
    /// one challenge. `nil` if this node serves no guests of the event.
    public func pageProof(_ challenge: [UInt8], at authority: String) -> Signature? {
        guard servesPages else { return nil }
        return store.keys.device.signature(
            for: Domain.pageProof + event.bytes + challenge + Array(authority.utf8))
    }
}
