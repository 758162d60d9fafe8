// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// Photos sent by a form, from a browser without JavaScript.
@Suite struct PhotoFormTests {
    private static let boundary = "----WebKitFormBoundaryabc"
    private static let headers: [String: String?] = [
        "Content-Type": "multipart/form-data; boundary=\(boundary)", "Accept": "text/html",
    ]

    /// Runs a portal with one guest, and expects at the end that its folder of uploads is empty.
    private func serve(
        limits: PortalLimits = PortalLimits(),
        _ body: @escaping @Sendable (HTTPClient, TestGallery) async throws -> Void
    ) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits) { _, client in
            try await body(try await client.entering(gallery), gallery)
        }
        #expect(try gallery.uploadNames == [])
    }

    private func part(_ name: String, file: String? = nil, _ bytes: [UInt8]) -> [UInt8] {
        let fileName = file.map { "; filename=\"\($0)\"" } ?? ""
        let head = "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(fileName)\r\n\r\n"
        return Array(head.utf8) + bytes + Array("\r\n".utf8)
    }

    private func post(
        _ client: HTTPClient, _ gallery: TestGallery, _ parts: [[UInt8]], isWhole: Bool = true
    ) async throws -> Reply {
        let end = isWhole ? Array("--\(Self.boundary)--\r\n".utf8) : []
        return try await client.send(
            "POST", gallery.path + "simple/photos", headers: Self.headers, body: parts.flatMap { $0 } + end)
    }

    @Test("the files of a form become photos in order, and an empty file input and other fields are ignored")
    func severalFiles() async throws {
        try await serve { client, gallery in
            let photos = [photoBytes(300_000), photoBytes(3, seed: 2), photoBytes(70_000, seed: 3)]
            let reply = try await post(
                client, gallery,
                [
                    part("name", [UInt8](repeating: 0x61, count: 100_000)), part("photo", file: "a.jpg", photos[0]),
                    part("photo", file: "", []), part("photo", file: "b.jpg", photos[1]),
                    part("other", file: "c.jpg", photoBytes(9, seed: 9)), part("photo", file: "d.jpg", photos[2]),
                ])
            #expect(reply.status == 303)
            #expect(gallery.originals == photos)
            #expect(gallery.with { Set($0.adding.permissions) } == [0o600])
        }
    }

    @Test("a file that is too large, or no photo, is refused by name, and the others are accepted")
    func refusals() async throws {
        var limits = PortalLimits()
        limits.uploads.byteCount = 100_000
        try await serve(limits: limits) { client, gallery in
            let reply = try await post(
                client, gallery,
                [
                    part("photo", file: "large.jpg", photoBytes(100_001)),
                    part("photo", file: "page.html", Array("<html>".utf8)),
                    part("photo", file: "fits.jpg", photoBytes(100_000)),
                ])
            #expect(reply.status == 413)
            #expect(reply.text.contains("large.jpg: This file is too large"))
            #expect(reply.text.contains("page.html: This is not a photo"))
            #expect(!reply.text.contains("fits.jpg"))
            #expect(gallery.originals.map(\.count) == [100_000])
        }
    }

    @Test("of more files than the organizers let guests send at once the first ones become photos, and the page says so")
    func atOnce() async throws {
        try await serve { client, gallery in
            let unlimited = try await client.get(gallery.path + "simple").text
            #expect(!unlimited.contains("at once"))
            gallery.with { $0.charter!.options.photosAtOnce = 2 }  // a test gallery has a charter
            let page = try await client.get(gallery.path + "simple").text
            #expect(page.contains("Photos, at most 2 at once"))
            #expect(page.contains(" multiple "))
            let photos = [photoBytes(100), photoBytes(200, seed: 2), photoBytes(300, seed: 3)]
            let parts = zip(["a.jpg", "b.jpg", "c.jpg"], photos).map { part("photo", file: $0, $1) }
            let reply = try await post(client, gallery, parts)
            #expect(reply.status == 413)
            #expect(reply.text.contains("2 of 3"), "\(reply.text)")
            #expect(reply.text.contains("c.jpg: This is more than the host takes at once. Send it afterwards."))
            #expect(gallery.originals == Array(photos.prefix(2)))
            let afterwards = try await post(client, gallery, Array(parts.suffix(1)))
            #expect(afterwards.status == 303)
            #expect(gallery.originals == photos)
            gallery.with { $0.charter!.options.photosAtOnce = 1 }  // has one
            let single = try await client.get(gallery.path + "simple").text
            #expect(!single.contains(" multiple "))
        }
    }

    @Test("a truncated form is refused; its complete files are photos")
    func truncated() async throws {
        try await serve { client, gallery in
            let parts = [
                part("photo", file: "a.jpg", photoBytes(1_000)), part("photo", file: "b.jpg", photoBytes(99_000)),
            ]
            let reply = try await post(client, gallery, parts, isWhole: false)
            #expect(reply.status == 400)
            #expect(gallery.originals.map(\.count) == [1_000])
        }
    }

    @Test("a form of another type, or without a guest, is refused")
    func otherForm() async throws {
        try await serve { client, gallery in
            let path = gallery.path + "simple/photos"
            #expect(try await client.post(path, form: ["photo": "a"]).status == 415)
            var other = client
            other.headers = [:]
            let nobody = try await other.opening(gallery)
            #expect(try await post(nobody, gallery, [part("photo", file: "a.jpg", photoBytes(10))]).status == 403)
            #expect(gallery.originals == [])
        }
    }

    @Test("a stalled form is given up; one whose photo takes long to process is not")
    func stalled() async throws {
        var limits = PortalLimits()
        limits.server.bodyWindow = .seconds(2)
        try await serve(limits: limits) { client, gallery in
            gallery.with { $0.adding.delay = .seconds(5) }
            #expect(try await post(client, gallery, [part("photo", file: "a.jpg", photoBytes(10))]).status == 303)
            let socket = try Socket(port: client.port)
            let fields =
                Self.headers.map { "\($0): \($1 ?? "")\r\n" }.joined() + "Cookie: \(client.headers["Cookie"] ?? "")\r\n"
            let head =
                "POST \(gallery.path)simple/photos HTTP/1.1\r\nHost: \(client.host)\r\nContent-Length: 200000\r\n\(fields)\r\n"
            try await socket.write(Array(head.utf8) + part("photo", file: "b.jpg", photoBytes(100_000)))
            #expect(try await socket.readToEnd() == [])
            try await eventually { try gallery.uploadNames == [] }
            #expect(gallery.originals.map(\.count) == [10])
        }
    }
}
