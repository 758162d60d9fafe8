// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct PageCertificateTests {
    @Test(
        "a certificate covers its names, one label for a wildcard, and its addresses",
        arguments: [
            ("party.example.org", true), ("PARTY.example.org", true), ("a.photos.example.org", true),
            ("photos.example.org", false), ("a.b.photos.example.org", false), ("evil.org", false),
            ("10.0.0.7", true), ("10.0.0.8", false), ("fd00::7", true), ("", false), ("*.photos.example.org", true),
        ])
    func names(host: String, isCovered: Bool) {
        var facts = PageCertificate.Facts()
        facts.names = ["party.example.org", "*.photos.example.org"]
        facts.addresses = [[10, 0, 0, 7], [0xFD] + [UInt8](repeating: 0, count: 14) + [7]]
        #expect(PageCertificate.covers(host, facts) == isCovered)
    }
}
