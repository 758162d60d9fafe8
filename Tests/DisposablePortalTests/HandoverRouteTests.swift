// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// Guests continue on another phone with a one-time code (protocol/guest-api.md §22).
@Suite struct HandoverRouteTests {
    private static let key = String(repeating: "ab", count: 32)

    private func code(of phone: HTTPClient, _ gallery: TestGallery) async throws -> String {
        let opened = try await phone.send("POST", gallery.path + "api/handover")
        try #require(opened.status == 201, "\(opened.text)")
        #expect(try opened.object["seconds"] as? Int == 600)
        return try #require(try opened.object["code"] as? String)
    }

    /// Returns a client with the session that a code opens.
    private func using(_ code: String, _ client: HTTPClient) async throws -> HTTPClient {
        let reply = try await client.post("/api/session", ["code": code])
        try #require(reply.status == 200, "\(reply.text)")
        #expect(try reply.object["handover"] as? Bool == true)
        var other = client
        other.headers["Cookie"] = try #require(reply["set-cookie"]?.split(separator: ";").first).description
        return other
    }

    private func state(of phone: HTTPClient, _ gallery: TestGallery) async throws -> [String: Any] {
        try await phone.get(gallery.path + "api/handover").object
    }

    private func phones(of phone: HTTPClient, _ gallery: TestGallery) async throws -> [String] {
        let phones = try await state(of: phone, gallery)["phones"] as? [[String: Any]]
        return try #require(phones).compactMap { $0["id"] as? String }
    }

    /// Hands the guest over, and returns the other phone.
    private func handOver(
        _ guest: TestGuest, from phone: HTTPClient, _ gallery: TestGallery, _ client: HTTPClient
    ) async throws -> HTTPClient {
        let other = try await using(try await code(of: phone, gallery), client)
        #expect(try await other.post(gallery.path + "api/handover/key", ["key": Self.key]).status == 204)
        #expect(
            try await phone.post(gallery.path + "api/handover/box", ["key": Self.key, "box": "c2VhbGVk"]).status == 204)
        #expect(try await other.enter(gallery, as: guest).status == 200)
        return other
    }

    @Test("a code opens one session, and passes on what the first phone seals for the other one's key")
    func handedOver() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let phone = try await client.entering(gallery, as: guest, name: "Anna")
            #expect(try await state(of: phone, gallery)["state"] as? String == "none")
            let code = try await code(of: phone, gallery)
            #expect(code.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{8}/) != nil)
            #expect(try await state(of: phone, gallery)["state"] as? String == "open")

            let other = try await using("\(code.prefix(4))-\(code.suffix(4).lowercased())", client)
            #expect(try await state(of: phone, gallery)["state"] as? String == "used")
            let (key, box) = (gallery.path + "api/handover/key", gallery.path + "api/handover/box")
            // Nothing is sealed before there is a key, and the key cannot be replaced.
            #expect(try await phone.post(box, ["key": Self.key, "box": "AAAA"]).errorCode == "no-handover")
            #expect(try await other.get(box).object["box"] is NSNull)
            #expect(try await other.post(key, ["key": Self.key]).status == 204)
            #expect(try await other.post(key, ["key": String(repeating: "cd", count: 32)]).errorCode == "no-handover")
            #expect(try await state(of: phone, gallery)["key"] as? String == Self.key)
            #expect(try await phone.post(box, ["key": Self.key, "box": "c2Vh_bG-Vk"]).status == 204)
            #expect(try await state(of: phone, gallery)["state"] as? String == "sealed")
            let taken = try await other.get(box).object
            #expect(taken["key"] as? String == Self.key && taken["box"] as? String == "c2Vh_bG-Vk")

            #expect(try await other.enter(gallery, as: guest).status == 200)
            let me = try await other.get(gallery.path + "api/me").object["guest"] as? [String: Any]
            #expect(me?["name"] as? String == "Anna")
            // The node keeps nothing of it.
            #expect(try await other.get(box).errorCode == "no-handover")
            #expect(try await state(of: phone, gallery)["state"] as? String == "none")
        }
    }

    @Test("a code works once, and counts as a wrong code afterwards")
    func once() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.wrongCodes.byAddress = .init(burst: 2, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            let phone = try await client.entering(gallery)
            let code = try await code(of: phone, gallery)
            _ = try await using(code, client)
            for _ in 0..<2 {
                let again = try await client.post("/api/session", ["code": code])
                #expect((again.status, again.errorCode) == (403, "wrong-code"))
            }
            // An address that has guessed has to wait, with a right code, too.
            let next = try await self.code(of: phone, gallery)
            #expect(try await client.post("/api/session", ["code": next]).errorCode == "too-many-codes")
            _ = try await using(next, client.from(2))
        }
    }

    @Test("a code that was replaced, withdrawn, or not used in time opens nothing")
    func over() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let phone = try await client.entering(gallery)
            let first = try await code(of: phone, gallery)
            let second = try await code(of: phone, gallery)
            #expect(try await client.post("/api/session", ["code": first]).errorCode == "wrong-code")
            #expect(try await phone.send("DELETE", gallery.path + "api/handover").status == 204)
            #expect(try await client.post("/api/session", ["code": second]).errorCode == "wrong-code")
        }
        var limits = PortalLimits()
        limits.handovers.duration = .zero
        try await withPortal([gallery], limits: limits) { _, client in
            let phone = try await client.entering(gallery)
            let opened = try await phone.send("POST", gallery.path + "api/handover")
            let code = try #require(try opened.object["code"] as? String)
            #expect(try await client.post("/api/session", ["code": code]).errorCode == "wrong-code")
            #expect(try await state(of: phone, gallery)["state"] as? String == "none")
        }
    }

    @Test("a node has a limited number of codes: the oldest ends of the address with the most")
    func limit() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.handovers.countMax = 3
        try await withPortal([gallery], limits: limits) { _, client in
            var codes: [String] = []
            for source: UInt8 in [2, 3, 3, 2] {
                codes.append(try await code(of: try await client.from(source).entering(gallery), gallery))
            }
            #expect(try await client.post("/api/session", ["code": codes[1]]).errorCode == "wrong-code")
            for place in [0, 2, 3] { _ = try await using(codes[place], client) }
        }
    }

    @Test("a scanned code gets in while somebody behind the same address types wrong ones, and works once")
    func scanned() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.wrongCodes.byAddress = .init(burst: 1, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            let phone = try await client.entering(gallery)
            let opened = try await phone.send("POST", gallery.path + "api/handover").object
            let (code, token) = (try #require(opened["code"] as? String), try #require(opened["token"] as? String))
            #expect(token.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
            _ = try await client.post("/api/session", ["code": "WR0NGWR0"])
            #expect(try await client.post("/api/session", ["code": code]).errorCode == "too-many-codes")
            let reply = try await client.post("/api/session", ["token": token])
            #expect(try reply.status == 200 && reply.object["handover"] as? Bool == true)
            #expect(try await state(of: phone, gallery)["state"] as? String == "used")
            #expect(try await client.post("/api/session", ["token": token]).errorCode == "wrong-token")
            // The code has gone with it.
            #expect(try await client.from(2).post("/api/session", ["code": code]).errorCode == "wrong-code")
        }
    }

    @Test("a code stays for a phone whose address has opened too many sessions")
    func tooManySessions() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.sessions = .init(burst: 1, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            let phone = try await client.entering(gallery)
            let code = try await code(of: phone, gallery)
            #expect(try await client.post("/api/session", ["code": code]).errorCode == "too-many-requests")
            #expect(try await state(of: phone, gallery)["state"] as? String == "open")
            _ = try await using(code, client.from(2))
        }
    }

    @Test("a code that is withdrawn just when it is used leaves no session")
    func withdrawnWhileUsed() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.handovers = .init(burst: 100, perSecond: 1)
        limits.rates.wrongCodes.byAddress = .init(burst: 100, perSecond: 1)
        try await withPortal([gallery], limits: limits) { _, client in
            let phone = try await client.entering(gallery)
            for _ in 0..<24 {
                let code = try await code(of: phone, gallery)
                async let used = client.post("/api/session", ["code": code])
                async let closed = phone.send("DELETE", gallery.path + "api/handover")
                let (reply, withdrawn) = (try await used, try await closed)
                #expect(withdrawn.status == 204)
                guard reply.status == 200 else {
                    #expect(reply.errorCode == "wrong-code")
                    continue
                }
                var other = client
                other.headers["Cookie"] = try #require(reply["set-cookie"]?.split(separator: ";").first).description
                // Withdrawn before it was used, or with its session.
                #expect(try await other.get(gallery.path + "api/me").errorCode == "session-ended")
            }
        }
    }

    @Test("invented guests of one address drive out no code of a guest that has joined the event")
    func crowded() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.handovers.countMax = 3
        try await withPortal([gallery], limits: limits) { _, client in
            let code = try await code(of: try await client.entering(gallery, name: "Anna"), gallery)
            for _ in 0..<6 { _ = try await self.code(of: try await client.entering(gallery), gallery) }
            _ = try await using(code, client)
        }
    }

    @Test("a code lasts when another session of its guest ends, and ends with the one that has asked for it")
    func asker() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let phone = try await client.entering(gallery, as: guest, name: "Anna")
            let tablet = try await client.entering(gallery, as: guest)
            let code = try await code(of: phone, gallery)
            #expect(try await tablet.send("DELETE", gallery.path + "api/session").status == 204)
            let other = try await using(code, client)
            #expect(try await phone.send("DELETE", gallery.path + "api/session").status == 204)
            #expect(try await other.get(gallery.path + "api/me").errorCode == "session-ended")
        }
    }

    @Test("a guest asks for few codes at once")
    func rate() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.handovers = .init(burst: 2, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            let phone = try await client.entering(gallery)
            for _ in 0..<2 { _ = try await code(of: phone, gallery) }
            let refused = try await phone.send("POST", gallery.path + "api/handover")
            #expect((refused.status, refused.errorCode) == (429, "too-fast"))
        }
    }

    @Test("a phone that the guest does not know is out, and its browser learns why")
    func refused() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let phone = try await client.entering(gallery)
            let stranger = try await using(try await code(of: phone, gallery), client)
            #expect(try await stranger.get(gallery.path + "api/photos").status == 200)
            #expect(try await phone.send("DELETE", gallery.path + "api/handover").status == 204)
            for path in ["api/me", "api/photos", "api/handover/box"] {
                let reply = try await stranger.get(gallery.path + path)
                #expect((reply.status, reply.errorCode) == (401, "session-ended"), "\(path)")
            }
        }
    }

    @Test("the first phone sees which phones continue with a code, and ends one with its stream, also after a restart")
    func ended() async throws {
        let gallery = try TestGallery()
        let guest = TestGuest()
        let cookies = try await withPortal([gallery]) { _, client in
            let phone = try await client.entering(gallery, as: guest, name: "Anna")
            let other = try await handOver(guest, from: phone, gallery, client)
            #expect(try await phones(of: phone, gallery).count == 1)
            // The other phone ends no session of the first.
            #expect(try await phones(of: other, gallery) == [])
            let gone = try await handOver(guest, from: phone, gallery, client)
            var stream = try await gone.events(gallery.path + "api/updates")
            #expect(try await stream.next()?.name == "hello")
            let latest = try #require(try await phones(of: phone, gallery).first)
            #expect(try await phone.send("DELETE", gallery.path + "api/handover/\(latest)").status == 204)
            while try await stream.next() != nil {}
            #expect(try await gone.get(gallery.path + "api/me").errorCode == "session-ended")
            #expect(try await other.get(gallery.path + "api/me").status == 200)
            let again = try await phone.send("DELETE", gallery.path + "api/handover/\(latest)")
            #expect((again.status, again.errorCode) == (404, "no-handover"))
            return [phone, other, gone].map { $0.headers["Cookie"] ?? "" }
        }
        try await withPortal([gallery]) { (_, client) async throws -> Void in
            // The name of the cookie has the port.
            let clients = cookies.map { cookie in
                var client = client
                client.headers["Authorization"] = "Bearer \(cookie.split(separator: "=", maxSplits: 1)[1])"
                return client
            }
            #expect(try await phones(of: clients[0], gallery).count == 1)
            #expect(try await clients[1].get(gallery.path + "api/me").status == 200)
            #expect(try await clients[2].get(gallery.path + "api/me").errorCode == "session-ended")
        }
    }

    @Test("nobody without a guest, and no other guest, gets a code or ends a phone")
    func strangers() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let phone = try await client.entering(gallery, as: guest, name: "Anna")
            _ = try await handOver(guest, from: phone, gallery, client)
            let id = try #require(try await phones(of: phone, gallery).first)
            let visitor = try await client.opening(gallery)
            #expect(try await visitor.send("POST", gallery.path + "api/handover").errorCode == "not-entered")
            let zoe = try await client.entering(gallery)
            #expect(try await phones(of: zoe, gallery) == [])
            #expect(try await zoe.send("DELETE", gallery.path + "api/handover/\(id)").errorCode == "no-handover")
            for path in ["key", "box"] {
                let body = ["key": Self.key, "box": "AAAA"]
                #expect(try await zoe.post(gallery.path + "api/handover/\(path)", body).errorCode == "no-handover")
            }
        }
    }

    @Test("keys of another length, and boxes that are too long or not base64url, are refused")
    func malformed() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let phone = try await client.entering(gallery)
            let other = try await using(try await code(of: phone, gallery), client)
            for key in ["", "ab", String(repeating: "zz", count: 32)] {
                #expect(try await other.post(gallery.path + "api/handover/key", ["key": key]).status == 400)
            }
            #expect(try await other.post(gallery.path + "api/handover/key", ["key": Self.key]).status == 204)
            for box in ["", "a b", "a+b", String(repeating: "A", count: (12 << 10) + 1)] {
                let reply = try await phone.post(gallery.path + "api/handover/box", ["key": Self.key, "box": box])
                #expect((reply.status, reply.errorCode) == (400, "malformed-request"), "\(box.prefix(8))")
            }
        }
    }

    @Test("the page without scripts takes no one-time code, and uses none up")
    func withoutScripts() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let phone = try await client.entering(gallery)
            let code = try await code(of: phone, gallery)
            #expect(try await client.post("/enter", form: ["code": code]).status == 403)
            _ = try await using(code, client)
        }
    }
}
