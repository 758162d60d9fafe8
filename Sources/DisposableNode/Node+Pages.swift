// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableDiscovery
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// Where guests' pages are: this node's own, and those of the others.
extension Node {
    /// Where the pages of this node are served, as whoever serves them says.
    public struct Pages: Sendable, Equatable {
        public let port: UInt16
        /// IP addresses; none for all that the machine has.
        public let hosts: [String]

        public init(port: UInt16, hosts: [String]) {
            self.port = port
            self.hosts = hosts
        }

        public var isForOthers: Bool { hosts.isEmpty || !hosts.allSatisfy(IPAddress.isLoopback) }
    }

    /// Whether this node may serve guests beyond its own machine: an organizer's, or one with the role page.
    public func servesPages(of event: EventID) -> Bool {
        guard let replica = sessions[event]?.replica else { return false }
        return replica.state.membership.mayServePages(replica.deviceID)
    }

    /// Whether other machines reach the pages now.
    public var hasPagesForOthers: Bool { pages?.isForOthers == true }

    public var servesPagesOfAny: Bool { sessions.keys.contains(where: servesPages) }

    /// From now on invitations and other nodes name these pages; the port is kept for the next start, so that printed
    /// codes stay true.
    /// - Parameters:
    ///   - isFallback: whether the port stands in for another one that is in use: then that one is kept.
    ///   - deskKey: makes a key for the desk; `nil` where there is none.
    public func serves(_ pages: Pages, isFallback: Bool = false, deskKey: (@Sendable () -> String?)? = nil) {
        self.pages = pages
        self.deskKey = deskKey
        for event in sessions.keys.sorted() {
            tellPages(of: event)
            announce(.peers(event))
        }
        guard !isFallback else { return }
        do { try folder.remember(pagePort: pages.port) } catch {
            note(problem: "the port of the pages is not kept for the next start: \(error)")
        }
    }

    /// The addresses at which other machines reach the pages: IPv4 before IPv6, the network that guests are most likely
    /// on first. `nil` if the system does not tell now.
    func pageAddresses(of event: EventID) -> [PeerAddress]? {
        guard let pages, pages.isForOthers, servesPages(of: event) else { return [] }
        let addresses = InterfaceAddress.all()?.filter { address in
            !address.isLoopback && !address.isLinkLocal
                && (pages.hosts.isEmpty || pages.hosts.contains(address.host))
        }
        return addresses?.sorted { left, right in
            (left.isIPv6 ? 1 : 0, left.rank, left.host) < (right.isIPv6 ? 1 : 0, right.rank, right.host)
        }.map { PeerAddress(host: $0.host, port: pages.port) }
    }

    /// Where guests reach this machine, the likeliest first. `nil` if the system does not tell now.
    public var guestAddresses: [PeerAddress]? {
        guard let event = events.first(where: servesPages) else { return [] }
        return pageAddresses(of: event)
    }

    /// Other nodes hear where this one's pages are, as long as it may serve them. Nodes on this very machine find them
    /// at its loopback address as well. What is not known now withdraws nothing.
    func tellPages(of event: EventID) {
        guard let session = sessions[event], let others = pageAddresses(of: event) else { return }
        var addresses: [PeerAddress] = []
        if let pages, servesPages(of: event) {
            let here = pages.hosts.isEmpty ? ["127.0.0.1"] : pages.hosts.filter(IPAddress.isLoopback)
            addresses =
                others.filter { IPAddress.bytes($0.host)?.count == 4 }
                .prefix(Limits.pageAddressesMax - 1) + here.prefix(1).map { PeerAddress(host: $0, port: pages.port) }
        }
        guard session.replica.ownPages != addresses else { return }
        apply(.servesPages(addresses), to: event)
    }

    func guestLink(of session: EventSession) -> GuestLink {
        session.links.current
    }

    func pagesChanged(of event: EventID) {
        tellReaders(.parameters, of: event)
        announce(.peers(event))
    }

    /// Another node where guests may go on.
    public struct OtherPages: Sendable, Equatable {
        public let device: DeviceID
        /// What its person is called.
        public let name: String?
        public let addresses: [PeerAddress]
    }

    /// At most eight, the likeliest to be there first.
    public func otherPages(of event: EventID) -> [OtherPages] {
        guard let replica = sessions[event]?.replica else { return [] }
        return replica.otherPages.map { pages in
            let author = replica.state.membership.author(of: pages.device)
            return OtherPages(
                device: pages.device, name: replica.state.album.name(of: author), addresses: pages.addresses)
        }
    }

    /// What proves to a page that this node answers at `authority`: for it alone, for this event, and for the one
    /// question. `nil` where this node serves no guests of the event.
    public func pageProof(_ challenge: [UInt8], at authority: String, of event: EventID) -> Signature? {
        guard let session = sessions[event], servesPages(of: event) else { return nil }
        return session.store.keys.device.signature(
            for: Domain.pageProof + event.bytes + challenge + Array(authority.utf8))
    }
}
