// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Refuses heads that are too long while they arrive: the decoder behind it bounds fields, but not addresses.
// Unchecked Sendable: like every handler it is used on its channel's event loop only.
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
        context.fireChannelRead(data)  // in this call the head may end, or a body may end and the next head begin
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

/// Closes connections whose client is too slow: a trickling body, an unread answer, a body that continues long after
/// its answer. Reports to the gate what each connection waits for (`OpenConnection.Wait`).
// Unchecked Sendable: like every handler it is used on its channel's event loop only.
final class PaceKeeper: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ServerLimits
    private let gate: ConnectionGate
    /// `nil` before this handler is in the pipeline, and for a refused connection.
    private var connection: OpenConnection?
    /// The encoder of the same pipeline; `nil` before this handler is in it.
    private var head: HeadLimiter?
    private var ticks: RepeatedTask?

    // The body being received.
    private var isInBody = false
    private var windowByteCount = 0
    private var windowBeganAt = NIODeadline.now()
    /// When the body last brought `activeByteCount` bytes, and the number of bytes since then.
    private var bodyMovedAt = ContinuousClock.now
    private var bodyByteCount = 0
    /// The number of bytes after the answer; `nil` before it.
    private var lingeringByteCount: Int?
    /// Whether this server wants to read: a body that waits for the server is not slow.
    private var wantsToRead = false
    private var readEndedAt = ContinuousClock.now

    // The answer being sent.
    private var pendingWriteCount = 0
    private var lastWriteAt = NIODeadline.now()
    private var isAnswered = false

    /// The bytes after which a body counts as active: fewer do not justify a permit that others wait for.
    private static let activeByteCount = 16 << 10

    init(_ limits: ServerLimits, gate: ConnectionGate) { (self.limits, self.gate) = (limits, gate) }

    func handlerAdded(context: ChannelHandlerContext) {
        connection = gate.connection(of: context.channel)
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
            (bodyMovedAt, bodyByteCount) = (.now, 0)
            isAnswered = false
            connection?.wait = .client(since: bodyMovedAt)
            if request.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body(let buffer):
            windowByteCount += buffer.readableBytes
            bodyByteCount += buffer.readableBytes
            if bodyByteCount >= Self.activeByteCount {
                (bodyMovedAt, bodyByteCount) = (.now, 0)
                connection?.wait = .client(since: bodyMovedAt)
            }
            if let lingering = lingeringByteCount {
                lingeringByteCount = lingering + buffer.readableBytes
                if lingering > limits.lingeringByteCountMax { context.close(promise: nil) }
            }
        case .end:
            head?.headBegins()
            isInBody = false
            noteWait()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if isInBody, !wantsToRead {
            // The body waited for this server.
            if ContinuousClock.now - readEndedAt > .seconds(1) { bodyMovedAt = .now }
            connection?.wait = .client(since: bodyMovedAt)
        }
        wantsToRead = true
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        wantsToRead = false
        readEndedAt = .now
        if isInBody { connection?.wait = .nothing }
        context.fireChannelReadComplete()
    }

    /// Between a request and its answer, and afterwards.
    private func noteWait() {
        guard !isInBody else { return }
        if pendingWriteCount > 0 {
            connection?.wait = .client(since: .now)
        } else {
            connection?.wait = isAnswered ? .nextHead(since: .now) : .nothing
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { isAnswered = true }
        if pendingWriteCount == 0 { lastWriteAt = .now() }
        pendingWriteCount += 1
        if pendingWriteCount == 1 { noteWait() }
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        var byteCount = 0
        if case .body(let part) = unwrapOutboundIn(data) { byteCount = part.readableBytes }
        promise.futureResult.whenComplete { [gate, connection, byteCount] _ in
            if let connection, byteCount > 0 {
                gate.noteRead(byteCount, of: connection)
                connection.noteTaken(byteCount)
            }
            bound.value.pendingWriteCount -= 1
            bound.value.lastWriteAt = .now()
            bound.value.noteWait()
        }
        if case .end = unwrapOutboundIn(data), isInBody { lingeringByteCount = 0 }
        let leaving = connection.map { byteCount > 0 ? gate.noteUnread(byteCount, of: $0) : [] } ?? []
        context.write(data, promise: promise)
        for connection in leaving { connection.reset() }
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
