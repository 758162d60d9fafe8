// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import Foundation
import Glibc

/// One HTTP request to a node on this machine; the response is read as it arrives.
final class LoopbackHTTP {
    private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private let port: UInt16

    init(port: UInt16) throws {
        self.port = port
        var address = SocketName.loopback(1, port: port)
        guard SocketName.with(&address, { connect(descriptor, $0, $1) }) == 0 else {
            throw Failure("the measured node's pages cannot be reached")
        }
    }

    deinit { close(descriptor) }

    /// Opens a session with a JSON body.
    /// - Returns: the response's body, and the cookie to send with later requests.
    static func open(_ path: String, port: UInt16, body: String) throws -> (body: String, cookie: String) {
        let request = try LoopbackHTTP(port: port)
        try request.post(path, type: "application/json", body)
        let head = try request.head()
        let setCookie = head.fields.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") }
        guard
            let cookie = setCookie?.split(separator: ":", maxSplits: 1).last?.split(separator: ";").first?
                .drop(while: { $0 == " " })
        else { throw Failure("the node opened no session: \(head.fields.prefix(60))") }
        return (String(decoding: head.answer, as: UTF8.self), String(cookie))
    }

    /// Returns the body of a `GET` that answers 200.
    static func get(_ path: String, port: UInt16, cookie: String) throws -> [UInt8] {
        let request = try LoopbackHTTP(port: port)
        try request.send(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(cookie)\r\nConnection: close\r\n\r\n")
        let head = try request.head()
        guard head.fields.hasPrefix("HTTP/1.1 200") else { throw Failure("\(path): \(head.fields.prefix(60))") }
        var body = head.answer
        while true {
            let count = recv(request.descriptor, &request.buffer, request.buffer.count, 0)
            guard count >= 0 else { throw Failure("the measured node broke the connection") }
            guard count > 0 else { return body }
            body += request.buffer[..<count]
        }
    }

    func post(_ path: String, type: String, _ body: String, more: String = "") throws {
        try send(
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: \(type)\r\n\(more)"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    }

    private func send(_ text: String) throws {
        guard
            Array(text.utf8).withUnsafeBytes({ Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }) == text.utf8.count
        else {
            throw Failure("the measured node takes no request")
        }
    }

    /// Returns status and fields, and the part of the body that arrived with them.
    func head() throws -> (fields: String, answer: [UInt8]) {
        var text: [UInt8] = []
        let end: [UInt8] = [13, 10, 13, 10]
        while true {
            if let place = text.indices.dropLast(3).first(where: { text[$0..<$0 + 4].elementsEqual(end) }) {
                return (String(decoding: text[..<place], as: UTF8.self), Array(text[(place + 4)...]))
            }
            let count = recv(descriptor, &buffer, 4_096, 0)
            guard count > 0 else { throw Failure("the measured node gave no answer") }
            text += buffer[..<count]
        }
    }

    /// Returns the number of bytes that arrived next; `nil` at the end.
    func skip() throws -> Int? {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure("the measured node broke the connection") }
        return count == 0 ? nil : count
    }
}
