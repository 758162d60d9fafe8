// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// The choice of the handler, over TCP.
@Suite struct RoutingTests {
    @Test("HEAD is answered with the status and the headers of GET and without the body")
    func head() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put(photoBytes(70_000), by: .stranger(1))
        try await withPortal([gallery]) { _, client in
            let guest = try await client.opening(gallery)
            for path in [
                "/", "/shared/style.css", "/enter", "/nothing", gallery.path, gallery.path + "api/photos",
                gallery.path + "photos/\(photo)/original", gallery.path + "photos/\(photo)/preview",
                "/e/00000000/api/me",
            ] {
                let (get, head) = (try await guest.get(path), try await guest.send("HEAD", path))
                #expect(head.status == get.status, "\(path)")
                #expect(head.body.isEmpty, "\(path)")
                #expect(head["content-length"] == "\(get.body.count)", "\(path)")
                func headers(_ reply: Reply) -> [String] {
                    reply.headers.filter { $0.name != "date" }.map { "\($0.name): \($0.value)" }.sorted()
                }
                #expect(headers(head) == headers(get), "\(path)")
            }
        }
    }

    @Test("after HEAD a connection continues with the next request")
    func connectionAfterHead() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let socket = try Socket(port: client.port)
            let head = "HEAD /shared/style.css HTTP/1.1\r\nHost: \(client.host)\r\n\r\n"
            let get = "GET /enter HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\n\r\n"
            try await socket.write(Array((head + get).utf8))
            let bytes = try await socket.readToEnd()
            let first = try #require(Reply(bytes))
            #expect(first.status == 200)
            let second = try #require(Reply(first.body))
            #expect(second.status == 200)
            #expect(second.text.contains("<form"))
        }
    }

    @Test(
        "a path with other methods only is not found",
        arguments: [
            ("PUT", "/api/session"), ("GET", "/api/session"), ("POST", "/"), ("DELETE", "/enter"), ("PATCH", "/wall"),
            ("OPTIONS", "/enter"),
        ])
    func otherMethod(method: String, path: String) async throws {
        try await withPortal([try TestGallery()]) { _, client in
            let reply = try await client.send(method, path)
            #expect(reply.status == 404)
            #expect(reply.errorCode == "not-found")
        }
    }

    @Test("empty segments and slashes at the ends of a path do not count")
    func emptySegments() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.opening(gallery)
            for path in ["//wall", "/wall//", "/e//\(gallery.event.short)///api/me/", String(repeating: "/", count: 9)]
            {
                #expect(try await guest.get(path).status == 200, "\(path)")
            }
        }
    }

    @Test("a path is compared as sent: nothing in it is decoded or resolved")
    func literalPaths() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.opening(gallery)
            let short = gallery.event.short
            for path in [
                "/e/\(short)/api%2Fme", "/e%2F\(short)/api/me", "/%77all", "/e/\(short)/../\(short)/api/me",
                "/e/\(short)/./api/me", "/./wall", "/wall/..", "/Wall", "/wall;x", "/e/\(short)/api/me/more", "/e",
                "/:event", "/e/\(short)/api/:id",
            ] {
                let reply = try await guest.get(path)
                #expect(reply.status == 404, "\(path)")
                #expect(reply.errorCode == "not-found", "\(path)")
            }
            for path in ["/e/../", "/e/%2e%2e/", "/e/..%2f..%2fetc/", "/e/\(short)%00/", "/e/:event/"] {
                #expect(try await guest.get(path).errorCode == "unknown-event", "\(path)")
            }
        }
    }

    @Test("a path of the maximum length is not found, with any content")
    func longPaths() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.opening(gallery)
            for path in [
                "/" + String(repeating: "a", count: 15_000), String(repeating: "/a", count: 7_500),
                gallery.path + String(repeating: "/api", count: 3_500), String(repeating: "/..", count: 5_000),
                "/" + String(repeating: "%2F", count: 5_000),
            ] {
                #expect(try await guest.get(path).errorCode == "not-found", "\(path.prefix(20))...")
            }
            #expect(try await guest.get(String(repeating: "/", count: 15_000)).status == 200)
            #expect(try await guest.get("/e/" + String(repeating: "A", count: 15_000)).errorCode == "unknown-event")
        }
    }

    @Test("the session's cookie is found among 1,000 others, and in a second field")
    func manyCookies() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let cookie = try #require(try await client.opening(gallery).headers["Cookie"])
            let others = (0..<1_000).map { "a\($0)=\($0)" }.joined(separator: "; ")
            for field in [
                "\(others); \(cookie)", "\(cookie);\(others)", "=;;; ; a; =b; \"c\"; \(cookie); d=\"\u{E9}\"",
            ] {
                let reply = try await client.get(gallery.path + "api/me", headers: ["Cookie": field])
                #expect(reply.status == 200, "\(field.suffix(60))")
            }
            let lines = "Host: \(client.host)\r\nCookie: a=b\r\nCookie: \(cookie)\r\nConnection: close\r\n"
            let reply = try await client.exchange(Array("GET \(gallery.path)api/me HTTP/1.1\r\n\(lines)\r\n".utf8))
            #expect(reply.status == 200)
        }
    }

    @Test(
        "a longer event sends its cookie again; a cookie that no node set is not sent, with any content",
        arguments: ["\"a b\"", "a,b", "a b", "\\", "\u{E9}", "\""])
    func longerEvent(malformed: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let cookie = try #require(try await client.opening(gallery).headers["Cookie"])
            let (name, session) = (cookie.split(separator: "=")[0], cookie.split(separator: "=")[1])
            gallery.with { $0.charter?.schedule.startsAtMilliseconds += 48 * 3_600_000 }
            let other = try await client.get(
                gallery.path + "api/me",
                headers: ["Authorization": "Bearer \(session)", "Cookie": "\(name)=\(malformed)"])
            #expect(other.status == 200)
            #expect(other["set-cookie"] == nil)
            gallery.with { $0.charter?.schedule.startsAtMilliseconds += 48 * 3_600_000 }
            let own = try await client.get(gallery.path + "api/me", headers: ["Cookie": cookie])
            #expect(own.status == 200)
            #expect(own["set-cookie"]?.hasPrefix("\(cookie); ") == true)
        }
    }
}
