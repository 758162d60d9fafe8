// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import Logging
internal import NIOCore
internal import NIOPosix

/// The connections of an event, and the addresses where its members are.
struct EventConnections {
    struct Connection {
        let channel: PeerChannel
        /// The address of this machine that the connection uses.
        let localHost: String
        /// Until when nothing is read from it.
        var pausedUntil: ContinuousClock.Instant?
    }

    var connections: [ConnectionID: Connection] = [:]
    /// Typed or taken from the invitation.
    let invited: [PeerAddress]
    /// Where members have been met, as it stands in the store.
    var remembered: [PeerAddress]
    private var lastConnection: UInt64 = 0

    init(invited: [PeerAddress], remembered: [PeerAddress]) {
        self.invited = invited
        self.remembered = remembered
    }

    mutating func add(_ channel: PeerChannel, localHost: String) -> ConnectionID {
        lastConnection += 1
        let id = ConnectionID(lastConnection)
        connections[id] = Connection(channel: channel, localHost: localHost)
        return id
    }
}

/// Connections as `PeerExchange` reports them.
extension EventNode {
    /// Tries addresses where nodes of the event may be.
    public func dial(_ addresses: [PeerAddress]) {
        for address in addresses { apply(.sighted(address, isPersistent: true)) }
    }

    /// mDNS shows a node of the event there.
    /// - Parameter attempt: the index of the secret, in the keyring, that its tag was made with.
    func sighted(_ address: PeerAddress, attempt: Int) {
        apply(.sighted(address, isPersistent: false, attempt: attempt))
    }

    func dial(_ address: PeerAddress) {
        jobSink.yield {
            do {
                let socket = try await PeerSockets.dial(address)
                await PeerExchange(socket, logger: self.logger).run(dialled: address, for: self)
            } catch {
                self.logger.debug("dial failed", metadata: ["address": "\(address)", "reason": "\(error)"])
                await self.apply(.dialFailed(address))
            }
        }
    }

    func connected(_ channel: PeerChannel, to address: PeerAddress, localHost: String) -> ConnectionID {
        let connection = network.add(channel, localHost: localHost)
        apply(.connected(connection, to: address, Entropy.connection))
        return connection
    }

    /// - Parameter rest: what came after the preface.
    func accepted(
        _ channel: PeerChannel, from host: String, localHost: String, challenge: [UInt8], preface: [UInt8],
        rest: [UInt8]
    ) -> ConnectionID {
        let connection = network.add(channel, localHost: localHost)
        apply(.accepted(connection, host: host, challenge: challenge, preface: preface, Entropy.connection))
        if !rest.isEmpty { apply(.received(connection, rest)) }
        return connection
    }

    /// - Returns: until when nothing more is read; what comes meanwhile fills the socket's buffers, and then TCP holds
    ///   the peer back.
    func received(_ connection: ConnectionID, _ bytes: [UInt8]) -> ContinuousClock.Instant? {
        guard network.connections[connection] != nil else { return nil }
        apply(.received(connection, bytes))
        return network.connections[connection]?.pausedUntil.take()
    }

    func sent(_ connection: ConnectionID, byteCount: Int) {
        guard network.connections[connection] != nil else { return }
        apply(.sent(connection, byteCount: byteCount))
    }

    func disconnected(_ connection: ConnectionID) {
        guard network.connections.removeValue(forKey: connection) != nil else { return }
        apply(.disconnected(connection))
    }

    /// Connections from an address that this machine no longer has carry nothing any more.
    /// - Parameter hosts: the machine's addresses, without zones.
    func endStrandedConnections(keeping hosts: Set<Substring>) {
        for (id, connection) in network.connections where !hosts.contains(connection.localHost.prefix { $0 != "%" }) {
            connection.channel.finish()
            disconnected(id)
        }
    }
}
