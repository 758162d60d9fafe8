// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct MovingTests {
    private let question = String(repeating: "ab", count: 32)

    private func others() -> [OtherPages] {
        [
            OtherPages(
                node: DeviceID(AuthorID.stranger(7).bytes32), name: "Ben",
                addresses: [PeerAddress(host: "10.0.0.7", port: 8027), PeerAddress(host: "192.168.1.7", port: 8027)]),
            OtherPages(
                node: DeviceID(AuthorID.stranger(8).bytes32), name: nil,
                addresses: [PeerAddress(host: "10.0.0.8", port: 8029)]),
        ]
    }

    @Test("a session gets the event's other addresses, and only the script that asks them may connect to them")
    func named() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let alone = try await client.get(gallery.path + "api/me").object["others"] as? [Any]
            #expect(alone?.isEmpty == true)
            #expect(
                try await client.get(gallery.path + "prober.js")["content-security-policy"]
                    == "default-src 'none'; connect-src 'none'")
            gallery.with { $0.others = others() }
            let told = try #require(try await client.get(gallery.path + "api/me").object["others"] as? [[String: Any]])
            #expect(told.map { $0["node"] as? String } == others().map(\.node.description))
            #expect(told[0]["name"] as? String == "Ben")
            #expect(told[1]["name"] is NSNull)
            #expect(told[0]["origins"] as? [String] == ["http://10.0.0.7:8027", "http://192.168.1.7:8027"])
            let prober = try await client.get(gallery.path + "prober.js")
            #expect(
                prober["content-security-policy"]
                    == "default-src 'none'; connect-src http://10.0.0.7:8027 http://192.168.1.7:8027 http://10.0.0.8:8029"
            )
            #expect(prober["cache-control"] == "no-store")
            for path in ["/", "/guest/app.js", "/takeover", gallery.path] {
                let policy = try await client.get(path)["content-security-policy"] ?? ""
                #expect(policy.contains("connect-src 'self';"), "\(path)")
            }
        }
    }

    @Test("the list and the script need a session, the proof does not")
    func sessions() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            #expect(try await client.get(gallery.path + "prober.js").status == 401)
            let proof = try await client.get(gallery.path + "api/proof?challenge=\(question)")
            #expect(proof.status == 200)
            #expect(proof["access-control-allow-origin"] == "*")
            #expect(proof["set-cookie"] == nil)
        }
    }

    @Test("a proof is valid for the challenge and the requested address only")
    func proof() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let path = gallery.path + "api/proof?challenge=\(question)"
            let reply = try await client.get(path)
            let text = try #require(try reply.object["signature"] as? String)
            let signature = try #require([UInt8](hex: text).flatMap { Signature($0) })
            let said =
                Array("disposable/1 page proof\0".utf8) + gallery.event.bytes + [UInt8](repeating: 0xAB, count: 32)
                + Array("127.0.0.1:\(client.port)".utf8)
            #expect(gallery.nodeKey.verifyingKey.isValid(signature, for: said))
            for host in ["127.0.0.2:\(client.port)", "10.0.0.7:8027", "localhost:\(client.port)", "127.0.0.1"] {
                let asked = try await client.send("GET", path, headers: ["Host": host])
                #expect(asked.status == 404, "\(host)")
            }
            for wrong in ["", "?challenge=", "?challenge=abab", "?challenge=\(question)00"] {
                #expect(try await client.get(gallery.path + "api/proof" + wrong).errorCode == "malformed-request")
            }
            gallery.with { $0.servesNobody = true }
            #expect(try await client.get(path).status == 404)
        }
    }

    @Test("only the window that takes photos over can be embedded by a page of another node")
    func openers() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            #expect(try await client.get("/takeover")["cross-origin-opener-policy"] == "unsafe-none")
            #expect(try await client.get("/")["cross-origin-opener-policy"] == "same-origin-allow-popups")
            #expect(try await client.get(gallery.path)["cross-origin-opener-policy"] == "same-origin-allow-popups")
            for path in ["/wall", "/enter", "/privacy.html", gallery.path + "simple", gallery.path + "api/me"] {
                #expect(try await client.get(path)["cross-origin-opener-policy"] == "same-origin", "\(path)")
            }
        }
    }

    @Test("the plain page links to the other nodes")
    func simple() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery)
            let alone = try await client.get(gallery.path + "simple").text
            #expect(!alone.contains("/enter\">another"))
            gallery.with { $0.others = others() }
            let text = try await client.get(gallery.path + "simple").text
            #expect(text.contains("<a href=\"http://10.0.0.7:8027/enter\">Ben</a>"))
            #expect(text.contains("<a href=\"http://10.0.0.8:8029/enter\">another photo box</a>"))
        }
    }

    @Test(
        "pages open and close addresses at run time; clients of a closed address are disconnected")
    func addresses() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { portal, client in
            let opened = try await client.opening(gallery)
            let elsewhere = HTTPClient(port: client.port, lastByte: 2)
            func answers(_ client: HTTPClient) async -> Bool { (try? await client.get("/"))?.status == 200 }
            #expect(await !answers(elsewhere))
            portal.listen(on: ["127.0.0.1", "127.0.0.2"])
            try await eventually { await answers(elsewhere) }
            // The earlier session is still valid.
            #expect(try await opened.get(gallery.path + "api/me").status == 200)
            var stream = try await HTTPClient(port: client.port, lastByte: 2, headers: opened.headers)
                .events(gallery.path + "api/updates")
            _ = try await stream.next()
            portal.listen(on: ["127.0.0.1"])
            try await eventually { await !answers(elsewhere) }
            while let event = try await stream.next() { #expect(event.name != "photo") }
            // The remaining address is bound again, a moment after the other is closed.
            try await eventually { (try? await opened.get(gallery.path + "api/me"))?.status == 200 }
        }
    }

    @Test("an address that cannot be bound leaves the listeners unchanged")
    func foreignAddress() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { portal, client in
            portal.listen(on: ["192.0.2.77"])
            for _ in 0..<5 { try await Task.sleep(for: .milliseconds(100)) }
            // They may close for a moment at any time, also between two requests.
            try await eventually {
                guard let opened = try? await client.opening(gallery) else { return false }
                return (try? await opened.get(gallery.path + "api/me"))?.status == 200
            }
        }
    }

    @Test("the portal waits for a port that a starting program still holds")
    func heldPort() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { portal, client in
            let copy = try #require(Self.copyOfListener(at: client.port))
            portal.listen(on: ["127.0.0.1", "127.0.0.2"])
            try await Task.sleep(for: .milliseconds(500))
            close(copy)
            let elsewhere = HTTPClient(port: client.port, lastByte: 2)
            for client in [client, elsewhere] {
                try await eventually { (try? await client.get("/"))?.status == 200 }
            }
        }
    }

    @Test("a failed bind is tried again, and while the portal listens nowhere, it reports that")
    func takenPort() async throws {
        let galleries = [try TestGallery()]
        // Outside the range of ephemeral ports.
        let free = (20_000..<30_000).shuffled().map { UInt16($0) }.first { port in
            guard let near = Self.occupy(port, lastByte: 1) else { return false }
            close(near)
            return true
        }
        let port = try #require(free)
        let far = try #require(Self.occupy(port, lastByte: 9))
        var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(port))
        configuration.limits.listening.pause = .milliseconds(200)
        let portal = Portal(configuration, logger: .silent) { galleries }
        let (told, sink) = AsyncStream.makeStream(of: Portal.Serving.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { sink.finish() }
                try await portal.run { sink.yield($0) }
            }
            var servings = told.makeAsyncIterator()
            let first = await servings.next()
            #expect(first?.isListening == true)

            portal.listen(on: ["127.0.0.9"])
            // While it waits for one port, the other is taken as well.
            var near: Int32?
            try await eventually {
                near = Self.occupy(port, lastByte: 1)
                return near != nil
            }
            let closed = await servings.next()
            #expect(closed?.isListening == false)
            #expect(closed?.problems.count == 1)
            #expect(closed?.problems.first?.hasPrefix("no pages are served now: port \(port) of 127.0.0.9") == true)

            close(try #require(near))
            let back = await servings.next()
            #expect(back?.isListening == true)
            #expect(back?.hosts == ["127.0.0.1"])
            #expect(back?.problems.first?.hasPrefix("port \(port) of 127.0.0.9") == true)
            #expect(try await HTTPClient(port: port).get("/").status == 200)

            close(far)
            let moved = await servings.next()
            #expect(moved?.hosts == ["127.0.0.9"])
            #expect(moved?.problems.isEmpty == true)
            #expect(try await HTTPClient(port: port, lastByte: 9).get("/").status == 200)
            group.cancelAll()
        }
    }

    /// Returns a socket that is bound to the port of 127.0.0.x and does not listen; `nil` if the port is taken.
    private static func occupy(_ port: UInt16, lastByte: UInt8) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let address: [UInt8] =
            [UInt8(AF_INET), 0, UInt8(port >> 8), UInt8(port & 0xFF), 127, 0, 0, lastByte]
            + [UInt8](repeating: 0, count: 8)
        let result = address.withUnsafeBytes { bytes in
            bind(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Returns a copy of the listening descriptor, as a child process has it before its program runs.
    private static func copyOfListener(at port: UInt16) -> Int32? {
        (0..<65_536).first { descriptor in
            var (isListening, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening == 1 else {
                return false
            }
            var address = sockaddr_in()
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutableBytes(of: &address) { bytes in
                getsockname(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
            }
            return code == 0 && UInt16(bigEndian: address.sin_port) == port
        }.map { dup($0) }
    }
}
