// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import DisposableWire
internal import Logging
internal import NIOCore

/// Connections as `PeerHandler` reports them.
extension EventNode {
    /// Tries addresses at which nodes of the event may be.
    public func dial(_ addresses: [PeerAddress]) {
        for address in addresses { apply(.sighted(address, isPersistent: true)) }
    }

    /// Handles a sighting of a node of the event by mDNS.
    /// - Parameter attempt: the index of the secret, in the keyring, that its tag was made with.
    func sighted(_ address: PeerAddress, attempt: Int) {
        apply(.sighted(address, isPersistent: false, attempt: attempt))
    }

    func dial(_ address: PeerAddress) {
        do {
            try PeerHandler.dial(address, for: self).whenFailure { [self] error in
                assumeIsolated { $0.dialFailed(address, error) }
            }
        } catch {
            // Not before this output is finished: the replica handles one input at a time.
            loop.execute { [self] in assumeIsolated { $0.dialFailed(address, error) } }
        }
    }

    private func dialFailed(_ address: PeerAddress, _ error: any Error) {
        logger.debug("dial failed", metadata: ["address": "\(address)", "reason": "\(error)"])
        apply(.dialFailed(address))
    }

    func connected(_ channel: any Channel, to address: PeerAddress) -> ConnectionID {
        let connection = network.add(channel)
        apply(.connected(connection, to: address, Entropy.connection))
        return connection
    }

    func accepted(_ channel: any Channel, from host: String, challenge: [UInt8], preface: [UInt8]) -> ConnectionID {
        let connection = network.add(channel)
        apply(.accepted(connection, host: host, challenge: challenge, preface: preface, Entropy.connection))
        return connection
    }

    /// - Returns: the milliseconds during which nothing more is read, if any, and the number of bytes without which
    ///   nothing more can be handled.
    func received(_ connection: ConnectionID, _ bytes: [UInt8]) -> (pauseMilliseconds: UInt64?, missingByteCount: Int) {
        guard network.connections[connection] != nil else { return (nil, 1) }
        apply(.received(connection, bytes))
        return (
            network.connections[connection]?.pauseMilliseconds.take(), replica.missingByteCount(of: connection)
        )
    }

    func disconnected(_ connection: ConnectionID) {
        guard network.connections.removeValue(forKey: connection) != nil else { return }
        network.unflushed.remove(connection)
        apply(.disconnected(connection))
    }

    // Sending: the output of one input is sent in one piece

    func send(_ bytes: [UInt8], to connection: ConnectionID) {
        if let carrier = network.bundles[connection] { return ask(carrier, bytes, connection) }
        guard let link = network.connections[connection], !link.isClosing else { return }
        if link.last != nil {
            if link.untoldByteCount >= Self.toldByteCount {
                writeLast(of: connection)
            } else {
                writeUntold(of: connection)
            }
        }
        network.connections[connection]?.last = ByteBuffer(bytes: bytes)
        network.connections[connection]?.untoldByteCount += bytes.count
        network.unflushed.insert(connection)
    }

    /// The number of bytes after which the replica is notified that they are sent: until then it offers a slow peer
    /// nothing more.
    private static let toldByteCount = 65_536

    private func writeUntold(of connection: ConnectionID) {
        guard let channel = network.connections[connection]?.channel,
            let last = network.connections[connection]?.last.take()
        else { return }
        channel.write(last, promise: nil)
    }

    private func writeLast(of connection: ConnectionID) {
        guard let channel = network.connections[connection]?.channel,
            let last = network.connections[connection]?.last.take()
        else { return }
        let byteCount = network.connections[connection]?.untoldByteCount ?? 0
        network.connections[connection]?.untoldByteCount = 0
        channel.write(last).whenSuccess { [self] in
            assumeIsolated { $0.sent(connection, byteCount: byteCount) }
        }
    }

    func flush() {
        guard !network.unflushed.isEmpty else { return }
        let unflushed = network.unflushed
        network.unflushed = []
        for connection in unflushed {
            writeLast(of: connection)
            network.connections[connection]?.channel.flush()
        }
    }

    private func sent(_ connection: ConnectionID, byteCount: Int) {
        guard network.connections[connection] != nil else { return }
        apply(.sent(connection, byteCount: byteCount))
    }

    /// Sends earlier data, then closes the connection. A peer that does not read must not keep the connection open.
    func end(_ connection: ConnectionID) {
        guard let link = network.connections[connection], !link.isClosing else { return }
        flush()
        network.connections[connection]?.isClosing = true
        let channel = link.channel
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
        loop.scheduleTask(in: .milliseconds(Int64(Limits.handshakeMillisecondsMax))) { channel.close(promise: nil) }
    }

    /// Closes connections from an address that this machine no longer has, which carry nothing more.
    /// - Parameter hosts: the machine's addresses, without zones.
    func endStrandedConnections(keeping hosts: Set<Substring>) {
        for (id, link) in network.connections where !hosts.contains(link.localHost.prefix { $0 != "%" }) {
            link.channel.close(promise: nil)
            disconnected(id)
        }
    }

    /// Waits until the peers are notified that this node leaves, at most for a second; then closes the rest.
    func closeConnections() async {
        let end = clock.now + .seconds(1)
        while !network.connections.isEmpty, clock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
        for link in network.connections.values { link.channel.close(promise: nil) }
    }
}
