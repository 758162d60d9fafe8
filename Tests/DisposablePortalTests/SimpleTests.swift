// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// The event in a browser without JavaScript.
@Suite struct SimpleTests {
    private func words(_ reply: Reply) -> [String] {
        reply.text.matches(of: /<li>([a-z]+)<\/li>/).map { String($0.1) }
    }

    private func cookie(_ reply: Reply) throws -> String {
        try #require(reply["set-cookie"]?.split(separator: ";").first).description
    }

    @Test("code and name open the event, and the guest's return words are shown once")
    func enter() async throws {
        let gallery = try TestGallery(name: "Garden party")
        try await withPortal([gallery]) { _, client in
            let form = try await client.get("/enter")
            #expect(form.status == 200)
            #expect(form.text.contains("<form method=\"post\" action=\"/enter\">"))
            let reply = try await client.post(
                "/enter", form: ["code": "k7qm-3xpd", "name": "Anna", "words": ""],
                headers: ["Origin": "http://\(client.host)"])
            #expect(reply.status == 200)
            #expect(words(reply).count == 12)
            var guest = client
            guest.headers["Cookie"] = try cookie(reply)
            let page = try await guest.get(gallery.path + "simple")
            #expect(page.text.contains("You are Anna."))
            #expect(page.text.contains("0 of 27 photos taken."))
            #expect(page.text.contains("Garden party"))
            #expect(words(page).isEmpty)
            for text in [form.text, reply.text, page.text] {
                #expect(!text.contains("<script") && !text.contains("<style") && !text.contains(" style="))
            }
            #expect(gallery.with { $0.names.values.sorted() } == ["Anna"])

            // Only the guest has the seed: no file of the node contains it or its words.
            let folder = gallery.folderPath + "/sessions"
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let kept = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
                #expect(!words(reply).allSatisfy { kept.contains($0) })
            }
        }
    }

    @Test("a browser that prefers French gets French pages and refusals")
    func french() async throws {
        let gallery = try TestGallery(name: "Garden party")
        try await withPortal([gallery]) { _, client in
            var client = client
            client.headers["Accept-Language"] = "fr-FR,fr;q=0.9,en;q=0.5"
            client.headers["Accept"] = "text/html"
            let form = try await client.get("/enter").text
            #expect(form.contains("<html lang=\"fr\">") && form.contains("Entrer avec un code"))
            #expect(form.contains("href=\"/fr/privacy.html\""))
            let reply = try await client.post("/enter", form: ["code": gallery.portalCode, "name": "Anna", "words": ""])
            #expect(reply.text.contains("Vous y êtes\u{A0}: Garden party"))
            client.headers["Cookie"] = try cookie(reply)
            let page = try await client.get(gallery.path + "simple").text
            #expect(page.contains("Vous êtes Anna. Photos prises\u{A0}: 0 sur 27."))
            #expect(try await client.get("/nothing").text.contains("<h1>Il n’y a rien ici.</h1>"))
        }
    }

    @Test("with the words a guest returns in another browser, in any spelling")
    func back() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let first = try await client.post("/enter", form: ["code": gallery.portalCode, "name": "Anna"])
            let typed = words(first).joined(separator: "  ").uppercased()
            let second = try await client.post(
                "/enter", form: ["code": gallery.portalCode, "words": typed])
            #expect(second.status == 303)
            #expect(second["location"] == gallery.path + "simple")
            #expect(gallery.with { $0.entered.count } == 1)
            for wrong in ["about", typed.replacing(words(first)[3].uppercased(), with: "xyzzy"), "about ".repeated(12)]
            {
                let reply = try await client.post(
                    "/enter", form: ["code": gallery.portalCode, "words": wrong])
                #expect(reply.errorCode == "wrong-words", "\(wrong)")
            }
        }
    }

    @Test("a wrong code, an invalid name, or no code open nothing")
    func refused() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let code = gallery.portalCode
            for (form, error) in [
                (["code": "00000000"], "wrong-code"),
                (["code": code, "name": "a\u{202E}b"], "malformed-name"),
                (["name": "Anna"], "malformed-request"),
            ] {
                let reply = try await client.post("/enter", form: form)
                #expect(reply.errorCode == error)
                #expect(reply["set-cookie"] == nil)
            }
            #expect(gallery.with { $0.entered.isEmpty })
        }
    }

    @Test("names are escaped on the pages")
    func escaping() async throws {
        let evil = "<script>alert(1)</script>"
        let gallery = try TestGallery(name: "Party \"><img src=x onerror=alert(1)>")
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest, name: evil)
            gallery.put([1], by: try guest.id(in: gallery))
            for path in ["simple", "simple?mine=1"] {
                let page = try await client.get(gallery.path + path)
                #expect(page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
                #expect(page.text.contains("Party &quot;&gt;&lt;img src=x"))
                #expect(!page.text.contains("<script") && !page.text.contains("<img src=x"))
            }
            let welcome = try await client.post("/enter", form: ["code": gallery.portalCode])
            #expect(!welcome.text.contains("<img"))
        }
    }

    @Test("the grid is paged")
    func pages() async throws {
        let gallery = try TestGallery()
        for number in 0..<70 { gallery.put([UInt8(number)], by: .stranger(1)) }
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let first = try await client.get(gallery.path + "simple").text
            #expect(first.matches(of: /<figure>/).count == 60)
            let next = try #require(first.firstMatch(of: /href="([^"]*before=[^"]*)"/)?.1)
            let second = try await client.get(String(next)).text
            #expect(second.matches(of: /<figure>/).count == 10)
            #expect(!second.contains("before="))
            #expect(first.contains("Enter with the code"))
        }
    }

    @Test("a guest deletes a photo, and keeps it after all")
    func remove() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            gallery.put([2], by: .stranger(1))
            let mine = gallery.path + "simple?mine=1"
            #expect(!(try await client.get(gallery.path + "simple").text.contains("Delete for")))
            let path = gallery.path + "simple/photos/\(photo.id)/"
            for (action, shown) in [("remove", "Keep"), ("keep", "Delete for everybody")] {
                #expect(!(try await client.get(mine).text.contains(">\(shown)</button>")))
                let reply = try await client.post(path + action, form: [:])
                #expect(reply.status == 303)
                #expect(reply["location"] == mine)
                #expect(try await client.get(mine).text.contains(">\(shown)</button>"))
            }
            gallery.signRemovals()
            #expect(gallery.with { $0.removals } == [])
        }
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
