// SPDX-License-Identifier: Apache-2.0
internal import DisposableSockets
internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes
internal import NIOPosix

/// Hummingbird's HTTP over our own sockets, with limits by address and an immediate end.
struct PortalServer: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    typealias Listener = NIOAsyncChannel<AcceptedChannel<HTTPRequestPart, HTTPResponsePart>, Never>

    private let limits: PortalLimits
    private let gate: Gate
    private let ports: PagePorts
    private let logger: Logger
    private let http: HTTP1Channel

    init(
        limits: PortalLimits, events: EventTable, gate: Gate, ports: PagePorts, files: StaticFiles,
        board: BoardRoutes?, desk: DeskRoutes?, logger: Logger
    ) {
        self.limits = limits
        self.gate = gate
        self.ports = ports
        self.logger = logger
        let router = Self.router(limits: limits, events: events, gate: gate, files: files, board: board, desk: desk)
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = limits.headByteCountMax
        decoder.maxHeaderListSize = limits.headByteCountMax
        decoder.maxHeaderFieldCount = 128
        http = HTTP1Channel(
            responder: { request, writer, channel in
                var context = PortalContext(channel: channel, logger: logger)
                context.connection = gate.connection(of: channel)
                context.ports = ports
                var response = try await router.respond(to: request, context: context)
                response.headers[.date] = HTTPDate.text(.now)
                do {
                    var body = response.body
                    if let connection = context.connection {
                        body = body.map { part in
                            await connection.waitForRoom(for: part.readableBytes)
                            return part
                        }
                    }
                    try await writer.write(response: response.head, body: body)
                } catch {
                    // Half of the answer is sent: only the end of the connection can signal an error.
                    throw BrokenResponse(reason: "\(error)")
                }
            },
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [PaceKeeper(limits, gate: gate)],
                idleTimeout: TimeAmount(limits.idleTimeout),
                httpDecoderConfiguration: decoder))
    }

    private struct BrokenResponse: Error { let reason: String }

    /// Throws `Portal.Failure`.
    /// - Parameter isSecure: whether the port is for HTTPS.
    func listen(host: String, port: UInt16, isSecure: Bool) async throws -> Listener {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelInitializer(
                AcceptPause.initializer { [logger] error in
                    logger.debug("connection not accepted", metadata: ["reason": "\(error)"])
                }
            )
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // A phone that has left the room loses its connection soon, instead of after a quarter of an hour.
            .childChannelOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)), value: 60_000)
        do {
            // An address, never a name to resolve.
            let address = try SocketAddress(ipAddress: host, port: Int(port))
            let socket = try ListeningSocket.open(at: address, backlog: 512)
            let listener = try await bootstrap.bind(socket) { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard gate.admit(channel, isSecure: isSecure) else {
                        channel.close(promise: nil)
                        throw ChannelError.ioOnClosedChannel  // for NIO, which ignores it
                    }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        ProtocolDetector(isSecure: isSecure) { [gate] in gate.admitsHandshake(of: channel) })
                    if isSecure, let certificate = ports.certificate {
                        try pipeline.addHandler(certificate.handler())
                    }
                    try pipeline.addHandler(HeadLimiter(byteCountMax: limits.headByteCountMax))
                }.flatMap { http.setup(channel: channel, logger: logger).map(AcceptedChannel.init) }
            }
            listener.channel.closeFuture.whenComplete { _ in ListeningSocket.release(socket) }
            return listener
        } catch let error as IOError where error.errnoCode == EADDRINUSE || error.errnoCode == EACCES {
            throw Portal.Failure.portInUse("port \(port) of \(host)")
        } catch {
            throw Portal.Failure.cannotListen(host: host, reason: "\(error)")
        }
    }

    /// Runs until the listener is closed or the task cancelled.
    func serve(_ listener: Listener) async {
        do {
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await accepted in connections { group.addTask { await serve(accepted.take()) } }
                }
            }
        } catch {
            logger.debug("listener ended", metadata: ["reason": "\(error)"])
        }
    }

    private func serve(_ connection: Connection) async {
        guard gate.connection(of: connection.channel) != nil else { return await refuse(connection) }
        await http.handle(value: connection, logger: logger)
    }

    private func refuse(_ connection: Connection) async {
        let response = HTTPResponse(
            status: .serviceUnavailable, headerFields: [.retryAfter: "10", .connection: "close", .contentLength: "0"])
        // A refused client need not wait for the answer.
        try? await connection.executeThenClose { _, outbound in
            try await outbound.write(contentsOf: [.head(response), .end(nil)])
        }
    }
}
