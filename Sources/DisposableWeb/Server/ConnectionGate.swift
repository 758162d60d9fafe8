// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import Synchronization

/// The open connections, the rate of requests of each address, and the answers that clients have not read.
package final class ConnectionGate: Sendable {
    private struct State {
        var requests: TokenBuckets<String>
        var linkLocal: LinkLocalAddresses
        var connections: ConnectionTable
        var unread: UnreadAnswers
    }

    /// Whether a connection comes from this machine, by the addresses of both ends.
    private let isFromHere: @Sendable (_ remote: String?, _ local: String?) -> Bool
    private let state: Mutex<State>

    package init(
        _ limits: ServerLimits, isFromHere: @escaping @Sendable (_ remote: String?, _ local: String?) -> Bool
    ) {
        self.isFromHere = isFromHere
        state = Mutex(
            State(
                requests: TokenBuckets(limits.requests, keyCountMax: limits.addressCountMax),
                linkLocal: LinkLocalAddresses(countMax: limits.linkLocalAddressCountMax),
                connections: ConnectionTable(limits), unread: UnreadAnswers(limits)))
    }

    /// - Parameter address: under which the connection counts.
    package func admitRequest(from address: String) throws(HTTPFailure) {
        guard let wait = state.withLock({ $0.requests.take(for: address, at: .now) }) else { return }
        throw .tooManyRequests(after: wait)
    }

    /// Whether a connection may begin its TLS handshake, which counts as a request.
    func admitsHandshake(of channel: any Channel) -> Bool {
        guard let connection = connection(of: channel) else { return false }
        return state.withLock { $0.requests.take(for: connection.address, at: .now) == nil }
    }

    /// Registers a connection, and closes another one for it if there are too many. Returns false if it must be closed
    /// without an answer: so many others are being closed that one more could take the process's last descriptor. A
    /// connection that is to be refused with an answer is unknown to `connection(of:)`. It is forgotten when the
    /// channel closes.
    func admit(_ channel: any Channel, isSecure: Bool = false) -> Bool {
        let (remote, local) = (channel.remoteAddress, channel.localAddress)
        let isFromHere = isFromHere(remote?.ipAddress, local?.ipAddress)
        let (connection, admission) = state.withLock { state in
            let address = state.linkLocal.key(for: AddressKey(remote), at: .now)
            let connection = OpenConnection(channel, address: address, isFromHere: isFromHere, isSecure: isSecure)
            return (connection, state.connections.admit(connection, at: .now))
        }
        channel.closeFuture.whenComplete { _ in
            connection.end()
            self.state.withLock { state in
                state.connections.close(channel)
                state.unread.forget(channel)
            }
        }
        switch admission {
        case .admitted(let replaced): replaced?.close()
        case .refused: break
        case .dropped: return false
        }
        return true
    }

    func connection(of channel: any Channel) -> OpenConnection? {
        state.withLock { $0.connections.connection(of: channel) }
    }

    // Unread answers

    /// Registers a part of an answer that waits for its client. Returns connections that have to be closed for it.
    func noteUnread(_ byteCount: Int, of connection: OpenConnection) -> [OpenConnection] {
        state.withLock { state in
            // A connection that was replaced is about to be closed.
            guard state.connections.connection(of: connection.channel) != nil else { return [] }
            let leaving = state.unread.add(byteCount, of: connection, at: .now)
            for connection in leaving { state.connections.remove(connection.channel) }
            return leaving
        }
    }

    /// Records that the client has read the part, or never will.
    func noteRead(_ byteCount: Int, of connection: OpenConnection) {
        state.withLock { $0.unread.remove(byteCount, of: connection) }
    }

    /// Bytes of answers that wait for their clients, over all connections.
    package var unreadByteCount: Int { state.withLock { $0.unread.byteCount } }

    package var connectionCount: Int { state.withLock { $0.connections.count } }

    package func closeAll() { for connection in state.withLock({ $0.connections.all }) { connection.close() } }
}
