// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// The handler beside the socket. It tells TLS from HTTP by the first byte, so that a browser that tries the wrong one
/// costs nothing, and closes a connection without TLS's `close_notify` where it has to close at once.
// Unchecked Sendable: like every handler it is used on its channel's event loop only.
final class ProtocolDetector: ChannelDuplexHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The event, from any thread, that closes the socket.
    struct CloseAtOnce: Sendable {}

    private enum State {
        case empty, open, refused
    }

    private let isSecure: Bool
    /// Whether the address may begin another TLS handshake.
    private let admitsHandshake: () -> Bool
    private var state = State.empty

    /// The first byte of a TLS connection: a record of the type handshake (RFC 8446 §5.1).
    private static let handshake: UInt8 = 22

    private static let answer = ByteBuffer(
        string: "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: 43\r\n\r\nThis port is for https. Begin with https://")

    init(isSecure: Bool, admitsHandshake: @escaping () -> Bool) {
        self.isSecure = isSecure
        self.admitsHandshake = admitsHandshake
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .open: return context.fireChannelRead(data)
        case .refused: return
        case .empty: break
        }
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
        let isHandshake = first == Self.handshake
        if isHandshake == isSecure, !isSecure || admitsHandshake() {
            state = .open
            return context.fireChannelRead(data)
        }
        state = .refused
        // The name of a method.
        guard isSecure, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
            return context.close(promise: nil)
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(Self.answer)).whenComplete { _ in bound.value.close(promise: nil) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is CloseAtOnce else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.close(promise: promise)
    }
}
