// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

@Suite struct GuestTests {
    private func challenge(_ client: HTTPClient, _ gallery: TestGallery) async throws -> String {
        try #require(try await client.get(gallery.path + "api/me").object["challenge"] as? String)
    }

    @Test("a guest that proves its key has entered, and its delegation reaches the event")
    func enter() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.opening(gallery)
            let id = try guest.id(in: gallery)
            let asked = try await client.post(gallery.path + "api/guest/key", ["guest": id.description])
            #expect(try await asked.object["subKey"] as? String == gallery.subKey(of: id).description)

            let reply = try await client.enter(gallery, as: guest, name: "Anna")
            #expect(reply.status == 200)
            let shown = try #require(try reply.object["guest"] as? [String: Any])
            #expect(shown["id"] as? String == id.description)
            #expect(shown["name"] as? String == "Anna")
            #expect(shown["frames"] as? Int == 27)
            let delegation = try #require(gallery.with { $0.entered[id] })
            #expect(try await delegation.delegates(to: gallery.subKey(of: id), at: gallery.node, event: gallery.event))
        }
    }

    @Test("a challenge is used once, with a right or a wrong signature")
    func challengeOnce() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.opening(gallery)
            let first = try await challenge(client, gallery)
            let entry = try await guest.entry(to: gallery, challenge: first)
            #expect(try await client.post(gallery.path + "api/guest", entry).status == 200)
            let again = try await client.post(gallery.path + "api/guest", entry)
            #expect(again.status == 403)
            #expect(again.errorCode == "wrong-signature")

            let second = try await challenge(client, gallery)
            #expect(second != first)
            var wrong = try await guest.entry(to: gallery, challenge: second)
            wrong["proof"] = String(repeating: "00", count: 64)
            #expect(try await client.post(gallery.path + "api/guest", wrong).status == 403)
            let right = try await guest.entry(to: gallery, challenge: second)
            #expect(try await client.post(gallery.path + "api/guest", right).status == 403)
        }
    }

    @Test("a delegation that others have seen does not let them act as the guest")
    func replay() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let thief = TestGuest()
            _ = try await client.entering(gallery, as: guest)
            let client = try await client.opening(gallery)
            // The attacker has the guest's delegation and its own challenge, but not the guest's key.
            let challenge = try await challenge(client, gallery)
            var entry = try await guest.entry(to: gallery, challenge: String(repeating: "00", count: 32))
            let ownEntry = try await thief.entry(to: gallery, challenge: challenge)
            for proof in [entry["proof"], ownEntry["proof"]] {
                entry["proof"] = proof
                let reply = try await client.post(gallery.path + "api/guest", entry)
                #expect(reply.status == 403)
                #expect(reply.errorCode == "wrong-signature")
            }
            #expect(try await client.get(gallery.path + "api/me").object["guest"] is NSNull)
        }
    }

    @Test("a proof made in another session, or a delegation for another node, is refused")
    func elsewhere() async throws {
        let (gallery, other) = (try TestGallery(1), try TestGallery(2))
        try await withPortal([gallery, other]) { _, client in
            let guest = TestGuest()
            let (first, second) = (try await client.opening(gallery), try await client.opening(gallery))
            let entry = try await guest.entry(to: gallery, challenge: try await challenge(first, gallery))
            #expect(try await second.post(gallery.path + "api/guest", entry).status == 403)

            let own = try await challenge(second, gallery)
            var mixed = try await guest.entry(to: gallery, challenge: own)
            mixed["delegation"] = try await guest.entry(to: other, challenge: own)["delegation"]
            #expect(try await second.post(gallery.path + "api/guest", mixed).status == 403)
            #expect(gallery.with { $0.entered.isEmpty })
        }
    }

    @Test(
        "names that would disturb lists are refused",
        arguments: [
            String(repeating: "x", count: 41), "two\nlines", "zero\u{0}", "\u{202E}turned", "\u{200D}",
            String(repeating: "👩‍👩‍👧‍👦", count: 30),
        ])
    func malformedName(name: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let opened = try await client.opening(gallery)
            let reply = try await opened.enter(gallery, as: guest, name: name)
            #expect(reply.status == 400)
            #expect(reply.errorCode == "malformed-name")
            let entered = try await client.entering(gallery, as: guest)
            let body = [UInt8](try JSONSerialization.data(withJSONObject: ["name": name]))
            #expect(
                try await entered.send("PUT", gallery.path + "api/guest/name", body: body).errorCode == "malformed-name"
            )
            #expect(gallery.with { $0.names.isEmpty })
        }
    }

    @Test("a name can be changed, and is optional")
    func rename() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest, name: "   ")
            #expect(gallery.with { $0.names.isEmpty })
            let body = Array("{\"name\": \" Zoë \"}".utf8)
            #expect(try await client.send("PUT", gallery.path + "api/guest/name", body: body).status == 204)
            let id = try guest.id(in: gallery)
            #expect(gallery.with { $0.names[id] } == "Zoë")
        }
    }

    @Test("a guest that erases everything is still a guest; a session without a guest has nothing to erase")
    func erase() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let (guest, other) = (TestGuest(), TestGuest())
            let stranger = try await client.opening(gallery)
            #expect(try await stranger.send("DELETE", gallery.path + "api/guest").errorCode == "not-entered")
            let client = try await client.entering(gallery, as: guest, name: "Zoë")
            _ = try await client.entering(gallery, as: other, name: "Bea")
            #expect(try await client.send("DELETE", gallery.path + "api/guest").status == 204)
            let (id, otherID) = (try guest.id(in: gallery), try other.id(in: gallery))
            #expect(gallery.with { $0.names[id] } == nil && gallery.with { $0.names[otherID] } == "Bea")
            #expect(try await client.get(gallery.path + "api/photos").status == 200)
        }
    }

    @Test("a session without a guest cannot set a name")
    func notEntered() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let body = Array("{\"name\": \"Zoë\"}".utf8)
            #expect(
                try await client.send("PUT", gallery.path + "api/guest/name", body: body).errorCode == "not-entered")
        }
    }

    @Test("invalid keys and signatures are malformed", arguments: ["", "zz", "00", "é"])
    func malformedKeys(text: String) async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            for field in ["guest", "delegation", "proof"] {
                var entry = try await TestGuest().entry(to: gallery, challenge: try await challenge(client, gallery))
                entry[field] = text
                #expect(try await client.post(gallery.path + "api/guest", entry).errorCode == "malformed-request")
            }
            #expect(try await client.post(gallery.path + "api/guest/key", ["guest": text]).status == 400)
        }
    }

    @Test("one browser is limited in new guests; guests that the event knows can always return")
    func manyGuests() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.sessions.newGuestCountMax = 2
        try await withPortal([gallery], limits: limits) { _, client in
            let client = try await client.opening(gallery)
            let first = TestGuest()
            for guest in [first, TestGuest()] { #expect(try await client.enter(gallery, as: guest).status == 200) }
            #expect(try await client.enter(gallery, as: TestGuest()).errorCode == "too-many-guests")
            #expect(try await client.enter(gallery, as: first, name: "Zoë").status == 429, "the event does not know it")
        }
    }

    @Test("one address is limited in new guests at once")
    func manyGuestsByAddress() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.newGuests.byAddress = .init(burst: 2, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            for _ in 0..<2 { _ = try await client.entering(gallery, name: "Zoë") }
            let opened = try await client.opening(gallery)
            let reply = try await opened.enter(gallery, as: TestGuest(), name: "Zoë")
            #expect(reply.status == 429 && reply["retry-after"] != nil)
            // A guest without a name can view, and costs the event nothing.
            #expect(try await opened.enter(gallery, as: TestGuest()).status == 200)
            #expect(gallery.with { $0.entered.count } == 2)
        }
    }

    @Test("a request that the node cannot serve now is answered with a time to retry")
    func unavailable() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.unavailable = "the disk is full" }
        try await withPortal([gallery]) { _, client in
            let reply = try await client.opening(gallery).enter(gallery, as: TestGuest(), name: "Zoë")
            #expect(reply.status == 503)
            #expect(reply.errorCode == "unavailable")
            #expect(reply["retry-after"] != nil)
        }
    }
}
