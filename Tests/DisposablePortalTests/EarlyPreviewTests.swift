// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// Previews of photos whose originals are still on their way.
@Suite struct EarlyPreviewTests {
    private static func put(_ jpeg: [UInt8], of upload: String, as guest: Uploader) async throws -> Reply {
        try await guest.client.send("PUT", upload + "/preview", headers: ["Content-Type": "image/jpeg"], body: jpeg)
    }

    /// The ids that everybody is shown, newest first.
    private static func shown(to guest: Uploader) async throws -> [String] {
        let photos = try await guest.client.get(guest.gallery.path + "api/early").object["photos"]
        return try #require(photos as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    @Test("a preview is shown to others until its original is a photo, and the stream says so")
    func untilTheOriginal() async throws {
        try await Uploader.serve { anna in
            var other = anna.client
            other.headers = [:]
            let ben = try await Uploader(other, anna.gallery)
            let since = try #require(
                try await ben.client.get(anna.gallery.path + "api/changes").object["id"] as? String)
            let (original, jpeg) = (photoBytes(10_000), photoBytes(500, seed: 7))
            let path = try await anna.create(original.count)
            #expect(try await Self.put(jpeg, of: path, as: anna).status == 204)

            let photos = try #require(
                try await ben.client.get(anna.gallery.path + "api/early").object["photos"] as? [[String: Any]])
            try #require(photos.count == 1)
            let id = try #require(photos[0]["id"] as? String)
            #expect(photos[0]["isMine"] as? Bool == false)
            #expect(photos[0]["width"] as? Int == 4)
            #expect(!path.contains(id))
            for (part, count) in [("thumbnail", 10), ("preview", 90)] {
                let reply = try await ben.client.get(anna.gallery.path + "early/\(id)/\(part)")
                #expect(reply.body == [0xFF, 0xD8] + jpeg.suffix(count))
                #expect(reply["content-type"] == "image/jpeg")
                #expect(reply["content-security-policy"]?.contains("sandbox") == true)
            }
            // No photo yet, for anybody.
            #expect(anna.gallery.originals == [])

            let photo = try #require(try await anna.send(path, original, at: 0)["disposable-photo"])
            try await eventually { try await Self.shown(to: ben) == [] }
            #expect(try await ben.client.get(anna.gallery.path + "early/\(id)/preview").status == 404)
            try await eventually {
                let reply = try await ben.client.get(anna.gallery.path + "api/changes?since=\(since)")
                let changes = try #require(reply.object["changes"] as? [[String: Any]])
                let gone = changes.compactMap { $0["event"] as? String == "gone" ? $0["data"] as? [String: Any] : nil }
                return gone.contains { $0["id"] as? String == id && $0["photo"] as? String == photo }
            }
        }
    }

    @Test("a preview ends with its upload, whether that is deleted, refused or withdrawn with all of the guest's")
    func endsWithUpload() async throws {
        try await Uploader.serve { guest in
            let paths = try await [guest.create(1_000), guest.create(1_000), guest.create(1_000)]
            for path in paths { #expect(try await Self.put(photoBytes(200), of: path, as: guest).status == 204) }
            #expect(try await Self.shown(to: guest).count == 3)
            #expect(try await guest.ask("DELETE", paths[0]).status == 204)
            #expect(try await Self.shown(to: guest).count == 2)
            #expect(try await guest.send(paths[1], [UInt8](repeating: 0x20, count: 1_000), at: 0).status == 422)
            #expect(try await Self.shown(to: guest).count == 1)
            #expect(try await guest.ask("DELETE", guest.gallery.path + "api/guest").status == 204)
            #expect(try await Self.shown(to: guest) == [])
        }
    }

    @Test("no preview is shown where photos are shown later, beyond the film, or of another session's upload")
    func refused() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(1_000)
            guest.gallery.with { $0.frameLimit = 1 }
            #expect(try await Self.put(photoBytes(200), of: path, as: guest).status == 204)
            let second = try await guest.create(1_000)
            #expect(try await Self.put(photoBytes(200), of: second, as: guest).errorCode == "roll-full")
            var other = guest.client
            other.headers = [:]
            let ben = try await Uploader(other, guest.gallery)
            #expect(try await Self.put(photoBytes(200), of: path, as: ben).errorCode == "unknown-upload")
            guest.gallery.with {
                $0.sealed = SealedPhotos(count: 0, revealsAtMilliseconds: nil, isForOrganizers: false)
            }
            #expect(try await Self.put(photoBytes(200), of: path, as: guest).errorCode == "not-shown-yet")
            #expect(try await Self.shown(to: ben) == [])
        }
    }

    @Test("a guest sends 64 previews at once, and then one a second; refused ones do not count")
    func tooFast() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(1_000)
            #expect(try await Self.put([0x89, 0x50], of: path, as: guest).errorCode == "not-a-photo")
            for _ in 0..<64 { #expect(try await Self.put(photoBytes(200), of: path, as: guest).status == 204) }
            var reply = try await Self.put(photoBytes(200), of: path, as: guest)
            // A slow machine has refilled some meanwhile.
            for _ in 0..<64 where reply.status == 204 { reply = try await Self.put(photoBytes(200), of: path, as: guest) }
            #expect(reply.status == 429 && reply.errorCode == "too-fast" && reply["retry-after"] != nil)
            #expect(try await Self.shown(to: guest).count == 1)
        }
    }

    @Test("what is no small JPEG is refused")
    func noPreview() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(1_000)
            #expect(try await Self.put([0x89, 0x50], of: path, as: guest).errorCode == "not-a-photo")
            #expect(try await Self.put(photoBytes(50), of: path, as: guest).errorCode == "not-a-photo")
            #expect(try await Self.put(photoBytes(300_000), of: path, as: guest).errorCode == "too-long")
            let typed = try await guest.client.send(
                "PUT", path + "/preview", headers: ["Content-Type": "image/png"], body: photoBytes(200))
            #expect(typed.errorCode == "wrong-content-type")
            #expect(try await Self.shown(to: guest) == [])
        }
    }

    @Test("previews are bounded by guest and event, the oldest ends first, and so does one whose original stays away")
    func bounded() throws {
        var limits = EarlyPreviews.Limits()
        (limits.countByGuest, limits.countInEvent, limits.byteCountInEvent) = (2, 3, 100)
        limits.lifetime = .seconds(10)
        let previews = EarlyPreviews(limits)
        let start = ContinuousClock.now
        let guests = (1...4).map { AuthorID(BLAKE2b.hash([$0])) }
        func show(_ number: UInt8, by guest: Int, at second: Int, byteCount: Int = 5) -> (UploadID, UploadName) {
            let pictures = SmallPictures(
                width: 1, height: 1, thumbnail: [], preview: [UInt8](repeating: number, count: byteCount))
            let preview = EarlyPreview(
                author: guests[guest], addedAtMilliseconds: UInt64(second) * 1_000, pictures: pictures)
            let upload = UploadName(session: BLAKE2b.hash([number]), upload: UploadID())
            previews.show(preview, of: upload, now: start + .seconds(second))
            return (preview.id, upload)
        }
        let first = show(1, by: 0, at: 0)
        let second = show(2, by: 0, at: 1)
        previews.note(movedOn: first.1, now: start + .seconds(2))
        let third = show(3, by: 0, at: 3)
        #expect(previews.all.map(\.id) == [third.0, first.0])
        let fourth = show(4, by: 1, at: 4)
        let fifth = show(5, by: 2, at: 5)
        #expect(previews.all.map(\.id) == [fifth.0, fourth.0, third.0])
        let large = show(6, by: 3, at: 6, byteCount: 95)
        #expect(previews.all.map(\.id) == [large.0, fifth.0])
        previews.note(movedOn: large.1, now: start + .seconds(9))
        previews.sweep(now: start + .seconds(15))
        #expect(previews.all.map(\.id) == [large.0])
        previews.sweep(now: start + .seconds(19))
        #expect(previews.all.isEmpty)
        #expect(previews[second.0] == nil)
    }
}
