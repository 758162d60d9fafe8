// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableDiscovery
internal import DisposableValues

/// The addresses at which this node serves guests' pages.
extension Node {
    /// The address of this node's pages, as reported by the portal.
    public struct Pages: Sendable, Equatable {
        public let port: UInt16
        /// IP addresses; empty for all of the machine's addresses.
        public let hosts: [String]
        public let secure: Secure?
        /// The program that the pages offer for guests' computers.
        public let program: ProgramInfo?

        /// The same pages over HTTPS.
        public struct Secure: Sendable, Equatable {
            public let port: UInt16
            /// The name at which browsers accept the certificate and find this machine; `nil` without one.
            public let name: String?

            public init(port: UInt16, name: String?) { (self.port, self.name) = (port, name) }
        }

        public init(port: UInt16, hosts: [String], secure: Secure? = nil, program: ProgramInfo? = nil) {
            self.port = port
            self.hosts = hosts
            self.secure = secure
            self.program = program
        }

        public var isForOthers: Bool { hosts.isEmpty || !hosts.allSatisfy(IPAddress.isLoopback) }
    }

    /// Whether this node may serve guests of the event beyond its own machine.
    public func servesPages(of event: EventID) -> Bool { open[event]?.summary.current.mayServeGuests == true }

    public var servesPagesOfAny: Bool { events.contains(where: servesPages) }

    /// Whether other machines can reach the pages at present.
    public var hasPagesForOthers: Bool { context.reach.portal?.isForOthers == true }

    /// The program that this node's pages offer for guests' computers; `nil` if they offer none.
    public var offeredProgram: ProgramInfo? { context.reach.portal?.program }

    /// Whether a member of an event whose pages this node may serve is connected that is at this host, a numeric
    /// address, or serves its pages there.
    public func isMemberConnected(at host: String) async -> Bool {
        guard let address = IPAddress(host) else { return false }
        for (id, event) in open where servesPages(of: id) {
            if await event.isMemberConnected(at: address) { return true }
        }
        return false
    }

    /// The addresses at which guests reach this machine, the most likely first. `nil` if the system does not provide
    /// them now.
    public var guestAddresses: [PeerAddress]? { servesPagesOfAny ? context.portalAddresses : [] }

    /// Includes these pages in invitations and announcements from now on; the port is kept for the next start, so that
    /// printed codes stay valid.
    /// - Parameters:
    ///   - pages: the addresses on which the portal listens.
    ///   - isFallback: whether the port replaces another one that is in use: then that one is kept.
    ///   - isSecureFallback: the same of the port of HTTPS.
    public func serves(_ pages: Pages, isFallback: Bool = false, isSecureFallback: Bool = false) async {
        context.updateReach { $0.portal = pages }
        for event in open.values {
            await event.tellPages()
            announce(.peers(event.event))
        }
        await advertise()
        do {
            if !isFallback { try folder.remember(pagePort: pages.port) }
            if let secure = pages.secure, !isSecureFallback { try folder.remember(securePagePort: secure.port) }
        } catch {
            note("the port of the pages is not kept for the next start: \(error)")
        }
    }

    /// Returns whether the text is a key of the desk, which then becomes invalid.
    public nonisolated func use(deskKey text: String) -> Bool { deskKeys.use(text) }

    /// Returns addresses of the desk with a new key, which opens it once, within ten minutes; `nil` if this node serves
    /// no pages.
    public func deskAddresses() -> DeskAddresses? {
        guard let pages = context.reach.portal else { return nil }
        let key = deskKeys.issue()
        func url(at address: PeerAddress) -> String { "http://\(address)/desk#\(key)" }
        let here = pages.hosts.first(where: IPAddress.isLoopback) ?? pages.hosts.first ?? "127.0.0.1"
        let others = Set(guestAddresses ?? []).filter { $0.host != here }
        return DeskAddresses(
            url: url(at: PeerAddress(host: here, port: pages.port)), otherURLs: others.map(url).sorted())
    }
}
