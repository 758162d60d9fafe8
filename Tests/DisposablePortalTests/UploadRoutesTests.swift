// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// tus 1.0.0 over HTTP, as any client sees it.
@Suite struct UploadRoutesTests {
    private static let version = ["Tus-Resumable": "1.0.0"]
    private static let patch = version.merging(["Content-Type": "application/offset+octet-stream"]) { $1 }

    /// A server with the upload routes, on `folder`, or one that is gone afterwards.
    private func serve(
        limits: UploadLimits = UploadLimits(), in folder: String? = nil, gallery: UploadTestGallery? = nil,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { temporary in
            let gallery = gallery ?? UploadTestGallery(folderPath: folder ?? temporary)
            let store = try UploadStore(folderPath: gallery.folderPath, limits: limits)
            try await TestServer.running(
                gallery, routes: { UploadRoutes(store: { _ in store }).add(to: $0) }, body)
        }
    }

    private func create(_ server: TestServer, length: Int, session: String = "anna") async throws -> String {
        let answer = try await server.ask(
            "POST", "uploads", session: session,
            headers: Self.version.merging(["Upload-Length": "\(length)"]) { $1 })
        #expect(answer.status == 201)
        return try #require(answer.headers["location"])
    }

    private func send(
        _ server: TestServer, _ path: String, _ bytes: some Sequence<UInt8>, at offset: Int, session: String = "anna"
    ) async throws -> RawConnection.Answer {
        try await server.ask(
            "PATCH", path, session: session,
            headers: Self.patch.merging(["Upload-Offset": "\(offset)"]) { $1 }, body: Array(bytes))
    }

    private func names(in gallery: UploadTestGallery) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: gallery.folderPath + "/uploads").sorted()
    }

    @Test("a file sent in two pieces becomes a photo, which the last answer and every later question name")
    func upload() async throws {
        try await serve { server in
            let bytes = photoBytes(200_000)
            let path = try await create(server, length: bytes.count)
            #expect(path.hasPrefix("/e/00000000/uploads/"))
            let first = try await send(server, path, bytes[..<150_000], at: 0)
            #expect(first.status == 204)
            #expect(first.headers["upload-offset"] == "150000")
            #expect(first.headers["disposable-photo"] == nil)
            #expect(first.headers["tus-resumable"] == "1.0.0")
            #expect(server.gallery.added.isEmpty)
            let middle = try await server.ask("HEAD", path, headers: Self.version)
            #expect(middle.status == 200)
            #expect(middle.headers["upload-offset"] == "150000")
            #expect(middle.headers["upload-length"] == "200000")
            #expect(middle.headers["cache-control"] == "no-store")
            let last = try await send(server, path, bytes[150_000...], at: 150_000)
            #expect(last.status == 204)
            #expect(last.headers["upload-offset"] == "200000")
            let photo = try #require(server.gallery.added.first)
            #expect(photo.bytes == bytes)
            #expect(last.headers["disposable-photo"] == "\(photo.photo.id)")
            for _ in 0..<2 {
                let later = try await server.ask("HEAD", path, headers: Self.version)
                #expect(later.headers["disposable-photo"] == "\(photo.photo.id)")
                #expect(later.headers["upload-offset"] == "200000")
            }
            #expect(server.gallery.now.addCount == 1)
        }
    }
}
