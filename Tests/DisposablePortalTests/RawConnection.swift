// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix

/// A TCP connection that sends what it is told to, be it HTTP or not, and takes answers apart.
struct RawConnection: ~Copyable {
    struct Answer {
        let status: Int
        /// Names in lower case.
        let headers: [String: String]
        let body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Closed: Error {}

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let channel: any Channel
    private var received: [UInt8] = []

    static func open<Result>(
        port: Int, receiveBufferByteCount: Int? = nil, _ body: (inout RawConnection) async throws -> Result
    ) async throws -> Result {
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        if let count = receiveBufferByteCount {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: count)
        }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(
                outbound: outbound, inbound: inbound.makeAsyncIterator(), channel: channel.channel)
            return try await body(&connection)
        }
    }

    private init(
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, channel: any Channel
    ) {
        self.outbound = outbound
        self.inbound = inbound
        self.channel = channel
    }

    mutating func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// The next answer. Throws `Closed` where the connection ends before it is whole.
    mutating func answer(to method: String = "GET") async throws -> Answer {
        let end = try await receive(until: Array("\r\n\r\n".utf8))
        let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
        received.removeFirst(end + 4)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = String(parts.count > 1 ? parts[1].drop { $0 == " " } : "")
        }
        let status = Int(lines[0].split(separator: " ")[1])!
        let byteCount = method == "HEAD" || status == 204 ? 0 : Int(headers["content-length"] ?? "0")!
        while received.count < byteCount { try await receive() }
        let body = Array(received[..<byteCount])
        received.removeFirst(byteCount)
        return Answer(status: status, headers: headers, body: body)
    }

    /// All that comes until the other side closes.
    mutating func rest() async -> [UInt8] {
        while (try? await receive()) != nil {}
        return received
    }

    private mutating func receive(until pattern: [UInt8]) async throws -> Int {
        var from = 0
        while true {
            while from + pattern.count <= received.count {
                if received[from..<from + pattern.count].elementsEqual(pattern) { return from }
                from += 1
            }
            try await receive()
        }
    }

    private mutating func receive() async throws {
        guard let buffer = try await inbound.next(isolation: #isolation) else { throw Closed() }
        received += buffer.readableBytesView
    }
}
