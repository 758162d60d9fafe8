// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import NIOCore
internal import NIOPosix

/// Sockets to peers, with their options.
enum PeerSockets {
    /// The threads that are the executors of events and move their bytes. They belong to the process, because an actor
    /// may be called after its node has ended.
    static let loops = MultiThreadedEventLoopGroup(numberOfThreads: max(1, min(System.coreCount, 4)))

    static func dial(_ address: PeerAddress, for event: EventNode) throws -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: event.loop)
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try setOptions(of: channel)
                    try channel.pipeline.syncOperations.addHandler(PeerHandler(dialled: address, for: event))
                }
            }
            .connect(to: try SocketAddress(ipAddress: address.host, port: Int(address.port)))
    }

    static func setOptions(of channel: any Channel) throws {
        try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        // Bytes that the network has not begun to send stay with the replica, which may change its decision; and they
        // are not lost when the connection dies. The kernel sizes the bytes in transit.
        try channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: 131_072)
        try channel.syncOptions?.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 65_536, maximum: 1 << 20))
    }

    /// Returns an IPv4 address in its own form, not in the IPv6 form of a socket for both versions.
    static func numericHost(_ address: SocketAddress?) -> String {
        let host = address?.ipAddress ?? "unknown"
        return host.hasPrefix("::ffff:") ? String(host.dropFirst(7)) : host
    }
}
