// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import NIOCore
internal import NIOPosix

typealias SocketChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

/// Sockets to peers, with their options.
enum PeerSockets {
    static func dial(_ address: PeerAddress) async throws -> SocketChannel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(5))
            .connect(to: SocketAddress(ipAddress: address.host, port: Int(address.port))) { channel in
                channel.eventLoop.makeCompletedFuture { try wrap(channel) }
            }
    }

    static func wrap(_ channel: any Channel) throws -> SocketChannel {
        try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        // What the network has not begun to send stays with the replica, which may think better of it; and it is not
        // lost when the connection dies. What is on its way is the kernel's to size.
        try channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: 131_072)
        try channel.syncOptions?.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 65_536, maximum: 1 << 20))
        return try SocketChannel(wrappingChannelSynchronously: channel)
    }

    /// An IPv4 address as itself, not as the IPv6 address that a socket for both shows.
    static func numericHost(_ address: SocketAddress?) -> String {
        let host = address?.ipAddress ?? "unknown"
        return host.hasPrefix("::ffff:") ? String(host.dropFirst(7)) : host
    }
}
