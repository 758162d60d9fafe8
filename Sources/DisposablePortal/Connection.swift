// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Refuses heads that are too long while they come: the decoder behind it bounds fields, but not addresses.
// Unchecked: like every handler it is used on its channel's event loop only.
final class HeadLimiter: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let byteCountMax: Int
    private var isInHead = true
    private var headByteCount = 0
    private var headCount = 0
    private var isRefused = false

    init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    func headBegins() {
        isInHead = true
        headByteCount = 0
        headCount += 1
    }
    func headEnds() { isInHead = false }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        let byteCount = unwrapInboundIn(data).readableBytes
        let head = headCount
        context.fireChannelRead(data)  // in here the head ends, if it does, or a body ends and the next head begins
        guard isInHead, headCount == head else { return }
        headByteCount += byteCount
        guard headByteCount > byteCountMax else { return }
        isRefused = true
        let answer = ByteBuffer(
            string: "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(answer)).whenComplete { _ in bound.value.close(promise: nil) }
    }
}

/// Closes connections that cost more than they bring: a body that trickles, an answer that nobody takes, a body that
/// goes on long after its answer.
// Unchecked: like every handler it is used on its channel's event loop only.
final class PaceKeeper: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: PortalLimits
    /// In the same pipeline; `nil` before this handler is in it.
    private var head: HeadLimiter?
    private var ticks: RepeatedTask?

    // The body that is coming.
    private var isInBody = false
    private var windowByteCount = 0
    private var windowBeganAt = NIODeadline.now()
    /// Bytes after the answer; `nil` while there is none.
    private var lingeringByteCount: Int?
    /// Whether we want to read at all: a body that waits for us is not slow.
    private var wantsToRead = false

    // The answer that is going.
    private var pendingWriteCount = 0
    private var lastWriteAt = NIODeadline.now()

    init(_ limits: PortalLimits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) {
        head = try? context.pipeline.syncOperations.handler(type: HeadLimiter.self)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let interval = TimeAmount(min(limits.bodyWindow, limits.writeTimeout) / 4)
        ticks = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let (handler, context) = bound.value
            handler.tick(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { ticks?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        ticks?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            head?.headEnds()
            isInBody = true
            windowByteCount = 0
            windowBeganAt = .now()
            lingeringByteCount = nil
            if request.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body(let buffer):
            windowByteCount += buffer.readableBytes
            if let lingering = lingeringByteCount {
                lingeringByteCount = lingering + buffer.readableBytes
                if lingering > limits.lingeringByteCountMax { context.close(promise: nil) }
            }
        case .end:
            head?.headBegins()
            isInBody = false
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        wantsToRead = true
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        wantsToRead = false
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if pendingWriteCount == 0 { lastWriteAt = .now() }
        pendingWriteCount += 1
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { _ in
            bound.value.pendingWriteCount -= 1
            bound.value.lastWriteAt = .now()
        }
        if case .end = unwrapOutboundIn(data), isInBody { lingeringByteCount = 0 }
        context.write(data, promise: promise)
    }

    private func tick(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if pendingWriteCount > 0, now - lastWriteAt > TimeAmount(limits.writeTimeout) {
            return context.close(promise: nil)
        }
        guard isInBody, now - windowBeganAt > TimeAmount(limits.bodyWindow) else { return }
        if wantsToRead, windowByteCount < limits.bodyByteCountInWindowMin { return context.close(promise: nil) }
        windowByteCount = 0
        windowBeganAt = now
    }
}
