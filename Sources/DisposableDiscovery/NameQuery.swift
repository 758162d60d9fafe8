// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// A question to a name server for the IPv4 addresses of one name, and its answer (RFC 1035 §4).
package struct NameQuery: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
        /// Empty if the name has none, or does not exist.
        case addresses([String])
        /// The server refuses the question or fails.
        case failed
    }

    let id: UInt16
    let name: String

    package init(id: UInt16, name: String) { (self.id, self.name) = (id, name) }

    /// Header with one question that asks for recursion; then name, type A, class IN.
    package var bytes: [UInt8] {
        let labels = name.split(separator: ".").flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
        return [UInt8(id >> 8), UInt8(id & 0xFF), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + labels + [0, 0, 1, 0, 1]
    }

    /// Returns `nil` for bytes that are no answer to this question.
    package func answer(in packet: [UInt8]) -> Answer? {
        let question = bytes.dropFirst(12)
        guard packet.count >= 12 + question.count, packet[0] == bytes[0], packet[1] == bytes[1], packet[2] & 0x80 != 0,
            packet[12..<12 + question.count].elementsEqual(question)
        else { return nil }
        let code = packet[3] & 0x0F
        // No error, or no such name.
        guard code == 0 || code == 3 else { return .failed }
        var addresses: [String] = []
        var rest = packet[(12 + question.count)...]
        for _ in 0..<(Int(packet[6]) << 8 | Int(packet[7])) {
            guard Self.skipName(&rest), rest.count >= 10 else { return nil }
            let head = Array(rest.prefix(10))
            let length = Int(head[8]) << 8 | Int(head[9])
            let data = rest.dropFirst(10).prefix(length)
            guard data.count == length else { return nil }
            // Type A, class IN.
            if Array(head.prefix(4)) == [0, 1, 0, 1], let address = IPAddress(data), !address.isIPv6 {
                addresses.append(address.description)
            }
            rest = rest.dropFirst(10 + length)
        }
        return .addresses(addresses)
    }

    /// A pointer ends a name; nothing here needs the name that it points to.
    private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        while let length = rest.first {
            if length & 0xC0 == 0xC0 {
                guard rest.count >= 2 else { return false }
                rest = rest.dropFirst(2)
                return true
            }
            guard length & 0xC0 == 0, rest.count > Int(length) else { return false }
            rest = rest.dropFirst(1 + Int(length))
            if length == 0 { return true }
        }
        return false
    }
}
