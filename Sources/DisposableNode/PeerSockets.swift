// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOPosix

/// Sockets to peers, with their options.
enum PeerSockets {
    /// The threads that are the executors of events and move their bytes. They belong to the process, because an actor
    /// may be called after its node has ended.
    static let loops = MultiThreadedEventLoopGroup(numberOfThreads: max(1, min(System.coreCount, 4)))

    static func setOptions(of channel: any Channel) throws {
        try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        // Bytes that the network has not begun to send stay with the replica, which may change its decision; and they
        // are not lost when the connection dies. The kernel sizes the bytes in transit.
        try channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: 131_072)
        // No more than stays in the processor's cache until it is decrypted and hashed.
        try channel.syncOptions?.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 65_536, maximum: 1 << 18))
        preferBBR(on: channel)
    }

    /// Selects the congestion control BBR where the system allows it: CUBIC takes each loss for congestion, and one
    /// packet in 200 lost on a radio leaves it a fifth of the rate.
    private static func preferBBR(on channel: any Channel) {
        var name = 0
        withUnsafeMutableBytes(of: &name) { $0.copyBytes(from: "bbr".utf8) }
        // If the kernel refuses BBR, its default congestion control stays.
        try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_CONGESTION)), value: name)
    }

    /// Returns an IPv4 address in its own form, not in the IPv6 form of a socket for both versions.
    static func numericHost(_ address: SocketAddress?) -> String {
        let host = address?.ipAddress ?? "unknown"
        return host.hasPrefix("::ffff:") ? String(host.dropFirst(7)) : host
    }
}
