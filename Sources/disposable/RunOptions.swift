// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposableWire
import Logging

/// How a node reaches others.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to listen for other nodes (default: any address, port 8028 or the next free one).",
            valueName: "addr:port"))
    var listen: String?

    @Flag(help: "Neither announce this node by mDNS nor look for others.")
    var noMdns = false

    @Option(
        help: ArgumentHelp(
            "Look for nodes and serve guests on this network interface only; lo keeps everything on this machine.",
            valueName: "name"))
    var interface: String?

    @Option(help: ArgumentHelp("Another node's address; may be given several times.", valueName: "host:port"))
    var peer: [String] = []

    var configuration: NodeConfiguration {
        get throws {
            var listening = NodeConfiguration.Listen.standard
            if let listen {
                guard let (host, port) = RunOptions.hostAndPort(listen) else { throw Failure(.invalidAddress(listen)) }
                listening = .address(host: host, port: port)
            }
            let peers = try peer.map { text in
                guard let address = PeerAddress(text), IPAddress.isNumeric(address.host) else {
                    throw Failure(.invalidAddress(text))
                }
                return address
            }
            return NodeConfiguration(listen: listening, usesMulticast: !noMdns, interface: interface, peers: peers)
        }
    }
}

/// How a node runs, for `host`, `join` and `run`.
struct RunOptions: ParsableArguments {
    @OptionGroup var network: NetworkOptions

    @Option(
        help: ArgumentHelp(
            "Where to serve the guests' pages (default: any address, port 8027 or the next free one; where this node is no organizer's and has not the role page, this machine only).",
            valueName: "addr:port"))
    var portal: String?

    @Flag(help: "Serve no pages for guests.")
    var noPortal = false

    @Option(help: "Which files to fetch without being asked: everything, or previews only.")
    var keep: Keep = .everything

    /// Not for people, so not in the help; a node that has it says so in its status.
    @Option(help: .hidden)
    var destructionDelay: Int?

    /// The same.
    @Option(help: .hidden)
    var retentionGrace: Int?

    func validate() throws {
        guard (1...86_400).contains(retentionGrace ?? 1) else {
            throw ValidationError("the grace before forgetting is 1 to 86400 seconds, not \(retentionGrace ?? 0)")
        }
        guard (1...3_600).contains(destructionDelay ?? 1) else {
            throw ValidationError("the destruction delay is 1 to 3600 seconds, not \(destructionDelay ?? 0)")
        }
    }

    enum Keep: String, ExpressibleByArgument, CaseIterable {
        case everything, previews
    }

    var configuration: NodeConfiguration {
        get throws {
            _ = try portalAddress
            var configuration = try network.configuration
            configuration.keptClasses = keep == .everything ? Set(BlobClass.allCases) : [.thumbnail, .preview]
            configuration.destructionDelaySeconds = destructionDelay
            configuration.retentionGraceSeconds = retentionGrace
            return configuration
        }
    }

    /// Where the guests' pages are wanted; `nil` for the standard.
    var portalAddress: (host: String, port: UInt16)? {
        get throws {
            guard let portal else { return nil }
            guard let address = Self.hostAndPort(portal) else { throw Failure(.invalidAddress(portal)) }
            return address
        }
    }

    /// The guests' pages, unless they are not wanted.
    func pages(of node: Node, _ logger: Logger) async throws -> Pages? {
        noPortal ? nil : try await Pages(node: node, options: self, logger: logger)
    }

    /// Port 0 means any free one, which an address to dial cannot be.
    static func hostAndPort(_ text: String) -> (String, UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon].trimmingPrefix("[").filter { $0 != "]" }
        return IPAddress.isNumeric(String(host)) ? (String(host), port) : nil
    }
}
