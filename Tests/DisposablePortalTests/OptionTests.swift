// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// The organizers' options, as a node keeps them towards its guests.
@Suite struct OptionTests {
    private func gallery(_ change: (inout PageOptions) -> Void) throws -> TestGallery {
        let gallery = try TestGallery()
        gallery.with { change(&$0.charter!.options) }  // a test gallery has a charter
        return gallery
    }

    private func create(_ guest: Uploader, _ metadata: [(String, String)] = []) async throws -> Reply {
        let pairs = metadata.map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
        return try await guest.ask(
            "POST", guest.gallery.path + "uploads",
            headers: ["Upload-Length": "200", "Upload-Metadata": pairs.isEmpty ? nil : pairs])
    }

    @Test("pages are told of every option")
    func told() async throws {
        let gallery = try gallery {
            ($0.nameRule, $0.isCameraOnly, $0.downloads) = (.required, true, .own)
            ($0.videos, $0.theme, $0.needsWallCode, $0.photosAtOnce) = (.seconds(60), .sea, true, 5)
        }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.opening(gallery)
            let told =
                #""options":{"downloads":"own","isCameraOnly":true,"names":"required","photosAtOnce":5,"theme":"sea","tickets":false,"videoSecondsMax":60,"wallCode":true}"#
            let text = try await guest.get(gallery.path + "api/me").text
            #expect(text.contains(told), "\(text)")
            gallery.with { $0.charter!.options = PageOptions() }  // has one
            let usual =
                #""options":{"downloads":"everyone","isCameraOnly":false,"names":"optional","photosAtOnce":null,"theme":"film","tickets":false,"videoSecondsMax":null,"wallCode":false}"#
            #expect(try await guest.get(gallery.path + "api/me").text.contains(usual))
        }
    }

    // Names

    @Test("where a name is required, a guest without one adds no photo, and adds it with one")
    func requiredName() async throws {
        let gallery = try gallery { $0.nameRule = .required }
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            let refused = try await create(guest)
            #expect(refused.status == 409)
            #expect(refused.errorCode == "no-name")
            let named = try await guest.client.send(
                "PUT", gallery.path + "api/guest/name", headers: ["Content-Type": "application/json"],
                body: Array(#"{"name": "Bea"}"#.utf8))
            #expect(named.status == 204)
            #expect(try await create(guest).status == 201)
        }
    }

    @Test("the page without scripts asks for the required name, too")
    func requiredNameWithoutScripts() async throws {
        let gallery = try gallery { $0.nameRule = .required }
        try await withPortal([gallery]) { _, client in
            for (name, status) in [(" ", 409), ("Bea", 200)] {
                let form = ["code": gallery.portalCode, "name": name, "words": ""]
                let reply = try await client.post("/enter", form: form)
                #expect(reply.status == status)
            }
            #expect(gallery.with { $0.names.values.sorted() } == ["Bea"])
        }
    }

    @Test("where nobody is asked for a name, none is kept")
    func noNames() async throws {
        let gallery = try gallery { $0.nameRule = .never }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery, name: "Bea")
            let renamed = try await guest.send(
                "PUT", gallery.path + "api/guest/name", headers: ["Content-Type": "application/json"],
                body: Array(#"{"name": "Bea"}"#.utf8))
            #expect(renamed.status == 409)
            #expect(renamed.errorCode == "names-off")
            #expect(gallery.with { $0.names.isEmpty })
        }
    }

    // The camera

    @Test("a file that its page says is from the library is refused where only the camera is offered")
    func cameraOnly() async throws {
        let gallery = try gallery { $0.isCameraOnly = true }
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            let refused = try await create(guest, [("filename", "a.jpg"), ("source", "library")])
            #expect(refused.status == 409)
            #expect(refused.errorCode == "camera-only")
            // Nothing proves where a file is from.
            for metadata in [[("source", "camera")], [], [("source", "elsewhere")]] {
                #expect(try await create(guest, metadata).status == 201)
            }
            gallery.with { $0.charter!.options.isCameraOnly = false }  // has one
            #expect(try await create(guest, [("source", "library")]).status == 201)
        }
    }

    @Test("the page without scripts opens the camera and not the library")
    func cameraOnlyWithoutScripts() async throws {
        let gallery = try gallery { _ in }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            #expect(try await guest.get(gallery.path + "simple").text.contains(" multiple "))
            gallery.with { $0.charter!.options.isCameraOnly = true }  // has one
            let page = try await guest.get(gallery.path + "simple").text
            #expect(page.contains(#"capture="environment""#))
            #expect(!page.contains(" multiple "))
        }
    }

    // Saving

    private struct Saving {
        let client: HTTPClient
        let gallery: TestGallery
        let own, other, film: PhotoID

        func get(_ id: PhotoID, _ what: String) async throws -> Reply {
            try await client.get(gallery.path + "photos/\(id)/\(what)")
        }

        func zip(_ form: String) async throws -> Reply {
            try await client.send(
                "POST", gallery.path + "zip", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array(form.utf8))
        }
    }

    private func saving(_ rule: DownloadRule, _ body: @escaping @Sendable (Saving) async throws -> Void) async throws {
        let gallery = try gallery { $0.downloads = rule }
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let entered = try await client.entering(gallery, as: guest)
            let own = gallery.put(photoBytes(300), by: try guest.id(in: gallery)).id
            let film = gallery.put(photoBytes(400, seed: 2), by: .stranger(1)).id
            let other = gallery.put(photoBytes(500, seed: 3), by: .stranger(1)).id
            gallery.with { state in
                for index in state.items.indices {
                    state.items[index].bytes[.preview] = photoBytes(50)
                    state.items[index].bytes[.thumbnail] = photoBytes(20)
                    if state.items[index].photo.id == film { state.items[index].photo.mediaType = .mp4 }
                }
            }
            try await body(Saving(client: entered, gallery: gallery, own: own, other: other, film: film))
        }
    }

    @Test("everyone saves every photo, unless the organizers say otherwise")
    func everyoneSaves() async throws {
        try await saving(.everyone) { guest in
            for id in [guest.own, guest.other, guest.film] {
                let saved = try await guest.get(id, "original?download")
                #expect(saved.status == 200)
            }
            let archive = try await guest.zip("all=1")
            #expect(archive.status == 200)
        }
    }

    @Test("guests who save their own photos only see the others, and get no file of them")
    func ownSaves() async throws {
        try await saving(.own) { guest in
            #expect(try await guest.get(guest.own, "original?download").status == 200)
            let refused = try await guest.get(guest.other, "original?download")
            #expect(refused.status == 403)
            #expect(refused.errorCode == "not-for-saving")
            #expect(try await guest.get(guest.other, "original").status == 403)
            #expect(try await guest.get(guest.other, "preview").status == 200)
            #expect(try await guest.get(guest.other, "thumbnail").status == 200)
            #expect(try await guest.zip("mine=1").status == 200)
            #expect(try await guest.zip("ids=\(guest.own)").status == 200)
            for form in ["all=1", "ids=\(guest.other)", "ids=\(guest.own)%20\(guest.other)"] {
                #expect(try await guest.zip(form).errorCode == "not-for-saving", "\(form)")
            }
            let page = try await guest.client.get(guest.gallery.path + "simple").text
            #expect(page.components(separatedBy: "original?download").count == 2)
            #expect(!page.contains("Save all as one file"))
        }
    }

    @Test("where organizers save, guests get no file but with everything about themselves")
    func organizersSave() async throws {
        try await saving(.organizers) { guest in
            for id in [guest.own, guest.other] {
                let (original, preview) = (try await guest.get(id, "original"), try await guest.get(id, "preview"))
                #expect(original.errorCode == "not-for-saving")
                #expect(preview.status == 200)
            }
            for form in ["all=1", "mine=1", "ids=\(guest.own)"] {
                let archive = try await guest.zip(form)
                #expect(archive.errorCode == "not-for-saving", "\(form)")
            }
            let record = try await guest.zip("mine=1&me=1")
            #expect(record.status == 200)
        }
    }

    @Test("a video plays for everybody who sees it, and is not saved", arguments: [DownloadRule.own, .organizers])
    func videosPlay(rule: DownloadRule) async throws {
        try await saving(rule) { guest in
            let played = try await guest.get(guest.film, "original")
            #expect(played.status == 200)
            let saved = try await guest.get(guest.film, "original?download")
            #expect(saved.errorCode == "not-for-saving")
        }
    }
}
