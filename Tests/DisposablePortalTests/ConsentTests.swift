// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// Consent of guests, required before they add photos.
struct ConsentTests {
    /// Returns an event that requires consent to an organizer's text.
    private func askingGallery() throws -> TestGallery {
        let gallery = try TestGallery()
        gallery.with { state in
            state.consents = [:]
            state.charter?.organizer.consentText = "Photos of <b>the cake</b> only & nothing else"
        }
        return gallery
    }

    private func consent(_ client: HTTPClient, _ gallery: TestGallery) async throws -> [String: Any] {
        try #require(try await client.get(gallery.path + "api/me").object["consent"] as? [String: Any])
    }

    private let upload = ["Tus-Resumable": "1.0.0", "Upload-Length": "4"]

    @Test("viewing needs no consent, and uploading does")
    func gate() async throws {
        let gallery = try askingGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            #expect(try await guest.get(gallery.path + "api/photos").status == 200)
            let refused = try await guest.send("POST", gallery.path + "uploads", headers: upload)
            #expect((refused.status, refused.errorCode) == (403, "no-consent"))

            let asked = try await consent(guest, gallery)
            #expect(asked["isGiven"] as? Bool == false)
            #expect(asked["statement"] as? String == ConsentText.statement)
            #expect(asked["organizersText"] as? String == "Photos of <b>the cake</b> only & nothing else")
            let id = try #require(asked["id"] as? String)
            #expect(try await guest.post(gallery.path + "api/guest/consent", ["id": id]).status == 204)
            #expect(try await consent(guest, gallery)["isGiven"] as? Bool == true)
            #expect(try await guest.send("POST", gallery.path + "uploads", headers: upload).status == 201)
        }
    }

    @Test("a guest is asked again after the text has changed, and cannot agree to the old text")
    func otherText() async throws {
        let gallery = try askingGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let id = try #require(try await consent(guest, gallery)["id"] as? String)
            #expect(try await guest.post(gallery.path + "api/guest/consent", ["id": id]).status == 204)
            gallery.with { $0.charter?.organizer.consentText = "Photos of everything" }
            #expect(try await consent(guest, gallery)["isGiven"] as? Bool == false)
            #expect(try await guest.send("POST", gallery.path + "uploads", headers: upload).errorCode == "no-consent")
            let late = try await guest.post(gallery.path + "api/guest/consent", ["id": id])
            #expect((late.status, late.errorCode) == (409, "other-text"))
            gallery.with { $0.charter?.organizer.consentText = "Photos of <b>the cake</b> only & nothing else" }
            #expect(try await consent(guest, gallery)["isGiven"] as? Bool == true)
        }
    }

    @Test("a consent needs a guest and the id of a text", arguments: ["", "zz", String(repeating: "a", count: 63)])
    func malformed(id: String) async throws {
        let gallery = try askingGallery()
        try await withPortal([gallery]) { _, client in
            let looker = try await client.opening(gallery)
            let text = String(repeating: "a", count: 64)
            #expect(try await looker.post(gallery.path + "api/guest/consent", ["id": text]).errorCode == "not-entered")
            let guest = try await client.entering(gallery)
            #expect(
                try await guest.post(gallery.path + "api/guest/consent", ["id": id]).errorCode == "malformed-request")
        }
    }

    // Without JavaScript

    private func form(_ consent: String?) -> [UInt8] {
        var form: [UInt8] = []
        if let consent {
            form += Array("--x\r\nContent-Disposition: form-data; name=\"consent\"\r\n\r\n\(consent)\r\n".utf8)
        }
        form += Array("--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n".utf8)
        return form + [0xFF, 0xD8, 0xFF, 0xD9] + Array("\r\n--x--\r\n".utf8)
    }

    private let multipart = ["Content-Type": "multipart/form-data; boundary=x"]

    @Test("the plain form shows the text escaped, with a checkbox that is sent before the files")
    func plainForm() async throws {
        let gallery = try askingGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let page = try await guest.get(gallery.path + "simple").text
            let id = try #require(try await consent(guest, gallery)["id"] as? String)
            #expect(page.contains("Photos of &lt;b&gt;the cake&lt;/b&gt; only &amp; nothing else"))
            let tick = try #require(page.range(of: "name=\"consent\" value=\"\(id)\" required"))
            #expect(tick.upperBound < (try #require(page.range(of: "name=\"photo\""))).lowerBound)

            let refused = try await guest.send(
                "POST", gallery.path + "simple/photos", headers: multipart, body: form(nil))
            #expect(refused.status == 403)
            #expect(refused.text.contains("You have not agreed"))
            #expect(gallery.with { $0.adding.count } == 0)

            let taken = try await guest.send("POST", gallery.path + "simple/photos", headers: multipart, body: form(id))
            #expect(taken.status == 303)
            #expect(gallery.with { $0.items.count } == 1)
            #expect(!(try await guest.get(gallery.path + "simple").text.contains("name=\"consent\"")))
        }
    }

    @Test(
        "a form that was loaded before the text changed is refused with the reason",
        arguments: ["no id", String(repeating: "0", count: 9_000)])
    func plainFormOtherText(junk: String) async throws {
        let gallery = try askingGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let id = try #require(try await consent(guest, gallery)["id"] as? String)
            gallery.with { $0.charter?.organizer.consentText = "Photos of everything" }
            let late = try await guest.send("POST", gallery.path + "simple/photos", headers: multipart, body: form(id))
            #expect(late.status == 403)
            let other = try await guest.send(
                "POST", gallery.path + "simple/photos", headers: multipart, body: form(junk))
            #expect(other.status == 403)
            #expect(gallery.with { $0.items.isEmpty })
        }
    }
}
