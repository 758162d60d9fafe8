// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposableValues
import Logging

/// The options for reaching other nodes.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to listen for other nodes (default: any address, port 8028 or the next free one).",
            valueName: "addr:port"))
    var listen: String?

    @Flag(help: "Do not announce this node or search for others by mDNS.")
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

/// The options for running a node, for `host`, `join` and `run`.
struct RunOptions: ParsableArguments {
    @OptionGroup var network: NetworkOptions

    @Option(
        help: ArgumentHelp(
            "Where to serve the guests' pages (default: port 8027 or the next free one, on any address; on this machine "
                + "only, unless the node is an organizer's or has the role page).",
            valueName: "addr:port"))
    var portal: String?

    @Flag(help: "Serve no pages for guests.")
    var noPortal = false

    @OptionGroup var secure: TLSOptions

    @Option(
        help: ArgumentHelp(
            "The answer at port 80 to phones that ask whether this Wi-Fi leads to the Internet: answer keeps them on a "
                + "Wi-Fi without it, portal opens their sign-in window, off gives none.", valueName: "mode"))
    var captive = CaptiveMode.off

    @OptionGroup var program: ProgramOptions

    @Option(help: "The files to fetch automatically: everything, or previews only.")
    var keep: Keep = .everything

    /// For tests, so not in the help; the node reports it in its status.
    @Option(help: .hidden)
    var destructionDelay: Int?

    /// For tests, likewise.
    @Option(help: .hidden)
    var retentionGrace: Int?

    /// For tests, so not in the help.
    @Option(help: .hidden)
    var activityInterval: Int?

    func validate() throws {
        guard (1...600).contains(activityInterval ?? 1) else {
            throw ValidationError("the interval of activity is 1 to 600 seconds, not \(activityInterval ?? 0)")
        }
        guard (1...86_400).contains(retentionGrace ?? 1) else {
            throw ValidationError("the grace before forgetting is 1 to 86400 seconds, not \(retentionGrace ?? 0)")
        }
        guard !noPortal || !secure.tls else {
            throw ValidationError("--tls is for the pages, and --no-portal serves none: choose one")
        }
        guard !noPortal || captive == .off else {
            throw ValidationError("--captive leads phones to the pages, and --no-portal serves none: choose one")
        }
        guard !noPortal || program.offerProgram == nil else {
            throw ValidationError("--offer-program is for the pages, and --no-portal serves none: choose one")
        }
        guard (1...3_600).contains(destructionDelay ?? 1) else {
            throw ValidationError("the purge delay is 1 to 3600 seconds, not \(destructionDelay ?? 0)")
        }
    }

    enum Keep: String, ExpressibleByArgument, CaseIterable {
        case everything, previews
    }

    var configuration: NodeConfiguration {
        get throws {
            _ = try portalAddress
            try secure.check()
            try program.check()
            var configuration = try network.configuration
            configuration.keptClasses = keep == .everything ? Set(BlobClass.allCases) : [.thumbnail, .preview]
            configuration.destructionDelaySeconds = destructionDelay
            configuration.retentionGraceSeconds = retentionGrace
            configuration.activityIntervalSeconds = activityInterval
            return configuration
        }
    }

    /// The addresses for the guests' pages; `nil` for the default.
    var portalAddress: (host: String, port: UInt16)? {
        get throws {
            guard let portal else { return nil }
            guard let address = Self.hostAndPort(portal) else { throw Failure(.invalidAddress(portal)) }
            return address
        }
    }

    /// Starts the guests' pages, unless they are disabled.
    /// - Parameter port: the only port that will do; `nil` for that of the options.
    func pages(of node: Node, _ logger: Logger, port: UInt16? = nil) async throws -> Pages? {
        noPortal ? nil : try await Pages(node: node, options: self, port: port, logger: logger)
    }

    /// Port 0 means any free port, which is not an address to dial.
    static func hostAndPort(_ text: String) -> (String, UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon].trimmingPrefix("[").filter { $0 != "]" }
        return IPAddress.isNumeric(String(host)) ? (String(host), port) : nil
    }
}
