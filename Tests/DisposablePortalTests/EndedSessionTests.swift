// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// The end of a session stays, and takes with it what the session has begun (protocol/guest-api.md §2, §7).
@Suite struct EndedSessionTests {
    private func bearer(_ client: HTTPClient) throws -> String {
        let cookie = try #require(client.headers["Cookie"])
        return String(try #require(cookie.split(separator: "=", maxSplits: 1).last))
    }

    /// Returns the object with which the guest enters in a session.
    private func entry(
        of guest: TestGuest, _ client: HTTPClient, _ gallery: TestGallery
    ) async throws -> [String: String] {
        let challenge = try await client.get(gallery.path + "api/me").object["challenge"] as? String
        return try await guest.entry(to: gallery, challenge: try #require(challenge))
    }

    /// Returns the answer of the gallery's restarted portal to each of the sessions.
    private func answers(to sessions: [String], of gallery: TestGallery) async throws -> [Reply] {
        try await withPortal([gallery]) { (_, client) async throws -> [Reply] in
            var answers: [Reply] = []
            for session in sessions {
                var phone = client
                phone.headers["Authorization"] = "Bearer \(session)"
                answers.append(try await phone.get(gallery.path + "api/me"))
            }
            return answers
        }
    }

    @Test("a session that ends while its guest is stored is gone, also after a restart")
    func endedWhileStored() async throws {
        let gallery = try TestGallery()
        let sessions = try await withPortal([gallery]) { (_, client) async throws -> [String] in
            var sessions: [String] = []
            for _ in 0..<24 {
                let phone = try await client.opening(gallery)
                let message = try await entry(of: TestGuest(), phone, gallery)
                async let entered = phone.post(gallery.path + "api/guest", message)
                async let ended = phone.send("DELETE", gallery.path + "api/session")
                let statuses = (try await entered.status, try await ended.status)
                #expect([200, 401].contains(statuses.0) && statuses.1 == 204)
                #expect(try await phone.get(gallery.path + "api/me").status == 401)
                sessions.append(try bearer(phone))
            }
            return sessions
        }
        for answer in try await answers(to: sessions, of: gallery) { #expect(answer.status == 401) }
    }

    @Test("a phone that is ended while its guest is stored again stays ended, also after a restart")
    func endedByTheFirstPhone() async throws {
        let gallery = try TestGallery()
        var limits = PortalLimits()
        limits.rates.handovers = .init(burst: 100, perSecond: 1)
        let sessions = try await withPortal([gallery], limits: limits) { (_, client) async throws -> [String] in
            let guest = TestGuest()
            let phone = try await client.entering(gallery, as: guest, name: "Anna")
            var sessions: [String] = []
            for _ in 0..<16 {
                let code = try #require(
                    try await phone.send("POST", gallery.path + "api/handover").object["code"] as? String)
                let opened = try await client.post("/api/session", ["code": code])
                var other = client
                other.headers["Cookie"] = try #require(opened["set-cookie"]?.split(separator: ";").first).description
                let entered = try await other.enter(gallery, as: guest)
                try #require(entered.status == 200)
                let phones = try await phone.get(gallery.path + "api/handover").object["phones"] as? [[String: Any]]
                let name = try #require(phones?.first?["id"] as? String)
                let last = other
                let message = try await entry(of: guest, last, gallery)
                async let again = last.post(gallery.path + "api/guest", message)
                async let ended = phone.send("DELETE", gallery.path + "api/handover/\(name)")
                let statuses = (try await again.status, try await ended.status)
                #expect([200, 401].contains(statuses.0) && statuses.1 == 204)
                #expect(try await last.get(gallery.path + "api/me").errorCode == "session-ended")
                sessions.append(try bearer(last))
            }
            return sessions
        }
        for answer in try await answers(to: sessions, of: gallery) { #expect(answer.errorCode == "session-ended") }
    }

    private func ask(_ client: HTTPClient, _ gallery: TestGallery) async throws -> Reply {
        try await client.send(
            "POST", gallery.path + "zip", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array("all=1".utf8))
    }

    @Test("an archive that is on its way breaks off when its session ends")
    func archive() async throws {
        let gallery = try TestGallery()
        for number: UInt8 in 1...2 {
            gallery.put([UInt8](repeating: number, count: 64 << 20), by: .stranger(1), type: .mp4)
        }
        try await withPortal([gallery]) { _, client in
            let phone = try await client.opening(gallery)
            let socket = try Socket(port: client.port)
            let head = """
                POST \(gallery.path)zip HTTP/1.1\r
                Host: \(client.host)\r
                Cookie: \(phone.headers["Cookie"] ?? "")\r
                Content-Type: application/x-www-form-urlencoded\r
                Content-Length: 5\r
                Connection: close\r
                \r
                all=1
                """
            try await socket.write(Array(head.utf8))
            // The first photo is on its way, and nobody reads it.
            try await eventually { gallery.with { $0.readCount } > 64 }
            #expect(try await phone.send("DELETE", gallery.path + "api/session").status == 204)
            let received = try await socket.readToEnd().count
            #expect(received < 96 << 20)
        }
    }

    @Test("a guest asks for some archives at once, and for all guests of an address there is a rate, too")
    func archiveRate() async throws {
        let gallery = try TestGallery()
        gallery.put([1, 2, 3], by: .stranger(1))
        var limits = PortalLimits()
        limits.rates.archives = .init(burst: 2, perSecond: 0.001)
        limits.rates.addressArchives = .init(burst: 4, perSecond: 0.001)
        try await withPortal([gallery], limits: limits) { _, client in
            for count in [2, 2, 0] {
                let guest = try await client.entering(gallery)
                for _ in 0..<count { #expect(try await ask(guest, gallery).status == 200) }
                let refused = try await ask(guest, gallery)
                #expect((refused.status, refused.errorCode) == (429, "too-many-downloads"))
            }
            #expect(try await ask(try await client.from(2).entering(gallery), gallery).status == 200)
        }
    }
}
