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

    @Test("an album is made, saved and removed by the organizer on the machine of the event alone")
    func album() async throws {
        let (desk, gallery) = (TestDesk(), try TestGallery())
        let path = "/desk/api/e/\(gallery.event.short)/album"
        try await withDesk(desk, gallery, isFromHere: false) { client, key in
            let client = try await client.sitting(with: try key())
            for (method, part) in [("GET", ""), ("POST", ""), ("DELETE", ""), ("GET", "/file")] {
                let reply = try await client.send(
                    method, path + part, headers: ["Content-Type": "application/json"],
                    body: method == "POST" ? Array("{}".utf8) : [])
                #expect(reply.status == 403 && reply.errorCode == "not-here", "\(method) \(part)")
            }
            #expect(desk.acts.isEmpty && desk.questions.isEmpty)
        }
        try await withDesk(desk, gallery) { client, key in
            #expect(try await client.post(path, ["isSealed": true]).errorCode == "no-session")
            #expect(try await client.get(path + "/file").errorCode == "no-session")
            var client = try await client.sitting(with: try key())
            client.headers["Sec-Fetch-Site"] = "cross-site"
            #expect(try await client.post(path, ["isSealed": true]).errorCode == "foreign-origin")
            #expect(try await client.get(path + "/file").errorCode == "foreign-origin")
            client.headers["Sec-Fetch-Site"] = nil
            #expect(try await client.get(path + "/file").status == 404)
            #expect(try await client.get("/desk/api/e/zz/album").status == 404)
            #expect(try await client.post(path, ["isSealed": true]).status == 200)
            let event = try #require(DeskEvent(gallery.event.short))
            guard case .makeAlbum(event, let form) = try #require(desk.acts.last) else {
                Issue.record("the desk was not asked for an album")
                return
            }
            #expect(String(decoding: form.bytes, as: UTF8.self).contains("isSealed"))
            #expect(try await client.get(path).status == 200 && desk.questions.last == .album(event))
        }
    }

    @Test("a download of an album that broke continues where it ended, in the same album only")
    func brokenAlbum() async throws {
        let (desk, gallery) = (TestDesk(), try TestGallery())
        try await withDesk(desk, gallery) { client, key in
            let path = "/desk/api/e/\(gallery.event.short)/album"
            let client = try await client.sitting(with: try key())
            _ = try await client.post(path, ["isSealed": false])
            let whole = try await client.get(path + "/file")
            #expect(whole.status == 200 && whole.body == TestDesk.album && whole["content-type"] == "application/zip")
            #expect(whole["content-disposition"]?.contains("filename*=UTF-8''%C3%89t%C3%A9-album.zip") == true)
            let tag = try #require(whole["etag"])
            let rest = try await client.send(
                "GET", path + "/file", headers: ["Range": "bytes=150000-", "If-Range": tag])
            #expect(rest.status == 206 && rest.body == Array(TestDesk.album[150_000...]))
            #expect(rest["content-range"] == "bytes 150000-199999/200000")
            let other = try await client.send(
                "GET", path + "/file", headers: ["Range": "bytes=150000-", "If-Range": "\"album-0\""])
            #expect(other.status == 200 && other.body == TestDesk.album)
            #expect(try await client.send("DELETE", path).status == 200)
            let gone = try await client.get(path + "/file")
            #expect(gone.status == 404)
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
