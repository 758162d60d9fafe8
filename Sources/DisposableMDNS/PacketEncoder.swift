// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// Encodes one packet, with compressed names (RFC 1035 §4.1.4), up to a number of bytes.
struct PacketEncoder {
    enum Section: Int { case question, answer, authority, additional }

    private var bytes: [UInt8]
    private var counts = [0, 0, 0, 0]
    private let byteCountMax: Int
    /// The offsets of name suffixes, in lower case.
    private var offsets: [[UInt8]: Int] = [:]
    /// Legacy queriers do not support compression in the data of SRV, nor the cache-flush bit (RFC 6762 §6.7, §18.14).
    private let isLegacy: Bool

    init(
        id: UInt16 = 0, isResponse: Bool, byteCountMax: Int = MDNSLimits.sentPacketByteCountMax, isLegacy: Bool = false
    ) {
        // A response is authoritative (RFC 6762 §18.4).
        bytes = [UInt8(id >> 8), UInt8(id & 0xFF), isResponse ? 0x84 : 0] + [UInt8](repeating: 0, count: 9)
        self.byteCountMax = byteCountMax
        self.isLegacy = isLegacy
    }

    var isEmpty: Bool { bytes.count == 12 }

    mutating func setTruncated() { bytes[2] |= 0x02 }

    /// Returns the packet in its present state.
    func finished() -> [UInt8] {
        var packet = bytes
        for (index, count) in counts.enumerated() {
            packet[4 + 2 * index] = UInt8(count >> 8)
            packet[5 + 2 * index] = UInt8(count & 0xFF)
        }
        return packet
    }

    /// Appends a question. Returns false, and writes nothing, if it does not fit.
    mutating func append(_ question: Question) -> Bool {
        fitting(.question) { encoder in
            encoder.append(question.name)
            encoder.append(question.type.rawValue)
            encoder.append(question.wantsUnicast ? 0x8001 : 0x0001)
        }
    }

    /// Appends a record. Returns false, and writes nothing, if it does not fit. Sections must be filled in their order.
    mutating func append(_ record: Record, to section: Section) -> Bool {
        fitting(section) { encoder in
            encoder.append(record.name)
            encoder.append(record.data.type.rawValue)
            encoder.append(record.isUnique && !encoder.isLegacy ? 0x8001 : 0x0001)
            encoder.append(UInt16(record.timeToLive >> 16))
            encoder.append(UInt16(record.timeToLive & 0xFFFF))
            let start = encoder.bytes.count
            encoder.append(0)
            encoder.append(record.data, of: record.name)
            let byteCount = encoder.bytes.count - start - 2
            encoder.bytes[start] = UInt8(byteCount >> 8)
            encoder.bytes[start + 1] = UInt8(byteCount & 0xFF)
        }
    }

    private mutating func fitting(_ section: Section, _ write: (inout PacketEncoder) -> Void) -> Bool {
        let count = bytes.count
        write(&self)
        guard bytes.count <= byteCountMax else {
            bytes.removeLast(bytes.count - count)
            offsets = offsets.filter { $0.value < count }
            return false
        }
        counts[section.rawValue] += 1
        return true
    }

    private mutating func append(_ number: UInt16) { bytes += [UInt8(number >> 8), UInt8(number & 0xFF)] }

    private mutating func append(_ name: DomainName, isCompressed: Bool = true) {
        var start = 0
        while start < name.bytes.count {
            let rest = Array(name.folded[start...])
            if isCompressed, let offset = offsets[rest] { return append(0xC000 | UInt16(offset)) }
            if bytes.count < 0x4000 { offsets[rest] = bytes.count }
            let end = start + 1 + Int(name.bytes[start])
            bytes += name.bytes[start..<end]
            start = end
        }
        bytes.append(0)
    }

    private mutating func append(_ data: RecordData, of owner: DomainName) {
        switch data {
        case .pointer(let name): append(name)
        case .service(let port, let target):
            append(0)
            append(0)
            append(port)
            append(target, isCompressed: !isLegacy)
        case .text(let text): bytes += text
        case .address(let address): bytes += address.bytes
        case .types(let types):
            append(owner)
            var bitmap = [UInt8](repeating: 0, count: 1 + Int((types.map(\.rawValue).max() ?? 0) / 8))
            for type in types { bitmap[Int(type.rawValue / 8)] |= 0x80 >> UInt8(type.rawValue % 8) }
            bytes += [0, UInt8(bitmap.count)] + bitmap
        }
    }
}

/// Complete packets, each decodable by itself.
enum Packets {
    /// Returns the answers, in as many packets as needed; the additional records as far as the last of these has room.
    static func response(
        _ answers: [Record], additionals: [Record] = [], id: UInt16 = 0, echoing questions: [Question] = [],
        isLegacy: Bool = false
    ) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var encoder = PacketEncoder(id: id, isResponse: true, isLegacy: isLegacy)
        for question in questions { _ = encoder.append(question) }
        for answer in answers where !encoder.append(answer, to: .answer) {
            packets.append(encoder.finished())
            encoder = PacketEncoder(id: id, isResponse: true, isLegacy: isLegacy)
            _ = encoder.append(answer, to: .answer)
        }
        for additional in additionals { _ = encoder.append(additional, to: .additional) }
        return packets + [encoder.finished()]
    }

    /// Returns a query with its known answers. Those beyond `packetCountMax` packets are left out, which causes answers
    /// that were not needed.
    static func query(_ questions: [Question], knownAnswers: [Record], packetCountMax: Int) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var encoder = PacketEncoder(isResponse: false)
        for question in questions where !encoder.append(question) {
            packets.append(encoder.finished())
            encoder = PacketEncoder(isResponse: false)
            _ = encoder.append(question)
        }
        for answer in knownAnswers where !encoder.append(answer, to: .answer) {
            guard packets.count + 1 < packetCountMax else { break }
            encoder.setTruncated()
            packets.append(encoder.finished())
            encoder = PacketEncoder(isResponse: false)
            _ = encoder.append(answer, to: .answer)
        }
        return packets + [encoder.finished()]
    }

    static func probe(_ names: [DomainName], records: [Record]) -> [UInt8] {
        var encoder = PacketEncoder(isResponse: false)
        for name in names { _ = encoder.append(Question(name: name, type: .any)) }
        for record in records { _ = encoder.append(record, to: .authority) }
        return encoder.finished()
    }
}

extension Message {
    /// Encodes the whole message in one packet; `nil` if that is longer than `byteCountMax`. The stack itself uses
    /// `Packets`; this is for tests and tools.
    package func encoded(byteCountMax: Int = MDNSLimits.packetByteCountMax) -> [UInt8]? {
        var encoder = PacketEncoder(id: id, isResponse: isResponse, byteCountMax: byteCountMax)
        if isTruncated { encoder.setTruncated() }
        for question in questions where !encoder.append(question) { return nil }
        for (section, records) in [
            (PacketEncoder.Section.answer, answers), (.authority, authorities), (.additional, additionals),
        ] {
            for record in records where !encoder.append(record, to: section) { return nil }
        }
        return encoder.finished()
    }
}
