// SPDX-License-Identifier: Apache-2.0
import DisposableValues
import Testing

@Suite struct Base64URLTests {
    @Test(
        "texts are written and read as in RFC 4648, without padding",
        arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("\u{3FF}~", "z79-")])
    func roundTrip(text: String, encoded: String) {
        let bytes = Array(text.utf8)
        #expect(Base64URL.text(bytes) == encoded)
        #expect(Base64URL.bytes(encoded, count: bytes.count) == bytes)
    }

    @Test("every other form is refused", arguments: ["Zh", "Z", "Zg==", "Zm8", "Z+", "\u{E9}", "Z "])
    func refused(_ text: String) { #expect(Base64URL.bytes(text, count: 1) == nil) }
}
