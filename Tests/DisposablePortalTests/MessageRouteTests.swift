// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Testing

@Suite struct MessageRouteTests {
    @Test("a guest writes to the organizers and takes it back; nobody else can, and nothing lists it")
    func written() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let (guest, other) = (try await client.entering(gallery), try await client.entering(gallery))
            let path = gallery.path + "api/message"
            let reply = try await guest.post(path, ["text": "Cake?\nToday?"])
            #expect(reply.status == 201)
            let id = try #require(try reply.object["id"] as? String)
            #expect(gallery.with { $0.messages.map(\.text) } == ["Cake?\nToday?"])
            let refused = try await other.send("DELETE", "\(path)/\(id)")
            #expect((refused.status, refused.errorCode) == (404, "unknown-message"))
            #expect(try await guest.send("DELETE", path + "/nothing").errorCode == "unknown-message")
            #expect(try await guest.send("DELETE", "\(path)/\(id)").status == 204)
            #expect(gallery.with { $0.messages.isEmpty })
            #expect(try await guest.get(path).status >= 400)
        }
    }

    @Test("a refusal says why, and the limit is each guest's")
    func refused() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.messageLimit = 1 }
        try await withPortal([gallery]) { _, client in
            let (guest, other) = (try await client.entering(gallery), try await client.entering(gallery))
            let path = gallery.path + "api/message"
            for text in ["", "  ", String(repeating: "é", count: 1_001)] {
                let reply = try await guest.post(path, ["text": text])
                #expect((reply.status, reply.errorCode) == (400, "malformed-text"))
            }
            #expect(try await guest.post(path, [:]).errorCode == "malformed-request")
            #expect(try await guest.post(path, ["text": "one"]).status == 201)
            let reply = try await guest.post(path, ["text": "two"])
            #expect((reply.status, reply.errorCode) == (409, "too-many-messages"))
            #expect(try await other.post(path, ["text": "one"]).status == 201)
        }
    }

    @Test("no stream and no list of changes tells guests of a message")
    func updates() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let (guest, other) = (try await client.entering(gallery), try await client.entering(gallery))
            var stream = try await other.events(gallery.path + "api/updates")
            #expect(try await stream.next()?.name == "hello")
            let changes = gallery.path + "api/changes"
            let since = try #require(try await other.get(changes).object["id"] as? String)
            #expect(try await guest.post(gallery.path + "api/message", ["text": "Cake?"]).status == 201)
            gallery.tell(.event)
            #expect(try await stream.next()?.name == "event")
            let told = try await other.get("\(changes)?since=\(since)").object["changes"] as? [[String: Any]]
            #expect(told?.map { $0["event"] as? String } == ["event"])
            stream.close()
        }
    }
}
