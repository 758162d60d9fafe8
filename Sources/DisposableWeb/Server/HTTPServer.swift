// SPDX-License-Identifier: Apache-2.0
package import DisposableSockets
internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
package import Logging
package import NIOCore
package import NIOHTTPTypes
internal import NIOPosix

/// Hummingbird's HTTP over our own sockets, with limits by address and an immediate end.
package struct HTTPServer<Scope: Sendable>: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    package typealias Listener = NIOAsyncChannel<AcceptedChannel<HTTPRequestPart, HTTPResponsePart>, Never>

    private let limits: ServerLimits
    private let gate: ConnectionGate
    private let certificate: PageCertificate?
    private let logger: Logger
    private let http: HTTP1Channel

    /// - Parameters:
    ///   - certificate: for listeners of HTTPS.
    ///   - scope: that of each request at its beginning.
    package init(
        limits: ServerLimits, gate: ConnectionGate, certificate: PageCertificate?, router: Router<Scope>, scope: Scope,
        logger: Logger
    ) {
        self.limits = limits
        self.gate = gate
        self.certificate = certificate
        self.logger = logger
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = limits.headByteCountMax
        decoder.maxHeaderListSize = limits.headByteCountMax
        decoder.maxHeaderFieldCount = 128
        http = HTTP1Channel(
            responder: { request, writer, channel in
                let context = RequestContext(
                    channel: channel, connection: gate.connection(of: channel), scope: scope, logger: logger)
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

    /// Throws `ListenFailure`.
    /// - Parameter isSecure: whether the port is for HTTPS.
    package func listen(host: String, port: UInt16, isSecure: Bool) async throws -> Listener {
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
                    if isSecure, let certificate {
                        try pipeline.addHandler(certificate.handler())
                    }
                    try pipeline.addHandler(HeadLimiter(byteCountMax: limits.headByteCountMax))
                }.flatMap { http.setup(channel: channel, logger: logger).map(AcceptedChannel.init) }
            }
            listener.channel.closeFuture.whenComplete { _ in ListeningSocket.release(socket) }
            return listener
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ListenFailure.portInUse("port \(port) of \(host)")
        } catch let error as IOError where error.errnoCode == EACCES {
            throw ListenFailure.notPermitted("port \(port) of \(host)")
        } catch {
            throw ListenFailure.cannotListen(host: host, reason: "\(error)")
        }
    }

    /// Runs until the listener is closed or the task cancelled.
    package func serve(_ listener: Listener) async {
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

private struct BrokenResponse: Error { let reason: String }

/// The reason why a server cannot listen.
public indirect enum ListenFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case portInUse(String)
    /// The system lets only an administrator listen there, as on ports below 1024.
    case notPermitted(String)
    /// The address is not one of this machine's, or not an IP address.
    case cannotListen(host: String, reason: String)
    /// The same of the port of connectivity checks.
    case connectivityChecks(ListenFailure)

    public var description: String {
        switch self {
        case .portInUse(let port): "\(port) is in use by another program"
        case .notPermitted(let port): "this user may not listen on \(port)"
        case .cannotListen(let host, let reason): "cannot listen on \(host): \(reason)"
        case .connectivityChecks(let failure): "connectivity checks cannot be answered: \(failure)"
        }
    }
}
