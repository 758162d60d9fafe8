// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// The reason why a packet was ignored as a whole.
package enum PacketError: Error, Equatable {
    case tooLong, truncated, notMDNS, tooManyEntries, badName
}

/// Decodes untrusted packets (RFC 1035 §4, RFC 6762 §18), keeping only the entries for one service type: questions and
/// PTR records of the type, SRV and TXT of its instances, and addresses.
///
/// The cost of a packet is bounded: by ``MDNSLimits``, by the length of names, and by the rule that compression
/// pointers must lead backwards, each farther than the one before. Names of other services are only bytes in one
/// buffer.
package struct PacketDecoder {
    private let bytes: [UInt8]
    private let serviceType: DomainName
    private var position = 12
    /// The last name, in lower case and as received.
    private var folded: [UInt8] = []
    private var name: [UInt8] = []

    package static func decode(_ bytes: [UInt8], serviceType: DomainName) throws(PacketError) -> Message {
        guard bytes.count <= MDNSLimits.packetByteCountMax else { throw .tooLong }
        guard bytes.count >= 12 else { throw .truncated }
        // Other opcodes and response codes are ignored (RFC 6762 §18.3, §18.11).
        guard bytes[2] & 0x78 == 0, bytes[3] & 0x0F == 0 else { throw .notMDNS }
        var decoder = PacketDecoder(bytes: bytes, serviceType: serviceType)
        return try decoder.message()
    }

    private init(bytes: [UInt8], serviceType: DomainName) {
        self.bytes = bytes
        self.serviceType = serviceType
    }

    private mutating func message() throws(PacketError) -> Message {
        var message = Message()
        message.id = number(at: 0)
        message.isResponse = bytes[2] & 0x80 != 0
        message.isTruncated = bytes[2] & 0x02 != 0
        let counts = [4, 6, 8, 10].map { Int(number(at: $0)) }
        guard counts.reduce(0, +) <= MDNSLimits.entriesPerPacketMax else { throw .tooManyEntries }
        for _ in 0..<counts[0] { if let question = try question() { message.questions.append(question) } }
        for _ in 0..<counts[1] { if let record = try record() { message.answers.append(record) } }
        for _ in 0..<counts[2] { if let record = try record() { message.authorities.append(record) } }
        for _ in 0..<counts[3] { if let record = try record() { message.additionals.append(record) } }
        return message
    }

    private func number(at index: Int) -> UInt16 { UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]) }

    private func has(_ count: Int) throws(PacketError) {
        guard bytes.count - position >= count else { throw .truncated }
    }

    /// Decodes a question. A host name can be any below "local".
    private mutating func question() throws(PacketError) -> Question? {
        try readName()
        try has(4)
        let (type, group) = (RecordType(rawValue: number(at: position)), number(at: position + 2))
        position += 4
        guard group & 0x7FFF == 1 || group & 0x7FFF == 255 else { return nil }
        let isWanted =
            switch type {
            case .pointer: isServiceType || isEnumeration
            case .service, .text: isInstance
            case .address4, .address6: isHost
            case .any: isServiceType || isEnumeration || isInstance || isHost
            default: false
            }
        guard isWanted else { return nil }
        return Question(name: DomainName(checked: name), type: type, wantsUnicast: group & 0x8000 != 0)
    }

    private mutating func record() throws(PacketError) -> Record? {
        try readName()
        try has(10)
        let (type, group) = (RecordType(rawValue: number(at: position)), number(at: position + 2))
        let timeToLive = UInt32(number(at: position + 4)) << 16 | UInt32(number(at: position + 6))
        let byteCount = Int(number(at: position + 8))
        position += 10
        try has(byteCount)
        let end = position + byteCount
        defer { position = end }
        let isWanted =
            switch type {
            case .pointer: isServiceType || isEnumeration
            case .service, .text: isInstance
            case .address4, .address6: isHost
            default: false
            }
        guard isWanted, group & 0x7FFF == 1 else { return nil }
        let owner = DomainName(checked: name)
        guard let data = try data(of: type, until: end) else { return nil }
        return Record(name: owner, data: data, timeToLive: timeToLive, isUnique: group & 0x8000 != 0)
    }

    private mutating func data(of type: RecordType, until end: Int) throws(PacketError) -> RecordData? {
        switch type {
        case .pointer: return .pointer(try target(until: end))
        case .service:
            guard end - position >= 7 else { throw .truncated }
            let port = number(at: position + 4)
            position += 6
            return .service(port: port, target: try target(until: end))
        case .text:
            guard end - position <= TextRecord.byteCountMax else { return nil }
            return .text(Array(bytes[position..<end]))
        default:
            guard let address = IPAddress(bytes[position..<end]), address.isIPv6 == (type == .address6) else {
                throw .truncated
            }
            return .address(address)
        }
    }

    private mutating func target(until end: Int) throws(PacketError) -> DomainName {
        try readName()
        guard position == end else { throw .badName }
        return DomainName(checked: name)
    }

    // Names

    /// Decodes the name at `position` and moves behind it.
    private mutating func readName() throws(PacketError) {
        name.removeAll(keepingCapacity: true)
        folded.removeAll(keepingCapacity: true)
        var next = position
        var end: Int?
        // A pointer leads to an offset before the name, and each further one to an offset before the last: so they end.
        var bound = position
        while true {
            guard next < bytes.count else { throw .truncated }
            let length = Int(bytes[next])
            if length == 0 {
                position = end ?? next + 1
                return
            }
            if length <= DomainName.labelByteCountMax {
                guard next + length < bytes.count else { throw .truncated }
                guard name.count + 1 + length <= DomainName.byteCountMax else { throw .badName }
                for index in next...next + length {
                    name.append(bytes[index])
                    folded.append(DomainName.fold(bytes[index]))
                }
                next += 1 + length
            } else {
                guard length >= 0xC0 else { throw .badName }
                guard next + 1 < bytes.count else { throw .truncated }
                let target = Int(number(at: next) & 0x3FFF)
                guard target < bound, target >= 12 else { throw .badName }
                end = end ?? next + 2
                bound = target
                next = target
            }
        }
    }

    private var isServiceType: Bool { folded == serviceType.folded }
    private var isEnumeration: Bool { folded == OwnRecords.enumerationName.folded }
    private var isInstance: Bool {
        guard let first = folded.first, folded.count == 1 + Int(first) + serviceType.folded.count else { return false }
        return folded.dropFirst(1 + Int(first)).elementsEqual(serviceType.folded)
    }
    private var isHost: Bool {
        folded.count > Self.local.count && folded.suffix(Self.local.count).elementsEqual(Self.local)
    }
    private static let local: [UInt8] = [5] + Array("local".utf8)
}
