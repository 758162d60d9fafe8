// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("The directory of portals") struct PortalDirectoryTests {
    private func address(_ host: String) -> PeerAddress { PeerAddress(host: host, port: 8_080) }

    @Test("loopback addresses are announced to this machine only, and no more than the limit at all")
    func announcement() {
        var directory = PortalDirectory()
        let hosts = ["127.0.0.1"] + (1...Limits.pageAddressesMax).map { "10.0.0.\($0)" }
        directory.serve(hosts.map(address))
        #expect(directory.own.count == Limits.pageAddressesMax)
        #expect(directory.announcement(to: "10.0.0.9").map(\.host) == Array(hosts[1..<Limits.pageAddressesMax]))
        #expect(directory.announcement(to: "127.0.0.1") == directory.own)
    }

    @Test("addresses outside of local networks are dropped; that of the connection comes first")
    func reception() {
        var directory = PortalDirectory()
        let device = TestChain().device
        let addresses = ["8.8.8.8", "192.168.1.7", "10.0.0.4", "127.0.0.1"].map(address)
        var isChanged = directory.receive(addresses, of: device, from: "10.0.0.4") { _ in true }
        #expect(isChanged)
        #expect(directory.portals { _ in true }.first?.addresses.map(\.host) == ["10.0.0.4", "192.168.1.7"])
        isChanged = directory.receive(addresses, of: device, from: "10.0.0.4") { _ in true }
        #expect(!isChanged)
        isChanged = directory.receive([], of: device, from: "10.0.0.4") { _ in true }
        #expect(isChanged && directory.portals { _ in true }.isEmpty)
    }

    @Test("devices that are no portals are dropped first")
    func bound() {
        var directory = PortalDirectory()
        let devices = (0..<UInt64(Limits.pageServersMax) + 2).map { TestChain(seed: $0).device }
        let portals = Set(devices.prefix(Limits.pageServersMax))
        for device in devices {
            _ = directory.receive([address("10.0.0.4")], of: device, from: "10.0.0.4", isPortal: portals.contains)
        }
        let known = directory.portals(where: portals.contains).map(\.device)
        #expect(known == devices.prefix(Limits.pageServersMax).reversed())
    }
}
