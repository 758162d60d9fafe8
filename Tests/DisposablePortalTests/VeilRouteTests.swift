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

    @Test("the desk asks what devices asked for that were let in since a time, and lifts it, also from another device")
    func recent() async throws {
        let (desk, event) = (TestDesk(), try #require(DeskEvent("1a2b3c4d")))
        try await withDesk(desk, isFromHere: false) { client, key in
            let client = try await client.sitting(with: try key())
            let path = "/desk/api/e/1a2b3c4d/veils"
            #expect(try await client.get(path + "?since=1700000000000").status == 200)
            #expect(desk.questions == [.veils(event, admittedSince: 1_700_000_000_000)])
            for query in ["", "?since=", "?since=-1", "?since=21:30"] {
                #expect(try await client.get(path + query).status == 400, "\(query)")
            }
            #expect(try await client.post(path, ["since": 5]).status == 200)
            #expect(try await client.post(path, ["since": "5"]).status == 400)
            #expect(desk.acts == [.liftAdmitted(event, since: 5)])
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
