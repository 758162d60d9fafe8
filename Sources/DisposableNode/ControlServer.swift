// SPDX-License-Identifier: Apache-2.0
internal import DisposableSockets
internal import DisposableValues
internal import Foundation
internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix

typealias SocketChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

/// The socket through which the command line reaches the running node (`ControlSocket`): one JSON request for each
/// connection, one JSON reply for each line. Only the owner of its folder can open it.
struct ControlServer: Sendable {
    static let requestByteCountMax = 4 << 20

    private let answer: @Sendable (ControlRequest, _ reply: @Sendable (ControlReply) async -> Void) async -> Void
    private let listener: NIOAsyncChannel<AcceptedChannel<ByteBuffer, ByteBuffer>, Never>
    private let path: String

    /// Listens at the socket.
    /// - Parameter answer: executes a request and replies meanwhile; called for several requests at a time.
    init(
        at socket: ControlSocket, logger: Logger,
        answer: @escaping @Sendable (ControlRequest, _ reply: @Sendable (ControlReply) async -> Void) async -> Void
    ) async throws {
        self.answer = answer
        path = try socket.make()
        unlink(path)  // left by a process that was killed; the folder's lock says that there is no other
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelInitializer(
                AcceptPause.initializer { error in
                    logger.debug("connection of a command not accepted", metadata: ["reason": "\(error)"])
                }
            )
            // A client that has sent its request still reads: its half-close must not end the connection.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    AcceptedChannel(try SocketChannel(wrappingChannelSynchronously: channel))
                }
            }
        chmod(path, 0o600)
    }

    func run() async {
        do {
            try await listener.executeThenClose { inbound in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await accepted in inbound { group.addTask { await serve(accepted.take()) } }
                }
            }
        } catch {}  // the node is stopping
        unlink(path)
    }

    private func serve(_ socket: SocketChannel) async {
        do {
            try await socket.executeThenClose { inbound, _ in
                var line: [UInt8] = []
                for try await buffer in inbound {
                    line.append(contentsOf: buffer.readableBytesView)
                    guard line.count <= Self.requestByteCountMax else { return }
                    guard line.last == UInt8(ascii: "\n") else { continue }
                    let request = try JSONDecoder().decode(ControlRequest.self, from: Data(JSONNesting.checked(line)))
                    await answer(request) { reply in
                        guard var bytes = try? JSONEncoder().encode(reply) else { return }
                        bytes.append(UInt8(ascii: "\n"))
                        // The client may have disconnected; the command runs to its end.
                        try? await Self.write(ByteBuffer(bytes: bytes), to: socket.channel)
                    }
                    return
                }
            }
        } catch {}  // the client has disconnected or sent an invalid request
    }

    /// Returns when the socket has taken the bytes. `NIOAsyncChannel`'s own writer returns once the channel has them, and
    /// closing the channel drops those that the socket has not taken. A node that stops does not wait for a client that
    /// does not read.
    private static func write(_ bytes: ByteBuffer, to channel: any Channel) async throws {
        try await withTaskCancellationHandler {
            try await channel.writeAndFlush(bytes)
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}
