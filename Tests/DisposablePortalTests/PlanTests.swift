// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// The plan over HTTP: its photos by their place, and placing one's own.
@Suite struct PlanTests {
    private let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    private func place(_ client: HTTPClient, _ path: String, _ body: String) async throws -> Reply {
        try await client.send(
            "PUT", path + "/spot", headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private func spots(_ client: HTTPClient, _ gallery: TestGallery, _ query: String = "") async throws -> [String] {
        let reply = try await client.get(gallery.path + "api/spots" + query)
        let spots = try #require(try reply.object["spots"] as? [[String: Any]], "\(reply.text)")
        return spots.compactMap { $0["photo"] as? String }
    }

    @Test("pages are told of the cover and the plan, and of neither where there is none")
    func told() async throws {
        let gallery = try TestGallery()
        let shown = gallery.put(photo, by: .stranger(9))
        try await withPortal([gallery]) { _, client in
            let guest = try await client.opening(gallery)
            #expect(try await guest.get(gallery.path + "api/me").text.contains(#""cover":null"#))
            #expect(try await guest.get(gallery.path + "api/spots").text == #"{"count":0,"plan":null,"spots":[]}"#)
            gallery.with {
                $0.pictures = EventPictures(plan: ShownPicture(photo: shown.id, width: 640, height: 480))
            }
            let told = #""plan":{"height":480,"photo":"\#(shown.id)","width":640}"#
            #expect(try await guest.get(gallery.path + "api/me").text.contains(told))
            #expect(try await guest.get(gallery.path + "api/spots").text.contains(told))
        }
    }

    @Test("an author places a photo, moves it and takes it off; nobody else can, and not on another plan")
    func placing() async throws {
        let gallery = try TestGallery()
        let author = TestGuest()
        let own = gallery.put(photo, by: try author.id(in: gallery))
        let plan = gallery.put(photo + [1], by: .stranger(9))
        gallery.with { $0.pictures = EventPictures(plan: ShownPicture(photo: plan.id, width: 6, height: 4)) }
        try await withPortal([gallery]) { _, client in
            let (anna, ben) = (
                try await client.entering(gallery, as: author), try await client.entering(gallery)
            )
            let path = gallery.path + "api/photos/\(own.id)"
            let there = #"{"x": 65535, "y": 0, "plan": "\#(plan.id)"}"#
            #expect(try await place(ben, path, there).errorCode == "not-yours")
            #expect(
                try await place(anna, path, #"{"x": 1, "y": 0, "plan": "\#(own.id)"}"#).errorCode == "other-plan")
            for body in ["{}", #"{"x": 65536, "y": 0, "plan": "\#(plan.id)"}"#, #"{"x": 1, "y": 2, "plan": "no"}"#] {
                #expect(try await place(anna, path, body).errorCode == "malformed-request", "\(body)")
            }
            #expect(try await place(anna, path, there).status == 204)
            #expect(try await ben.get(path).text.contains(#""spot":{"x":65535,"y":0}"#))
            #expect(try await spots(ben, gallery) == [own.id.description])
            #expect(try await ben.send("DELETE", path + "/spot").errorCode == "not-yours")
            #expect(try await anna.send("DELETE", path + "/spot").status == 204)
            #expect(try await ben.get(path).text.contains(#""spot":null"#))
            #expect(try await spots(ben, gallery).isEmpty)
        }
    }

    @Test("only the photos of the asked part are told, with its edges, and only as many as fit an answer")
    func part() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.answers.pinCountMax = 3
        let ids = (0..<5).map { number in
            let shown = gallery.put(photo + [UInt8(number)], by: .stranger(UInt8(number % 2)))
            gallery.with { state in
                let index = state.items.firstIndex { $0.photo.id == shown.id }!  // just added
                state.items[index].photo.context.spot = Spot(x: UInt16(number * 1_000), y: 7)
            }
            return shown.id.description
        }
        try await withPortal([gallery], limits: limits) { _, client in
            let guest = try await client.opening(gallery)
            #expect(try await spots(guest, gallery, "?box=1000,7,3000,7") == [ids[3], ids[2], ids[1]])
            #expect(try await spots(guest, gallery, "?box=0,8,65535,65535").isEmpty)
            #expect(try await spots(guest, gallery, "?author=\(AuthorID.stranger(1))") == [ids[3], ids[1]])
            let all = try await guest.get(gallery.path + "api/spots")
            #expect(try all.object["count"] as? Int == 5)
            try await gallery.setTurn(.quarter, of: #require(PhotoID(hex: ids[4])), by: .stranger(0))
            let pins = try await guest.get(gallery.path + "api/spots").object["spots"] as? [[String: Any]]
            #expect(pins?.map { $0["turn"] as? Int } == [90, 0, 0])
            #expect(try await spots(guest, gallery).count == 3)
            for box in ["1,2,3", "1,2,3,4,5", "a,b,c,d", "5,5,4,6", "0,0,65536,1", "0,,1,1", ""] {
                let reply = try await guest.get(gallery.path + "api/spots?box=\(box)")
                #expect(reply.errorCode == "malformed-request", "\(box)")
            }
            #expect(try await guest.get(gallery.path + "api/spots?author=x").errorCode == "malformed-request")
            // The photos were added at 1 to 5 milliseconds.
            #expect(try await spots(guest, gallery, "?from=2&to=4") == Array(ids[1...2].reversed()))
            #expect(try await spots(guest, gallery, "?from=6&to=6").isEmpty)
            for times in ["from=2", "to=2", "from=3&to=2", "from=-1&to=2", "from=&to=2", "from=1&to=x"] {
                let reply = try await guest.get(gallery.path + "api/spots?\(times)")
                #expect(reply.errorCode == "malformed-request", "\(times)")
            }
            #expect(try await client.get(gallery.path + "api/spots").status == 401)
        }
    }

    // At the desk

    @Test("an organizer sends an image at the desk: it is kept until the photo is added, and no longer")
    func upload() async throws {
        let desk = TestDesk()
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.bodies.pictureByteCountMax = 1_000
        let path = "/desk/api/e/\(gallery.event.short)/pictures/"
        try await withDesk(desk, gallery, limits: limits) { client, key in
            let client = try await client.sitting(with: try key())
            let bytes = [UInt8](repeating: 7, count: 1_000)
            #expect(try await client.send("PUT", path + "plan/file", body: bytes).status == 200)
            guard case .addPicture(_, .plan, let file)? = desk.acts.last else {
                Issue.record("no command: \(desk.acts)")
                return
            }
            #expect(file.hasPrefix(gallery.folderPath) && !FileManager.default.fileExists(atPath: file))
            let large = try await client.send("PUT", path + "cover/file", body: bytes + [7])
            #expect((large.status, large.errorCode) == (413, "too-long"))
            #expect(try await client.send("PUT", path + "cover/file").errorCode == "malformed-request")
            #expect(try await client.send("PUT", path + "poster/file", body: bytes).errorCode == "not-found")
            let photo = String(repeating: "5a", count: 32)
            #expect(try await client.post(path + "cover", ["photo": photo]).status == 200)
            #expect(try await client.post(path + "cover", ["photo": NSNull()]).status == 200)
            #expect(try await client.post(path + "cover", ["photo": "x"]).errorCode == "unknown-photo")
            #expect(desk.acts.count == 3)
        }
        let left = try FileManager.default.subpathsOfDirectory(atPath: gallery.folderPath)
        #expect(!left.contains { $0.contains("tmp-") }, "\(left)")
    }

    @Test("from another device no picture is chosen or sent")
    func elsewhere() async throws {
        let desk = TestDesk()
        let gallery = try TestGallery()
        let path = "/desk/api/e/\(gallery.event.short)/pictures/plan"
        try await withDesk(desk, gallery, isFromHere: false) { client, key in
            let client = try await client.sitting(with: try key())
            #expect(try await client.send("PUT", path + "/file", body: [1, 2, 3]).errorCode == "not-here")
            #expect(try await client.post(path, ["photo": NSNull()]).errorCode == "not-here")
        }
        #expect(desk.acts.isEmpty)
    }
}
