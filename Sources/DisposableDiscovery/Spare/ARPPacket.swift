// SPDX-License-Identifier: Apache-2.0
package import DisposableValues

/// The address of a network card, 6 bytes.
package struct HardwareAddress: Hashable, Sendable, CustomStringConvertible {
    /// All stations of the link.
    package static let broadcast = HardwareAddress(0xFFFF_FFFF_FFFF)
    /// That of a station that is not known.
    static let unknown = HardwareAddress(0)

    private let value: UInt64

    private init(_ value: UInt64) { self.value = value }

    /// - Parameter bytes: six, in the order of the link; `nil` for another count.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 6 else { return nil }
        self.init(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    package var bytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (5 - $0))) } }

    /// Whether it is that of one station: neither a group nor unknown.
    var isStation: Bool { value != 0 && value >> 40 & 1 == 0 }

    /// `52:75:83:95:6e:5a`.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }
}

/// A packet of the Address Resolution Protocol for IPv4 on Ethernet and Wi-Fi, 28 bytes (RFC 826).
package struct ARPPacket: Equatable, Sendable {
    package enum Operation: UInt8, Sendable {
        case request = 1
        case reply = 2
    }

    package static let byteCount = 28
    private static let unspecified: [UInt8] = [0, 0, 0, 0]
    /// Ethernet, IPv4, and the lengths of their addresses.
    private static let start: [UInt8] = [0, 1, 8, 0, 6, 4, 0]

    package let operation: Operation
    package let sender: HardwareAddress
    /// Four bytes, also below; zero in probes.
    package let senderAddress: [UInt8]
    package let target: HardwareAddress
    package let targetAddress: [UInt8]

    private init(
        _ operation: Operation, sender: HardwareAddress, _ senderAddress: [UInt8],
        target: HardwareAddress = .unknown, _ targetAddress: [UInt8]
    ) {
        self.operation = operation
        (self.sender, self.senderAddress) = (sender, senderAddress)
        (self.target, self.targetAddress) = (target, targetAddress)
    }

    /// Decodes a packet. Bytes behind it are the padding of short frames. `nil` for other protocols and operations, and
    /// for a sender that is no single station.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount, Array(bytes.prefix(7)) == Self.start,
            let operation = Operation(rawValue: bytes[7]), let sender = HardwareAddress(bytes[8..<14]),
            sender.isStation, let target = HardwareAddress(bytes[18..<24])
        else { return nil }
        self.init(
            operation, sender: sender, Array(bytes[14..<18]), target: target, Array(bytes[24..<Self.byteCount]))
    }

    package var bytes: [UInt8] {
        Self.start + [operation.rawValue] + sender.bytes + senderAddress + target.bytes + targetAddress
    }

    /// An ordinary question for the station that has an address.
    package static func request(
        for address: IPAddress, from sender: HardwareAddress, at own: IPAddress
    ) -> ARPPacket {
        ARPPacket(.request, sender: sender, own.bytes, address.bytes)
    }

    /// A question whether an address is in use, which changes no station's table (RFC 5227 §2.1.1).
    package static func probe(for address: IPAddress, from sender: HardwareAddress) -> ARPPacket {
        ARPPacket(.request, sender: sender, unspecified, address.bytes)
    }

    /// Tells all stations that the sender has the address (RFC 5227 §2.3).
    package static func announcement(of address: IPAddress, by sender: HardwareAddress) -> ARPPacket {
        ARPPacket(.request, sender: sender, address.bytes, address.bytes)
    }

    /// Whether the sender states that it has the address: in a question, a reply or an announcement.
    func claims(_ address: IPAddress) -> Bool { senderAddress == address.bytes }

    func isProbe(for address: IPAddress) -> Bool {
        operation == .request && senderAddress == Self.unspecified && targetAddress == address.bytes
    }
}
