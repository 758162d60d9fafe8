// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// tus 1.0.0 over HTTP, as any client uses it.
@Suite struct UploadRoutesTests {
    @Test("a file sent in two pieces becomes a photo, which the last and every later answer name")
    func upload() async throws {
        try await Uploader.serve { guest in
            let bytes = photoBytes(200_000)
            let path = try await guest.create(bytes.count)
            #expect(path.hasPrefix(guest.gallery.path + "uploads/"))
            let first = try await guest.send(path, bytes[..<150_000], at: 0)
            #expect(first.status == 204)
            #expect(first["upload-offset"] == "150000")
            #expect(first["disposable-photo"] == nil)
            #expect(first["tus-resumable"] == "1.0.0")
            #expect(guest.gallery.originals.isEmpty)
            let middle = try await guest.ask("HEAD", path)
            #expect(middle.status == 200)
            #expect(middle["upload-offset"] == "150000")
            #expect(middle["upload-length"] == "200000")
            #expect(middle["cache-control"] == "no-store")
            let last = try await guest.send(path, bytes[150_000...], at: 150_000)
            #expect(last.status == 204)
            #expect(last["upload-offset"] == "200000")
            #expect(guest.gallery.originals == [bytes])
            let photo = guest.gallery.with { "\($0.items[0].photo.id)" }
            #expect(last["disposable-photo"] == photo)
            for _ in 0..<2 {
                let later = try await guest.ask("HEAD", path)
                #expect(later["disposable-photo"] == photo)
                #expect(later["upload-offset"] == "200000")
            }
            #expect(guest.gallery.with { $0.adding.count } == 1)
        }
    }

    @Test("OPTIONS lists the features, and needs no version")
    func options() async throws {
        try await Uploader.serve { guest in
            let reply = try await guest.ask("OPTIONS", guest.gallery.path + "uploads", headers: ["Tus-Resumable": "9"])
            #expect(reply.status == 204)
            #expect(reply["tus-version"] == "1.0.0")
            #expect(reply["tus-extension"] == "creation,termination,expiration,checksum")
            #expect(reply["tus-checksum-algorithm"] == "sha1,crc32")
            #expect(reply["tus-max-size"] == "\(256 << 20)")
        }
    }

    @Test("without the right version every method is refused")
    func wrongVersion() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(10)
            for (method, path) in [
                ("POST", guest.gallery.path + "uploads"), ("HEAD", path), ("PATCH", path), ("DELETE", path),
            ] {
                for version in ["", "0.2.2"] {
                    var headers = Uploader.patch(at: 0)
                    headers["Upload-Length"] = "1"
                    headers["Tus-Resumable"] = version
                    let reply = try await guest.ask(method, path, headers: headers)
                    #expect(reply.status == 412, "\(method)")
                    #expect(reply["tus-version"] == "1.0.0")
                    #expect(reply["tus-resumable"] == "1.0.0")
                }
            }
            #expect(try guest.gallery.uploadNames.count == 1)
            #expect(try await guest.offset(path) == 0)
        }
    }

    @Test(
        "an invalid creation is refused and leaves nothing",
        arguments: [
            ([:], 400, "malformed-header"),
            (["Upload-Length": "-1"], 400, "malformed-header"),
            (["Upload-Length": "0x10"], 400, "malformed-header"),
            (["Upload-Length": "99999999999999999999"], 400, "malformed-header"),
            (["Upload-Defer-Length": "1"], 400, "malformed-header"),
            (["Upload-Length": "0"], 422, "not-a-photo"),
            (["Upload-Length": "\(256 << 20 + 1)"], 413, "too-large"),
            (["Upload-Length": "1", "Upload-Metadata": "filename %%%"], 400, "malformed-header"),
            (["Upload-Length": "1", "Upload-Metadata": ",,"], 400, "malformed-header"),
            (
                ["Upload-Length": "1", "Upload-Metadata": "a " + String(repeating: "AAAA", count: 600)], 400,
                "malformed-header"
            ),
        ] as [([String: String], Int, String)])
    func badCreation(headers: [String: String], status: Int, code: String) async throws {
        try await Uploader.serve { guest in
            let headers = headers.mapValues { Optional($0) }
            let reply = try await guest.ask("POST", guest.gallery.path + "uploads", headers: headers)
            #expect(reply.status == status)
            #expect(reply.errorCode == code)
            #expect(reply["tus-resumable"] == "1.0.0")
            #expect(try guest.gallery.uploadNames == [])
        }
    }

    @Test("a session without a guest cannot create an upload")
    func noGuest() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let nobody = Uploader(try await client.opening(gallery), in: gallery)
            let reply = try await nobody.ask("POST", gallery.path + "uploads", headers: ["Upload-Length": "1"])
            #expect(reply.status == 403)
            #expect(reply.errorCode == "not-entered")
        }
    }

    @Test("the client's metadata is returned unchanged, after a restart too")
    func metadata() async throws {
        let gallery = try TestGallery()
        let metadata = "filename 8J+TuC5qcGc=,filetype aW1hZ2UvanBlZw==,is_confidential"
        let (guest, path) = try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            let reply = try await guest.ask(
                "POST", gallery.path + "uploads", headers: ["Upload-Length": "5", "Upload-Metadata": metadata])
            #expect(reply["upload-expires"]?.wholeMatch(of: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
            return (guest, try #require(reply["location"]))
        }
        try await withPortal([gallery]) { _, client in
            let reply = try await guest.at(client).ask("HEAD", path)
            #expect(reply["upload-metadata"] == metadata)
        }
    }

    @Test("a piece of another type, at another offset, or without one, is refused and changes nothing")
    func badPatch() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(100)
            _ = try await guest.send(path, photoBytes(40), at: 0)
            let piece = photoBytes(60)
            var headers = Uploader.patch(at: 40)
            headers["Content-Type"] = "image/jpeg"
            #expect(try await guest.ask("PATCH", path, headers: headers, body: piece).status == 415)
            for offset in [0, 39, 41, 100] {
                let reply = try await guest.send(path, piece, at: offset)
                #expect(reply.status == 409)
                #expect(reply.errorCode == "wrong-offset")
                #expect(reply["upload-offset"] == "40")
            }
            for offset in ["", "x", "-1"] {
                headers = Uploader.patch(at: 0).merging(["Upload-Offset": offset]) { $1 }
                #expect(try await guest.ask("PATCH", path, headers: headers, body: piece).status == 400)
            }
            #expect(try await guest.offset(path) == 40)
            #expect(guest.gallery.originals.isEmpty)
        }
    }

    @Test("a body beyond the upload's length is refused, and the upload can still be finished")
    func tooLong() async throws {
        try await Uploader.serve { guest in
            let bytes = photoBytes(100)
            let path = try await guest.create(100)
            _ = try await guest.send(path, bytes[..<40], at: 0)
            #expect(try await guest.send(path, bytes[40...] + [1], at: 40).status == 413)
            let offset = try await guest.offset(path)
            #expect((40...100).contains(offset))
            #expect(try await guest.send(path, bytes[offset...], at: offset).status == 204)
            #expect(guest.gallery.originals == [bytes])
        }
    }

    @Test("another session's upload, a random id and a path as an id are all unknown")
    func foreignUploads() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let (anna, ben) = (try await Uploader(client, gallery), try await Uploader(client, gallery))
            let path = try await anna.create(10)
            let uploads = gallery.path + "uploads/"
            for (guest, path) in [
                (ben, path), (anna, uploads + String(repeating: "0", count: 32)), (anna, uploads + "..%2f..%2fetc"),
                (anna, uploads + path.suffix(31)),
            ] {
                #expect(try await guest.ask("HEAD", path).status == 404)
                #expect(try await guest.ask("DELETE", path).errorCode == "unknown-upload")
                #expect(try await guest.send(path, [1], at: 0).errorCode == "unknown-upload")
            }
            #expect(try await anna.ask("HEAD", path).status == 200)
        }
    }

    @Test("a deleted upload is removed from the disk; a photo made of it stays")
    func termination() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(10)
            _ = try await guest.send(path, photoBytes(5), at: 0)
            #expect(try await guest.ask("DELETE", path).status == 204)
            #expect(try guest.gallery.uploadNames == [])
            #expect(try await guest.ask("HEAD", path).status == 404)
            let other = try await guest.create(10)
            #expect(try await guest.send(other, photoBytes(10), at: 0)["disposable-photo"] != nil)
            #expect(try await guest.ask("DELETE", other).status == 204)
            #expect(guest.gallery.originals.count == 1)
        }
    }

    @Test("POST acts as the method in its override header")
    func methodOverride() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(10)
            let headers = Uploader.patch(at: 0).merging(["X-HTTP-Method-Override": "PATCH"]) { $1 }
            #expect(try await guest.ask("POST", path, headers: headers, body: photoBytes(4))["upload-offset"] == "4")
            #expect(try await guest.ask("POST", path).status == 405)
            #expect(try await guest.ask("POST", path, headers: ["X-HTTP-Method-Override": "DELETE"]).status == 204)
            #expect(try guest.gallery.uploadNames == [])
        }
    }

    @Test("the same file sent again is the same photo")
    func sameFile() async throws {
        try await Uploader.serve { guest in
            let bytes = photoBytes(1_000)
            var photos: Set<String> = []
            for _ in 0..<2 {
                let path = try await guest.create(bytes.count)
                photos.insert(try #require(try await guest.send(path, bytes, at: 0)["disposable-photo"]))
            }
            #expect(photos.count == 1)
        }
    }
}
