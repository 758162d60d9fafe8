// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSockets
internal import DisposableStore
internal import DisposableSync
internal import DisposableSystem
internal import DisposableWire
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Accepting connections, until it is known to which event they belong.
extension Node {
    // Listening

    /// Opens the listening socket, unless the node must not listen.
    func listen() async throws {
        listener = try await makeListener()
        listener?.closeFuture.whenComplete { [weak self] _ in Task { await self?.listenerClosed() } }
    }

    private func listenerClosed() {
        if !isStopped { note("this node accepts no more connections: its listening socket was closed") }
    }

    private func makeListener() async throws -> (any Channel)? {
        switch configuration.listen {
        case .none: return nil
        case .address(let host, let port): return try await bindPatiently(host: host, port: port)
        case .standard:
            let host = configuration.interface == "lo" ? "127.0.0.1" : nil
            let remembered = folder.rememberedPort
            if let remembered {
                do { return try await bindPatiently(host: host, port: remembered) } catch NodeError.portInUse {
                    announce(
                        .warning(
                            "port \(remembered), which addresses of this node name, is in use by another program: "
                                + "another port is taken until the next start"))
                }
            }
            let standard = NodeConfiguration.standardPort
            for port in Array(standard..<standard + 100) + [0] {
                do {
                    let listener = try await bind(host: host, port: port)
                    // The first port stays the preferred one: others know it.
                    if remembered == nil { try folder.remember(port: context.reach.listenPort) }
                    return listener
                } catch NodeError.portInUse {
                    continue
                }
            }
            throw NodeError.portInUse("every port from \(standard) on")
        }
    }

    /// Tries a known port for a while: the process that used it may just be ending.
    private func bindPatiently(host: String?, port: UInt16) async throws -> any Channel {
        let end = ContinuousClock.now + configuration.portPatience
        var isTold = false
        while true {
            do { return try await bind(host: host, port: port) } catch NodeError.portInUse where .now < end {
                if !isTold { announce(.warning("port \(port) is still in use; waiting for it")) }
                isTold = true
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Binds; without a host to every address, of both versions of IP if the machine has both.
    private func bind(host: String?, port: UInt16) async throws -> any Channel {
        guard let host else {
            do { return try await bind(host: "::", port: port) } catch let error as IOError where Self.lacksIPv6(error)
            {
                return try await bind(host: "0.0.0.0", port: port)
            }
        }
        let bootstrap = ServerBootstrap(group: context.loop)
            .serverChannelInitializer(
                AcceptPause.initializer { [logger] error in
                    logger.debug("connection not accepted", metadata: ["reason": "\(error)"])
                }
            )
            .childChannelInitializer { [context] channel in
                channel.eventLoop.makeCompletedFuture { try Self.admit(channel, context) }
            }
        do {
            // A number is not looked up: a look-up finds "::" only if an address of IPv6 leads out of this machine, and
            // on the network of `disposable hotspot` none does.
            let numeric = try? SocketAddress(ipAddress: host, port: Int(port))
            let address = try numeric ?? SocketAddress.makeAddressResolvingHost(host, port: Int(port))
            let socket = try ListeningSocket.open(at: address, backlog: 64)
            let listener = try await bootstrap.withBoundSocket(socket).get()
            listener.closeFuture.whenComplete { _ in ListeningSocket.release(socket) }
            let port = UInt16(listener.localAddress?.port ?? 0)
            let shown = host == "::" || host == "0.0.0.0" ? "0.0.0.0" : host
            context.updateReach {
                $0.listenPort = port
                $0.listenAddress = PeerAddress(host: shown, port: port).description
            }
            return listener
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw NodeError.portInUse(PeerAddress(host: host, port: port).description)
        }
    }

    private static func lacksIPv6(_ error: IOError) -> Bool {
        [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode)
    }

    /// Decides before a byte of the connection is read: a refused one costs this node nothing more.
    private static func admit(_ channel: any Channel, _ context: NodeContext) throws {
        let host = PeerSockets.numericHost(channel.remoteAddress)
        guard let place = context.gate.state.withLock({ $0.admit(from: host, at: context.now) }) else {
            throw ChannelError.ioOnClosedChannel
        }
        let held = Mutex<AcceptGate.Place?>(place)
        let leave: @Sendable () -> Void = {
            guard let place = held.withLock({ $0.take() }) else { return }
            context.gate.state.withLock { $0.leave(place) }
        }
        channel.closeFuture.whenComplete { _ in leave() }
        let challenge = Entropy.bytes(Preface.challengeByteCount)
        let stranger = PeerHandler.Stranger(
            host: host, challenge: challenge,
            recognise: { context.event(answering: $0, challenge: challenge) }, leave: leave)
        try PeerSockets.setOptions(of: channel)
        try channel.pipeline.syncOperations.addHandler(PeerHandler(stranger, logger: context.logger))
    }

    /// Gives addresses of known members places of their own at the gate.
    func knowHosts() {
        let hosts = open.values.flatMap(\.summary.current.memberHosts) + context.configuration.peers.map(\.host)
        context.gate.state.withLock { $0.know(hosts) }
    }

    /// Closes connections from an address that this machine no longer has, which carry nothing more.
    func endStrandedConnections() async {
        guard let addresses = InterfaceAddress.all() else { return }  // the stranded ones will time out
        let hosts = Set(addresses.map { $0.host.prefix { $0 != "%" } })
        for event in open.values { await event.endStrandedConnections(keeping: hosts) }
    }
}
