// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct RemovalTests {
    private func limits(_ delay: Duration) -> PortalLimits {
        var limits = PortalLimits()
        limits.removals.delay = delay
        return limits
    }

    @Test("a photo is deleted for everybody if its author has not kept it in time")
    func remove() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.milliseconds(50))) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            let before = UInt64(Date().timeIntervalSince1970 * 1000)
            let reply = try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)")
            #expect(reply.status == 202)
            #expect(try reply.object["removedAt"] as? UInt64 ?? 0 >= before)
            try await eventually { gallery.with { $0.removals } == [photo.id] }
            try await eventually {
                try FileManager.default.contentsOfDirectory(atPath: gallery.folderPath + "/removals") == []
            }
            #expect(try await client.get(gallery.path + "api/photos/\(photo.id)").status == 404)
        }
    }

    @Test("a photo that is kept stays, and cannot be kept twice")
    func keep() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.seconds(300))) { portal, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            let path = gallery.path + "api/photos/\(photo.id)"
            #expect(try await client.send("DELETE", path).status == 202)
            #expect(try await client.send("DELETE", path).status == 202)
            #expect(try await client.get(path).status == 200)
            #expect(try await client.send("POST", path + "/keep").status == 204)
            let late = try await client.send("POST", path + "/keep")
            #expect(late.status == 409)
            #expect(late.errorCode == "too-late")
            await portal.stop()
            #expect(gallery.with { $0.removals } == [])
        }
    }

    @Test("only its author can delete or keep a photo")
    func notYours() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put([1], by: .stranger(1))
        try await withPortal([gallery], limits: limits(.zero)) { _, client in
            let entered = try await client.entering(gallery)
            let path = gallery.path + "api/photos/\(photo.id)"
            #expect(try await entered.send("DELETE", path).errorCode == "not-yours")
            #expect(try await entered.send("POST", path + "/keep").errorCode == "too-late")
            let unknown = gallery.path + "api/photos/" + String(repeating: "0", count: 64)
            #expect(try await entered.send("DELETE", unknown).errorCode == "unknown-photo")
            let opened = try await client.opening(gallery)
            #expect(try await opened.send("DELETE", path).errorCode == "not-entered")
            #expect(try await client.send("DELETE", path).errorCode == "no-session")
            #expect(gallery.with { $0.removals } == [])
        }
    }

    @Test("pending removals are signed at once when the node stops")
    func stop() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.seconds(300))) { portal, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            #expect(try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)").status == 202)
            #expect(gallery.with { $0.removals } == [])
            await portal.stop()
            #expect(gallery.with { $0.removals } == [photo.id])
        }
    }

    @Test("pending removals of a killed node are signed after its next start")
    func restart() async throws {
        let gallery = try TestGallery()
        let guest = TestGuest()
        // The first portal is cancelled without a stop, and notifies nobody.
        let photo = try await withPortal([gallery], limits: limits(.seconds(300))) { _, client in
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            #expect(try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)").status == 202)
            return photo
        }
        #expect(gallery.with { $0.removals } == [])
        try await withPortal([gallery], limits: limits(.milliseconds(50))) { _, _ in
            try await eventually { gallery.with { $0.removals } == [photo.id] }
        }
    }

    @Test("a file that is sent again while its photo's removal is pending becomes a new photo, and stays")
    func sentAgain() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.seconds(300))) { portal, client in
            let guest = try await Uploader(client, gallery)
            let bytes = photoBytes(1_000)
            let photos = gallery.path + "api/photos/"
            let first = try await guest.photo(of: bytes)
            #expect(try await guest.client.send("DELETE", photos + first).status == 202)
            let second = try await guest.photo(of: bytes)
            #expect(second != first)
            #expect(try await guest.photo(of: bytes) == second)

            // The same without JavaScript.
            #expect(try await guest.client.send("DELETE", photos + second).status == 202)
            let form =
                Array("--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n".utf8) + bytes
                + Array("\r\n--b--\r\n".utf8)
            let sent = try await guest.client.send(
                "POST", gallery.path + "simple/photos",
                headers: ["Content-Type": "multipart/form-data; boundary=b", "Accept": "text/html"], body: form)
            #expect(sent.status == 303)
            await portal.stop()
            #expect(Set(gallery.with { $0.removals.map(\.description) }) == [first, second])
            #expect(gallery.with { $0.items.filter { !$0.isRemoved }.map { $0.bytes[.original] } } == [bytes])
        }
    }

    @Test("a file that is sent again while the node signs its photo's removal becomes a new photo, too")
    func sentAgainWhileSigned() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.removalTime = .seconds(2) }
        try await withPortal([gallery], limits: limits(.zero)) { _, client in
            let guest = try await Uploader(client, gallery)
            let bytes = photoBytes(1_000)
            let first = try await guest.photo(of: bytes)
            #expect(try await guest.client.send("DELETE", gallery.path + "api/photos/\(first)").status == 202)
            // Due removals are checked four times a second.
            try await Task.sleep(for: .milliseconds(600))
            let second = try await guest.photo(of: bytes)
            #expect(second != first)
            try await eventually { gallery.with { $0.removals.map(\.description) } == [first] }
            #expect(try await guest.client.get(gallery.path + "api/photos/\(second)").status == 200)
        }
    }

    @Test("a removal that the node cannot sign now is tried again")
    func retry() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.milliseconds(50))) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest, name: "Zoë")
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            gallery.with { $0.unavailable = "the disk is full" }
            #expect(try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)").status == 202)
            try await Task.sleep(for: .milliseconds(600))
            #expect(gallery.with { $0.removals } == [])
            gallery.with { $0.unavailable = nil }
            try await eventually { gallery.with { $0.removals } == [photo.id] }
        }
    }

    @Test("a guest can delete a limited number of photos at once, and others are not delayed")
    func boundByGuest() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.seconds(300))) { _, client in
            let (busy, other) = (TestGuest(), TestGuest())
            let (busyClient, otherClient) = (
                try await client.entering(gallery, as: busy), try await client.entering(gallery, as: other)
            )
            for number in UInt8(0)..<64 {
                let photo = gallery.put([1, number], by: try busy.id(in: gallery))
                #expect(try await busyClient.send("DELETE", gallery.path + "api/photos/\(photo.id)").status == 202)
            }
            let late = gallery.put([2], by: try busy.id(in: gallery))
            let refusal = try await busyClient.send("DELETE", gallery.path + "api/photos/\(late.id)")
            #expect((refusal.status, refusal.errorCode) == (429, "too-fast"))
            let photo = gallery.put([3], by: try other.id(in: gallery))
            #expect(try await otherClient.send("DELETE", gallery.path + "api/photos/\(photo.id)").status == 202)
        }
    }
}
