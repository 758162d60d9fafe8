// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// The code that the wall shows, where organizers ask new guests for it (protocol/guest-api.md §23).
@Suite struct WallCodeRouteTests {
    private func gallery(_ number: UInt8 = 1, isOn: Bool = true) throws -> TestGallery {
        let gallery = try TestGallery(number)
        gallery.with { $0.charter!.options.needsWallCode = isOn }  // a test gallery has a charter
        return gallery
    }

    private var now: UInt64 { UInt64(Date().timeIntervalSince1970 * 1000) }

    private func opening(_ body: [String: String], _ client: HTTPClient) async throws -> HTTPClient {
        let reply = try await client.post("/api/session", body)
        try #require(reply.status == 200, "\(reply.text)")
        var client = client
        client.headers["Cookie"] = try #require(reply["set-cookie"]?.split(separator: ";").first).description
        return client
    }

    @Test("with the poster alone nobody new gets in, and nothing of the event is seen")
    func outside() async throws {
        let gallery = try gallery()
        let photo = gallery.put([1, 2, 3], by: .stranger(1))
        gallery.with { state in
            state.charter!.missions = [Mission(id: 7, text: "the first dance")]
            state.charter!.presentation.place = "The barn"
            let id = OperationID(AuthorID.stranger(7).bytes32)
            state.notice = LatestNotice(id: id, text: "Cake", saidAtMilliseconds: 5)
        }
        try await withPortal([gallery]) { _, client in
            for body in [["token": gallery.tokenText], ["code": gallery.portalCode]] {
                let outside = try await opening(body, client)
                let me = try await outside.get(gallery.path + "api/me").object
                #expect(me["isOutside"] as? Bool == true && me["wall"] is NSNull && me["guest"] is NSNull)
                let event = try #require(me["event"] as? [String: Any])
                #expect(event["notice"] is NSNull && (event["missions"] as? [Any])?.isEmpty == true)
                for path in [
                    "api/about", "api/photos", "api/photos/\(photo.id)", "photos/\(photo.id)/thumbnail", "api/people",
                    "api/missions", "api/updates", "api/changes", "simple", "prober.js", "api/program",
                ] {
                    let reply = try await outside.get(gallery.path + path)
                    #expect((reply.status, reply.errorCode) == (403, "wall-code-needed"), "\(path): \(reply.text)")
                }
                for name in [nil, "Mallory"] {
                    let entered = try await outside.enter(gallery, as: TestGuest(), name: name)
                    #expect((entered.status, entered.errorCode) == (403, "wall-code-needed"))
                }
            }
            #expect(gallery.with { $0.entered.isEmpty && $0.names.isEmpty })
            let form = try await client.post("/enter", form: ["code": gallery.portalCode, "name": "Mallory"])
            #expect(form.status == 403 && form.text.contains("the wall shows now"), "\(form.text)")
        }
    }

    @Test("the code that the wall shows lets a guest in, with and without scripts")
    func inside() async throws {
        let gallery = try gallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await opening(["code": gallery.wallCode.code(at: now)], client)
            #expect(try await guest.get(gallery.path + "api/me").object["isOutside"] as? Bool == false)
            #expect(try await guest.get(gallery.path + "api/photos").status == 200)
            #expect(try await guest.enter(gallery, as: TestGuest(), name: "Anna").status == 200)
            let form = try await client.post("/enter", form: ["code": gallery.wallCode.code(at: now), "name": "Zoe"])
            #expect(form.status == 200)
        }
    }

    @Test("a code of an earlier evening, of another event, or of a later period is a wrong code, and a counted guess")
    func wrong() async throws {
        let gallery = try gallery()
        var limits = PortalLimits()
        limits.rates.wrongCodes.byAddress = .init(burst: 4, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            let other = try self.gallery(2)
            let codes = [
                gallery.wallCode.code(at: now - 3_600_000), gallery.wallCode.code(at: now - 1_200_000),
                gallery.wallCode.code(at: now + 1_200_000), other.wallCode.code(at: now),
            ]
            for code in codes {
                #expect(try await client.post("/api/session", ["code": code]).errorCode == "wrong-code")
            }
            let right = try await client.post("/api/session", ["code": gallery.wallCode.code(at: now)])
            #expect((right.status, right.errorCode) == (429, "too-many-codes"))
        }
    }

    @Test("a guest who scans the wall gets in while somebody behind the same address types wrong codes without end")
    func scanned() async throws {
        let gallery = try gallery()
        var limits = PortalLimits()
        limits.rates.wrongCodes.byAddress = .init(burst: 30, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            for number in 0..<31 {
                _ = try await client.post("/api/session", ["code": "WR0NG0\(number < 10 ? "0" : "")\(number)"])
            }
            let typed = try await client.post("/api/session", ["code": gallery.wallCode.code(at: now)])
            #expect((typed.status, typed.errorCode) == (429, "too-many-codes"))
            let wall = try await opening(["token": gallery.wallCode.tokenText], client)
            let shown = try #require(try await wall.get(gallery.path + "api/me").object["wall"] as? [String: Any])
            let pass = try #require(shown["pass"] as? String)
            let guest = try await opening(["token": pass], client)
            let me = try await guest.get(gallery.path + "api/me")
            #expect(try me.object["isOutside"] as? Bool == false && me.object["wall"] is NSNull)
            #expect(!me.text.contains(pass))
            #expect(try await guest.enter(gallery, as: TestGuest(), name: "Anna").status == 200)
        }
    }

    @Test("a pass of an earlier evening, of another event, or of a later period opens nothing, and delays nobody")
    func wrongPass() async throws {
        let gallery = try gallery()
        var limits = PortalLimits()
        limits.rates.wrongCodes.byAddress = .init(burst: 2, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            let other = try self.gallery(2)
            for pass in [
                gallery.wallCode.passText(at: now - 3_600_000), gallery.wallCode.passText(at: now - 1_200_000),
                gallery.wallCode.passText(at: now + 1_200_000), other.wallCode.passText(at: now),
            ] {
                let reply = try await client.post("/api/session", ["token": pass])
                #expect((reply.status, reply.errorCode) == (403, "wrong-token"))
            }
            _ = try await opening(["code": gallery.wallCode.code(at: now)], client)
        }
    }

    @Test("guests that the event knows come back with the poster alone, and guests that are in stay in")
    func known() async throws {
        let gallery = try gallery(isOn: false)
        try await withPortal([gallery]) { _, client in
            let (anna, ben) = (TestGuest(), TestGuest())
            let phone = try await client.entering(gallery, as: anna, name: "Anna")
            // This guest only looks: nobody but this session knows it.
            let looking = try await client.entering(gallery, as: ben)
            let visitor = try await client.opening(gallery)
            var stream = try await visitor.events(gallery.path + "api/updates")
            #expect(try await stream.next()?.name == "hello")
            gallery.with { $0.charter!.options.needsWallCode = true }
            gallery.tell(.event)
            for client in [phone, looking] {
                #expect(try await client.get(gallery.path + "api/photos").status == 200)
                #expect(try await client.get(gallery.path + "api/me").object["isOutside"] as? Bool == false)
            }
            while try await stream.next() != nil {}
            #expect(try await visitor.get(gallery.path + "api/photos").errorCode == "wall-code-needed")
            let again = try await client.opening(gallery)
            #expect(try await again.get(gallery.path + "api/photos").errorCode == "wall-code-needed")
            #expect(try await again.enter(gallery, as: anna).status == 200)
            #expect(try await again.get(gallery.path + "api/photos").status == 200)
        }
    }

    @Test("a guest that has only looked continues on another phone with a one-time code, and a stranger does not")
    func handedOver() async throws {
        let gallery = try gallery()
        try await withPortal([gallery]) { _, client in
            let guest = TestGuest()
            let phone = try await opening(["code": gallery.wallCode.code(at: now)], client)
            #expect(try await phone.enter(gallery, as: guest).status == 200)
            let code = try #require(
                try await phone.send("POST", gallery.path + "api/handover").object["code"] as? String)
            let other = try await opening(["code": code], client)
            #expect(try await other.get(gallery.path + "api/photos").errorCode == "wall-code-needed")
            #expect(try await other.enter(gallery, as: TestGuest()).errorCode == "wall-code-needed")
            #expect(try await other.enter(gallery, as: guest).status == 200)
            #expect(try await other.get(gallery.path + "api/photos").status == 200)
        }
    }

    @Test("the wall's own link shows everything and the code, and no other session learns the code")
    func wall() async throws {
        let gallery = try gallery()
        try await withPortal([gallery]) { _, client in
            let wall = try await opening(["token": gallery.wallCode.tokenText], client)
            let me = try await wall.get(gallery.path + "api/me").object
            let shown = try #require(me["wall"] as? [String: Any])
            let code = try #require(shown["code"] as? String)
            #expect(gallery.wallCode.codes(validAt: now).contains(code))
            #expect(shown["token"] as? String == gallery.wallCode.tokenText)
            #expect((1...600_000).contains(shown["remaining"] as? Int ?? 0))
            #expect(try await wall.get(gallery.path + "api/photos").status == 200)
            let guest = try await opening(["code": code], client)
            let text = try await guest.get(gallery.path + "api/me").text
            #expect(!text.contains(code) && !text.contains(gallery.wallCode.tokenText), "\(text)")
            gallery.with { $0.charter!.options.needsWallCode = false }
            let off = try #require(try await wall.get(gallery.path + "api/me").object["wall"] as? [String: Any])
            #expect(off["code"] is NSNull && off["pass"] is NSNull)
        }
    }
}
