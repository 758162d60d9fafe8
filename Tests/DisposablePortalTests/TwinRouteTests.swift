// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct TwinRouteTests {
    @Test("photos of another event have its name, in lists and alone, and the others have none")
    func origins() async throws {
        let gallery = try TestGallery()
        let photos = [1, 2].map { gallery.put([0xFF, 0xD8, 0xFF, $0], by: .stranger($0)).id }
        gallery.with { $0.origins = [photos[0]: "Beach party"] }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let listed = try #require(
                try await guest.get(gallery.path + "api/photos").object["photos"] as? [[String: Any]])
            let names = Dictionary(
                uniqueKeysWithValues: listed.map { ($0["id"] as? String ?? "", $0["event"] as? String) })
            #expect(names == [photos[0].description: "Beach party", photos[1].description: nil])
            #expect(!listed.contains { $0["event"] is NSNull })
            let one = try await guest.get(gallery.path + "api/photos/\(photos[0])").object
            #expect(one["event"] as? String == "Beach party")
            let simple = try await guest.get(gallery.path + "simple").text
            #expect(simple.contains("Beach party"))
        }
    }

    @Test("a page that asks for changes from before a separation gets none of the other event's photos")
    func separated() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let path = gallery.path + "api/changes"
            let start = try #require(try await client.get(path).object["id"] as? String)
            func changes() async throws -> [[String: Any]] {
                try #require(try await client.get(path + "?since=\(start)").object["changes"] as? [[String: Any]])
            }
            let photo = gallery.put([0xFF, 0xD8, 0xFF], by: .stranger(1)).id
            try await eventually { try await changes().count == 1 }
            gallery.with { $0.origins = [photo: "Beach party"] }
            gallery.tell(.photo(photo))
            try await eventually { try await changes().count == 2 }
            let joined = try await changes()
            #expect(joined.allSatisfy { ($0["data"] as? [String: Any])?["event"] as? String == "Beach party" })
            gallery.with { $0.origins = [:] }
            let separated = try await changes()
            #expect(separated.map { $0["event"] as? String } == ["removed", "removed"])
        }
    }

    @Test("the desk joins and separates galleries on the node's own machine only, and lists them everywhere")
    func desk() async throws {
        let event = try #require(DeskEvent("0123abcd"))
        let other = try #require(DeskEvent("89abcdef"))
        for isHere in [true, false] {
            let desk = TestDesk()
            try await withDesk(desk, isFromHere: isHere) { client, key in
                let organizer = try await client.sitting(with: key())
                let path = "/desk/api/e/0123abcd/twins"
                #expect(try await organizer.get(path).status == 200)
                let text = ["text": "DISPOSABLE1:"]
                for message in [text] + ["with", "renew", "separate"].map({ [$0: "89abcdef"] }) {
                    #expect(try await organizer.post(path, message).status == (isHere ? 200 : 403))
                }
                let malformed: [[String: String]] = [
                    [:], ["text": "a", "with": "89abcdef"], ["separate": "the beach"],
                ]
                for message in malformed {
                    #expect(try await organizer.post(path, message).status == 400)
                }
            }
            #expect(desk.questions == [.twins(event)])
            let changes: [TwinChange] = [.take(text: "DISPOSABLE1:"), .with(other), .renew(other), .separate(other)]
            #expect(desk.acts == (isHere ? changes.map { DeskAct.changeTwins(event, $0) } : []))
        }
    }
}
