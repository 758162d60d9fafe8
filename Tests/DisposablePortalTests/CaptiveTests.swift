// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import DisposableWeb
import Synchronization
import Testing

/// Runs a portal with a port for connectivity checks. `body` gets a client for that port, and one for the pages.
private func withCaptive(
    _ answer: Portal.Captive.Answer?, _ gallery: TestGallery, limits: PortalLimits = PortalLimits(),
    _ body: @escaping @Sendable (_ checks: HTTPClient?, _ pages: HTTPClient) async throws -> Void
) async throws {
    var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
    configuration.limits = limits
    configuration.captive = answer.map { Portal.Captive($0, port: 0) }
    let portal = Portal(configuration, logger: .silent) { [gallery] }
    let (served, sink) = AsyncStream.makeStream(of: Portal.Serving.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            try await portal.run { sink.yield($0) }
            sink.finish()
        }
        group.addTask {
            let serving = try #require(await served.first { _ in true })
            try await body(serving.checksPort.map { HTTPClient(port: $0) }, HTTPClient(port: serving.port))
            portal.stop()
        }
        try await group.waitForAll()
    }
}

@Suite struct CaptiveTests {
    /// The answer to a check, as a client of this name gets it.
    private func ask(_ client: HTTPClient, _ probe: ConnectivityProbe, method: String = "GET") async throws -> Reply {
        try await client.send(method, probe.path, headers: ["Host": probe.host])
    }

    private func expected(_ probe: ConnectivityProbe) -> (status: Int, type: String?, body: String) {
        switch probe.answer {
        case .nothing: (204, nil, "")
        case .text(let text): (200, "text/plain", text)
        case .page(let page): (200, "text/html", page)
        }
    }

    @Test("every check gets the answer of its own server, at the port of checks and at that of the pages")
    func success() async throws {
        try await withCaptive(.success, try TestGallery()) { checks, pages in
            let checks = try #require(checks)
            #expect(checks.port != pages.port)
            for probe in ConnectivityProbe.all {
                for client in [checks, pages] {
                    let reply = try await self.ask(client, probe)
                    let (status, type, body) = self.expected(probe)
                    #expect(reply.status == status, "\(probe.host)")
                    #expect(reply["content-type"] == type, "\(probe.host)")
                    #expect(reply.body == Array(body.utf8), "\(probe.host)")
                    #expect(reply["x-networkmanager-status"] == (probe.isMarkedOnline ? "online" : nil))
                    #expect(reply["cache-control"] == "no-store")
                    #expect(reply["set-cookie"] == nil)
                }
            }
        }
    }

    @Test("a query, a port, capitals and a dot at the end of the name change nothing, and HEAD has no body")
    func forms() async throws {
        try await withCaptive(.success, try TestGallery()) { checks, _ in
            let checks = try #require(checks)
            let firefox = try await checks.get(
                "/success.txt?ipv4", headers: ["Host": "DetectPortal.firefox.com:80"])
            #expect(firefox.text == "success\n")
            let ubuntu = try await checks.get("/", headers: ["Host": "connectivity-check.ubuntu.com."])
            #expect(ubuntu.status == 204)
            let apple = ConnectivityProbe.probes(of: "captive.apple.com")[0]
            let head = try await self.ask(checks, apple, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty && head["content-length"] == "69")
        }
    }

    @Test("no other path, method or name gets such an answer, and no page is at the name of a check")
    func others() async throws {
        let gallery = try TestGallery()
        try await withCaptive(.success, gallery) { checks, pages in
            for client in [try #require(checks), pages] {
                for (host, path) in [
                    ("captive.apple.com", "/index.html"), ("captive.apple.com", "/generate_204"),
                    ("captive.apple.com", gallery.path), ("www.google.com", "/generate_204"),
                    ("www.captive.apple.com", "/hotspot-detect.html"), ("evil.example", "/hotspot-detect.html"),
                    ("connectivitycheck.gstatic.com", "/"), ("connectivitycheck.gstatic.com", "/generate_204/x"),
                ] {
                    let reply = try await client.get(path, headers: ["Host": host])
                    #expect(reply.status == 421, "\(host)\(path)")
                    #expect(reply.errorCode == "wrong-host")
                }
                for method in ["POST", "PUT", "DELETE"] {
                    let reply = try await client.send(
                        method, "/generate_204", headers: ["Host": "connectivitycheck.gstatic.com"])
                    #expect(reply.status == 421, "\(method)")
                }
            }
            // The path alone makes no check.
            #expect(try await pages.get("/generate_204").status == 404)
        }
    }

    @Test("a sign-in window is led to a page with the address of the pages, in its language")
    func signIn() async throws {
        try await withCaptive(.signIn, try TestGallery()) { checks, pages in
            for client in [try #require(checks), pages] {
                for (host, path) in ConnectivityProbe.all.map({ ($0.host, $0.path) })
                    + [("captive.apple.com", "/other"), ("www.msftconnecttest.com", "/redirect")]
                {
                    let reply = try await client.get(path, headers: ["Host": host])
                    #expect(reply.status == 302, "\(host)\(path)")
                    #expect(reply["location"] == "http://127.0.0.1:\(pages.port)/wifi")
                    #expect(reply.body.isEmpty)
                }
                let other = try await client.get("/generate_204", headers: ["Host": "www.google.com"])
                #expect(other.status == 421)
            }
            let page = try await pages.get("/wifi")
            #expect(page.status == 200)
            #expect(page.text.contains("You are on the party’s Wi-Fi"))
            #expect(page.text.contains("<strong>http://127.0.0.1:\(pages.port)</strong>"))
            #expect(!page.text.contains("<form") && !page.text.contains("<input"))
            let french = try await pages.get("/wifi", headers: ["Accept-Language": "fr"])
            #expect(french.text.contains("Vous êtes sur le Wi-Fi de la fête"))
        }
    }

    @Test("without answers, checks are refused as every other foreign name is")
    func off() async throws {
        try await withCaptive(nil, try TestGallery()) { checks, pages in
            #expect(checks == nil)
            for probe in ConnectivityProbe.all {
                let reply = try await self.ask(pages, probe)
                #expect(reply.status == 421 && reply.errorCode == "wrong-host", "\(probe.host)")
            }
        }
    }

    @Test("the port of checks leads browsers to the pages, and serves none", arguments: [
        Portal.Captive.Answer.success, .signIn,
    ])
    func pagePort(answer: Portal.Captive.Answer) async throws {
        let gallery = try TestGallery()
        try await withCaptive(answer, gallery) { checks, pages in
            let checks = try #require(checks)
            for path in ["/", gallery.path, "/clip/K7QM-3XPD", "/enter?x=1"] {
                let reply = try await checks.get(path)
                #expect(reply.status == 302, "\(path)")
                #expect(reply["location"] == "http://127.0.0.1:\(pages.port)\(path)")
                #expect(reply.body.isEmpty)
            }
            let session = try await checks.post("/api/session", ["token": gallery.tokenText])
            #expect(session.status == 404 && session["set-cookie"] == nil)
            #expect(try await pages.opening(gallery).get(gallery.path + "api/me").status == 200)
        }
    }

    @Test("checks count in the rate of requests of their address")
    func rate() async throws {
        var limits = PortalLimits()
        limits.server.requests = Rate(burst: 3, perSecond: 0.001)
        try await withCaptive(.success, try TestGallery(), limits: limits) { checks, _ in
            let checks = try #require(checks)
            let apple = ConnectivityProbe.probes(of: "captive.apple.com")[0]
            for _ in 0..<3 { #expect(try await self.ask(checks, apple).status == 200) }
            let reply = try await self.ask(checks, apple)
            #expect(reply.status == 429 && reply.errorCode == "too-many-requests")
        }
    }

    @Test("pages at the port of checks serve both")
    func samePort() async throws {
        let gallery = try TestGallery()
        // A port that was free a moment ago.
        let port = try await withPortal([gallery]) { _, client in client.port }
        var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(port))
        configuration.captive = Portal.Captive(.success, port: port)
        try await withPortal(configuration, { [gallery] }) { _, client in
            #expect(client.port == port)
            #expect(try await client.get("/").status == 200)
            let check = try await client.get("/connecttest.txt", headers: ["Host": "www.msftconnecttest.com"])
            #expect(check.text == "Microsoft Connect Test")
        }
    }

    @Test("a taken port of checks is a failure of its own, and no page stays open")
    func taken() async throws {
        let gallery = try TestGallery()
        try await withCaptive(.success, gallery) { checks, _ in
            let port = try #require(checks).port
            var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
            configuration.captive = Portal.Captive(.success, port: port)
            configuration.limits.listening.patience = .milliseconds(300)
            let other = Portal(configuration, logger: .silent) { [gallery] }
            let expected = Portal.Failure.connectivityChecks(.portInUse("port \(port) of 127.0.0.1"))
            await #expect(throws: expected) { try await other.run { _ in } }
        }
    }
}
