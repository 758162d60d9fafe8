// SPDX-License-Identifier: Apache-2.0
internal import DisposableDiscovery
internal import DisposableModel
internal import DisposableSockets
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Synchronization

typealias SocketChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>
typealias SocketListener = NIOAsyncChannel<AcceptedSocket, Never>

/// A connection that the gate has let pass, and the place that it holds there.
struct AcceptedSocket: Sendable {
    let socket: AcceptedChannel<ByteBuffer, ByteBuffer>
    let host: String
    let place: AcceptGate.Place
}

/// Sockets: accepting, dialling, moving bytes. What the bytes mean is the replica's business alone.
extension Node {
    // Listening

    /// Opens the listening socket, `nil` where the node is not to listen.
    func listen() async throws -> SocketListener? {
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
                    // The first port stays the one to try first: others have been told of it.
                    if remembered == nil { try folder.remember(port: listenPort) }
                    return listener
                } catch NodeError.portInUse {
                    continue
                }
            }
            throw NodeError.portInUse("every port from \(standard) on")
        }
    }

    /// Tries a port that others know for a while: the process that had it before may just be ending.
    private func bindPatiently(host: String?, port: UInt16) async throws -> SocketListener {
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

    /// Without a host: every address, of both versions of IP where the machine has both.
    private func bind(host: String?, port: UInt16) async throws -> SocketListener {
        guard let host else {
            do { return try await bind(host: "::", port: port) } catch let error as IOError where Self.lacksIPv6(error)
            {
                return try await bind(host: "0.0.0.0", port: port)
            }
        }
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelInitializer(
                AcceptPause.initializer { [logger] error in
                    logger.debug("connection not accepted", metadata: ["reason": "\(error)"])
                })
        do {
            let address = try SocketAddress.makeAddressResolvingHost(host, port: Int(port))
            let socket = try ListeningSocket.open(at: address, backlog: 64)
            let listener = try await bootstrap.bind(socket) { [gate, startedAt] channel in
                channel.eventLoop.makeCompletedFuture { try Self.admit(channel, gate, startedAt) }
            }
            listener.channel.closeFuture.whenComplete { _ in ListeningSocket.release(socket) }
            listenPort = UInt16(listener.channel.localAddress?.port ?? 0)
            let shown = host == "::" || host == "0.0.0.0" ? "0.0.0.0" : host
            listenAddress = PeerAddress(host: shown, port: listenPort).description
            return listener
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw NodeError.portInUse(PeerAddress(host: host, port: port).description)
        }
    }

    private static func lacksIPv6(_ error: IOError) -> Bool {
        [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode)
    }

    private static func socketChannel(_ channel: any Channel) throws -> SocketChannel {
        try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        // What the network has not begun to send stays with the replica, which may think better of it; and it is not
        // lost when the connection dies. What is on its way is the kernel's to size.
        try channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: 131_072)
        try channel.syncOptions?.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 65_536, maximum: 1 << 20))
        return try SocketChannel(wrappingChannelSynchronously: channel)
    }

    func accept(from listener: SocketListener) async {
        do {
            try await listener.executeThenClose { inbound in
                for try await accepted in inbound { jobSink.yield { await self.serve(accepted) } }
            }
        } catch is CancellationError {
        } catch {
            note(problem: "accepting connections has ended: \(error)")
        }
    }

    /// On the thread that has accepted the connection: who is turned away costs this node nothing more. The error tells
    /// NIO, which reports it to nobody.
    private static func admit(
        _ channel: any Channel, _ gate: Gate, _ startedAt: ContinuousClock.Instant
    ) throws -> AcceptedSocket {
        let host = numericHost(channel.remoteAddress)
        let now = Instant(milliseconds: (ContinuousClock.now - startedAt).wholeMilliseconds, wallClockMilliseconds: 0)
        guard let place = gate.state.withLock({ $0.admit(from: host, at: now) }) else {
            channel.close(promise: nil)
            throw ChannelError.ioOnClosedChannel
        }
        do {
            return AcceptedSocket(socket: AcceptedChannel(try socketChannel(channel)), host: host, place: place)
        } catch {
            gate.state.withLock { $0.leave(place) }
            channel.close(promise: nil)
            throw error
        }
    }

    /// An IPv4 address as itself, not as the IPv6 address that a socket for both shows.
    private static func numericHost(_ address: SocketAddress?) -> String {
        let host = address?.ipAddress ?? "unknown"
        return host.hasPrefix("::ffff:") ? String(host.dropFirst(7)) : host
    }

    /// The connection has shown a preface, or has ended.
    private func leaveGate(_ connection: ConnectionID) {
        guard let place = strangers.removeValue(forKey: connection) else { return }
        gate.state.withLock { $0.leave(place) }
    }

    // One connection

    private enum Opening {
        /// The address that was dialled, for an event.
        case dialled(PeerAddress, EventID)
        /// Where the peer is, and what it must answer.
        case accepted(host: String, challenge: [UInt8])
    }

    private func serve(_ accepted: AcceptedSocket) async {
        let channel = PeerChannel()
        let challenge = Entropy.bytes(Preface.challengeByteCount)
        channel.send(challenge)
        let connection = newConnection()
        strangers[connection] = accepted.place
        await exchange(
            accepted.socket.take(), channel, connection, .accepted(host: accepted.host, challenge: challenge))
        leaveGate(connection)
    }

    func dial(_ address: PeerAddress, for event: EventID) {
        jobSink.yield {
            do {
                let socket = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connectTimeout(.seconds(5))
                    .connect(to: SocketAddress(ipAddress: address.host, port: Int(address.port))) { channel in
                        channel.eventLoop.makeCompletedFuture { try Self.socketChannel(channel) }
                    }
                let connection = await self.newConnection()
                await self.exchange(socket, PeerChannel(), connection, .dialled(address, event))
            } catch {
                self.logger.debug("dial failed", metadata: ["address": "\(address)", "reason": "\(error)"])
                await self.apply(.dialFailed(address), to: event)
            }
        }
    }

    /// Moves bytes both ways until one side is done.
    private func exchange(
        _ socket: SocketChannel, _ channel: PeerChannel, _ connection: ConnectionID, _ opening: Opening
    ) async {
        localHosts[connection] = Self.numericHost(socket.channel.localAddress)
        if case .dialled(let address, let event) = opening {
            attach(channel, connection, event, .connected(connection, to: address, Entropy.connection))
        }
        do {
            try await socket.executeThenClose { inbound, outbound in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await self.write(channel.bytes, to: outbound, connection) }
                    group.addTask { await self.read(inbound, channel, connection, opening) }
                    group.addTask { await self.limitOpening(connection) }
                    group.addTask { await Self.limitClosing(channel) }
                    await group.next()
                    group.cancelAll()
                }
            }
        } catch {
            logger.debug("connection ended", metadata: ["reason": "\(error)"])
        }
        channel.finish()
        connections.removeValue(forKey: connection)
        localHosts.removeValue(forKey: connection)
        pauses.removeValue(forKey: connection)
        if let event = attached.removeValue(forKey: connection) { apply(.disconnected(connection), to: event) }
    }

    private func attach(
        _ channel: PeerChannel, _ connection: ConnectionID, _ event: EventID, _ input: Replica.Input
    ) {
        connections[connection] = channel
        attached[connection] = event
        apply(input, to: event)
    }

    private func write(
        _ stream: AsyncStream<[UInt8]>, to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        _ connection: ConnectionID
    ) async {
        do {
            for await bytes in stream {
                try await outbound.write(ByteBuffer(bytes: bytes))
                if let event = attached[connection] {
                    apply(.sent(connection, byteCount: bytes.count), to: event)
                }
            }
        } catch {
            logger.trace("write failed", metadata: ["reason": "\(error)"])
        }
    }

    private func read(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ channel: PeerChannel, _ connection: ConnectionID,
        _ opening: Opening
    ) async {
        var start: [UInt8] = []
        do {
            for try await buffer in inbound {
                let bytes = Array(buffer.readableBytesView)
                if let event = attached[connection] {
                    apply(.received(connection, bytes), to: event)
                    // What comes meanwhile fills the socket's buffers, and then TCP holds the peer back.
                    if let end = pauses.removeValue(forKey: connection) {
                        try await Task.sleep(until: end, clock: clock)
                    }
                    continue
                }
                guard case .accepted(let host, let challenge) = opening else { return }
                start += bytes
                guard start.count >= Preface.byteCount else { continue }
                guard recognise(start, challenge, host, channel, connection) else { return }
            }
        } catch {
            logger.trace("read failed", metadata: ["reason": "\(error)"])
        }
    }

    /// Finds the event that the preface means. A stranger's connection just ends.
    private func recognise(
        _ start: [UInt8], _ challenge: [UInt8], _ host: String, _ channel: PeerChannel, _ connection: ConnectionID
    ) -> Bool {
        let preface = Array(start.prefix(Preface.byteCount))
        let event = sessions.values.first {
            $0.replica.recognises(preface, challenge: challenge)
        }?.store.folder.event
        guard let event else {
            logger.debug("connection refused: no event of this node", metadata: ["host": "\(host)"])
            return false
        }
        leaveGate(connection)
        attach(
            channel, connection, event,
            .accepted(connection, host: host, challenge: challenge, preface: preface, Entropy.connection))
        let rest = Array(start.dropFirst(Preface.byteCount))
        if !rest.isEmpty { apply(.received(connection, rest), to: event) }
        return true
    }

    /// Connections that begin at an address which this machine no longer has carry nothing any more.
    func endStrandedConnections() {
        guard let addresses = InterfaceAddress.all() else { return }  // who is stranded shows itself later
        let hosts = Set(addresses.map { $0.host.prefix { $0 != "%" } })
        for (connection, host) in localHosts where !hosts.contains(host.prefix { $0 != "%" }) {
            connections.removeValue(forKey: connection)?.finish()
            if let event = attached.removeValue(forKey: connection) { apply(.disconnected(connection), to: event) }
        }
    }

    /// What is left to be said may take so long; a peer that is gone would never take it.
    private static func limitClosing(_ channel: PeerChannel) async {
        for await _ in channel.end {}
        try? await Task.sleep(for: .milliseconds(Limits.handshakeMillisecondsMax))
    }

    /// Ends a connection that shows no preface in time.
    private func limitOpening(_ connection: ConnectionID) async {
        do {
            try await Task.sleep(for: .milliseconds(Limits.handshakeMillisecondsMax))
            while attached[connection] != nil { try await Task.sleep(for: .seconds(3_600)) }
        } catch {}  // cancelled: the connection has ended otherwise
    }
}
