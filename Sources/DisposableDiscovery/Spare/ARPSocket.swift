// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A socket for the ARP packets of one interface. It needs CAP_NET_RAW.
final class ARPSocket {
    /// More wait in the system's buffer; those beyond are lost.
    private static let batchCountMax = 64

    let interface: UInt32
    let hardware: HardwareAddress
    private let descriptor: Int32

    /// - Parameter interface: its index. Throws for an interface that is neither Ethernet nor Wi-Fi.
    init(interface: UInt32) throws(DiscoveryError) {
        var hardware = [UInt8](repeating: 0, count: 6)
        descriptor = clinux_arp_open(interface, &hardware)
        guard descriptor >= 0 else { throw .socket(operation: "a socket for ARP", message: systemMessage(errno)) }
        self.interface = interface
        self.hardware = HardwareAddress(hardware) ?? .unknown
    }

    deinit { _ = close(descriptor) }

    /// Returns the packets that have arrived; others than those of ARP for IPv4 are dropped.
    func packets() -> [ARPPacket] {
        var packets: [ARPPacket] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        for _ in 0..<Self.batchCountMax {
            let count = clinux_arp_receive(descriptor, &buffer, buffer.count)
            guard count >= 0 else { break }
            if let packet = ARPPacket(Array(buffer.prefix(count))) { packets.append(packet) }
        }
        return packets
    }

    /// A packet that the system has no room for is lost, as on the air.
    func send(_ packet: ARPPacket, to station: HardwareAddress) {
        let bytes = packet.bytes
        _ = clinux_arp_send(descriptor, interface, station.bytes, bytes, bytes.count)
    }
}
