// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

@Suite struct SessionTests {
    @Test("the token of the guests' link opens a session, which can read the event")
    func token() async throws {
        let gallery = try TestGallery(name: "Garden party")
        try await withPortal([gallery]) { _, client in
            let opened = try await client.post("/api/session", ["token": gallery.tokenText])
            #expect(opened.status == 200)
            #expect(try opened.object["path"] as? String == gallery.path)
            let cookie = try #require(opened["set-cookie"])
            #expect(cookie.hasPrefix("disposable-\(gallery.event.short)-\(client.port)="))
            for attribute in ["HttpOnly", "SameSite=Strict", "Path=\(gallery.path)", "Max-Age="] {
                #expect(cookie.contains(attribute), "\(cookie)")
            }
            let me = try await client.opening(gallery).get(gallery.path + "api/me")
            let event = try #require(try me.object["event"] as? [String: Any])
            #expect(event["name"] as? String == "Garden party")
            #expect(event["organizer"] as? String == "Olga")
            #expect(event["frames"] as? Int == 27)
            #expect(event["id"] as? String == gallery.event.description)
            #expect(event["words"] as? [String] == (try FingerprintWords.words(of: gallery.eventKey)))
            #expect(try me.object["node"] as? String == gallery.node.description)
            #expect(try me.object["guest"] is NSNull)
            #expect(try me.object["link"] as? String == "http://\(client.host)/#\(gallery.tokenText)")
            #expect(try me.object["code"] as? String == gallery.portalCode)
            #expect(me["cache-control"] == "no-store")
        }
    }

    @Test("a body of brackets only is refused, and the node goes on", arguments: [64, 512, 513, 600])
    func brackets(count: Int) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let json: [String: String?] = ["Content-Type": "application/json"]
            let reply = try await client.send(
                "POST", "/api/session", headers: json, body: Array(repeating: UInt8(ascii: "["), count: count))
            #expect((reply.status, reply.errorCode) == (400, "malformed-request"))
            #expect(try await client.opening(gallery).get(gallery.path + "api/me").status == 200)
        }
    }

    @Test("brackets behind a broken escape are refused as well")
    func hiddenBrackets() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let body = Array("{\"\\u123\\\":".utf8) + Array(repeating: UInt8(ascii: "["), count: 512)
            let json: [String: String?] = ["Content-Type": "application/json"]
            let reply = try await client.send("POST", "/api/session", headers: json, body: body)
            #expect((reply.status, reply.errorCode) == (400, "malformed-request"))
            #expect(try await client.opening(gallery).get(gallery.path + "api/me").status == 200)
        }
    }

    @Test("the organizer's notice is part of the event until it is deleted")
    func notice() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let opened = try await client.opening(gallery)
            func notice() async throws -> Any? {
                let me = try await opened.get(gallery.path + "api/me").object
                return (me["event"] as? [String: Any])?["notice"]
            }
            #expect(try await notice() is NSNull)
            let id = OperationID(AuthorID.stranger(7).bytes32)
            gallery.with { $0.notice = LatestNotice(id: id, text: "Cake at five", saidAtMilliseconds: 5) }
            let said = try #require(try await notice() as? [String: Any])
            #expect(said["id"] as? String == id.description)
            #expect(said["text"] as? String == "Cake at five")
            #expect(said["saidAt"] as? Int == 5)
            gallery.with { $0.notice = nil }
            #expect(try await notice() is NSNull)
        }
    }

    @Test("a session can read the place, the details, the contact, the price and the links of the event")
    func about() async throws {
        let gallery = try TestGallery()
        gallery.with {
            $0.charter?.presentation.place = "The barn"
            $0.charter?.presentation.details = "Cake at five."
            $0.charter?.organizer.contact = "Olga, 0612"
            $0.charter?.presentation.price = Price(cents: 1_250, currency: "EUR")
            $0.charter?.presentation.links = [EventLink(kind: .website, address: "https://barn.example")]
        }
        try await withPortal([gallery]) { _, client in
            #expect(try await client.get(gallery.path + "api/about").status == 401)
            let about = try await client.opening(gallery).get(gallery.path + "api/about").object
            #expect(about["place"] as? String == "The barn")
            #expect(about["details"] as? String == "Cake at five.")
            #expect(about["contact"] as? String == "Olga, 0612")
            #expect(about["links"] as? [String] == ["https://barn.example"])
            let price = try #require(about["price"] as? [String: Any])
            #expect(price["cents"] as? Int == 1_250)
            #expect(price["currency"] as? String == "EUR")
            gallery.with { $0.charter?.presentation.place = "" }
            #expect(try await client.opening(gallery).get(gallery.path + "api/about").object["place"] is NSNull)
        }
    }

    @Test(
        "a code opens a session in every common spelling",
        arguments: ["K7QM3XPD", "k7qm-3xpd", " K7QM 3XPD ", "k7qm\u{2013}3xpd"])
    func code(typed: String) async throws {
        let gallery = try TestGallery(1)
        try await withPortal([gallery]) { _, client in
            let reply = try await client.post("/api/session", ["code": typed])
            #expect(reply.status == 200)
        }
    }

    @Test("letters that look like digits are accepted as digits")
    func letters() async throws {
        let gallery = try TestGallery(2)  // 0123456Z
        try await withPortal([gallery]) { _, client in
            for typed in ["O123456Z", "0i23456z", "oL23-456Z"] {
                let reply = try await client.post("/api/session", ["code": typed])
                #expect(reply.status == 200, "\(typed)")
            }
        }
    }

    @Test(
        "a wrong token and a wrong code have different errors",
        arguments: [
            (["token": "AAAAAAAAAAAAAAAAAAAAAA"], "wrong-token"), (["token": ""], "wrong-token"),
            (["token": "+/==<script>"], "wrong-token"), (["code": "K7QM3XPE"], "wrong-code"),
            (["code": ""], "wrong-code"),
            (["code": String(repeating: "K", count: 5000)], "wrong-code"),
        ])
    func wrong(message: [String: String], code: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let reply = try await client.post("/api/session", message)
            #expect(reply.status == 403)
            #expect(reply.errorCode == code)
            #expect(reply["set-cookie"] == nil)
        }
    }

    @Test(
        "a body of another shape is refused as malformed",
        arguments: ["", "[]", "{", "{\"token\": 3}", "{}", "\u{0}"])
    func malformed(body: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let reply = try await client.send("POST", "/api/session", body: Array(body.utf8))
            #expect(reply.status == 400)
            #expect(reply.errorCode == "malformed-request")
        }
    }

    @Test("a client that guesses codes must wait, also with the right code; a link works at once")
    func guessing() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.wrongCodes.byAddress = .init(burst: 3, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            for _ in 0..<3 { #expect(try await client.post("/api/session", ["code": "00000000"]).status == 403) }
            for message in [["code": "00000000"], ["code": gallery.portalCode]] {
                let reply = try await client.post("/api/session", message)
                #expect(reply.status == 429)
                #expect(reply.errorCode == "too-many-codes")
                #expect(reply["retry-after"].flatMap { Int($0) } ?? 0 > 100)
            }
            let form = try await client.post("/enter", form: ["code": gallery.portalCode])
            #expect(form.status == 429)
            #expect(try await client.post("/api/session", ["token": gallery.tokenText]).status == 200)
        }
    }

    @Test("a replaced link or code is named as replaced, opens nothing, and does not count as a guess")
    func replaced() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.wrongCodes.byAddress = .init(burst: 2, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            for message in [
                ["token": gallery.replacedTokenText], ["code": gallery.replacedCodes[0]], ["code": "0000-rst1"],
            ] {
                let reply = try await client.post("/api/session", message)
                #expect(reply.status == 403)
                #expect(reply.errorCode == "replaced", "\(message)")
                #expect(reply["set-cookie"] == nil)
            }
            let form = try await client.post("/enter", form: ["code": gallery.replacedCodes[0]])
            #expect(form.status == 403 && form.text.contains("was replaced by a new one"), "\(form.text)")
            #expect(try await client.post("/api/session", ["code": gallery.portalCode]).status == 200)
        }
    }

    @Test("guesses from all addresses together are limited, too")
    func guessingInAll() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.wrongCodes.common = .init(burst: 1, perSecond: 0.001)
        limits.rates.wrongCodes.reserve = .init(burst: 1, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            for _ in 0..<2 { #expect(try await client.post("/api/session", ["code": "00000000"]).status == 403) }
            let right = try await client.post("/api/session", ["code": gallery.portalCode])
            #expect(right.status == 429)
        }
    }

    @Test("an address that opens sessions without end must wait")
    func flood() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.sessions = .init(burst: 2, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            for _ in 0..<2 { _ = try await client.opening(gallery) }
            #expect(try await client.post("/api/session", ["token": gallery.tokenText]).status == 429)
        }
    }

    @Test(
        "without a session the event cannot be read", arguments: ["api/me", "api/photos", "api/updates", "simple"])
    func noSession(call: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            for headers in [
                [:], ["Cookie": "disposable-\(gallery.event.short)-\(client.port)=AAAA"],
                ["Authorization": "Bearer " + String(repeating: "A", count: 43)], ["Authorization": "Basic x"],
            ] {
                let reply = try await client.get(gallery.path + call, headers: headers)
                #expect(reply.status == 401)
                #expect(reply.errorCode == "no-session")
                #expect(!reply.text.contains("Garden"))
            }
        }
    }

    @Test("the session can be sent as a bearer token")
    func bearer() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let cookie = try #require(try await client.opening(gallery).headers["Cookie"])
            let session = cookie.split(separator: "=")[1]
            let reply = try await client.get(gallery.path + "api/me", headers: ["Authorization": "Bearer \(session)"])
            #expect(reply.status == 200)
        }
    }

    @Test("a session of one event is invalid in another")
    func otherEvent() async throws {
        let (first, second) = (try TestGallery(1), try TestGallery(2))
        try await withPortal([first, second]) { _, client in
            let cookie = try #require(try await client.opening(first).headers["Cookie"])
            let session = cookie.split(separator: "=")[1]
            let name = "disposable-\(second.event.short)-\(client.port)"
            for headers in [
                ["Cookie": cookie], ["Cookie": "\(name)=\(session)"], ["Authorization": "Bearer \(session)"],
            ] {
                #expect(try await client.get(second.path + "api/me", headers: headers).status == 401)
            }
        }
    }

    @Test("an ended session is invalid, also for a copy of its cookie")
    func end() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let ended = try await client.send("DELETE", gallery.path + "api/session")
            #expect(ended.status == 204)
            #expect(ended["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await client.get(gallery.path + "api/me").status == 401)
        }
    }

    @Test("sessions and their guests survive a restart, and only their hashes are on disk")
    func restart() async throws {
        let gallery = try TestGallery()
        let guest = TestGuest()
        let cookie = try await withPortal([gallery]) { _, client in
            try await client.entering(gallery, as: guest).headers["Cookie"]
        }
        let session = try #require(cookie?.split(separator: "=").last)
        let folder = gallery.folderPath + "/sessions"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 1)
        #expect(names[0].count == 64)
        let kept = try String(contentsOfFile: "\(folder)/\(names[0])", encoding: .utf8)
        #expect(!(names[0] + kept).contains(session))
        #expect(
            try FileManager.default.attributesOfItem(atPath: "\(folder)/\(names[0])")[.posixPermissions] as? Int
                == 0o600)
        // Remains of an interrupted write, and unknown files, are ignored.
        try Data("rest".utf8).write(to: URL(fileURLWithPath: folder + "/\(names[0]).17.part"))
        try await withPortal([gallery]) { _, client in
            let me = try await client.get(gallery.path + "api/me", headers: ["Authorization": "Bearer \(session)"])
            #expect(me.status == 200)
            let shown = try #require(try me.object["guest"] as? [String: Any])
            #expect(try shown["id"] as? String == guest.id(in: gallery).description)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == names)
    }

    @Test("an expired session is gone after a restart")
    func expired() async throws {
        let gallery = try TestGallery()
        let cookie = try await withPortal([gallery]) { _, client in try await client.opening(gallery).headers["Cookie"]
        }
        let folder = gallery.folderPath + "/sessions"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        try Data("{\"expiresAt\": 1000}".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        try await withPortal([gallery]) { _, client in
            let me = try await client.get(gallery.path + "api/me", headers: ["Cookie": cookie])
            #expect(me.status == 401)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("beyond the limit a new session replaces an unused one")
    func room() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.sessions.countMax = 3
        try await withPortal([gallery], limits: limits) { _, client in
            let guest = try await client.entering(gallery, name: "Zoë")
            let first = try await client.opening(gallery)
            let others = [try await client.opening(gallery), try await client.opening(gallery)]
            #expect(try await first.get(gallery.path + "api/me").status == 401)
            for client in others + [guest] { #expect(try await client.get(gallery.path + "api/me").status == 200) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: gallery.folderPath + "/sessions").count == 3)
        }
    }

    @Test("one guest has a limit of sessions, beyond which the guest's oldest ends")
    func sessionsOfOneGuest() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.sessions.countByGuestMax = 2
        try await withPortal([gallery], limits: limits) { _, client in
            let (guest, other) = (TestGuest(), try await client.entering(gallery))
            var sessions: [HTTPClient] = []
            for _ in 0..<3 { sessions.append(try await client.entering(gallery, as: guest)) }
            let statuses = try await [
                sessions[0].get(gallery.path + "api/me").status, sessions[1].get(gallery.path + "api/me").status,
                sessions[2].get(gallery.path + "api/me").status, other.get(gallery.path + "api/me").status,
            ]
            #expect(statuses == [401, 200, 200, 200])
        }
    }

    @Test("a replaced session takes its unfinished uploads with it")
    func uploadsOfEndedSession() async throws {
        var limits = PortalLimits()
        limits.sessions.countByGuestMax = 1
        try await Uploader.serve(limits: limits) { uploader in
            let guest = TestGuest()
            let first = Uploader(
                try await HTTPClient(port: uploader.client.port).entering(uploader.gallery, as: guest),
                in: uploader.gallery)
            _ = try await first.create(100)
            #expect(try uploader.gallery.uploadNames.count == 1)
            _ = try await HTTPClient(port: uploader.client.port).entering(uploader.gallery, as: guest)
            #expect(try uploader.gallery.uploadNames == [])
        }
    }

    @Test("before the node has the event's charter, the page is asked to wait")
    func noCharter() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.charter = nil }
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let reply = try await client.get(gallery.path + "api/me")
            #expect(reply.status == 503)
            #expect(reply["retry-after"] != nil)
        }
    }

    @Test("an event that the node joins later gets its pages, and one that it leaves loses them")
    func events() async throws {
        let (first, second) = (try TestGallery(1), try TestGallery(2))
        let held = Held([first])
        var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
        configuration.limits = PortalLimits()
        try await withPortal(configuration, { held.galleries }) { _, client in
            #expect(try await client.get(second.path + "api/me").status == 404)
            var stream = try await client.opening(first).events(first.path + "api/updates")
            #expect(try await stream.next()?.name == "hello")
            held.galleries = [second]
            #expect(try await stream.next() == nil)
            try await eventually { try await client.get(second.path + "api/me").status == 401 }
            #expect(try await client.get(first.path + "api/me").errorCode == "unknown-event")
        }
    }
}
