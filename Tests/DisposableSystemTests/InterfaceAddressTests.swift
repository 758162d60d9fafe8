// SPDX-License-Identifier: Apache-2.0
import DisposableSystem
import Glibc
import Testing

struct InterfaceAddressTests {
    @Test("the loopback interface is listed with its address and index")
    func loopback() throws {
        let address = try #require(InterfaceAddress.all()?.first { $0.host == "127.0.0.1" })
        #expect(address.name == "lo")
        #expect(address.index > 0)
        #expect(address.isLoopback)
        #expect(!address.isIPv6)
        #expect(!address.isLinkLocal)
    }

    @Test("link-local IPv6 addresses name their interface, others do not")
    func scope() throws {
        for address in try #require(InterfaceAddress.all()) where address.isIPv6 {
            #expect(address.host.hasSuffix("%\(address.name)") == address.isLinkLocal)
        }
    }

    /// In a process of its own, because there the limit takes nothing from other tests.
    @Test("a system that refuses to tell is not one without addresses")
    func refusal() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            exit(InterfaceAddress.all() == nil ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
