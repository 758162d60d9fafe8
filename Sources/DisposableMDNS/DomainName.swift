// SPDX-License-Identifier: Apache-2.0

/// A domain name: labels of bytes, compared without regard to the case of ASCII letters (RFC 6762 §16).
package struct DomainName: Hashable, Sendable {
    /// Each label after its length byte, without the root's zero: at most ``byteCountMax`` bytes.
    package let bytes: [UInt8]
    /// `bytes` in lower case. Length bytes are below 64 and letters above, so all bytes can be folded alike.
    let folded: [UInt8]

    package static let byteCountMax = 254
    package static let labelByteCountMax = 63

    /// - Parameter bytes: labels after their length bytes, as checked by a decoder.
    init(checked bytes: [UInt8]) {
        self.bytes = bytes
        folded = bytes.contains { $0 != Self.fold($0) } ? bytes.map(Self.fold) : bytes
    }

    /// `nil` if a label is empty or too long, or the name is.
    package init?(labels: [[UInt8]]) {
        guard labels.allSatisfy({ 1...Self.labelByteCountMax ~= $0.count }) else { return nil }
        let bytes = labels.flatMap { [UInt8($0.count)] + $0 }
        guard bytes.count <= Self.byteCountMax else { return nil }
        self.init(checked: bytes)
    }

    /// Labels that hold no dot themselves: "_disposable._tcp.local".
    package init?(_ text: String) {
        self.init(labels: text.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) })
    }

    /// This name below `parent`; `nil` if that is too long.
    package init?(label: [UInt8], below parent: DomainName) {
        guard 1...Self.labelByteCountMax ~= label.count, 1 + label.count + parent.bytes.count <= Self.byteCountMax
        else { return nil }
        self.init(checked: [UInt8(label.count)] + label + parent.bytes)
    }

    package var firstLabel: ArraySlice<UInt8> { bytes.first.map { bytes[1...Int($0)] } ?? [] }

    /// Whether it is one label and then `parent`.
    package func isChild(of parent: DomainName) -> Bool {
        guard let first = bytes.first, bytes.count == 1 + Int(first) + parent.bytes.count else { return false }
        return folded.dropFirst(1 + Int(first)).elementsEqual(parent.folded)
    }

    package static func == (one: DomainName, other: DomainName) -> Bool { one.folded == other.folded }
    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    static func fold(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }
}
