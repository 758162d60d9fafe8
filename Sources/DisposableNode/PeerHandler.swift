// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire
internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix

/// One connection to a peer: passes arriving bytes to its event, on the event loop that is the event's executor, so
/// that nothing changes threads or waits in a queue.
///
/// Bytes that arrive between two rounds of the loop are delivered in one piece.
final class PeerHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A connection that has not yet identified its event.
    struct Stranger {
        let host: String
        let challenge: [UInt8]
        /// Returns the event whose secret answers the challenge; `nil` for none.
        let recognise: (_ preface: [UInt8]) -> EventNode?
        /// Called when the connection belongs to an event. Its end is noticed without this.
        let leave: () -> Void
    }

    private enum Stage {
        case dialled(PeerAddress, EventNode)
        case stranger(Stranger)
        case attached(EventNode, ConnectionID)
        case ended
    }

    private var stage: Stage
    private let logger: Logger
    private var arrived: [UInt8] = []
    private var threshold = ReadThreshold()
    private var isReadDelayed = false
    private var pausedUntil: NIODeadline?

    /// Connects to an address for the event. Throws for one that is not numeric.
    static func dial(_ address: PeerAddress, for event: EventNode) throws -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: event.loop)
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try PeerSockets.setOptions(of: channel)
                    try channel.pipeline.syncOperations.addHandler(PeerHandler(dialled: address, for: event))
                }
            }
            .connect(to: try SocketAddress(ipAddress: address.host, port: Int(address.port)))
    }

    private init(dialled address: PeerAddress, for event: EventNode) {
        stage = .dialled(address, event)
        logger = event.logger
    }

    init(_ stranger: Stranger, logger: Logger) {
        stage = .stranger(stranger)
        self.logger = logger
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        switch stage {
        case .dialled(let address, let event):
            stage = .attached(event, event.assumeIsolated { $0.connected(channel, to: address) })
        case .stranger(let stranger):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: stranger.challenge)), promise: nil)
            limitOpening(context)
        case .attached, .ended: break
        }
        context.fireChannelActive()
    }

    /// Closes a connection that sends no preface in time.
    private func limitOpening(_ context: ChannelHandlerContext) {
        let loop = context.eventLoop.assumeIsolated()
        let channel = context.channel
        loop.scheduleTask(in: .milliseconds(Int64(Limits.handshakeMillisecondsMax))) {
            if case .stranger = self.stage { channel.close(promise: nil) }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        arrived += buffer.readableBytesView
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let bytes = arrived
        arrived = []
        if !bytes.isEmpty { deliver(bytes, context) }
        context.fireChannelReadComplete()
    }

    private func deliver(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        switch stage {
        case .attached(let event, let connection):
            let (pause, missing) = event.assumeIsolated { $0.received(connection, bytes) }
            threshold.set(missing, of: context.channel)
            guard let milliseconds = pause else { return }
            // Bytes that arrive meanwhile fill the socket's buffers, and then TCP slows the peer down.
            pausedUntil = .now() + .milliseconds(Int64(clamping: milliseconds))
        case .stranger(let stranger):
            arrived = bytes
            guard arrived.count >= Preface.byteCount else { return }
            attach(stranger, context)
        case .dialled, .ended: break
        }
    }

    /// Finds the event of the preface. An unknown connection is just closed.
    private func attach(_ stranger: Stranger, _ context: ChannelHandlerContext) {
        let preface = Array(arrived.prefix(Preface.byteCount))
        let rest = Array(arrived.dropFirst(Preface.byteCount))
        arrived = []
        guard let event = stranger.recognise(preface) else {
            logger.debug("connection refused: no event of this node", metadata: ["host": "\(stranger.host)"])
            return context.close(promise: nil)
        }
        stranger.leave()
        let (channel, host, challenge) = (context.channel, stranger.host, stranger.challenge)
        let connection = event.assumeIsolated {
            $0.accepted(channel, from: host, challenge: challenge, preface: preface)
        }
        stage = .attached(event, connection)
        if !rest.isEmpty { deliver(rest, context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch stage {
        case .attached(let event, let connection): event.assumeIsolated { $0.disconnected(connection) }
        case .stranger, .dialled, .ended: break
        }
        stage = .ended
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.trace("connection failed", metadata: ["reason": "\(error)"])
        context.close(promise: nil)
    }

    /// Reads again, unless the replica has asked for a pause.
    func read(context: ChannelHandlerContext) {
        guard !isReadDelayed else { return }
        guard let delay = pausedUntil.take().map({ $0 - .now() }), delay > .zero else { return context.read() }
        isReadDelayed = true
        context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
            self.isReadDelayed = false
            context.read()
        }
    }
}

/// The number of bytes that make a socket readable.
///
/// At 50 Mbit/s packets arrive every quarter of a millisecond, and handling each separately costs ten times the work of
/// handling a frame. A part of a frame cannot be handled anyway, so waiting for the rest delays nothing.
struct ReadThreshold {
    /// A peer that sends slowly is still heard often enough to count as alive.
    static let byteCountMax = 32_768
    private var byteCount = 1

    /// - Parameter missing: the number of bytes that the frame that has begun lacks.
    mutating func set(_ missing: Int, of channel: any Channel) {
        let wanted = min(missing, Self.byteCountMax)
        guard wanted != byteCount else { return }
        byteCount = wanted
        // A system that refuses reports each packet.
        try? channel.syncOptions?.setOption(.socketOption(.init(rawValue: SO_RCVLOWAT)), value: wanted)
    }
}
