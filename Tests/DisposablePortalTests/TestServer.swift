// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Routes behind a real server on a free port of the loopback interface. A request's bearer names its session.
struct TestServer {
    let port: Int
    let gallery: UploadTestGallery

    /// The guest that `name` is, in every test the same.
    static func guest(_ name: String) -> AuthorID { AuthorID(BLAKE2b.hash(Array("guest \(name)".utf8))) }

    static func session(_ name: String, in gallery: any Gallery, isGuest: Bool = true) -> GuestSession {
        let id = BLAKE2b.hash(Array("session \(name)".utf8))
        let key = BLAKE2b.hash(Array("key \(name)".utf8)).bytes
        return GuestSession(
            gallery: gallery, id: id, storageKey: SecretBytes(copying: key.span), guest: isGuest ? guest(name) : nil)
    }

    static func running(
        _ gallery: UploadTestGallery, routes: (RouterGroup<PortalContext>) -> Void,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let router = Router(context: PortalContext.self)
        routes(router.group("e/00000000").add(middleware: Errors()).add(middleware: Sessions(gallery: gallery)))
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in continuation.yield(channel.localAddress!.port!) }, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            var iterator = ports.makeAsyncIterator()
            let port = await iterator.next()!
            try await body(TestServer(port: port, gallery: gallery))
            group.cancelAll()
        }
    }

    /// One request on a connection of its own.
    func ask(
        _ method: String, _ path: String, session: String? = "anna", headers: [String: String] = [:], body: [UInt8] = []
    ) async throws -> RawConnection.Answer {
        try await RawConnection.open(port: port) { connection in
            try await connection.send(
                Self.request(method, path, session: session, headers: headers, byteCount: body.count))
            try await connection.send(body)
            return try await connection.answer(to: method)
        }
    }

    /// The head of a request for `path`, below the event's unless it begins with a slash.
    static func request(
        _ method: String, _ path: String, session: String? = "anna", headers: [String: String] = [:], byteCount: Int
    ) -> [UInt8] {
        var lines = ["\(method) \(path.hasPrefix("/") ? path : "/e/00000000/" + path) HTTP/1.1", "Host: localhost"]
        if let session { lines.append("Authorization: Bearer \(session)") }
        if byteCount > 0 || method != "GET" && method != "HEAD" { lines.append("Content-Length: \(byteCount)") }
        lines += headers.map { "\($0): \($1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private struct Sessions: RouterMiddleware {
        let gallery: UploadTestGallery

        func handle(
            _ request: Request, context: PortalContext,
            next: @concurrent (Request, PortalContext) async throws -> Response
        ) async throws -> Response {
            var context = context
            if let name = request.headers[.authorization]?.split(separator: " ").last {
                context.session = TestServer.session(String(name), in: gallery, isGuest: name != "nobody")
            }
            return try await next(request, context)
        }
    }

    private struct Errors: RouterMiddleware {
        typealias Context = PortalContext

        func handle(
            _ request: Request, context: PortalContext,
            next: @concurrent (Request, PortalContext) async throws -> Response
        ) async throws -> Response {
            do {
                return try await next(request, context)
            } catch {
                guard let error = PortalError(refusing: error) else { throw error }
                var headers = error.headers
                if let seconds = error.retryAfter { headers[.retryAfter] = "\(seconds)" }
                let body =
                    request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: error.code))
                return Response(status: error.status, headers: headers, body: body)
            }
        }
    }
}

/// A folder of its own for one test, gone afterwards.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.path + "/portal-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// Bytes that begin like a JPEG; others for another seed.
func photoBytes(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
    var (bytes, value) = ([UInt8](), UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
    bytes.reserveCapacity(count)
    for _ in 0..<count {
        value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: value >> 56))
    }
    for (index, byte) in [UInt8(0xFF), 0xD8].prefix(count).enumerated() { bytes[index] = byte }
    return bytes
}
