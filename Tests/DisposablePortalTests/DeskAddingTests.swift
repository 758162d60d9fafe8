// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

@Suite struct DeskAddingTests {
    @Test("a file that the organizer adds at the desk is kept until it is a photo, and no longer")
    func file() async throws {
        let (desk, gallery) = (TestDesk(), try TestGallery())
        var limits = PortalLimits()
        limits.uploads.byteCount = 1_000
        let path = "/desk/api/e/\(gallery.event.short)/files"
        try await withDesk(desk, gallery, limits: limits) { client, key in
            let bytes = [UInt8](repeating: 7, count: 1_000)
            #expect(try await client.send("PUT", path, body: bytes).errorCode == "no-session")
            var client = try await client.sitting(with: try key())
            #expect(try await client.send("PUT", path, body: bytes).status == 200)
            guard case .addPhoto(_, let file)? = desk.acts.last else {
                Issue.record("no command: \(desk.acts)")
                return
            }
            #expect(file.hasPrefix(gallery.folderPath) && !FileManager.default.fileExists(atPath: file))
            let large = try await client.send("PUT", path, body: bytes + [7])
            #expect((large.status, large.errorCode) == (413, "too-long"))
            #expect(try await client.send("PUT", path).errorCode == "malformed-request")
            #expect(try await client.send("PUT", "/desk/api/e/zz/files", body: bytes).status == 404)
            desk.refuse(with: DeskError(.refused, "neither a photo nor a video", reason: "not-a-photo"))
            #expect(try await client.send("PUT", path, body: bytes).status == 409)
            client.headers["Sec-Fetch-Site"] = "cross-site"
            #expect(try await client.send("PUT", path, body: bytes).errorCode == "foreign-origin")
            #expect(desk.acts.count == 1)
        }
        let left = try FileManager.default.subpathsOfDirectory(atPath: gallery.folderPath)
        #expect(!left.contains { $0.contains("tmp-") }, "\(left)")
    }

    @Test("from another device no file is added")
    func elsewhere() async throws {
        let (desk, gallery) = (TestDesk(), try TestGallery())
        try await withDesk(desk, gallery, isFromHere: false) { client, key in
            let client = try await client.sitting(with: try key())
            let reply = try await client.send("PUT", "/desk/api/e/\(gallery.event.short)/files", body: [1, 2, 3])
            #expect((reply.status, reply.errorCode) == (403, "not-here"))
        }
        #expect(desk.acts.isEmpty)
    }
}
