// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire
internal import Logging
internal import NIOCore
internal import Synchronization

/// One connection to a peer: moves bytes between its socket and the event that it belongs to, until one side is done.
/// What the bytes mean is the replica's business alone.
final class PeerExchange: Sendable {
    private let socket: SocketChannel
    private let channel = PeerChannel()
    private let logger: Logger
    private let localHost: String
    /// The event, once it is known.
    private let attachment = Mutex<Attachment?>(nil)

    private struct Attachment: Sendable {
        let event: EventNode
        let connection: ConnectionID
    }

    /// What an accepted connection must show before it belongs to an event.
    struct Accepted: Sendable {
        let host: String
        let challenge: [UInt8]
        /// The event whose secret answers the challenge; `nil` for a stranger.
        let recognise: @Sendable (_ preface: [UInt8]) async -> EventNode?
    }

    init(_ socket: SocketChannel, logger: Logger) {
        self.socket = socket
        self.logger = logger
        localHost = PeerSockets.numericHost(socket.channel.localAddress)
    }

    func run(dialled address: PeerAddress, for event: EventNode) async {
        let connection = await event.connected(channel, to: address, localHost: localHost)
        attachment.withLock { $0 = Attachment(event: event, connection: connection) }
        await exchange(nil)
    }

    func run(accepted: Accepted) async {
        channel.send(accepted.challenge)
        await exchange(accepted)
    }

    private func exchange(_ accepted: Accepted?) async {
        do {
            try await socket.executeThenClose { inbound, outbound in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await self.write(to: outbound) }
                    group.addTask { await self.read(inbound, accepted) }
                    group.addTask { await self.limitOpening() }
                    group.addTask { await self.limitClosing() }
                    await group.next()
                    group.cancelAll()
                }
            }
        } catch {
            logger.debug("connection ended", metadata: ["reason": "\(error)"])
        }
        channel.finish()
        if let attached = attachment.withLock({ $0 }) { await attached.event.disconnected(attached.connection) }
    }

    private func write(to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async {
        do {
            for await bytes in channel.bytes {
                try await outbound.write(ByteBuffer(bytes: bytes))
                guard let attached = attachment.withLock({ $0 }) else { continue }
                await attached.event.sent(attached.connection, byteCount: bytes.count)
            }
        } catch {
            logger.trace("write failed", metadata: ["reason": "\(error)"])
        }
    }

    private func read(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ accepted: Accepted?) async {
        var start: [UInt8] = []
        var attached = attachment.withLock { $0 }
        do {
            for try await buffer in inbound {
                let bytes = Array(buffer.readableBytesView)
                if let attached {
                    if let end = await attached.event.received(attached.connection, bytes) {
                        try await Task.sleep(until: end, clock: .continuous)
                    }
                    continue
                }
                guard let accepted else { return }
                start += bytes
                guard start.count >= Preface.byteCount else { continue }
                attached = await attach(accepted, start)
                guard attached != nil else { return }
                start = []
            }
        } catch {
            logger.trace("read failed", metadata: ["reason": "\(error)"])
        }
    }

    /// Finds the event that the preface means. A stranger's connection just ends.
    private func attach(_ accepted: Accepted, _ start: [UInt8]) async -> Attachment? {
        let preface = Array(start.prefix(Preface.byteCount))
        guard let event = await accepted.recognise(preface) else {
            logger.debug("connection refused: no event of this node", metadata: ["host": "\(accepted.host)"])
            return nil
        }
        let connection = await event.accepted(
            channel, from: accepted.host, localHost: localHost, challenge: accepted.challenge, preface: preface,
            rest: Array(start.dropFirst(Preface.byteCount)))
        let attached = Attachment(event: event, connection: connection)
        attachment.withLock { $0 = attached }
        return attached
    }

    /// Bytes that are left to send may take so long; a peer that is gone would never take them.
    private func limitClosing() async {
        for await _ in channel.end {}
        try? await Task.sleep(for: .milliseconds(Limits.handshakeMillisecondsMax))
    }

    /// Ends a connection that shows no preface in time.
    private func limitOpening() async {
        do {
            try await Task.sleep(for: .milliseconds(Limits.handshakeMillisecondsMax))
            while attachment.withLock({ $0 }) != nil { try await Task.sleep(for: .seconds(3_600)) }
        } catch {}  // cancelled: the connection has ended otherwise
    }
}
