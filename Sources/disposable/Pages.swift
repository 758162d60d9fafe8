// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableSystem
import DisposableValues
import DisposableWeb
import Foundation
import Logging
import Synchronization

/// The guests' pages of a running node.
///
/// They are open to the network only while the node is an organizer's or has the role *page*: other nodes serve their
/// own machine only, since guests would have to trust them.
struct Pages: Sendable {
    struct Serving: Sendable {
        /// The listening addresses: `0.0.0.0:8027`, `127.0.0.1:8027`.
        let address: String
        /// That of HTTPS, if it is served.
        let secureAddress: String?
        let isForOthers: Bool
        /// Browsers could not connect earlier.
        let isFirst: Bool
    }

    private let node: Node
    private let places: Places
    private let portal: Portal
    private let keeper: CertificateKeeper?
    private let albums: DeskAlbums
    private let program: ProgramInfo?
    /// The latest report of the portal.
    private let latest = Latest()
    /// Events created at the desk, once their pages are served.
    let hosted: AsyncStream<EventID>

    init(node: Node, options: RunOptions, port wanted: UInt16? = nil, logger: Logger) async throws {
        var places = Places(interface: options.network.interface)
        var port = wanted.map { .exactly($0) } ?? Portal.Port.standard(remembered: node.folder.rememberedPagePort)
        if let (host, number) = try options.portalAddress {
            places = Places(host: host)
            port = .exactly(number)
        }
        let first = await node.servesPagesOfAny ? places.open ?? places.closed : places.closed
        let keeper = try await options.secure.keeper(node.folder)
        let secure = keeper.map {
            Portal.Secure(certificate: $0.certificate, port: options.secure.port(node.folder))
        }
        self.init(
            node: node, places: places, first: first, port: port, secure: secure, keeper: keeper,
            captive: options.captive.configuration, program: try options.program.offered, logger: logger)
    }

    /// Listens on the same addresses all the time.
    init(node: Node, hosts: [String], port: Portal.Port, logger: Logger) {
        self.init(node: node, places: Places(always: hosts), first: hosts, port: port, logger: logger)
    }

    private init(
        node: Node, places: Places, first: [String], port: Portal.Port, secure: Portal.Secure? = nil,
        keeper: CertificateKeeper? = nil, captive: Portal.Captive? = nil, program: OfferedProgram? = nil,
        logger: Logger
    ) {
        self.node = node
        self.places = places
        self.keeper = keeper
        self.program = program.map(ProgramInfo.init)
        let (hosted, hosting) = AsyncStream.makeStream(of: EventID.self, bufferingPolicy: .bufferingNewest(32))
        self.hosted = hosted
        let desk = NodeDesk(node: node, isForOthers: places.isForOthers) { hosting.yield($0) }
        albums = desk.albums
        var configuration = Portal.Configuration(hosts: first, port: port)
        configuration.secure = secure
        configuration.captive = captive
        configuration.program = program
        configuration.whenPortIsTaken = { port in
            Console.say("disposable: warning: port \(port) of the guests' pages is still in use; waiting for it")
        }
        portal = Portal(
            configuration, logger: logger, desk: desk, board: NodeBoard(node: node), watch: NodeMonitor(node: node)
        ) {
            var galleries: [any Gallery] = []
            let isForOthers = await node.servesPagesOfAny && places.isForOthers
            for event in await node.events {
                if isForOthers, await !node.servesPages(of: event) { continue }
                // It would show guests what they may not see yet, or no longer (protocol/disposable-v1.md §9.10, §9.13).
                if await (try? node.event(event))?.mayShowPages == false { continue }
                do { galleries.append(try await NodeGallery(node: node, event: event)) } catch {
                    logger.error("event has no pages", metadata: ["reason": "\(error)"])
                }
            }
            return galleries
        }
    }

    /// Serves until `stop`, or until the task is cancelled.
    /// - Parameter whenServing: called once browsers can connect, and when the pages have been opened to others or
    ///   closed.
    func run(whenServing: @Sendable @escaping (Serving) async -> Void) async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let isServing = Mutex(false)
                group.addTask {
                    try await portal.run { serving in
                        for problem in serving.problems { Console.say("disposable: warning: \(problem)") }
                        guard serving.isListening else { return }
                        latest.serving = serving
                        let pages = pages(of: serving)
                        await tell(serving)
                        let host = serving.hosts.first ?? "0.0.0.0"
                        let isFirst = isServing.withLock { isServing in
                            defer { isServing = true }
                            return !isServing
                        }
                        if isFirst, let port = serving.checksPort {
                            Console.say(
                                "disposable: port \(port) answers connectivity checks of phones; `disposable doctor` says "
                                    + "whether they lead here")
                        }
                        if isFirst, let program { Self.say(program) }
                        await whenServing(
                            Serving(
                                address: PeerAddress(host: host, port: serving.port).description,
                                secureAddress: serving.securePort.map {
                                    PeerAddress(host: host, port: $0).description
                                },
                                isForOthers: pages.isForOthers, isFirst: isFirst))
                    }
                }
                group.addTask { await followRole() }
                if let keeper {
                    group.addTask { await keeper.run { if let serving = latest.serving { await tell(serving) } } }
                }
                try await group.next()
                group.cancelAll()
            }
        } catch let failure as Portal.Failure {
            throw Failure("\(failure)", hint: hint(for: failure))
        }
    }

    private func hint(for failure: Portal.Failure) -> String {
        switch failure {
        case .connectivityChecks(.notPermitted):
            "`sudo sysctl net.ipv4.ip_unprivileged_port_start=80` permits it until the next start of the machine; or "
                + "leave out --captive"
        case .connectivityChecks:
            "`sudo ss -ltnp sport = :80` shows the program that has the port: stop it, or leave out --captive"
        case .portInUse, .notPermitted, .cannotListen:
            "choose another with --portal ADDRESS:PORT\(keeper == nil ? "" : " or --tls-port PORT"), or add --no-portal"
        }
    }

    private func pages(of serving: Portal.Serving) -> Node.Pages {
        Node.Pages(
            port: serving.port, hosts: serving.hosts,
            secure: serving.securePort.map { Node.Pages.Secure(port: $0, name: keeper?.certificate.name) },
            program: program)
    }

    private static func say(_ program: ProgramInfo) {
        Console.say(
            """
            Guests of this node can download \(program.name) (\(Show.bytes(program.byteCount))). Read them the SHA-256 \
            from this screen before they install it:

              \(program.sha256)

            """)
    }

    private func tell(_ serving: Portal.Serving) async {
        await node.serves(
            pages(of: serving), isFallback: serving.isFallback, isSecureFallback: serving.isSecureFallback)
    }

    private final class Latest: Sendable {
        private let held = Mutex<Portal.Serving?>(nil)
        var serving: Portal.Serving? {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }

    /// Follows the role and the addresses: a grant opens the pages, its end closes them, and an interface may get
    /// another address. Both are checked every second, which costs little, since many operations can change the role.
    private func followRole() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            guard let hosts = await node.servesPagesOfAny ? places.open : places.closed else { continue }
            portal.listen(on: hosts)
        }
    }

    func stop() async {
        portal.stop()
        await albums.remove()
    }
}

/// The addresses of the pages.
private struct Places: Sendable {
    /// While the node may serve no guests. An empty list means all of the machine's addresses, here and below.
    let closed: [String]
    private let fixed: [String]
    private let interface: String?

    /// - Parameter interface: the only one to serve guests on, if there is one.
    init(interface: String?) {
        closed = ["127.0.0.1"]
        fixed = interface == "lo" ? closed : []
        self.interface = interface == "lo" ? nil : interface
    }

    init(host: String) {
        fixed = ["0.0.0.0", "::"].contains(host) ? [] : [host]
        closed = IPAddress.isLoopback(host) ? [host] : ["127.0.0.1"]
        interface = nil
    }

    init(always hosts: [String]) { (closed, fixed, interface) = (hosts, hosts, nil) }

    /// Whether other machines are served as soon as the node may.
    var isForOthers: Bool { interface != nil || fixed.isEmpty || !fixed.allSatisfy(IPAddress.isLoopback) }

    /// While the node may serve guests. For an interface its present addresses, preferably IPv4, since a machine
    /// changes its IPv6 addresses regularly; and loopback, for the desk. `nil` if the system does not provide them.
    var open: [String]? {
        guard let interface else { return fixed }
        guard let all = InterfaceAddress.all() else { return nil }
        let addresses = all.filter { $0.name == interface && !$0.isLinkLocal }
        let preferred = addresses.filter { !$0.isIPv6 }
        return (preferred.isEmpty ? addresses : preferred).map(\.host).sorted() + closed
    }
}
