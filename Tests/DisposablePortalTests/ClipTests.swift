// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import Testing

@Suite struct ClipTests {
    @Test(
        "a well-formed code leads to its page, as written for people",
        arguments: [
            ("1a2b3c4d", "/e/1a2b3c4d/"), ("12345678", "/e/12345678/"), ("1234-5678", "/#1234-5678"),
            ("1A2B3C4D", "/#1A2B-3C4D"), ("K7QM-3XPD", "/#K7QM-3XPD"), ("k7qm3xpd", "/#K7QM-3XPD"),
            ("oil1-OIL1", "/#0111-0111"),
        ])
    func codes(code: String, target: String) { #expect(ClipAddress.target(of: code) == target) }

    @Test(
        "anything else leads nowhere",
        arguments: [
            "", "1a2b3c4", "1a2b3c4d5", "K7QM--3XPD", "K7-QM3XPD", "K7QM 3XPD", "K7QM%2D3XPD", "UUUU-UUUU", "..",
            "ßßßß", "K7QM-3XP\u{130}", "K7QM-3XPD\r\nSet-Cookie:", "//evil.example", "１２３４５６７８",
        ])
    func others(code: String) { #expect(ClipAddress.target(of: code) == nil) }

    @Test("the answer is a redirect with the headers of every answer, the same for a wrong code as for the right one")
    func redirect() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            func headers(_ code: String) async throws -> [String] {
                let reply = try await client.get("/clip/\(code)")
                #expect(reply.status == 303)
                #expect(reply["x-content-type-options"] == "nosniff")
                #expect(reply["content-security-policy"]?.contains("default-src 'none'") == true)
                #expect(reply.headers.allSatisfy { !$0.name.hasPrefix("access-control-") && $0.name != "set-cookie" })
                return reply.headers.filter { !["date", "location"].contains($0.name) }
                    .map { "\($0.name): \($0.value)" }
            }
            #expect(try await headers(gallery.portalCode) == headers("ZZZZ-ZZZZ"))
            let page = try await client.get("/clip/\(gallery.path.split(separator: "/")[1])")
            #expect(page["location"] == gallery.path)
            for path in [
                "/clip", "/clip/", "/clip/UUUUUUUU", "/clip/K7QM-3XPD/more", "/.well-known/apple-app-site-association",
                "/.well-known/assetlinks.json", "/apple-app-site-association",
            ] {
                let reply = try await client.get(path)
                #expect(reply.status == 404, "\(path)")
                #expect(reply.errorCode == "not-found", "\(path)")
            }
        }
    }
}
