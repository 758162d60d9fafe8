// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Foundation
import Testing

@Suite struct SHA1Tests {
    @Test(
        "SHA-1 has the results of RFC 3174 and FIPS 180-4",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
            (String(repeating: "01234567", count: 80), "dea356a2cddd90c7a7ecedc5ebb563934f460452"),
        ])
    func vectors(text: String, expected: String) {
        #expect(SHA1.hash(Array(text.utf8)).map { String(format: "%02x", $0) }.joined() == expected)
        for size in [1, 63, 64, 65, 1_000] where text.utf8.count <= 640 {
            var hash = SHA1()
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                hash.update(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(hash.finish().map { String(format: "%02x", $0) }.joined() == expected, "pieces of \(size)")
        }
    }
}
