// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import NIOCore
internal import NIOPosix

/// Checks whether nodes can be reached, without being one.
public enum Reachability {
    /// Returns whether a node of any event answers at the address: it sends sixteen bytes to every connection, which
    /// takes at most ten seconds.
    public static func answers(at address: PeerAddress) async -> Bool {
        do {
            let socket = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(.seconds(5))
                .connect(to: SocketAddress(ipAddress: address.host, port: Int(address.port))) { channel in
                    channel.eventLoop.makeCompletedFuture { try SocketChannel(wrappingChannelSynchronously: channel) }
                }
            return try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await socket.executeThenClose { inbound, _ in
                        var byteCount = 0
                        for try await bytes in inbound {
                            byteCount += bytes.readableBytes
                            if byteCount >= Preface.challengeByteCount { return true }
                        }
                        return false
                    }
                }
                group.addTask {
                    try await Task.sleep(for: .seconds(5))
                    return false
                }
                defer { group.cancelAll() }
                return try await group.next() ?? false
            }
        } catch {
            return false
        }
    }
}
