// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct MissionRouteTests {
    private static let dance = Mission(id: 4_000_000_000, text: "the first dance")

    private func create(_ guest: Uploader, mission: String) async throws -> Reply {
        try await guest.ask(
            "POST", guest.gallery.path + "uploads",
            headers: [
                "Upload-Length": "200", "Upload-Metadata": "mission \(Data(mission.utf8).base64EncodedString())",
            ])
    }

    @Test("pages are told the missions with the event, and how many photos answer each")
    func told() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.charter!.missions = [Self.dance] }  // a test gallery has a charter
        let photo = gallery.put([0xFF, 0xD8, 0xFF], by: .stranger(1))
        let waiting = gallery.put([0xFF, 0xD8, 0xFF, 1], by: .stranger(2), isWaiting: true)
        try await gallery.setMission(Self.dance.id, of: photo.id, by: .stranger(1))
        try await gallery.setMission(Self.dance.id, of: waiting.id, by: .stranger(2))
        try await withPortal([gallery]) { _, client in
            let guest = try await client.opening(gallery)
            let me = try await guest.get(gallery.path + "api/me").text
            #expect(me.contains(#""missions":[{"id":4000000000,"text":"the first dance"}]"#), "\(me)")
            let list = try await guest.get(gallery.path + "api/missions").text
            #expect(
                list
                    == #"{"missions":[{"count":1,"id":4000000000,"isAnswered":false,"photos":["\#(photo.id)"],"text":"the first dance"}],"turned":{}}"#
            )
            try await gallery.setTurn(.half, of: photo.id, by: .stranger(1))
            let turned = try await guest.get(gallery.path + "api/missions").object["turned"] as? [String: Int]
            #expect(turned == [photo.id.description: 180])
            let page = try await guest.get(gallery.path + "api/photos?mission=4000000000").object
            #expect((page["photos"] as? [[String: Any]])?.map { $0["id"] as? String } == [photo.id.description])
            for query in ["mission=0", "mission=x", "mission=4000000000&mine=1", "mission=4000000000&highlights=1"] {
                #expect(try await guest.get(gallery.path + "api/photos?" + query).status == 400, "\(query)")
            }
        }
    }

    @Test("an upload carries its mission to the photo, and one that is not listed is refused before a byte")
    func upload() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.charter!.missions = [Self.dance] }  // a test gallery has a charter
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            for mission in ["1", "0", "the first dance", "4294967296"] {
                let refused = try await create(guest, mission: mission)
                #expect((refused.status, refused.errorCode) == (409, "unknown-mission"), "\(mission)")
            }
            #expect(try await create(guest, mission: "4000000000").status == 201)
        }
    }
}
