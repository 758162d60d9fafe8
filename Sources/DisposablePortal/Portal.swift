// SPDX-License-Identifier: Apache-2.0
public import DisposableWeb
internal import Foundation
public import Logging
internal import NIOCore
internal import Synchronization

/// The guests' pages of a node's events, and the HTTP API behind them (protocol/guest-api.md).
///
///     let portal = Portal(configuration, logger: logger) { await node.galleries }
///     try await portal.run { serving in print(serving.port) }  // until it is cancelled, or stopped:
///     portal.stop()
public struct Portal: Sendable {
    public static let standardPort: UInt16 = 8027

    public enum Port: Equatable, Sendable {
        /// The remembered port, 8027 or the next free one.
        case standard(remembered: UInt16?)
        /// Exactly this; 0 for any free one.
        case exactly(UInt16)
    }

    /// HTTPS, on a port beside that of plain HTTP.
    public struct Secure: Sendable {
        public static let standardPort: UInt16 = 8443
        public var certificate: PageCertificate
        /// The standard one is 8443 here.
        public var port: Port

        public init(certificate: PageCertificate, port: Port) {
            (self.certificate, self.port) = (certificate, port)
        }
    }

    public struct Configuration: Sendable {
        /// IP addresses to listen on, all on the same port; empty for every address of the machine.
        public var hosts: [String]
        public var port: Port
        /// `nil` for plain HTTP alone.
        public var secure: Secure?
        /// `nil` for no answers to connectivity checks.
        public var captive: Captive?
        /// The places of the pages' signing library, of which the first that exists is used: Debian's package node-tweetnacl, or
        /// beside the program, where this project's own package has it.
        public var scriptPaths: [String]
        /// The package of the program that guests may install on their computers; `nil` for none.
        public var program: OfferedProgram?
        package var limits = PortalLimits()
        /// Called if the preferred port is in use at the start, and the portal waits for it.
        public var whenPortIsTaken: @Sendable (_ port: UInt16) -> Void = { _ in }
        /// Whether a connection comes from this machine itself, by the addresses of both ends.
        package var isFromHere: @Sendable (_ remote: String?, _ local: String?) -> Bool = { remote, local in
            AddressKey(remote).isLoopback || remote != nil && remote == local
        }

        public static let standardScriptPaths = [
            "/usr/share/nodejs/tweetnacl/nacl-fast.min.js", "/usr/share/javascript/tweetnacl/nacl-fast.min.js",
            "/usr/lib/node_modules/tweetnacl/nacl-fast.min.js",
            "/usr/local/lib/node_modules/tweetnacl/nacl-fast.min.js",
            Bundle.main.bundleURL.appendingPathComponent("nacl-fast.min.js").path,
        ]

        public init(
            hosts: [String] = [], port: Port = .standard(remembered: nil),
            scriptPaths: [String] = Configuration.standardScriptPaths
        ) {
            self.hosts = hosts
            self.port = port
            self.scriptPaths = scriptPaths
        }
    }

    /// The state that `run` reports once browsers can connect.
    public struct Serving: Equatable, Sendable {
        public let port: UInt16
        /// The port of HTTPS, if it is served.
        public let securePort: UInt16?
        /// The port of connectivity checks, if they are answered.
        public let checksPort: UInt16?
        /// As in the configuration, or as last changed.
        public let hosts: [String]
        /// Problems and hints, for people.
        public let problems: [String]
        /// Whether browsers can connect at all; if not, the portal tries again.
        public let isListening: Bool
        /// Whether the port replaces the remembered one, which another program uses.
        public let isFallback: Bool
        /// The same of the port of HTTPS.
        public let isSecureFallback: Bool
    }

    public typealias Failure = ListenFailure

    private let configuration: Configuration
    private let logger: Logger
    private let events: EventTable
    private let gate: Gate
    private let connections: ConnectionGate
    private let ports: PagePorts
    private let desk: (any Desk)?
    private let board: (any BoardSource)?
    private let watch: (any NodeWatch)?
    private let tally = RequestTally()
    private let deskDoor = DeskDoor()
    private let wanted: WantedHosts
    /// Signals changed addresses, or a retry; ends when the portal has to stop.
    private let hostSignal: AsyncStream<Void>
    private let hostSink: AsyncStream<Void>.Continuation

    /// Raises this process's limit of open files as far as permitted.
    /// - Parameters:
    ///   - desk: the node for the organizer's desk; without it there is none.
    ///   - board: the listed events that the node knows of; without it `/board` is empty.
    ///   - watch: the node for `/metrics` and `/health`; without it there are none.
    ///   - galleries: the node's events; called again every two seconds.
    public init(
        _ configuration: Configuration, logger: Logger, desk: (any Desk)? = nil, board: (any BoardSource)? = nil,
        watch: (any NodeWatch)? = nil, galleries: @escaping @Sendable () async -> [any Gallery]
    ) {
        var configuration = configuration
        configuration.limits.server.fitConnections(
            into: FileLimit.raise(
                to: configuration.limits.server.connectionCountMax
                    + configuration.limits.server.connectionCountFromHere + 2_048))
        self.configuration = configuration
        self.logger = logger
        gate = Gate(configuration.limits.rates)
        connections = ConnectionGate(configuration.limits.server, isFromHere: configuration.isFromHere)
        ports = PagePorts(certificate: configuration.secure?.certificate)
        events = EventTable(limits: configuration.limits, gate: gate, logger: logger, galleries: galleries)
        self.desk = desk
        self.board = board
        self.watch = watch
        wanted = WantedHosts(configuration.hosts)
        (hostSignal, hostSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Serves until the task is cancelled or `stop` is called. Can be called once.
    /// - Parameter onServing: called when the port is open, and again after each change of the reported state.
    /// Throws `Failure` if it cannot listen.
    public func run(onServing: @Sendable (Serving) async -> Void) async throws {
        let pages = try PageFiles(scriptPaths: configuration.scriptPaths)
        let server = PortalServer(
            limits: configuration.limits.server, gate: connections, certificate: ports.certificate,
            router: PortalServer.router(
                limits: configuration.limits, events: events, connections: connections, gate: gate, files: pages.files,
                tally: tally, board: board.map { BoardRoutes(board: $0, words: BoardWords()) },
                desk: desk.map { desk in
                    DeskRoutes(
                        desk: desk, door: deskDoor, events: events, gate: gate, files: pages.files,
                        limits: configuration.limits, isFromHere: configuration.isFromHere)
                },
                watch: watch.map { WatchRoutes(watch: $0, tally: tally, events: events, connections: connections) },
                captive: configuration.captive,
                program: ProgramRoutes(configuration.program, limits: configuration.limits.program)),
            scope: PortalScope(ports: ports), logger: logger)
        let first = await events.refresh()
        var hosts = configuration.hosts
        let bindings = PortalBindings(configuration, server)
        var open = try await bindings.open(at: hosts)
        await withDiscardingTaskGroup { group in
            for event in first { group.addTask { await event.run() } }
            for listener in open.listeners { group.addTask { await server.serve(listener) } }
            group.addTask { await self.followEvents() }
            var told = self.serving(open, hosts: hosts, bindings, problems: pages.problems + bindings.problems(of: open))
            await onServing(told)
            var asked = hosts
            /// When failed addresses are tried again.
            var dueAt: ContinuousClock.Instant?
            for await _ in hostSignal {
                let wanted = wanted.hosts
                let isRepeated = wanted == asked
                if isRepeated {
                    guard let due = dueAt, due <= .now else { continue }
                }
                (asked, dueAt) = (wanted, nil)
                var opened: [PortalServer.Listener] = []
                var problems: [String] = []
                do {
                    if isRepeated, !open.listeners.isEmpty { try await bindings.probe(wanted, besides: hosts) }
                    for listener in open.listeners { try? await listener.channel.close() }
                    open.listeners = []
                    open = try await bindings.reopen(open, at: wanted)
                    opened = open.listeners
                    hosts = wanted
                    // Clients of a closed address have to be disconnected; the others reconnect.
                    if !wanted.isEmpty { connections.closeAll() }
                } catch {
                    guard !Task.isCancelled else { break }
                    if open.listeners.isEmpty, let old = try? await bindings.reopen(open, at: hosts) {
                        open = old
                        opened = old.listeners
                    }
                    problems = ["\(open.listeners.isEmpty ? "no pages are served now: " : "")\(error); it is tried again"]
                    let due = ContinuousClock.now + configuration.limits.listening.pause
                    dueAt = due
                    group.addTask {
                        guard (try? await Task.sleep(until: due, clock: .continuous)) != nil else { return }
                        hostSink.yield()
                    }
                }
                for listener in opened { group.addTask { await server.serve(listener) } }
                let serving = self.serving(open, hosts: hosts, bindings, problems: problems)
                guard serving != told else { continue }
                told = serving
                await onServing(serving)
            }
            connections.closeAll()
            group.cancelAll()
        }
    }

    /// Ends `run` and every connection.
    public func stop() { hostSink.finish() }

    /// Listens only on these addresses from now on, on the same port if it is free there.
    public func listen(on hosts: [String]) {
        wanted.hosts = hosts
        hostSink.yield()
    }

    /// Bytes of answers that wait in this process because clients do not read them.
    package var unreadByteCount: Int { connections.unreadByteCount }

    private func serving(
        _ open: PortalBindings.Open, hosts: [String], _ bindings: PortalBindings, problems: [String]
    ) -> Serving {
        ports.open(plain: open.port, secure: open.securePort, checks: open.checksPort)
        return Serving(
            port: open.port, securePort: open.securePort, checksPort: open.checksPort, hosts: hosts, problems: problems,
            isListening: !open.listeners.isEmpty, isFallback: bindings.plain.isFallback(open.port),
            isSecureFallback: open.securePort.map { bindings.secure?.isFallback($0) == true } ?? false)
    }

    private func followEvents() async {
        await withDiscardingTaskGroup { group in
            while (try? await Task.sleep(for: .seconds(2))) != nil {
                for event in await events.refresh() { group.addTask { await event.run() } }
            }
        }
    }
}

/// The requested addresses: only the latest request counts.
private final class WantedHosts: Sendable {
    private let held: Mutex<[String]>
    init(_ hosts: [String]) { held = Mutex(hosts) }
    var hosts: [String] {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
