// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct SessionTests {
    @Test("the token of the guests' link opens a session, which sees the event")
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
            #expect(event["id"] as? String == gallery.event.description)
            #expect((event["words"] as? [String])?.count == 4)
            #expect(try me.object["link"] as? String == "http://\(client.host)/#\(gallery.tokenText)")
            #expect(try me.object["code"] as? String == gallery.portalCode)
            #expect(me["cache-control"] == "no-store")
        }
    }
}
