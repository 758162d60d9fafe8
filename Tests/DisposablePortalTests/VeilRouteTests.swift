// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct VeilRouteTests {
    private func photos(_ reply: Reply) throws -> [[String: Any]] {
        try #require(try reply.object["photos"] as? [[String: Any]])
    }

    @Test("a veiled photo is a place in the list for those who ask for it, and nothing to all others")
    func veiled() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.veilRefusal = nil }
        let photo = gallery.put([0xFF, 0xD8, 0xFF], by: .stranger(1))
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            let path = gallery.path + "api/photos"
            #expect(try await guest.ask("GET", gallery.path + "api/me").text.contains(#""veils":true"#))
            #expect(try await guest.ask("PUT", "\(path)/\(photo.id)/veil").status == 204)
            #expect(try photos(try await guest.ask("GET", path)).isEmpty)
            let listed = try photos(try await guest.ask("GET", path + "?veiled=1"))
            #expect(listed.count == 1 && listed[0]["state"] as? String == "veiled")
            #expect(listed[0]["has"] as? [String] == [] && listed[0]["width"] as? Int == 0)
            #expect(try await guest.ask("GET", "\(path)/\(photo.id)").errorCode == "unknown-photo")
            let one = try await guest.ask("GET", "\(path)/\(photo.id)?veiled=1")
            #expect(try one.object["state"] as? String == "veiled")
            for bytes in ["thumbnail", "preview", "original"] {
                let reply = try await guest.ask("GET", gallery.path + "photos/\(photo.id)/\(bytes)")
                #expect(reply.status == 404, "\(bytes)")
            }
            #expect(try await guest.ask("DELETE", "\(path)/\(photo.id)/veil").status == 204)
            #expect(try photos(try await guest.ask("GET", path)).count == 1)
        }
    }

    @Test(
        "a refusal says why",
        arguments: [
            (VeilRefusal.off, "veils-off"), (.own, "own-photo"), (.lifted, "veil-lifted"),
            (.usedUp, "too-many-veils"), (.full, "too-many-veils"),
        ])
    func refused(refusal: VeilRefusal, code: String) async throws {
        let gallery = try TestGallery()
        gallery.with { $0.veilRefusal = refusal }
        let photo = gallery.put([0xFF, 0xD8, 0xFF], by: .stranger(1))
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            let reply = try await guest.ask("PUT", gallery.path + "api/photos/\(photo.id)/veil")
            #expect((reply.status, reply.errorCode) == (409, code))
        }
    }
}
