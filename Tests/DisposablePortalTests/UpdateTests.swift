// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

@Suite struct UpdateTests {
    @Test("a stream begins with its position, and each viewer gets a new photo as that viewer may see it")
    func photo() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let entered = try await client.entering(gallery, as: guest)
            var mine = try await entered.events(gallery.path + "api/updates")
            var other = try await client.opening(gallery).events(gallery.path + "api/updates")
            let hello = try #require(try await mine.next())
            #expect(hello.name == "hello")
            #expect(hello.data == "{\"id\":\"\(try #require(hello.id))\"}")
            #expect(try await other.next()?.name == "hello")
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            for (stream, isMine) in [(mine, true), (other, false)] {
                var stream = stream
                let event = try #require(try await stream.next())
                #expect(event.name == "photo")
                #expect(event.id != hello.id)
                let shown = try #require(
                    try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
                #expect(shown["id"] as? String == photo.id.description)
                #expect(shown["isMine"] as? Bool == isMine)
            }
        }
    }

    @Test("nobody who asks for all changes of before finds the caption of a photo that was deleted")
    func deletedCaption() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            var stream = try await client.events(gallery.path + "api/updates")
            let hello = try #require(try await stream.next()?.id)
            let photo = gallery.put([1], by: .stranger(1))
            _ = try await stream.next()
            gallery.with { $0.items[0].photo.caption = "Our secret" }
            gallery.tell(.photo(photo.id))
            #expect(try await stream.next()?.data.contains("Our secret") == true)
            _ = try await gallery.remove(photo.id, by: .stranger(1))
            gallery.signRemovals()
            #expect(try await stream.next()?.name == "removed")
            let instance = try #require(hello.split(separator: "-").first)
            let changes = try await client.get(gallery.path + "api/changes?since=\(instance)-0")
            #expect(changes.status == 200 && changes.text.contains(photo.id.description))
            #expect(!changes.text.contains("Our secret"))
        }
    }

    @Test("a waiting photo is shown to its author, and to others as removed")
    func waiting() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            var mine = try await client.entering(gallery, as: guest).events(gallery.path + "api/updates")
            var other = try await client.entering(gallery).events(gallery.path + "api/updates")
            _ = (try await mine.next(), try await other.next())
            let photo = gallery.put([1], by: try guest.id(in: gallery), isWaiting: true)
            let shown = try #require(try await mine.next())
            #expect(shown.name == "photo")
            #expect(shown.data.contains("\"state\":\"waiting\""))
            let hidden = try #require(try await other.next())
            #expect(hidden.name == "removed")
            #expect(hidden.data == "{\"id\":\"\(photo.id)\"}")
        }
    }

    @Test("removals, edits and changes of everything are sent")
    func others() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put([1], by: .stranger(1))
        try await withPortal([gallery]) { _, client in
            var stream = try await client.opening(gallery).events(gallery.path + "api/updates")
            _ = try await stream.next()
            _ = try await gallery.remove(photo.id, by: .stranger(1))
            gallery.signRemovals()
            #expect(try await stream.next()?.name == "removed")
            gallery.tell(.event)
            #expect(try await stream.next()?.name == "event")
            gallery.tell(.everything)
            #expect(try await stream.next()?.name == "reset")
        }
    }

    @Test("changes of everything without end are told at a limited rate, and other changes at once")
    func pace() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.updates.reloads = Rate(burst: 2, perSecond: 0.01)
        try await withPortal([gallery], limits: limits) { _, client in
            var stream = try await client.opening(gallery).events(gallery.path + "api/updates")
            _ = try await stream.next()
            for _ in 0..<2 {
                gallery.tell(.everything)
                #expect(try await stream.next()?.name == "reset")
            }
            for _ in 0..<5 { gallery.tell(.everything) }
            let photo = gallery.put([1], by: .stranger(1))
            let event = try #require(try await stream.next())
            #expect(event.name == "photo" && event.data.contains(photo.id.description))
        }
    }

    @Test("a reconnected stream first sends what it missed, by its last id in the header or the address")
    func lastEventID() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            var stream = try await client.events(gallery.path + "api/updates")
            _ = try await stream.next()
            let first = gallery.put([1], by: .stranger(1))
            let last = try #require(try await stream.next()?.id)
            stream.close()
            let photos = [gallery.put([2], by: .stranger(1)), gallery.put([3], by: .stranger(1))]
            try await eventually {
                try await (client.get(gallery.path + "api/changes?since=\(last)").object["changes"] as? [Any])?.count
                    == 2
            }
            var resumed = [
                try await client.events(gallery.path + "api/updates", headers: ["Last-Event-ID": last]),
                try await client.events(gallery.path + "api/updates?last=\(last)"),
            ]
            for index in resumed.indices {
                for photo in photos {
                    let event = try #require(try await resumed[index].next())
                    #expect(event.name == "photo")
                    #expect(event.data.contains(photo.id.description) && !event.data.contains(first.id.description))
                }
            }
        }
    }

    @Test("an unknown or expired id requires a reload", arguments: ["0-1", "x", ""])
    func unknownID(id: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            var stream = try await client.events(gallery.path + "api/updates", headers: ["Last-Event-ID": id])
            let reset = try #require(try await stream.next())
            #expect(reset.name == "reset")
            #expect(reset.data == "{}")
            // From there on it continues.
            gallery.put([1], by: .stranger(1))
            #expect(try await stream.next()?.name == "photo")
        }
    }

    @Test("an idle stream sends heartbeats")
    func beat() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.updates.beatInterval = .milliseconds(50)
        try await withPortal([gallery], limits: limits) { _, client in
            var stream = try await client.opening(gallery).events(gallery.path + "api/updates")
            for _ in 0..<3 {
                let event = try await stream.next(beats: true)
                #expect(event?.name == "hello" || event == .init(name: "beat", id: nil, data: "{}"))
            }
        }
    }

    @Test("a client without a stream polls page by page")
    func changes() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.updates.pageCount = 3
        try await withPortal([gallery], limits: limits) { _, client in
            let client = try await client.opening(gallery)
            let path = gallery.path + "api/changes"
            let start = try await client.get(path).object
            #expect((start["changes"] as? [Any])?.isEmpty == true)
            var since = try #require(start["id"] as? String)
            let photos = (0..<4).map { gallery.put([$0], by: .stranger(1)).id.description }
            var seen: [String] = []
            try await eventually {
                let reply = try await client.get(path + "?since=\(since)").object
                let changes = try #require(reply["changes"] as? [[String: Any]])
                #expect(changes.count <= 3)
                #expect(reply["reset"] as? Bool == false)
                seen += changes.compactMap { ($0["data"] as? [String: Any])?["id"] as? String }
                #expect(changes.allSatisfy { $0["event"] as? String == "photo" })
                since = try #require(reply["id"] as? String)
                return seen == photos
            }
            #expect(try await client.get(path + "?since=0-0").object["reset"] as? Bool == true)
        }
    }

    @Test("a browser that enters while its stream is open gets its own photos as its own")
    func entersLater() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.opening(gallery)
            var stream = try await client.events(gallery.path + "api/updates")
            _ = try await stream.next()
            #expect(try await client.enter(gallery, as: guest).status == 200)
            gallery.put([1], by: try guest.id(in: gallery))
            #expect(try await stream.next()?.data.contains("\"isMine\":true") == true)
        }
    }

    @Test("a stream ends with its session")
    func ends() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            var stream = try await client.events(gallery.path + "api/updates")
            _ = try await stream.next()
            #expect(try await client.send("DELETE", gallery.path + "api/session").status == 204)
            #expect(try await stream.next() == nil)
        }
    }

    @Test("streams are limited by session and by event, and one that closes makes room")
    func streamLimits() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.updates.streams = .init(byOwner: 2, byAddress: 9, inAll: 3)
        try await withPortal([gallery], limits: limits) { _, client in
            let path = gallery.path + "api/updates"
            let (first, second) = (try await client.opening(gallery), try await client.opening(gallery))
            let held = [try await first.events(path), try await first.events(path)]
            let tooMany = try await first.get(path)
            #expect(tooMany.status == 429)
            #expect(tooMany.errorCode == "too-many-streams")
            let others = [try await second.events(path), try await client.opening(gallery).events(path)]
            #expect(others.map(\.status) == [200, 200], "the oldest of the session with two was replaced")
            let full = try await client.opening(gallery).get(path)
            #expect(full.status == 503)
            #expect(full["retry-after"] != nil)
            for stream in held { stream.close() }
            try await eventually {
                let stream = try await first.events(path)
                defer { stream.close() }
                return stream.status == 200
            }
            for stream in others { stream.close() }
        }
    }

    @Test("streams that were requested and never read hold no place")
    func abandoned() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.updates.streams.inAll = 2
        try await withPortal([gallery], limits: limits) { _, client in
            let client = try await client.opening(gallery)
            let path = gallery.path + "api/updates"
            for _ in 0..<4 { #expect(try await client.send("HEAD", path).status == 200) }
            for _ in 0..<20 {
                let socket = try Socket(port: client.port)
                let cookie = client.headers["Cookie"] ?? ""
                try await socket.write(
                    Array("GET \(path) HTTP/1.1\r\nHost: \(client.host)\r\nCookie: \(cookie)\r\n\r\n".utf8))
                socket.shut()
            }
            try await eventually {
                let stream = try await client.events(path)
                defer { stream.close() }
                return stream.status == 200
            }
        }
    }

    @Test("two hundred browsers with five streams each all receive a photo")
    func thousandStreams() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let path = gallery.path + "api/updates"
            var streams: [EventStream] = []
            for _ in 0..<100 {
                let browsers = [try await client.opening(gallery), try await client.opening(gallery)]
                for browser in browsers {
                    for _ in 0..<5 { streams.append(try await browser.events(path)) }
                }
            }
            for index in streams.indices { #expect(try await streams[index].next()?.name == "hello") }
            gallery.put([1], by: .stranger(1))
            for index in streams.indices { #expect(try await streams[index].next()?.name == "photo") }
            #expect(streams.count == 1_000)
        }
    }
}
