// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Testing

@Suite struct RemovalTests {
    @Test("a photo is deleted for everybody if its author has not kept it in time")
    func remove() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            let path = gallery.path + "api/photos/\(photo.id)"
            let reply = try await client.send("DELETE", path)
            #expect(reply.status == 202)
            #expect(try reply.object["removedAt"] as? UInt64 == TestGallery.removedAt)
            #expect(try await client.get(path).status == 200)
            gallery.signRemovals()
            #expect(try await client.get(path).status == 404)
        }
    }

    @Test("a photo that is kept stays, and cannot be kept twice")
    func keep() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
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
            gallery.signRemovals()
            #expect(try await client.get(path).status == 200)
        }
    }

    @Test("only its author can delete or keep a photo")
    func notYours() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put([1], by: .stranger(1))
        try await withPortal([gallery]) { _, client in
            let entered = try await client.entering(gallery)
            let path = gallery.path + "api/photos/\(photo.id)"
            #expect(try await entered.send("DELETE", path).errorCode == "not-yours")
            #expect(try await entered.send("POST", path + "/keep").errorCode == "too-late")
            let unknown = gallery.path + "api/photos/" + String(repeating: "0", count: 64)
            #expect(try await entered.send("DELETE", unknown).errorCode == "unknown-photo")
            let opened = try await client.opening(gallery)
            #expect(try await opened.send("DELETE", path).errorCode == "not-entered")
            #expect(try await client.send("DELETE", path).errorCode == "no-session")
            gallery.signRemovals()
            #expect(try await entered.get(path).status == 200)
        }
    }

    @Test("a guest that deletes too many photos at once is told when to go on")
    func refused() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.removalRefusal = .tooFast(seconds: 11) }
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            let refusal = try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)")
            #expect((refusal.status, refusal.errorCode) == (429, "too-fast"))
            #expect(refusal["retry-after"] == "11")
        }
    }

    @Test("a file that is sent again, or in a form, while its photo's removal is pending becomes a new photo")
    func sentAgain() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
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
            gallery.signRemovals()
            #expect(Set(gallery.with { $0.removals.map(\.description) }) == [first, second])
            #expect(gallery.with { $0.items.filter { !$0.isRemoved }.map { $0.bytes[.original] } } == [bytes])
        }
    }
}
