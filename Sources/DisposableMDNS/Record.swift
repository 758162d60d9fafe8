// SPDX-License-Identifier: Apache-2.0
package import DisposableValues

/// The type of a resource record or question (RFC 1035 §3.2.2, RFC 2782, RFC 3596, RFC 4034).
package struct RecordType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let address4 = RecordType(rawValue: 1)
    package static let pointer = RecordType(rawValue: 12)
    package static let text = RecordType(rawValue: 16)
    package static let address6 = RecordType(rawValue: 28)
    package static let service = RecordType(rawValue: 33)
    /// NSEC: the types that a name has.
    package static let types = RecordType(rawValue: 47)
    package static let any = RecordType(rawValue: 255)
}

/// One resource record of class IN.
package struct Record: Hashable, Sendable {
    package var name: DomainName
    package var data: RecordData
    /// In seconds; 0 is a goodbye (RFC 6762 §10.1).
    package var timeToLive: UInt32
    /// The cache-flush bit: the set of records of this name and type is complete (RFC 6762 §10.2).
    package var isUnique: Bool

    package init(name: DomainName, data: RecordData, timeToLive: UInt32, isUnique: Bool) {
        self.name = name
        self.data = data
        self.timeToLive = timeToLive
        self.isUnique = isUnique
    }
}

package enum RecordData: Hashable, Sendable {
    /// PTR
    case pointer(DomainName)
    /// SRV; priority and weight are written as 0 and ignored when read.
    case service(port: UInt16, target: DomainName)
    /// TXT, as on the wire (RFC 6763 §6.1).
    case text([UInt8])
    /// A or AAAA
    case address(IPAddress)
    /// NSEC in the form of RFC 6762 §6.1, each type below 256; written, not read.
    case types([RecordType])

    package var type: RecordType {
        switch self {
        case .pointer: .pointer
        case .service: .service
        case .text: .text
        case .address(let address): address.isIPv6 ? .address6 : .address4
        case .types: .types
        }
    }

    /// The bytes for the tie-break of RFC 6762 §8.2, names without compression.
    var canonicalBytes: [UInt8] {
        switch self {
        case .pointer(let name): name.bytes + [0]
        case .service(let port, let target): [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 0xFF)] + target.bytes + [0]
        case .text(let bytes): bytes
        case .address(let address): address.bytes
        case .types(let types): types.map { UInt8(truncatingIfNeeded: $0.rawValue) }
        }
    }
}

package struct Question: Hashable, Sendable {
    package var name: DomainName
    package var type: RecordType
    /// The QU bit (RFC 6762 §5.4).
    package var wantsUnicast: Bool

    package init(name: DomainName, type: RecordType, wantsUnicast: Bool = false) {
        self.name = name
        self.type = type
        self.wantsUnicast = wantsUnicast
    }
}

/// A packet; a received one contains only the entries for one service type (see ``PacketDecoder``).
package struct Message: Hashable, Sendable {
    package var id: UInt16 = 0
    package var isResponse = false
    /// The TC bit: more known answers follow (RFC 6762 §7.2).
    package var isTruncated = false
    package var questions: [Question] = []
    package var answers: [Record] = []
    package var authorities: [Record] = []
    package var additionals: [Record] = []

    package init() {}
}
