// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableValues
import Testing

@Suite struct IPAddressTests {
    @Test(
        "addresses are read and written in their usual form",
        arguments: [
            ("10.0.0.7", "0a000007"), ("255.255.255.255", "ffffffff"), ("::", String(repeating: "00", count: 16)),
            ("::1", String(repeating: "00", count: 15) + "01"), ("2001:db8::7", "20010db8000000000000000000000007"),
            ("fe80::1", "fe800000000000000000000000000001"),
        ])
    func roundTrip(text: String, hex: String) throws {
        #expect(IPAddress(text)?.bytes.hex == hex)
        #expect(IPAddress(try #require([UInt8](hex: hex)))?.description == text)
    }

    @Test(
        "what is no numeric address is refused",
        arguments: [
            "", "10.0.0", "10.0.0.256", "10.0.0.7:80", "fe80::1%eth0", "localhost", "[::1]", "1:2:3", "0x0a000007",
            "10.0.0.7 ", "10.0.0.7\0x",
        ])
    func refused(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test("only 4 and 16 bytes are an address")
    func lengths() {
        for count in 0...20 where count != 4 && count != 16 {
            #expect(IPAddress([UInt8](repeating: 1, count: count)) == nil)
        }
    }
}
