// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Glibc
import Synchronization
import Testing

@Suite struct ProtectionTests {
    @Test("a name that another DNS server could resolve to this machine is refused, for every path")
    func wrongHost() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            for host in [
                "evil.example", "evil.example:\(client.port)", "localhost.evil.example", "127.0.0.1.evil.example",
                "127.0.0.1@evil.example", "evil.local", "", "[::1", "[evil]", "2130706433", "0x7f.1", "127.1",
            ] {
                for path in ["/", gallery.path + "api/me", "/index.html"] {
                    let reply = try await client.get(path, headers: ["Host": host])
                    #expect(reply.status == 421 || reply.status == 400, "\(host) \(path): \(reply.status)")
                }
                let opened = try await client.post(
                    "/api/session", ["token": gallery.tokenText], headers: ["Host": host, "Origin": "http://\(host)"])
                #expect(opened["set-cookie"] == nil, "\(host)")
            }
            #expect(try await client.get("/", headers: ["Host": "evil.example"]).errorCode == "wrong-host")
        }
    }

    @Test("addresses, localhost and the machine's mDNS name are accepted")
    func rightHost() async throws {
        let gallery = try TestGallery()
        let name = ProcessInfo.processInfo.hostName.split(separator: ".").first ?? ""
        try await withPortal([gallery]) { _, client in
            for host in [
                "127.0.0.1", "127.0.0.1:\(client.port)", "192.168.1.5:8027", "[::1]:\(client.port)", "[fe80::1]",
                "localhost", "LOCALHOST:\(client.port)", "\(name).local", "\(name.uppercased()).local.:\(client.port)",
            ] {
                let reply = try await client.get("/", headers: ["Host": host])
                #expect(reply.status == 200, "\(host)")
            }
        }
    }

    @Test("two hosts, or none, are refused")
    func hosts() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let none = try await client.get("/", headers: ["Host": nil])
            #expect(none.status == 421 || none.status == 400)
            let two = Array(
                "GET / HTTP/1.1\r\nHost: \(client.host)\r\nHost: evil.example\r\nConnection: close\r\n\r\n".utf8)
            #expect([400, 421].contains(try await client.exchange(two).status))
            let absolute = Array(
                "GET http://\(client.host)/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".utf8)
            #expect(try await client.exchange(absolute).status == 421)
        }
    }

    @Test("requests from another origin are refused before any effect")
    func foreignOrigin() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest, name: "Anna")
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            for headers in [
                ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1"],
                ["Origin": "https://\(client.host)"], ["Origin": "http://\(client.host)/"], ["Origin": ""],
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
                ["Origin": "http://\(client.host)", "Sec-Fetch-Site": "cross-site"],
            ] {
                for (method, path) in [
                    ("DELETE", "api/photos/\(photo.id)"), ("PUT", "api/guest/name"), ("POST", "api/guest/key"),
                    ("DELETE", "api/session"), ("POST", "simple/photos/\(photo.id)/remove"), ("PATCH", "api/me"),
                ] {
                    let reply = try await client.send(
                        method, gallery.path + path, headers: headers, body: Array("{\"name\":\"Eve\"}".utf8))
                    #expect(reply.status == 403, "\(headers) \(method) \(path)")
                    #expect(reply.errorCode == "foreign-origin")
                }
                #expect(
                    try await client.post("/api/session", ["token": gallery.tokenText], headers: headers).status == 403)
            }
            #expect(gallery.with { $0.names.values.sorted() } == ["Anna"])
            #expect(try await client.get(gallery.path + "api/me").status == 200)
        }
    }

    @Test("requests of the page itself pass")
    func ownOrigin() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            for headers in [
                ["Origin": "http://\(client.host)"], ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
                ["Origin": "http://\(client.host)", "Sec-Fetch-Site": "same-origin"],
            ] {
                let reply = try await client.post("/api/session", ["token": gallery.tokenText], headers: headers)
                #expect(reply.status == 200, "\(headers)")
            }
        }
    }

    @Test("every answer has the headers that isolate its page from other origins")
    func headers() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put([1], by: .stranger(1))
        try await withPortal([gallery]) { _, client in
            let opened = try await client.opening(gallery)
            for reply in [
                try await client.get("/wall"), try await client.get("/words.txt"), try await client.get("/enter"),
                try await client.get("/nothing"), try await client.get(gallery.path + "api/me"),
                try await opened.get(gallery.path + "api/me"), try await opened.get(gallery.path + "simple"),
                try await opened.get(gallery.path + "photos/\(photo.id)/original"),
                try await client.get("/", headers: ["Host": "evil.example"]),
            ] {
                let policy = try #require(reply["content-security-policy"])
                #expect(policy.contains("default-src 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(reply["x-content-type-options"] == "nosniff")
                #expect(reply["referrer-policy"] == "same-origin")
                #expect(reply["cross-origin-opener-policy"] == "same-origin")
                #expect(reply["cross-origin-resource-policy"] == "same-origin")
                #expect(reply["access-control-allow-origin"] == nil)
                #expect(reply["date"]?.hasSuffix(" GMT") == true)
            }
            let page = try #require(try await client.get("/")["content-security-policy"])
            for part in ["script-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
                #expect(page.contains(part))
            }
        }
    }

    @Test("heads of more than 16 KiB are refused, in any of their parts")
    func longHeads() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let long = String(repeating: "a", count: 17 << 10)
            let many = (0..<200).map { "X-\($0): \(String(repeating: "b", count: 100))\r\n" }.joined()
            for head in [
                "GET / HTTP/1.1\r\nHost: \(client.host)\r\nX: \(long)\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: \(client.host)\r\n\(many)\r\n",
                "GET /\(long) HTTP/1.1\r\nHost: \(client.host)\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: \(client.host)\r\nCookie: \(long)",  // never ends
                String(repeating: "GET", count: 10_000),
            ] {
                let reply = try await client.exchange(Array(head.utf8))
                #expect([400, 414, 431].contains(reply.status), "\(head.prefix(60)): \(reply.status)")
            }
            #expect(try await client.get("/").status == 200)
        }
    }

    @Test("a long body does not count as head, and the next request on its connection has a head of its own")
    func longBodyThenHead() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let body = String(repeating: "x", count: 200_000)
            let first = "POST /nothing HTTP/1.1\r\nHost: \(client.host)\r\nContent-Length: 200000\r\n\r\n\(body)"
            let last = "GET /words.txt HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\n\r\n"
            let socket = try Socket(port: client.port)
            try await socket.write(Array((first + first + last).utf8))
            let answers = String(decoding: try await socket.readToEnd(), as: UTF8.self)
            let statuses = answers.matches(of: /HTTP\/1\.1 ([0-9]+)/).map { String($0.1) }
            #expect(statuses == ["404", "404", "200"])
        }
    }

    @Test(
        "malformed HTTP is refused",
        arguments: ["\u{1}\u{2}\u{3}", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n hello\r\n\r\n"])
    func noHTTP(text: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let reply = try await client.exchange(Array((text + "x\r\n\r\n").utf8))
            #expect(reply.status == 400)
        }
    }

    @Test("bodies beyond the limit are refused, with and without a declared length")
    func longBodies() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let long = [UInt8](repeating: UInt8(ascii: "x"), count: 17 << 10)
            #expect(try await client.send("POST", "/api/session", body: long).status == 413)
            #expect(try await client.send("POST", "/enter", body: long).status == 413)
            let head =
                "POST /api/session HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
            let chunk = "1000\r\n\(String(repeating: "x", count: 4096))\r\n"
            let chunked = head + String(repeating: chunk, count: 5) + "0\r\n\r\n"
            let reply = try await client.exchange(Array(chunked.utf8))
            #expect(reply.status == 413)
        }
    }

    @Test("a client that expects 100-continue before a long body gets it")
    func expect() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let body = Array("{\"token\": \"\(gallery.tokenText)\"}".utf8)
            let socket = try Socket(port: client.port)
            let head =
                "POST /api/session HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\nExpect: 100-continue\r\n"
            try await socket.write(Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8))
            let told = String(decoding: try await socket.read(), as: UTF8.self)
            #expect(told.hasPrefix("HTTP/1.1 100 "))
            try await socket.write(body)
            #expect(Reply(try await socket.readToEnd())?.status == 200)
        }
    }

    @Test("an endless body is not read endlessly")
    func endlessBody() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.server.lingeringByteCountMax = 1 << 20
        try await withPortal([gallery], limits: limits) { _, client in
            let socket = try Socket(port: client.port)
            try await socket.write(
                Array("POST /nothing HTTP/1.1\r\nHost: \(client.host)\r\nContent-Length: 9000000000\r\n\r\n".utf8))
            let part = [UInt8](repeating: 0, count: 1 << 20)
            await #expect(throws: Socket.Failure.self) { for _ in 0..<200 { try await socket.write(part) } }
        }
    }

    @Test("a connection with a slow head, a slow body or no request at all is closed")
    func slow() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.server.idleTimeout = .milliseconds(600)
        limits.server.bodyWindow = .milliseconds(400)
        try await withPortal([gallery], limits: limits) { _, client in
            for start in [
                "", "GET / HTTP/1.1\r\nHost: \(client.host)\r\nX: ",
                "POST /api/session HTTP/1.1\r\nHost: \(client.host)\r\nContent-Length: 10000\r\n\r\n{",
            ] {
                let socket = try Socket(port: client.port)
                try await socket.write(Array(start.utf8))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // More, byte by byte, until the other side closes.
                    group.addTask {
                        while !start.isEmpty, !Task.isCancelled {
                            try await Task.sleep(for: .milliseconds(100))
                            do { try await socket.write([UInt8(ascii: "x")]) } catch { break }
                        }
                    }
                    group.addTask { _ = try? await socket.readToEnd() }
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    @Test("a client that reads nothing is closed")
    func slowReader() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.server.writeTimeout = .milliseconds(400)
        limits.server.connectionCountMax = 1
        limits.server.connectionCountFromHere = 0
        let photo = gallery.put([UInt8](repeating: 7, count: 64 << 20), by: .stranger(1), type: .mp4)
        try await withPortal([gallery], limits: limits) { _, client in
            let client = try await client.opening(gallery)
            let cookie = client.headers["Cookie"] ?? ""
            let path = "\(gallery.path)photos/\(photo.id)/original"
            let request = "GET \(path) HTTP/1.1\r\nHost: \(client.host)\r\nCookie: \(cookie)\r\n\r\n"
            var held: Socket?
            try await eventually {  // once the previous connection is closed
                let socket = try Socket(port: client.port)
                // A refused client may see a reset instead of the answer.
                try? await socket.write(Array(request.utf8))
                held = socket
                return String(decoding: try await socket.read(), as: UTF8.self).hasPrefix("HTTP/1.1 200")
            }
            // There is a place for another connection only when this one has been closed.
            try await eventually { (try? await client.get("/words.txt"))?.status == 200 }
            let rest = try await #require(held).readToEnd().count
            #expect(rest < 60 << 20)
        }
    }

    @Test("an address that asks too often is told when to retry")
    func tooManyRequests() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.server.requests = .init(burst: 5, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            for _ in 0..<5 { #expect(try await client.get("/").status == 200) }
            let reply = try await client.get("/")
            #expect(reply.status == 429)
            #expect(reply.errorCode == "too-many-requests")
            #expect(reply["retry-after"].flatMap { Int($0) } ?? 0 > 100)
        }
    }

    @Test("if all connections are in use a new one is refused, and accepted again when one has closed")
    func tooManyConnections() async throws {
        let gallery = try TestGallery()
        var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
        configuration.limits.server.connectionCountMax = 4
        configuration.isFromHere = { _, _ in false }
        try await withPortal(configuration, { [gallery] }) { _, client in
            let client = try await client.opening(gallery)
            var held: [EventStream] = []
            for _ in 0..<4 { held.append(try await client.events(gallery.path + "api/updates")) }
            #expect(held.map(\.status) == [200, 200, 200, 200])
            let refused = try Socket(port: client.port)
            let answer = try #require(Reply(try await refused.readToEnd()))
            #expect(answer.status == 503)
            #expect(answer["retry-after"] != nil)
            for stream in held { stream.close() }
            held = []
            try await eventually { (try? await client.get("/"))?.status == 200 }
        }
    }

    @Test("a browser at a wrong address gets an error page, with every name escaped")
    func errorPages() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
            let page = try await client.get("/<script>", headers: ["Accept": accept])
            #expect(page.status == 404)
            #expect(page["content-type"] == "text/html; charset=utf-8")
            #expect(page.text.contains("<h1>There is nothing here.</h1>"))
            #expect(!page.text.contains("<script"))
            for accept in ["*/*", "application/json", "application/json, text/html", "text/event-stream"] {
                let reply = try await client.get("/nothing", headers: ["Accept": accept])
                #expect(reply["content-type"] == "application/json", "\(accept)")
            }
        }
    }

    @Test("unsupported methods are refused", arguments: ["TRACE", "CONNECT", "BREW", "PROPFIND"])
    func methods(method: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let reply = try await client.send(method, "/api/session", headers: ["X": "secret"])
            #expect([400, 403, 404, 405].contains(reply.status))
            #expect(!reply.text.contains("secret"))
        }
    }
}
