// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc

struct Reply: Sendable {
    let status: Int
    /// Names in lower case, in the order of the answer.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    var object: [String: Any] {
        get throws { try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:] }
    }
    var errorCode: String? { ((try? object["error"]) as? [String: Any])?["code"] as? String }

    /// Parses the answer in these bytes; `nil` if it is incomplete.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        if status == 100 {
            guard let next = Reply(Array(bytes[end.upperBound...])) else { return nil }
            self = next
            return
        }
        self.status = status
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (line[..<colon].lowercased(), value)
        }
        body = Array(bytes[end.upperBound...])
    }
}

/// A TCP connection. Every call blocks, so each runs on a thread of its own.
final class Socket: Sendable {
    struct Failure: Error { let call: String, code: Int32 }

    private let descriptor: Int32

    /// - Parameters:
    ///   - lastByte: of 127.0.0.x, the destination.
    ///   - source: of 127.0.0.x, the source.
    init(port: UInt16, lastByte: UInt8 = 1, source: UInt8 = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try Self.with(source, port: 0) { address, size in
            guard bind(descriptor, address, size) == 0 else { throw Failure(call: "bind", code: errno) }
        }
        try Self.with(lastByte, port: port) { address, size in
            guard connect(descriptor, address, size) == 0 else { throw Failure(call: "connect", code: errno) }
        }
        let timeout = [300, 0]  // seconds and microseconds: a watchdog
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, timeout, socklen_t(MemoryLayout<Int>.size * timeout.count))
        }
    }

    deinit { close(descriptor) }

    /// Calls `body` with the address 127.0.0.x, made of bytes: the module of the C structures depends on the imports of
    /// other files.
    static func with(
        _ lastByte: UInt8, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        let address: [UInt8] =
            [UInt8(AF_INET), 0, UInt8(port >> 8), UInt8(port & 0xFF), 127, 0, 0, lastByte]
            + [UInt8](repeating: 0, count: 8)
        try address.withUnsafeBytes { bytes in
            try body(bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }

    private func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            // One thread each: queues have few, and tests hold many connections.
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Sends as much as the other side accepts; it may close before it has read everything.
    func write(_ bytes: [UInt8]) async throws {
        try await blocking { [self] in
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(call: "send", code: errno) }
                written += count
            }
        }
    }

    /// Receives the next bytes; empty if the other side has closed.
    func read() async throws -> [UInt8] {
        try await blocking { [self] in
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count < 0, errno == ECONNRESET { return [] }
            guard count >= 0 else { throw Failure(call: "recv", code: errno) }
            return Array(bytes.prefix(count))
        }
    }

    func readToEnd() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let next = try await read(), !next.isEmpty { bytes += next }
        return bytes
    }

    /// Whether the other side has reset the connection, even if there are bytes left to read.
    var isEnded: Bool {
        var poll = pollfd(fd: descriptor, events: 0, revents: 0)  // errors and hangups are always reported
        return Glibc.poll(&poll, 1, 0) > 0
    }

    func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Resets the connection, as a browser that is closed during a download: the other side notices it at once.
    func breakOff() {
        let nowhere = [UInt8](repeating: 0, count: 16)  // AF_UNSPEC, which resets a connection
        _ = nowhere.withUnsafeBytes { bytes in
            connect(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }
}

/// A client of one server, with one connection per request.
struct HTTPClient: Sendable {
    let port: UInt16
    /// The last byte of the server's address 127.0.0.x.
    var lastByte: UInt8 = 1
    /// The last byte of the client's address 127.0.0.x.
    var source: UInt8 = 1
    var headers: [String: String] = [:]

    var host: String { "127.0.0.\(lastByte):\(port)" }

    /// Returns the same client at another address, without its session.
    func from(_ source: UInt8) -> HTTPClient { HTTPClient(port: port, lastByte: lastByte, source: source) }

    /// Sends a request. A header value of `nil` omits a default header.
    func send(
        _ method: String, _ path: String, headers: [String: String?] = [:], body: [UInt8] = []
    ) async throws -> Reply {
        var fields: [String: String] = self.headers
        fields["Host"] = host
        fields["Connection"] = "close"
        if !body.isEmpty || method == "POST" || method == "PUT" { fields["Content-Length"] = "\(body.count)" }
        for (name, value) in headers { fields[name] = value }
        let head = "\(method) \(path) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        return try await exchange(Array(head.utf8) + body)
    }

    func exchange(_ bytes: [UInt8]) async throws -> Reply {
        let socket = try Socket(port: port, lastByte: lastByte, source: source)
        // The answer may arrive before everything is sent.
        try? await socket.write(bytes)
        guard let reply = Reply(try await socket.readToEnd()) else { throw NoReply() }
        return reply
    }

    struct NoReply: Error {}

    func get(_ path: String, headers: [String: String?] = [:]) async throws -> Reply {
        try await send("GET", path, headers: headers)
    }

    func post(_ path: String, _ json: [String: Any], headers: [String: String?] = [:]) async throws -> Reply {
        let body = [UInt8](try JSONSerialization.data(withJSONObject: json))
        return try await send(
            "POST", path, headers: ["Content-Type": "application/json"].merging(headers) { $1 } as [String: String?],
            body: body)
    }

    func post(_ path: String, form: [String: String], headers: [String: String?] = [:]) async throws -> Reply {
        let text = form.map { name, value in
            name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }.joined(separator: "&")
        let type: [String: String?] = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await send("POST", path, headers: type.merging(headers) { $1 }, body: Array(text.utf8))
    }

    /// Opens a stream of server-sent events.
    func events(_ path: String, headers: [String: String] = [:]) async throws -> EventStream {
        let socket = try Socket(port: port, lastByte: lastByte, source: source)
        let fields = self.headers.merging(headers) { $1 }.map { "\($0): \($1)\r\n" }.joined()
        try await socket.write(
            Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nAccept: text/event-stream\r\n\(fields)\r\n".utf8))
        return try await EventStream(socket)
    }
}

/// Received server-sent events.
struct EventStream {
    struct Event: Equatable, Sendable {
        var name: String
        var id: String?
        var data: String
    }

    let status: Int
    private let socket: Socket
    private var text: String

    init(_ socket: Socket) async throws {
        var bytes: [UInt8] = []
        while Reply(bytes) == nil {
            let next = try await socket.read()
            if next.isEmpty { throw HTTPClient.NoReply() }
            bytes += next
        }
        let reply = Reply(bytes)!
        status = reply.status
        text = Self.unchunked(reply.text)
        self.socket = socket
    }

    /// Returns the next event, without heartbeats unless they are wanted; `nil` at the end of the stream.
    mutating func next(beats: Bool = false) async throws -> Event? {
        while true {
            while let end = text.range(of: "\n\n") {
                let block = text[..<end.lowerBound]
                text = String(text[end.upperBound...])
                var event = Event(name: "", id: nil, data: "")
                for line in block.split(separator: "\n") {
                    let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                    switch parts[0] {
                    case "event": event.name = parts[1]
                    case "id": event.id = parts[1]
                    case "data": event.data = parts[1]
                    default: break
                    }
                }
                if !event.name.isEmpty, beats || event.name != "beat" { return event }
            }
            let next = try await socket.read()
            if next.isEmpty { return nil }
            text += Self.unchunked(String(decoding: next, as: UTF8.self))
        }
    }

    func close() { socket.shut() }

    /// Whether a line is the size of a chunk: hexadecimal digits only, unlike any line of an event.
    private static func unchunked(_ text: String) -> String {
        text.components(separatedBy: "\r\n").filter { !$0.isEmpty && !$0.allSatisfy(\.isHexDigit) }.joined()
    }
}
