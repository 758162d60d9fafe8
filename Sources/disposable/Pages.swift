// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal
import Foundation
import Logging

/// The guests' pages of a node while it runs.
struct Pages: Sendable {
    private let node: Node
    private let hosts: [String]
    private let portal: Portal

    /// Pages for everybody on the network only where the node is an organizer's: others have no business to stand
    /// between guests and the event, and serve their own machine.
    init(node: Node, options: RunOptions, logger: Logger) async throws {
        let isOrganizer = await node.servesPagesOfAny
        var hosts = isOrganizer ? [] : ["127.0.0.1"]
        var port = Portal.Port.standard(remembered: node.folder.rememberedPagePort)
        if let text = options.portal {
            guard let (host, number) = RunOptions.hostAndPort(text) else { throw Failure(.invalidAddress(text)) }
            guard isOrganizer || host.hasPrefix("127.") || host == "::1" else {
                throw Failure(
                    "this node is not an organizer's, so it serves its pages to this machine only",
                    hint: "leave --portal away, or write --portal 127.0.0.1:\(number)", exitCode: 2)
            }
            hosts = ["0.0.0.0", "::"].contains(host) ? [] : [host]
            port = .exactly(number)
        }
        self.init(node: node, hosts: hosts, port: port, logger: logger)
    }

    init(node: Node, hosts: [String], port: Portal.Port, logger: Logger) {
        self.node = node
        self.hosts = hosts
        let isForOthers = hosts.isEmpty || !hosts.allSatisfy { $0.hasPrefix("127.") || $0 == "::1" }
        portal = Portal(Portal.Configuration(hosts: hosts, port: port), logger: logger) {
            var galleries: [any Gallery] = []
            for event in await node.events {
                if isForOthers, await !node.servesPages(of: event) { continue }
                do { galleries.append(try await NodeGallery(node: node, event: event)) } catch {
                    logger.error("event has no pages", metadata: ["reason": "\(error)"])
                }
            }
            return galleries
        }
    }

    /// Serves until `stop`, or until the task is cancelled.
    /// - Parameter whenServing: called once browsers can come, with the address that is listened on.
    func run(whenServing: @Sendable @escaping (String) async -> Void) async throws {
        do {
            try await portal.run { serving in
                await node.serves(Node.Pages(port: serving.port, hosts: hosts))
                for problem in serving.problems { Console.say("disposable: warning: \(problem)") }
                await whenServing(PeerAddress(host: hosts.first ?? "0.0.0.0", port: serving.port).description)
            }
        } catch let failure as Portal.Failure {
            throw Failure(
                "\(failure)", hint: "choose another with --portal ADDRESS:PORT, or do without with --no-portal")
        }
    }

    func stop() async { await portal.stop() }
}
