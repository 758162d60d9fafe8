// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct PageTests {
    @Test("the page is served at the root and at the event's path, with its type and a tag")
    func page() async throws {
        let gallery = try TestGallery()
        let file = try Data(contentsOf: PublicFilesTests.folder.appendingPathComponent("guest/index.html"))
        try await withPortal([gallery]) { _, client in
            for path in ["/", "/index.html", gallery.path] {
                let reply = try await client.get(path)
                #expect(reply.status == 200)
                #expect(reply.body == [UInt8](file))
                #expect(reply["content-type"] == "text/html; charset=utf-8")
                #expect(reply["cache-control"] == "no-cache")
                let again = try await client.get(path, headers: ["If-None-Match": reply["etag"]])
                #expect(again.status == 304)
                #expect(again.body.isEmpty)
            }
            let bare = try await client.get(String(gallery.path.dropLast()))
            #expect((300..<400).contains(bare.status))
            #expect(bare["location"] == gallery.path)
            #expect(try await client.get("/e/00000000/").errorCode == "unknown-event")
        }
    }

    @Test("every file of the page is served under its name with its type")
    func files() async throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: PublicFilesTests.folder.path)
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            for name in names {
                let url = PublicFilesTests.folder.appendingPathComponent(name)
                guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
                let reply = try await client.get("/" + name)
                #expect(reply.status == 200, "\(name)")
                #expect(reply.body == [UInt8](try Data(contentsOf: url)), "\(name)")
                let types = ["js": "text/javascript", "css": "text/css", "txt": "text/plain", "html": "text/html"]
                if let type = types[url.pathExtension] {
                    #expect(reply["content-type"]?.hasPrefix(type) == true, "\(name)")
                }
                #expect(reply["content-type"] != "application/octet-stream", "\(name)")
            }
        }
    }

    @Test("a client that accepts gzip gets the same file compressed, others get it plain")
    func gzip() async throws {
        try await withPortal([try TestGallery()]) { _, client in
            let plain = try await client.get("/shared/style.css", headers: ["Accept-Encoding": "br, gzip;q=0"])
            #expect(plain["content-encoding"] == nil)
            let small = try await client.get("/shared/style.css", headers: ["Accept-Encoding": "deflate, gzip;q=0.8"])
            #expect(small["content-encoding"] == "gzip")
            #expect(small["vary"] == "Accept-Encoding")
            #expect(small.body.count * 2 < plain.body.count)
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gz")
            defer { try? FileManager.default.removeItem(at: path) }
            try Data(small.body).write(to: path)
            let gzip = Process()
            gzip.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
            gzip.arguments = ["-dc", path.path]
            let output = Pipe()
            gzip.standardOutput = output
            try gzip.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            gzip.waitUntilExit()
            #expect([UInt8](bytes) == plain.body)
        }
    }

    @Test(
        "no path leaves the folder of the page's files",
        arguments: [
            "/../../../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd",
            "//etc/passwd",
            "/./../etc/passwd", "/..\\..\\etc\\passwd", "/words.txt/../../../etc/passwd", "/%00", "/words.txt%00.js",
            "/.",
            "/..", "/%c0%ae%c0%ae/etc/passwd", "/Public/words.txt", "/e/../words.txt/..",
        ])
    func traversal(path: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let reply = try await client.get(path)
            #expect(reply.status == 404 || reply.status == 400, "\(reply.status)")
            #expect(!reply.text.contains("root:"))
        }
    }

    @Test("the signing library is read from where it is installed; if it is missing, the host gets a hint")
    func script() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/nacl-\(UUID().uuidString).js"
        try Data("/* nacl */".utf8).write(to: URL(fileURLWithPath: path))
        let gallery = try TestGallery()
        var configuration = Portal.Configuration(
            hosts: ["127.0.0.1"], port: .exactly(0), scriptPaths: ["/nowhere.js", path])
        try await withPortal(configuration, { [gallery] }) { _, client in
            let reply = try await client.get("/nacl.js")
            #expect(reply.text == "/* nacl */")
            #expect(reply["content-type"]?.hasPrefix("text/javascript") == true)
        }
        configuration.scriptPaths = ["/nowhere.js", "/tmp"]
        let portal = Portal(configuration, logger: .silent) { [gallery] }
        try await portal.run { serving in
            #expect(serving.problems.count == 1)
            #expect(serving.problems[0].contains("node-tweetnacl"))
            let reply = try? await HTTPClient(port: serving.port).get("/nacl.js")
            #expect(reply?.status == 404)
            portal.stop()
        }
    }

    @Test("Debian's library is found and derives the same key as the node")
    func debian() throws {
        let path = try #require(Portal.Configuration.standardScriptPaths.first)
        #expect(FileManager.default.fileExists(atPath: path), "install the package node-tweetnacl")
    }
}
