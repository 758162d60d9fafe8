// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct AddressKeyTests {
    private func key(_ address: String) -> AddressKey {
        AddressKey(address)
    }

    @Test("an IPv4 address is the same through an IPv6 socket")
    func mapped() {
        #expect(key("10.0.0.7").text == key("::ffff:10.0.0.7").text)
        #expect(key("10.0.0.7").text != key("10.0.0.8").text)
    }

    @Test("IPv6 addresses count by network, but each link-local one by itself and its interface")
    func networks() {
        #expect(key("2001:db8:1:2::1").text == key("2001:db8:1:2:ffff::9").text)
        #expect(key("2001:db8:1:2::1").text != key("2001:db8:1:3::1").text)
        #expect(key("fe80::1").text != key("fe80::2").text)
        #expect(AddressKey("fe80::1", interface: 2).text != AddressKey("fe80::1", interface: 3).text)
        #expect(AddressKey("fe80::1", interface: 2).link == 2 && key("2001:db8::1").link == nil)
    }

    @Test("this machine is recognized by each of its loopback addresses")
    func loopback() {
        for address in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(key(address).isLoopback, "\(address)")
        }
        for address in ["10.0.0.7", "::2", "fe80::1", "::ffff:10.0.0.7", "7f00::1"] {
            #expect(!key(address).isLoopback, "\(address)")
        }
        #expect(!AddressKey(nil).isLoopback)
    }
}

@Suite struct HostNameTests {
    @Test(
        "hosts are split into name and port",
        arguments: [
            ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7:8027", "10.0.0.7", true), ("[fe80::1]:80", "fe80::1", true),
            ("[::1]", "::1", true), ("box.local.", "box.local", false), ("box.local:1", "box.local", false),
            ("127.1", "127.1", false), ("0x7f000001", "0x7f000001", false),
        ])
    func parts(text: String, name: String, isAddress: Bool) throws {
        let host = try #require(HostName(text))
        #expect(host.name == name)
        #expect(host.isAddress == isAddress)
    }

    @Test(
        "invalid hosts are refused",
        arguments: [
            "", ":80", ".", "[::1", "[::1]x", "[10.0.0.7]", "[]", "10.0.0.7:8x", "a:b:c", "::1", "[fe80::1%eth0]",
        ])
    func malformed(text: String) { #expect(HostName(text) == nil) }
}
