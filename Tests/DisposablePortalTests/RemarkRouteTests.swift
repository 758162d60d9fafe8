// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Testing

/// What guests say about photos over HTTP.
struct RemarkRouteTests {
    private let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    private func comments(_ client: HTTPClient, _ path: String) async throws -> [[String: Any]] {
        try #require(try await client.get(path + "/comments").object["comments"] as? [[String: Any]])
    }

    @Test("a comment is there for all until who said it takes it back, and nobody else can")
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
            // Without scripts it is text as well.
            #expect(try await ben.get(gallery.path + "simple").text.contains("The &lt;b&gt;cake&lt;/b&gt;\n&amp; more"))

            #expect(try await ben.send("DELETE", path + "/comments/\(id)").errorCode == "not-yours")
            #expect(try await anna.send("DELETE", path + "/comments/\(id)").status == 204)
            #expect(try await anna.send("DELETE", path + "/comments/\(id)").errorCode == "unknown-comment")
            #expect(try await comments(ben, path).isEmpty)
        }
    }

    @Test(
        "what cannot be said is refused with a reason",
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

    @Test("who has not entered looks, and says nothing; what one does not see is not spoken about")
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
}
