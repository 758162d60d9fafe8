// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

@Suite struct DeskSavingTests {
    @Test("a selection is saved as one file with its captions, oldest first; an empty one is refused")
    func selection() async throws {
        let (desk, gallery) = (TestDesk(), try TestGallery())
        let photos = (1...2).map { number in
            var photo = gallery.put(Array("jpeg".utf8), by: .stranger(UInt8(number)))
            photo.caption = number == 2 ? "First\ndance" : nil
            return photo
        }
        try await withDesk(desk, gallery) { client, key in
            let path = "/desk/api/e/\(gallery.event.short)/zip"
            #expect(try await client.get(path + "?which=favourites").errorCode == "no-session")
            let client = try await client.sitting(with: try key())
            #expect(try await client.get(path + "?which=favourites").errorCode == "not-here")
            #expect(try await client.get(path).errorCode == "malformed-request")
            #expect(try await client.get(path + "?which=best").errorCode == "malformed-request")
            desk.show(photos.reversed())
            let reply = try await client.get(path + "?which=favourites")
            #expect(reply.status == 200 && reply["content-type"] == "application/zip")
            #expect(reply["disposable-skipped"] == "0")
            #expect(reply["content-disposition"]?.hasPrefix("attachment") == true)
            let text = String(decoding: reply.body, as: UTF8.self)
            let names = [photos[0], photos[1]].enumerated().map { "\($1.frame ?? 0)-guest-\($0 + 1).jpg" }
            let places = (names + ["captions.txt"]).compactMap { text.firstRange(of: $0)?.lowerBound }
            #expect(places.count == 3 && places == places.sorted())
            #expect(text.contains("\(names[1]): First dance\n") && !text.contains("\(names[0]): "))
            // The desk shows those that wait for approval in the other order.
            desk.show(photos)
            let pending = String(decoding: try await client.get(path + "?which=pending").body, as: UTF8.self)
            #expect(pending.contains("\(names[1]): First dance\n"))
        }
    }

    @Test("walls are asked to do what they can, and nothing else")
    func walls() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put(Array("jpeg".utf8), by: .stranger(1)).id.description
        var limits = PortalLimits()
        limits.updates.wallActs = Rate(burst: 7, perSecond: 0.01)
        try await withDesk(TestDesk(), gallery, isFromHere: false, limits: limits) { client, key in
            let path = "/desk/api/e/\(gallery.event.short)/wall"
            #expect(try await client.post(path, ["act": "next"]).errorCode == "no-session")
            let client = try await client.sitting(with: try key())
            let refused: [[String: Any]] = [
                ["act": "dance"], ["act": "show"], ["act": "show", "photo": "5a"], ["act": "next", "photo": photo], [:],
            ]
            for act in refused { #expect(try await client.post(path, act).errorCode == "malformed-request", "\(act)") }
            #expect(try await client.post("/desk/api/e/00000000/wall", ["act": "next"]).status == 404)
            for act in ["next", "back", "pause", "resume", "code"] {
                #expect(try await client.post(path, ["act": act]).status == 204)
            }
            #expect(try await client.post(path, ["act": "show", "photo": photo]).status == 204)
            #expect(try await client.post(path, ["act": "next"]).status == 204)
            let late = try await client.post(path, ["act": "next"])
            #expect(late.status == 429 && late.errorCode == "too-fast" && late["retry-after"] != nil)
        }
    }
}
