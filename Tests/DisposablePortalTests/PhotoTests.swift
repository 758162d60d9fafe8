// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct PhotoTests {
    static let anna = AuthorID.stranger(1)

    private func photos(_ reply: Reply) throws -> [[String: Any]] {
        try #require(try reply.object["photos"] as? [[String: Any]])
    }

    @Test("the gallery is paged, newest first")
    func pages() async throws {
        let gallery = try TestGallery()
        for number in 0..<130 { gallery.put([UInt8(number)], by: Self.anna) }
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            var frames: [Int] = []
            var next: String? = nil
            var sizes: [Int] = []
            repeat {
                let reply = try await client.get(gallery.path + "api/photos" + (next.map { "?before=\($0)" } ?? ""))
                #expect(try reply.object["count"] as? Int == 130)
                frames += try photos(reply).compactMap { $0["frame"] as? Int }
                sizes.append(try photos(reply).count)
                next = try reply.object["next"] as? String
            } while next != nil
            #expect(frames == Array((1...130).reversed()))
            #expect(sizes == [60, 60, 10])
            #expect(try photos(try await client.get(gallery.path + "api/photos?limit=7")).count == 7)
        }
    }

    @Test(
        "invalid page parameters are malformed",
        arguments: [
            "limit=0", "limit=201", "limit=x", "limit=-1", "before=x", "before=../../etc/passwd", "author=x",
            "mine=1&author=" + String(repeating: "0", count: 64),
        ])
    func malformedPage(query: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let reply = try await client.opening(gallery).get(gallery.path + "api/photos?" + query)
            #expect(reply.errorCode == "malformed-request")
        }
    }

    @Test("the photos of one person are paged, without those that only their author sees")
    func byAuthor() async throws {
        let gallery = try TestGallery()
        let guest = TestGuest()
        let author = try guest.id(in: gallery)
        for number in 0..<3 {
            gallery.put([UInt8(number)], by: Self.anna)
            gallery.put([UInt8(number)], by: author)
        }
        gallery.put([9], by: author, isWaiting: true)
        try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery, as: guest)
            let first = try await client.get(gallery.path + "api/photos?limit=2&author=\(author)")
            #expect(try photos(first).compactMap { $0["frame"] as? Int } == [6, 4])
            #expect(try first.object["count"] as? Int == 3)
            let next = try #require(try first.object["next"] as? String)
            let last = try await client.get(gallery.path + "api/photos?limit=2&author=\(author)&before=\(next)")
            #expect(try photos(last).compactMap { $0["frame"] as? Int } == [2])
            #expect(try last.object["next"] is NSNull)
            let nobody = AuthorID.stranger(7)
            #expect(try photos(try await client.get(gallery.path + "api/photos?author=\(nobody)")).isEmpty)
        }
    }

    @Test("people are listed with names and numbers of photos, the one with the most first")
    func people() async throws {
        let gallery = try TestGallery()
        let guest = TestGuest()
        let author = try guest.id(in: gallery)
        for number in 0..<3 { gallery.put([UInt8(number)], by: author) }
        gallery.put([1], by: Self.anna)
        gallery.put([2], by: AuthorID.stranger(2), isWaiting: true)
        try await withPortal([gallery]) { _, client in
            let entered = try await client.entering(gallery, as: guest, name: "Bea")
            let answer = try await entered.get(gallery.path + "api/people").object
            let people = try #require(answer["people"] as? [[String: Any]])
            #expect(people.map { $0["id"] as? String } == [author.description, Self.anna.description])
            #expect(people.map { $0["count"] as? Int } == [3, 1])
            #expect(people.map { $0["name"] as? String } == ["Bea", nil])
            #expect(answer["count"] as? Int == 2)
            #expect(try await client.get(gallery.path + "api/people").status == 401)
        }
    }

    @Test("people are listed up to a limit, and counted beyond it")
    func manyPeople() async throws {
        let gallery = try TestGallery()
        for number in 0..<210 { gallery.put([1], by: .stranger(UInt8(number))) }
        try await withPortal([gallery]) { _, client in
            let answer = try await client.opening(gallery).get(gallery.path + "api/people").object
            #expect((answer["people"] as? [Any])?.count == 200)
            #expect(answer["count"] as? Int == 210)
        }
    }

    @Test("times tell how many photos came in each quarter of an hour, the latest first")
    func times() async throws {
        let gallery = try TestGallery()
        let hour: UInt64 = 1_764_003_600_000
        for (number, minutes) in [0, 14, 15, 61].enumerated() {
            let photo = gallery.put([UInt8(number)], by: Self.anna)
            gallery.with { state in
                guard let place = state.items.firstIndex(where: { $0.photo.id == photo.id }) else { return }
                state.items[place].photo.addedAtMilliseconds = hour + UInt64(minutes) * 60_000
            }
        }
        gallery.put([9], by: Self.anna, isWaiting: true)
        try await withPortal([gallery]) { _, client in
            let answer = try await client.opening(gallery).get(gallery.path + "api/times").object
            let times = try #require(answer["times"] as? [[String: Any]])
            #expect(times.map { $0["from"] as? UInt64 } == [hour + 3_600_000, hour + 900_000, hour])
            #expect(times.map { $0["count"] as? Int } == [1, 1, 2])
            #expect((answer["turned"] as? [String: Int])?.isEmpty == true)
            let latest = try #require((times[0]["photo"] as? String).flatMap { PhotoID(hex: $0) })
            try await gallery.setTurn(.threeQuarters, of: latest, by: Self.anna)
            let again = try await client.opening(gallery).get(gallery.path + "api/times").object
            #expect(again["turned"] as? [String: Int] == [latest.description: 270])
            #expect(try await client.get(gallery.path + "api/times").status == 401)
        }
    }

    @Test("times name a photo with a thumbnail for each quarter, and of one's own photos also those that wait")
    func timesOfOneGuest() async throws {
        let gallery = try TestGallery()
        let guest = TestGuest()
        let author = try guest.id(in: gallery)
        let day: UInt64 = 86_400_000
        let plan = [
            (author, false, true), (author, false, false), (Self.anna, false, true), (Self.anna, false, false),
            (author, true, true),
        ]
        let ids = plan.enumerated().map { number, photo in
            let (by, isWaiting, isHere) = photo
            let id = gallery.put([UInt8(number)], by: by, isWaiting: isWaiting, isHere: isHere).id
            gallery.with { state in
                guard let place = state.items.firstIndex(where: { $0.photo.id == id }) else { return }
                state.items[place].photo.addedAtMilliseconds = UInt64(number / 2 + 1) * day + UInt64(number)
            }
            return id
        }
        try await withPortal([gallery]) { _, client in
            let opened = try await client.opening(gallery)
            let entered = try await client.entering(gallery, as: guest)
            func times(_ query: String, by client: HTTPClient) async throws -> [String] {
                let answer = try await client.get(gallery.path + "api/times" + query).object
                let times = try #require(answer["times"] as? [[String: Any]])
                return times.map { "\($0["from"] as? UInt64 ?? 0) \($0["count"] ?? "") \($0["photo"] ?? "")" }
            }
            #expect(try await times("", by: entered) == ["\(2 * day) 2 \(ids[2])", "\(day) 2 \(ids[0])"])
            #expect(try await times("?mine=1", by: entered) == ["\(3 * day) 1 \(ids[4])", "\(day) 2 \(ids[0])"])
            #expect(try await times("?author=\(author)", by: entered) == ["\(day) 2 \(ids[0])"])
            #expect(try await times("?author=\(Self.anna)", by: entered) == ["\(2 * day) 2 \(ids[2])"])
            #expect(try await times("?mine=1", by: opened).isEmpty)
            #expect(try await entered.get(gallery.path + "api/times?mine=1&author=\(author)").status == 400)
            #expect(try await entered.get(gallery.path + "api/times?author=anna").status == 400)
        }
    }

    @Test("every page of the gallery tells when the first photo was added")
    func earliest() async throws {
        let gallery = try TestGallery()
        let guest = TestGuest()
        gallery.put([1], by: Self.anna)
        gallery.put([2], by: try guest.id(in: gallery))
        gallery.put([3], by: Self.anna)
        try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery, as: guest)
            for (query, time) in [("limit=1", 1), ("limit=1&mine=1", 2), ("author=\(Self.anna)", 1)] {
                let answer = try await client.get(gallery.path + "api/photos?" + query).object
                #expect(answer["earliest"] as? Int == time)
            }
            let nobody = try await client.get(gallery.path + "api/photos?author=\(AuthorID.stranger(7))").object
            #expect(nobody["earliest"] is NSNull)
        }
    }

    @Test("a photo tells what the page needs, with the eyes of the one who asks")
    func photo() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let author = try guest.id(in: gallery)
            let entered = try await client.entering(gallery, as: guest, name: "Anna")
            let photo = gallery.put([1, 2, 3], by: author)
            let mine = try await entered.get(gallery.path + "api/photos/\(photo.id)").object
            #expect(mine["isMine"] as? Bool == true)
            #expect(mine["authorName"] as? String == "Anna")
            #expect(mine["state"] as? String == "frame")
            #expect(mine["frame"] as? Int == 1)
            #expect(mine["mediaType"] as? String == "image/jpeg")
            #expect(mine["byteCount"] as? Int == 3)
            #expect(mine["has"] as? [String] == ["thumbnail", "preview", "original"])
            #expect(mine["caption"] is NSNull)
            gallery.with { $0.items[0].photo.caption = "The cake,\nlate" }
            let other = try await client.opening(gallery).get(gallery.path + "api/photos/\(photo.id)").object
            #expect(other["isMine"] as? Bool == false)
            #expect(other["caption"] as? String == "The cake,\nlate")
        }
    }

    @Test("only its author sees a waiting photo: in lists, by its id and in its bytes")
    func waiting() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let entered = try await client.entering(gallery, as: guest)
            let other = try await client.entering(gallery)
            let photo = gallery.put([1, 2, 3], by: try guest.id(in: gallery), isWaiting: true)
            let mine = try await entered.get(gallery.path + "api/photos?mine=1")
            #expect(try photos(mine).first?["state"] as? String == "waiting")
            #expect(try await entered.get(gallery.path + "photos/\(photo.id)/original").body == [1, 2, 3])
            for query in ["", "?mine=1"] {
                #expect(try photos(try await other.get(gallery.path + "api/photos" + query)).isEmpty)
            }
            for path in ["api/photos/\(photo.id)", "photos/\(photo.id)/thumbnail", "photos/\(photo.id)/original"] {
                #expect(try await other.get(gallery.path + path).errorCode == "unknown-photo")
            }
        }
    }

    @Test(
        "unknown ids, and paths that lead elsewhere, name no photo",
        arguments: [
            String(repeating: "0", count: 64), "1", "..%2f..%2fsessions", "../../../etc/passwd", "%00", "%2e%2e",
            String(repeating: "é", count: 32),
        ])
    func guessed(id: String) async throws {
        let gallery = try TestGallery()
        gallery.put([1], by: Self.anna)
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            for path in ["api/photos/\(id)", "photos/\(id)/original", "photos/\(id)/thumbnail"] {
                let reply = try await client.get(gallery.path + path)
                #expect(reply.status == 404 || reply.status == 400, "\(path): \(reply.status)")
                #expect(!reply.text.contains("root:"))
            }
        }
    }

    @Test("bytes have a tag, so that browsers need not load them again")
    func entityTag() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put([1, 2, 3], by: Self.anna)
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let path = gallery.path + "photos/\(photo.id)/thumbnail"
            let reply = try await client.get(path)
            #expect(reply.status == 200)
            #expect(reply.body == [1, 2, 3])
            #expect(reply["content-type"] == "image/jpeg")
            #expect(reply["content-length"] == "3")
            #expect(reply["cache-control"] == "private, max-age=3600")
            let tag = try #require(reply["etag"])
            for field in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let again = try await client.get(path, headers: ["If-None-Match": field])
                #expect(again.status == 304)
                #expect(again.body.isEmpty)
            }
            #expect(try await client.get(path, headers: ["If-None-Match": "\"x\""]).status == 200)
            let other = try await client.get(gallery.path + "photos/\(photo.id)/original")
            #expect(other["etag"] != tag)
            let head = try await client.send("HEAD", path)
            #expect(head["content-length"] == "3")
            #expect(head.body.isEmpty)
            // A tag does not bypass the removal.
            _ = try await gallery.remove(photo.id, by: Self.anna)
            gallery.signRemovals()
            #expect(try await client.get(path, headers: ["If-None-Match": tag]).status == 404)
        }
    }

    @Test("ranges of a video are served")
    func ranges() async throws {
        let gallery = try TestGallery()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let photo = gallery.put(bytes, by: Self.anna, type: .mp4)
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let path = gallery.path + "photos/\(photo.id)/original"
            let whole = try await client.get(path)
            #expect(whole.body == bytes)
            #expect(whole["accept-ranges"] == "bytes")
            for (field, range) in [
                ("bytes=0-0", 0..<1), ("bytes=0-", 0..<200_000), ("bytes=70000-140000", 70_000..<140_001),
                ("bytes=-5", 199_995..<200_000), ("bytes=199999-999999", 199_999..<200_000),
                ("bytes=-999999", 0..<200_000),
            ] {
                let reply = try await client.get(path, headers: ["Range": field])
                #expect(reply.status == 206, "\(field)")
                #expect(reply.body == Array(bytes[range]), "\(field)")
                #expect(reply["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/200000")
            }
            for field in ["bytes=200000-", "bytes=-0", "bytes=99999999999999999999999-"] {
                let reply = try await client.get(path, headers: ["Range": field])
                #expect(reply.status == 416, "\(field)")
                #expect(reply["content-range"] == "bytes */200000")
            }
            for field in ["bytes=5-2", "bytes=a-b", "bytes=0-1,3-4", "pages=1-2", "bytes=--1", ""] {
                #expect(try await client.get(path, headers: ["Range": field]).status == 200, "\(field)")
            }
            let stale = try await client.get(path, headers: ["Range": "bytes=0-1", "If-Range": "\"other\""])
            #expect(stale.status == 200)
            let fresh = try await client.get(path, headers: ["Range": "bytes=0-1", "If-Range": whole["etag"]])
            #expect(fresh.status == 206)
        }
    }

    @Test("bytes that the node has not fetched are reported as not available yet")
    func notHere() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put([1], by: Self.anna, isHere: false)
        try await withPortal([gallery]) { _, client in
            let reply = try await client.opening(gallery).get(gallery.path + "photos/\(photo.id)/original")
            #expect(reply.status == 404)
            #expect(reply.errorCode == "not-here")
        }
    }

    @Test(
        "no browser runs the bytes of a photo",
        arguments: [
            ("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", MediaType.other),
            ("<!doctype html><script>alert(1)</script>", .other), ("<script>alert(1)</script>", .jpeg),
            ("II*\u{0}", .tiff),
        ])
    func harmless(text: String, type: MediaType) async throws {
        let gallery = try TestGallery()
        let photo = gallery.put(Array(text.utf8), by: Self.anna, type: type)
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            for name in ["thumbnail", "preview", "original"] {
                let reply = try await client.get(gallery.path + "photos/\(photo.id)/\(name)")
                #expect(reply.status == 200)
                #expect(reply["x-content-type-options"] == "nosniff")
                #expect(reply["content-security-policy"] == "sandbox; default-src 'none'")
                #expect(reply["cross-origin-resource-policy"] == "same-origin")
                if type == .jpeg {
                    #expect(reply["content-type"] == "image/jpeg")
                } else {
                    #expect(reply["content-type"] == "application/octet-stream")
                    #expect(reply["content-disposition"]?.hasPrefix("attachment") == true)
                }
            }
        }
    }

    @Test("photos are saved under a safe name made by the portal")
    func downloadName() async throws {
        let gallery = try TestGallery(name: "A \"great\" /../ day\u{300}; 2026")
        let guest = TestGuest()
        let author = try guest.id(in: gallery)
        try await withPortal([gallery]) { _, client in
            let client = try await client.entering(gallery, as: guest, name: "<b>Zoë & co</b>")
            let photo = gallery.put([1], by: author)
            let reply = try await client.get(gallery.path + "photos/\(photo.id)/original?download")
            let field = try #require(reply["content-disposition"])
            #expect(
                field == "attachment; filename=\"A _great_ _.._ da_; 2026-1-_b_Zo_ & co__b_.jpg\"; filename*=UTF-8''"
                    + "A%20_great_%20_.._%20da%E1%BB%B3%3B%202026-1-_b_Zo%C3%AB%20%26%20co__b_.jpg")
            #expect(try await client.get(gallery.path + "photos/\(photo.id)/original")["content-disposition"] == nil)
        }
    }
}
