// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// One request for the cards of another node, over HTTP. Limited in time and size: anybody can announce an address.
enum CardFetch {
    enum Answer: Sendable {
        case cards(bytes: [UInt8], tag: String?)
        case unchanged
    }

    enum Failure: Error {
        case timeout
        case tooLong
        case status(Int)
        case brokenOff
    }

    private static let timeout = Duration.seconds(10)
    private static let headerByteCountMax = 256

    private typealias Exchange = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// - Parameters:
    ///   - host: numeric, without a zone.
    ///   - tag: of the last answer of this node, `nil` for the first.
    static func cards(of host: String, port: UInt16, tag: String?) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask { try await exchange(host, port, tag) }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw Failure.timeout
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw Failure.brokenOff }
            return answer
        }
    }

    private static func exchange(_ host: String, _ port: UInt16, _ tag: String?) async throws -> Answer {
        let address = try SocketAddress(ipAddress: host, port: Int(port))
        let exchange = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(5))
            .connect(to: address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Exchange(wrappingChannelSynchronously: channel)
                }
            }
        return try await exchange.executeThenClose { inbound, outbound in
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/api/cards")
            head.headers = ["Host": PeerAddress(host: host, port: port).description, "Connection": "close"]
            if let tag { head.headers.add(name: "If-None-Match", value: tag) }
            try await outbound.write(.head(head))
            try await outbound.write(.end(nil))
            return try await read(inbound)
        }
    }

    private static func read(_ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>) async throws -> Answer {
        var tag: String?
        var bytes: [UInt8] = []
        for try await part in inbound {
            switch part {
            case .head(let head):
                if head.status == .notModified { return .unchanged }
                guard head.status == .ok else { throw Failure.status(Int(head.status.code)) }
                tag = head.headers.first(name: "ETag").flatMap { $0.utf8.count <= headerByteCountMax ? $0 : nil }
            case .body(let buffer):
                guard bytes.count + buffer.readableBytes <= CardList.byteCountMax else { throw Failure.tooLong }
                bytes.append(contentsOf: buffer.readableBytesView)
            case .end: return .cards(bytes: bytes, tag: tag)
            }
        }
        throw Failure.brokenOff
    }
}
