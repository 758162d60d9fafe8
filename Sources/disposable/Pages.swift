// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableWire
import Foundation
import Logging
import Synchronization

/// The guests' pages of a node while it runs.
///
/// They are for everybody on the network only while the node is an organizer's or has the role page: others have no
/// business to stand between guests and the event, and serve their own machine.
struct Pages: Sendable {
    struct Serving: Sendable {
        /// What is listened on: `0.0.0.0:8027`, `127.0.0.1:8027`.
        let address: String
        let isForOthers: Bool
        /// Browsers could not come before.
        let isFirst: Bool
    }

    private let node: Node
    /// Where it serves once it may serve others, and until then.
    private let hosts: (open: [String], closed: [String])
    private let portal: Portal
    /// Events that are made at the desk, once their pages are served.
    let hosted: AsyncStream<EventID>

    init(node: Node, options: RunOptions, logger: Logger) async throws {
        var hosts: (open: [String], closed: [String]) = ([], ["127.0.0.1"])
        var port = Portal.Port.standard(remembered: node.folder.rememberedPagePort)
        if let text = options.portal {
            guard let (host, number) = RunOptions.hostAndPort(text) else { throw Failure(.invalidAddress(text)) }
            if IPAddress.isLoopback(host) {
                hosts = ([host], [host])
            } else {
                hosts.open = ["0.0.0.0", "::"].contains(host) ? [] : [host]
            }
            port = .exactly(number)
        }
        let first = await node.servesPagesOfAny ? hosts.open : hosts.closed
        self.init(node: node, hosts: hosts, first: first, port: port, logger: logger)
    }

    /// On the same addresses all the time.
    init(node: Node, hosts: [String], port: Portal.Port, logger: Logger) {
        self.init(node: node, hosts: (hosts, hosts), first: hosts, port: port, logger: logger)
    }

    private init(
        node: Node, hosts: (open: [String], closed: [String]), first: [String], port: Portal.Port, logger: Logger
    ) {
        self.node = node
        self.hosts = hosts
        let (hosted, hosting) = AsyncStream.makeStream(of: EventID.self, bufferingPolicy: .bufferingNewest(32))
        self.hosted = hosted
        let desk = NodeDesk(node: node, isForOthers: Self.isForOthers(hosts.open)) { hosting.yield($0) }
        var configuration = Portal.Configuration(hosts: first, port: port)
        configuration.whenPortIsTaken = { port in
            Console.say("disposable: warning: port \(port) of the guests' pages is still in use; waiting for it")
        }
        portal = Portal(configuration, logger: logger, desk: desk) {
            var galleries: [any Gallery] = []
            let isForOthers = await node.servesPagesOfAny && Self.isForOthers(hosts.open)
            for event in await node.events {
                if isForOthers, await !node.servesPages(of: event) { continue }
                do { galleries.append(try await NodeGallery(node: node, event: event)) } catch {
                    logger.error("event has no pages", metadata: ["reason": "\(error)"])
                }
            }
            return galleries
        }
    }

    private static func isForOthers(_ hosts: [String]) -> Bool {
        hosts.isEmpty || !hosts.allSatisfy(IPAddress.isLoopback)
    }

    /// Serves until `stop`, or until the task is cancelled.
    /// - Parameter whenServing: called once browsers can come, and when the pages have been opened to others or closed.
    func run(whenServing: @Sendable @escaping (Serving) async -> Void) async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let isServing = Mutex(false)
                group.addTask {
                    try await portal.run { serving in
                        for problem in serving.problems { Console.say("disposable: warning: \(problem)") }
                        guard serving.isListening else { return }
                        let pages = Node.Pages(port: serving.port, hosts: serving.hosts)
                        await node.serves(pages, isFallback: serving.isFallback) { portal.deskKey() }
                        let host = serving.hosts.first ?? "0.0.0.0"
                        let isFirst = isServing.withLock { isServing in
                            defer { isServing = true }
                            return !isServing
                        }
                        await whenServing(
                            Serving(
                                address: PeerAddress(host: host, port: serving.port).description,
                                isForOthers: Self.isForOthers(serving.hosts), isFirst: isFirst))
                    }
                }
                group.addTask { await followRole() }
                try await group.next()
                group.cancelAll()
            }
        } catch let failure as Portal.Failure {
            throw Failure(
                "\(failure)", hint: "choose another with --portal ADDRESS:PORT, or do without with --no-portal")
        }
    }

    /// A grant opens the pages, its end closes them. The role is looked at each second: it may change by what any of
    /// many operations says, and costs nothing to look up.
    private func followRole() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            portal.listen(on: await node.servesPagesOfAny ? hosts.open : hosts.closed)
        }
    }

    func stop() async { await portal.stop() }
}
