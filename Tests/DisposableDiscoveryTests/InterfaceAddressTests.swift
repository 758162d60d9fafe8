// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import Testing

struct InterfaceAddressTests {
    @Test("the loopback interface is listed with its address and index")
    func loopback() throws {
        let address = try #require(InterfaceAddress.all().first { $0.host == "127.0.0.1" })
        #expect(address.name == "lo")
        #expect(address.index > 0)
        #expect(address.isLoopback)
        #expect(!address.isIPv6)
        #expect(!address.isLinkLocal)
    }

    @Test("link-local IPv6 addresses name their interface, others do not")
    func scope() {
        for address in InterfaceAddress.all() where address.isIPv6 {
            #expect(address.host.hasSuffix("%\(address.name)") == address.isLinkLocal)
        }
    }
}
