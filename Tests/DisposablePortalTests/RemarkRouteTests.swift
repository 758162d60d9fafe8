// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// Comments and reactions of guests over HTTP.
struct RemarkRouteTests {
    private let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    private func comments(_ client: HTTPClient, _ path: String) async throws -> [[String: Any]] {
        try #require(try await client.get(path + "/comments").object["comments"] as? [[String: Any]])
    }

    @Test("everybody sees a comment until its author deletes it, and nobody else can delete it")
    func comments() async throws {
        let gallery = try TestGallery()
        let shown = gallery.put(photo, by: .stranger(9))
        try await withPortal([gallery]) { _, client in
            let path = gallery.path + "api/photos/\(shown.id)"
            let (anna, ben) = (try await client.entering(gallery, name: "Anna"), try await client.entering(gallery))
            let said = try await anna.post(path + "/comments", ["text": "The <b>cake</b>\n& more"])
            #expect(said.status == 201)
            let id = try #require(try said.object["id"] as? String)
            let seen = try await comments(ben, path)
            #expect(seen.count == 1)
            #expect(seen.first?["text"] as? String == "The <b>cake</b>\n& more")
            #expect(seen.first?["authorName"] as? String == "Anna")
            #expect(seen.first?["isMine"] as? Bool == false)
            #expect(try await comments(anna, path).first?["isMine"] as? Bool == true)
            #expect(try await ben.get(path).object["commentCount"] as? Int == 1)
            // Without JavaScript it is escaped as well.
            #expect(try await ben.get(gallery.path + "simple").text.contains("The &lt;b&gt;cake&lt;/b&gt;\n&amp; more"))

            #expect(try await ben.send("DELETE", path + "/comments/\(id)").errorCode == "not-yours")
            #expect(try await anna.send("DELETE", path + "/comments/\(id)").status == 204)
            #expect(try await anna.send("DELETE", path + "/comments/\(id)").errorCode == "unknown-comment")
            #expect(try await comments(ben, path).isEmpty)
        }
    }

    @Test(
        "invalid comments are refused with a reason",
        arguments: ["", "  \n ", String(repeating: "a", count: 2_001), "a\u{202E}b"])
    func malformed(text: String) async throws {
        let gallery = try TestGallery()
        let shown = gallery.put(photo, by: .stranger(9))
        try await withPortal([gallery]) { _, client in
            let anna = try await client.entering(gallery)
            let reply = try await anna.post(gallery.path + "api/photos/\(shown.id)/comments", ["text": text])
            #expect((reply.status, reply.errorCode) == (400, "malformed-text"))
        }
    }

    @Test("a session without a guest can only read; an invisible photo cannot be commented on")
    func strangers() async throws {
        let gallery = try TestGallery()
        let shown = gallery.put(photo, by: .stranger(9))
        let waiting = gallery.put(photo + [0], by: .stranger(8), isWaiting: true)
        try await withPortal([gallery]) { _, client in
            let looker = try await client.opening(gallery)
            let path = gallery.path + "api/photos/\(shown.id)"
            #expect(try await comments(looker, path).isEmpty)
            #expect(try await looker.post(path + "/comments", ["text": "Hello"]).errorCode == "not-entered")
            let anna = try await client.entering(gallery)
            let hidden = gallery.path + "api/photos/\(waiting.id)"
            #expect(try await anna.get(hidden + "/comments").errorCode == "unknown-photo")
            #expect(try await anna.post(hidden + "/comments", ["text": "Hello"]).errorCode == "unknown-photo")
        }
    }

    @Test("the author writes, changes and deletes a caption; others see it and cannot")
    func captions() async throws {
        let gallery = try TestGallery()
        let author = TestGuest()
        let own = gallery.put(photo, by: try author.id(in: gallery))
        try await withPortal([gallery]) { _, client in
            let (anna, ben) = (
                try await client.entering(gallery, as: author), try await client.entering(gallery)
            )
            let path = gallery.path + "api/photos/\(own.id)"
            func write(_ guest: HTTPClient, _ text: String) async throws -> Reply {
                let body = try JSONSerialization.data(withJSONObject: ["text": text])
                return try await guest.send(
                    "PUT", path + "/caption", headers: ["Content-Type": "application/json"], body: [UInt8](body))
            }
            #expect(try await write(anna, "The <b>cake</b>\nis late").status == 204)
            #expect(try await ben.get(path).object["caption"] as? String == "The <b>cake</b>\nis late")
            #expect(try await write(ben, "Mine").errorCode == "not-yours")
            #expect(try await write(anna, " \n ").errorCode == "malformed-text")
            #expect(try await write(anna, String(repeating: "a", count: 2_001)).errorCode == "malformed-text")
            #expect(try await write(anna, "").status == 204)
            #expect(try await ben.get(path).object["caption"] is NSNull)
            gallery.with { $0.sealed = SealedPhotos(count: 1, revealsAtMilliseconds: nil, isForOrganizers: false) }
            #expect(try await write(anna, "Cake").errorCode == "not-shown-yet")
            #expect(try await client.opening(gallery).send("PUT", path + "/caption").status == 400)
        }
    }

    @Test("an emoji is put on and taken off by each guest, one of six")
    func reactions() async throws {
        let gallery = try TestGallery()
        let shown = gallery.put(photo, by: .stranger(9))
        try await withPortal([gallery]) { _, client in
            let path = gallery.path + "api/photos/\(shown.id)"
            let (anna, ben) = (try await client.entering(gallery), try await client.entering(gallery))
            func react(_ guest: HTTPClient, _ emoji: String, _ isOn: String) async throws -> Reply {
                let body = Array("{\"emoji\":\"\(emoji)\",\"isOn\":\(isOn)}".utf8)
                return try await guest.send(
                    "POST", path + "/reactions", headers: ["Content-Type": "application/json"], body: body)
            }
            func first(_ guest: HTTPClient) async throws -> (count: Int?, isMine: Bool?) {
                let reactions = try await guest.get(path).object["reactions"] as? [[String: Any]]
                #expect(reactions?.count == 6)
                return (reactions?[0]["count"] as? Int, reactions?[0]["isMine"] as? Bool)
            }
            for guest in [anna, ben, ben] { #expect(try await react(guest, "\u{2764}", "true").status == 204) }
            #expect(try await first(anna) == (2, true))
            #expect(try await react(anna, "\u{2764}", "false").status == 204)
            #expect(try await first(anna) == (1, false))
            #expect(try await first(ben) == (1, true))
            for other in ["A", "", "\u{2764}\u{FE0F}", "\u{1F600}"] {
                #expect(try await react(anna, other, "true").errorCode == "malformed-request")
            }
        }
    }

    /// Returns an event with one photo that has many comments.
    private func crowdedGallery(commentCount: Int, text: String = "") throws -> (gallery: TestGallery, photo: PhotoID) {
        let gallery = try TestGallery()
        let shown = gallery.put(photo, by: .stranger(9))
        gallery.say(commentCount, on: shown.id, text: text)
        return (gallery, shown.id)
    }

    @Test("comments are paged, newest first, each with the number of earlier ones")
    func pages() async throws {
        let (gallery, photo) = try crowdedGallery(commentCount: 130)
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "api/photos/\(photo)/comments"
            var (seen, query, earlierCounts) = ([String](), "", [Int]())
            for _ in 0..<3 {
                let page = try await guest.get(path + query).object
                let comments = try #require(page["comments"] as? [[String: Any]])
                seen = comments.compactMap { $0["text"] as? String } + seen
                earlierCounts.append(try #require(page["earlierCount"] as? Int))
                query = "?before=\(try #require(comments.first?["id"] as? String))"
            }
            #expect(earlierCounts == [80, 30, 0])
            #expect(seen == (0..<130).map { "\($0)" })
            #expect((try await guest.get(path + query).object["comments"] as? [Any])?.isEmpty == true)
            let few = try await guest.get(path + "?limit=2").object
            #expect((few["comments"] as? [[String: Any]])?.compactMap { $0["text"] as? String } == ["128", "129"])
            #expect(few["earlierCount"] as? Int == 128)
            for wrong in ["limit=0", "limit=51", "limit=x", "before=x"] {
                #expect(try await guest.get(path + "?" + wrong).errorCode == "malformed-request", "\(wrong)")
            }
            let unknown = String(repeating: "7", count: 64)
            #expect(try await guest.get(path + "?before=" + unknown).errorCode == "unknown-comment")
        }
    }

    @Test("thousands of long comments do not make a long answer, with and without JavaScript")
    func longComments() async throws {
        let text = String(repeating: "<", count: 1_990)
        let (gallery, photo) = try crowdedGallery(commentCount: 2_000, text: text)
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "api/photos/\(photo)"
            #expect(try await guest.get(path + "/comments").body.count < 300_000)
            #expect(try await guest.get(path).object["commentCount"] as? Int == 2_000)
            let page = try await guest.get(gallery.path + "simple")
            #expect(page.status == 200)
            #expect(page.body.count < 100_000)
        }
    }

    @Test("the plain page shows the newest three comments under a photo, and all of them on separate pages")
    func simplePages() async throws {
        let gallery = try crowdedGallery(commentCount: 130).gallery
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            func numbers(_ page: String) -> [Int] {
                page.matches(of: /<\/strong> ([0-9]+)<\/p>/).compactMap { Int($0.1) }
            }
            let grid = try await guest.get(gallery.path + "simple").text
            #expect(numbers(grid) == [127, 128, 129])
            #expect(grid.contains("All 130 comments"))
            var link = try #require(grid.firstMatch(of: /href="([^"]*\/comments)"/)).1
            var seen: [Int] = []
            while true {
                let page = try await guest.get(String(link))
                #expect(page.status == 200)
                seen = numbers(page.text) + seen
                guard let earlier = page.text.firstMatch(of: /href="([^"]*\/comments\?before=[0-9a-f]+)"/) else {
                    break
                }
                link = earlier.1
            }
            #expect(seen == Array(0..<130))
            let unknown = String(repeating: "7", count: 64)
            #expect(try await guest.get(gallery.path + "simple/photos/\(unknown)/comments").status == 404)
        }
    }

    @Test("a guest has at most two pending commands, an address sixteen, and others continue meanwhile")
    func statementsUnderWay() async throws {
        let gallery = try TestGallery()
        let shown = gallery.put(photo, by: .stranger(9))
        try await withPortal([gallery]) { _, client in
            let path = gallery.path + "api/photos/\(shown.id)/comments"
            var guests: [HTTPClient] = []
            for _ in 0..<10 { guests.append(try await client.from(2).entering(gallery, name: "Zoë")) }
            let other = try await client.from(3).entering(gallery, name: "Ben")
            gallery.with { $0.holdsStatements = true }
            try await withThrowingTaskGroup(of: String?.self) { group in
                func say(_ guest: HTTPClient) { group.addTask { try await guest.post(path, ["text": "Oh"]).errorCode } }
                for _ in 0..<3 { say(guests[0]) }
                #expect(try await group.next() == "too-fast")
                for guest in guests[1...] { for _ in 0..<2 { say(guest) } }
                // Sixteen wait, of which two are the first guest's: four of the eighteen are refused.
                for _ in 0..<4 { #expect(try await group.next() == "too-fast") }
                try await eventually { gallery.with { $0.heldStatements.count } == 16 }
                gallery.with { $0.holdsStatements = false }
                #expect(try await other.post(path, ["text": "Hello"]).status == 201)
                gallery.release()
                while let code = try await group.next() { #expect(code == nil) }
            }
            #expect(try await guests[0].post(path, ["text": "Oh"]).status == 201)
        }
    }

    @Test("a new guest writes five comments at once, then one a second")
    func newGuest() async throws {
        var limits = PortalLimits()
        limits.rates.remarks = Rate(burst: 30, perSecond: 1e-3)
        let gallery = try TestGallery()
        let shown = gallery.put(photo, by: .stranger(9))
        try await withPortal([gallery], limits: limits) { _, client in
            let path = gallery.path + "api/photos/\(shown.id)/comments"
            let guest = try await client.entering(gallery)
            for _ in 0..<5 { #expect(try await guest.post(path, ["text": "Oh"]).status == 201) }
            let refusal = try await guest.post(path, ["text": "Oh"])
            #expect((refusal.status, refusal.errorCode) == (429, "too-fast"))
            #expect(refusal["retry-after"] != nil)
            #expect(try await client.entering(gallery).post(path, ["text": "Hello"]).status == 201)
        }
    }
}
