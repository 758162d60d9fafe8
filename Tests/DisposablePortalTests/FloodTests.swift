// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// Floods by strangers, while guests arrive. In these tests 127.0.0.1 is the node's own machine, and each other
/// 127.0.0.x is a separate machine.
@Suite struct FloodTests {
    private let desk = TestDesk()

    private func serve(
        limits: PortalLimits = PortalLimits(),
        _ body: @escaping @Sendable (Portal, HTTPClient, TestGallery) async throws -> Void
    ) async throws {
        let gallery = try TestGallery(1)
        var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
        configuration.limits = limits
        configuration.isFromHere = { remote, _ in remote == "127.0.0.1" }
        try await withPortal(configuration, desk: desk, { [gallery] }) { portal, client in
            try await body(portal, client, gallery)
        }
    }

    @Test("while strangers guess codes, links and the desk's keys work, and so does a code from a new address")
    func wrongCodes() async throws {
        var limits = PortalLimits()
        // Long enough not to happen within this test on a slow machine.
        limits.rates.wrongCodes.byAddress = Rate(burst: 30, perSecond: 1e-6)
        try await serve(limits: limits) { _, client, gallery in
            var refusedCount = 0
            for source in UInt8(2)...20 {
                for _ in 0..<31 {
                    let reply = try await client.from(source).post("/api/session", ["code": "00000000"])
                    if reply.errorCode == "too-many-codes" { refusedCount += 1 }
                }
            }
            #expect(refusedCount > 0)
            let atDesk = try await client.post("/desk/api/session", ["key": desk.issueKey()])
            #expect(atDesk.status == 200, "the desk: \(atDesk.text)")
            for source: UInt8 in [2, 21] {
                let link = try await client.from(source).post("/api/session", ["token": gallery.tokenText])
                #expect(link.status == 200, "a link at 127.0.0.\(source): \(link.text)")
            }
            let code = try await client.from(22).post("/api/session", ["code": gallery.portalCode])
            #expect(code.status == 200, "a code from an address that has not guessed: \(code.text)")
            let guesser = try await client.from(2).post("/api/session", ["code": gallery.portalCode])
            #expect(guesser.status == 429, "a right code is refused after many wrong ones")
        }
    }

    @Test("wrong links and wrong desk keys delay nobody")
    func wrongLinks() async throws {
        try await serve { _, client, gallery in
            let client = client.from(2)
            for _ in 0..<40 {
                let link = try await client.post("/api/session", ["token": "AAAAAAAAAAAAAAAAAAAAAA"])
                #expect(link.errorCode == "wrong-token")
                let key = try await client.post("/desk/api/session", ["key": String(repeating: "A", count: 43)])
                #expect(key.errorCode == "wrong-key")
            }
            #expect(try await client.post("/api/session", ["code": gallery.portalCode]).status == 200)
            #expect(try await client.post("/api/session", ["token": gallery.tokenText]).status == 200)
            let atDesk = try await client.post("/desk/api/session", ["key": desk.issueKey()])
            #expect(atDesk.status == 200)
        }
    }

    @Test("uploads that one guest creates and never sends block nobody, in any number of sessions")
    func emptyUploads() async throws {
        try await serve { _, client, gallery in
            let prankster = TestGuest()
            var codes: Set<String> = []
            for _ in 0..<17 {
                let uploader = Uploader(
                    try await client.from(2).entering(gallery, as: prankster, name: "P"), in: gallery)
                for _ in 0..<16 {
                    let reply = try await uploader.ask(
                        "POST", gallery.path + "uploads", headers: ["Upload-Length": "\(256 << 20)"])
                    if reply.status != 201 { codes.insert(reply.errorCode ?? "\(reply.status)") }
                }
            }
            #expect(codes.isSubset(of: ["too-many-uploads"]), "\(codes)")
            let honest = Uploader(try await client.from(3).entering(gallery, name: "Zoë"), in: gallery)
            let bytes = photoBytes(190_000)
            #expect(try await honest.photo(of: bytes).count == 64)
            #expect(gallery.originals == [bytes])
        }
    }

    @Test("connections without a request are replaced, and this machine's own browser always connects")
    func idleConnections() async throws {
        var limits = PortalLimits()
        limits.server.connectionCountMax = 24
        limits.server.idleTimeout = .seconds(1_800)  // no timeout ends them
        try await serve(limits: limits) { _, client, _ in
            var held: [Socket] = []
            for number in 0..<40 {
                let socket = try Socket(port: client.port, source: UInt8(2 + number % 5))
                try? await socket.write(Array("GET / HTTP/1.1\r\nHost: \(client.host)\r\n".utf8))
                held.append(socket)
            }
            #expect(try await client.from(7).get("/").status == 200)
            #expect(try await client.get("/").status == 200)
            #expect(try await client.from(2).get("/").status == 200)
            withExtendedLifetime(held) {}
        }
    }

    @Test("sessions that one address opens without limit do not end those of other addresses")
    func emptySessions() async throws {
        var limits = PortalLimits()
        limits.sessions.countMax = 6
        try await serve(limits: limits) { _, client, gallery in
            let looking = try await client.from(2).opening(gallery)
            let guest = try await client.from(2).entering(gallery, name: "Zoë")
            for _ in 0..<10 { _ = try await client.from(3).opening(gallery) }
            #expect(try await looking.get(gallery.path + "api/me").status == 200)
            #expect(try await guest.get(gallery.path + "api/me").status == 200)
        }
    }

    @Test("a guest without any action costs the event nothing, until it gives a name, agrees or writes something")
    func idleGuests() async throws {
        try await serve { _, client, gallery in
            let photo = gallery.put([1], by: .stranger(1))
            gallery.with { $0.consents = [:] }
            let consent = try #require(await gallery.consent(of: nil)).text.id.description
            let acts: [(String, String, [String: Any])] = [
                ("PUT", "api/guest/name", ["name": "Zoë"]), ("POST", "api/guest/consent", ["id": consent]),
                ("POST", "api/photos/\(photo.id)/comments", ["text": "Oh"]),
                ("POST", "api/photos/\(photo.id)/reactions", ["emoji": String(Remarks.emoji[0]), "isOn": true]),
            ]
            for (number, act) in acts.enumerated() {
                let client = try await client.from(2).entering(gallery)
                #expect(gallery.with { $0.entered.count } == number)
                #expect(try await client.get(gallery.path + "api/me").status == 200)
                #expect(try await client.send("DELETE", gallery.path + "api/guest").status == 204)
                #expect(gallery.with { $0.entered.count } == number)
                let reply = try await client.ask(act.0, gallery.path + act.1, act.2)
                #expect((200..<300).contains(reply.status), "\(act.1): \(reply.text)")
                #expect(gallery.with { $0.entered.count } == number + 1, "\(act.1)")
            }
        }
    }

    @Test("unread answers use bounded memory, and a guest at another address gets a photo meanwhile")
    func unreadAnswers() async throws {
        var limits = PortalLimits()
        (limits.server.unreadByteCountByAddress, limits.server.unreadByteCount) = (1 << 20, 3 << 19)
        try await serve(limits: limits) { [limits] portal, client, gallery in
            let bytes = photoBytes(12 << 20)
            let photo = gallery.put(bytes, by: .stranger(1))
            let path = gallery.path + "photos/\(photo.id)/original"
            var held: [Socket] = []
            for source: UInt8 in [2, 3] {
                let session = try await client.from(source).opening(gallery)
                let cookie = try #require(session.headers["Cookie"])
                for _ in 0..<40 {
                    let socket = try Socket(port: client.port, source: source)
                    try await socket.write(
                        Array("GET \(path) HTTP/1.1\r\nHost: \(client.host)\r\nCookie: \(cookie)\r\n\r\n".utf8))
                    held.append(socket)
                }
            }
            // Without a bound there would be 64 KiB or more of each.
            let reader = try await client.from(4).opening(gallery)
            #expect(try await reader.get(path).body == bytes)
            var ended = 0
            for _ in 0..<3_000 where ended < 40 {
                #expect(portal.unreadByteCount <= limits.server.unreadByteCount)
                try await Task.sleep(for: .milliseconds(100))
                ended = held.count { $0.isEnded }
            }
            #expect(ended >= 40)
            #expect(try await reader.get(path).body == bytes)
        }
    }

    @Test("a process with a low limit of files has few connections, and keeps most files for itself")
    func fewFiles() {
        for fileCount in [64, 256, 1_024, 4_224, 65_536] {
            var limits = PortalLimits()
            limits.server.fitConnections(into: fileCount)
            let count = limits.server.connectionCountMax + limits.server.connectionCountFromHere
            #expect(count >= 4 && count <= fileCount / 2 + fileCount / 4, "\(fileCount)")
            #expect(fileCount - count >= min(fileCount / 2, 128), "\(fileCount)")
            #expect(limits.server.connectionCountByAddressMax < limits.server.connectionCountMax)
            #expect(limits.server.connectionCountFromHere > 0)
        }
        var limits = PortalLimits()
        limits.server.fitConnections(into: 4_224)
        #expect(limits.server.connectionCountMax == 2_048)
    }

    @Test("an address that has sent very much waits, with any number of guests, and others send")
    func addressBytes() async throws {
        var limits = PortalLimits()
        limits.uploads.addressBytes = Rate(burst: 1_000_000, perSecond: 1e-3)
        try await serve(limits: limits) { _, client, gallery in
            var (takenCount, codes) = (0, Set<String>())
            for seed in UInt64(1)...12 {
                let uploader = Uploader(try await client.from(2).entering(gallery, name: "P"), in: gallery)
                let bytes = photoBytes(190_000, seed: seed)
                let reply = try await uploader.ask(
                    "POST", gallery.path + "uploads", headers: ["Upload-Length": "\(bytes.count)"])
                guard let path = reply["location"] else {
                    codes.insert(reply.errorCode ?? "")
                    #expect(reply["retry-after"] != nil)
                    continue
                }
                #expect(try await uploader.send(path, bytes, at: 0).status == 204)
                takenCount += 1
            }
            #expect(takenCount == 5)
            #expect(codes == ["too-many-uploads"])
            let other = Uploader(try await client.from(3).entering(gallery, name: "Zoë"), in: gallery)
            #expect(try await other.photo(of: photoBytes(190_000, seed: 99)).count == 64)
        }
    }
}

extension HTTPClient {
    fileprivate func ask(_ method: String, _ path: String, _ json: [String: Any]) async throws -> Reply {
        try await send(
            method, path, headers: ["Content-Type": "application/json"],
            body: [UInt8](try JSONSerialization.data(withJSONObject: json)))
    }
}
