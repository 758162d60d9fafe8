// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// Uploads, forms and archives behind the session, with the portal's headers and limits.
@Suite struct WholePortalTests {
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0] + (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    private static let tus: [String: String?] = ["Tus-Resumable": "1.0.0"]

    private func create(_ client: HTTPClient, _ gallery: TestGallery, byteCount: Int) async throws -> String {
        let reply = try await client.send(
            "POST", gallery.path + "uploads", headers: Self.tus.merging(["Upload-Length": "\(byteCount)"]) { $1 })
        try #require(reply.status == 201, "\(reply.text)")
        return try #require(reply["location"])
    }

    private func send(_ client: HTTPClient, _ path: String, from offset: Int, _ bytes: [UInt8]) async throws -> Reply {
        let headers = ["Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream"]
        return try await client.send("PATCH", path, headers: Self.tus.merging(headers) { $1 }, body: bytes)
    }

    @Test("a photo arrives in two parts, across a restart of the node, and is sent on everybody's stream")
    func upload() async throws {
        let gallery = try TestGallery()
        let (cookie, path) = try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery)
            let path = try await create(client, gallery, byteCount: Self.jpeg.count)
            let half = try await send(client, path, from: 0, Array(Self.jpeg[..<100_000]))
            #expect(half.status == 204)
            return (client.headers["Cookie"], path)
        }
        let session = try #require(cookie?.split(separator: "=").last)
        try await withPortal([gallery]) { _, client in
            var client = client
            client.headers["Authorization"] = "Bearer \(session)"
            var stream = try await client.events(gallery.path + "api/updates")
            _ = try await stream.next()
            let asked = try await client.send("HEAD", path, headers: Self.tus)
            #expect(asked.status == 200)
            #expect(asked["upload-offset"] == "100000")
            #expect(asked.body.isEmpty)
            let rest = try await send(client, path, from: 100_000, Array(Self.jpeg[100_000...]))
            let id = try #require(rest["disposable-photo"])
            #expect(try await stream.next()?.data.contains(id) == true)
            #expect(try await client.get(gallery.path + "photos/\(id)/original").body == Self.jpeg)
        }
    }

    @Test(
        "a file that is no photo is refused, whatever its type says",
        arguments: ["<svg onload='alert(1)'/>", "<html><script>", "MZ"])
    func noPhoto(text: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery)
            let path = try await create(client, gallery, byteCount: text.utf8.count)
            let reply = try await send(client, path, from: 0, Array(text.utf8))
            #expect(reply.status == 422)
            #expect(reply.errorCode == "not-a-photo")
            #expect(gallery.with { $0.items.isEmpty })
        }
    }

    @Test("an upload belongs to its session, and needs one")
    func others() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let path = try await create(try await client.entering(gallery), gallery, byteCount: 10)
            let other = try await client.entering(gallery)
            for method in ["HEAD", "DELETE"] {
                #expect(try await other.send(method, path, headers: Self.tus).status == 404)
                #expect(try await client.send(method, path, headers: Self.tus).status == 401)
            }
            let refused = try await send(client, path, from: 0, [1])
            #expect(refused.errorCode == "no-session")
            let foreign = try await other.send(
                "POST", gallery.path + "uploads",
                headers: Self.tus.merging(["Upload-Length": "1", "Origin": "http://evil.example"]) { $1 })
            #expect(foreign.errorCode == "foreign-origin")
        }
    }

    @Test("ending a session removes its unfinished uploads")
    func end() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery)
            _ = try await create(client, gallery, byteCount: 10)
            #expect(try FileManager.default.contentsOfDirectory(atPath: gallery.folderPath + "/uploads").count == 1)
            #expect(try await client.send("DELETE", gallery.path + "api/session").status == 204)
            #expect(try FileManager.default.contentsOfDirectory(atPath: gallery.folderPath + "/uploads") == [])
        }
    }

    @Test("a plain form sends several photos, and the answer names the refused files")
    func form() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery)
            let path = gallery.path + "simple/photos"
            func part(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
                Array("--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"\(name)\"\r\n\r\n".utf8)
                    + bytes
                    + Array("\r\n".utf8)
            }
            let headers = ["Content-Type": "multipart/form-data; boundary=b", "Accept": "text/html"]
            let good = part("a.jpg", Self.jpeg) + part("b.jpg", Self.jpeg + [1]) + Array("--b--\r\n".utf8)
            let sent = try await client.send("POST", path, headers: headers, body: good)
            #expect(sent.status == 303)
            #expect(sent["location"] == gallery.path + "simple?mine=1")
            #expect(gallery.with { $0.items.count } == 2)

            let mixed =
                part("c.jpg", Self.jpeg + [2]) + part("<img src=x>.jpg", Array("<html>".utf8)) + Array("--b--\r\n".utf8)
            let told = try await client.send("POST", path, headers: headers, body: mixed)
            #expect(told.status == 422)
            #expect(told.text.contains("1 of 2 are in the gallery"))
            #expect(told.text.contains("&lt;img src=x&gt;.jpg: This is not a photo"))
            #expect(!told.text.contains("<img src=x"))
            #expect(gallery.with { $0.items.count } == 3)
            let page = try await client.get(gallery.path + "simple")
            #expect(page.text.contains("3 of 27 photos taken."))

            let foreign = try await client.send(
                "POST", path, headers: headers.merging(["Origin": "null"]) { $1 }, body: good)
            #expect(foreign.status == 403)
        }
    }

    @Test("everything is saved as one file of known length")
    func archive() async throws {
        let gallery = try TestGallery()
        for number in 0..<3 as Range<UInt8> { gallery.put(Self.jpeg + [number], by: .stranger(number)) }
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let reply = try await client.post(gallery.path + "zip", form: ["all": "1"])
            #expect(reply.status == 200)
            #expect(reply["content-type"] == "application/zip")
            #expect(reply["content-length"] == "\(reply.body.count)")
            #expect(reply.body.starts(with: [0x50, 0x4B]))
            #expect(reply.body.count > 3 * Self.jpeg.count)
            #expect(reply["x-content-type-options"] == "nosniff")
        }
    }

    @Test("one browser sends a hundred photos over six connections at a time")
    func hundred() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.frameLimit = nil }
        try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<6 {
                    group.addTask {
                        for number in stride(from: lane, to: 100, by: 6) {
                            let bytes = Self.jpeg.prefix(30_000) + [UInt8(number)]
                            let path = try await create(client, gallery, byteCount: bytes.count)
                            for start in stride(from: 0, to: bytes.count, by: 10_000) {
                                let part = Array(bytes[start..<min(start + 10_000, bytes.count)])
                                // The page sends two or three at a time; a program may have to wait.
                                var reply = try await send(client, path, from: start, part)
                                while reply.status == 429 {
                                    try await Task.sleep(for: .milliseconds(50))
                                    reply = try await send(client, path, from: start, part)
                                }
                                #expect(reply.status == 204)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(gallery.with { $0.items.count } == 100)
        }
    }
}
