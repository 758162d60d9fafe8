// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// Photos that guests' pages seal (protocol/guest-api.md §19).
@Suite struct PageSealingRouteTests {
    private static let key = Bytes32([UInt8](repeating: 9, count: 32))!

    private func gallery(pageKey: Bytes32? = Self.key) throws -> TestGallery {
        let gallery = try TestGallery()
        gallery.with {
            $0.sealed = SealedPhotos(count: 0, revealsAtMilliseconds: nil, isForOrganizers: false, pageKey: pageKey)
        }
        return gallery
    }

    private func create(_ guest: Uploader, type: String) async throws -> Reply {
        try await guest.ask(
            "POST", guest.gallery.path + "uploads",
            headers: ["Upload-Length": "200", "Upload-Metadata": "filetype \(Data(type.utf8).base64EncodedString())"])
    }

    @Test("the page is told the key to which it seals")
    func told() async throws {
        for (key, text) in [(Self.key, "\"\(Self.key)\""), (nil, "null")] as [(Bytes32?, String)] {
            let gallery = try gallery(pageKey: key)
            try await withPortal([gallery]) { _, client in
                let guest = try await client.entering(gallery)
                #expect(try await guest.get(gallery.path + "api/me").text.contains(#""pageKey":\#(text)"#))
            }
        }
    }

    @Test("a photo that its page has not sealed is refused before a byte of it is sent, and a sealed one is not")
    func refused() async throws {
        let gallery = try gallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            for type in ["image/jpeg", "video/mp4", ""] {
                let reply = try await create(guest, type: type)
                #expect((reply.status, reply.errorCode) == (409, "seal-first"))
            }
            #expect(try await create(guest, type: "application/vnd.disposable.sealed").status == 201)
            gallery.with { $0.sealed?.pageKey = nil }
            #expect(try await create(guest, type: "image/jpeg").status == 201)
        }
    }

    @Test(
        "an upload that the event does not take as it is is dropped, so that the page begins again",
        arguments: [(PageSealingRefusal.needed, "seal-first"), (.off, "sealing-off")])
    func dropped(refusal: PageSealingRefusal, code: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            let location = try #require(try await create(guest, type: "image/jpeg")["location"])
            gallery.with { $0.adding.refusals = [.pageSealing(refusal)] }
            let reply = try await guest.ask(
                "PATCH", location,
                headers: ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"],
                body: [UInt8](repeating: 0xFF, count: 200))
            #expect((reply.status, reply.errorCode) == (409, code))
            #expect(try await guest.ask("HEAD", location).status == 404)
        }
    }
}
