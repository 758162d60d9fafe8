// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// Parses a reconciliation message from front to back without trusting it.
///
/// Every length is compared with the remaining bytes before it is used, so a message costs no more than its bytes.
struct ReconciliationReader {
    private let bytes: [UInt8]
    private var position = 0
    private var lastTimestamp: UInt64 = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }
    private var remainingByteCount: Int { bytes.count - position }

    mutating func byte() throws(ReconciliationError) -> UInt8 {
        try need(byteCount: 1)
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads base-128 digits, the most significant first, bit 7 set on all but the last. Leading zero digits are
    /// accepted, as in the reference; more than 64 bits are not, where the reference drops the highest.
    mutating func varint() throws(ReconciliationError) -> UInt64 {
        var value: UInt64 = 0
        while true {
            let digit = try byte()
            guard value >> 57 == 0 else { throw .varintTooLarge(position: position - 1) }
            value = value << 7 | UInt64(digit & 0x7F)
            if digit & 0x80 == 0 { return value }
        }
    }

    /// Reads a bound. The timestamp is coded as zero for infinity, or as one plus the distance from the one before it;
    /// a sum past the end is infinity, too.
    mutating func bound() throws(ReconciliationError) -> Bound {
        let code = try varint()
        let (timestamp, isTooLarge) = lastTimestamp.addingReportingOverflow(code &- 1)
        lastTimestamp = code == 0 || isTooLarge ? Bound.infiniteTimestamp : timestamp
        let prefixByteCount = try varint()
        guard prefixByteCount <= UInt64(Bytes32.byteCount) else {
            throw .idPrefixTooLong(byteCount: prefixByteCount)
        }
        let id = try paddedID(byteCount: Int(prefixByteCount))
        return Bound(timestamp: lastTimestamp, id: id, prefixByteCount: Int(prefixByteCount))
    }

    mutating func mode() throws(ReconciliationError) -> RangeMode {
        let code = try varint()
        guard let mode = RangeMode(rawValue: code) else { throw .modeUnknown(code) }
        return mode
    }

    mutating func fingerprint() throws(ReconciliationError) -> Fingerprint {
        try need(byteCount: Fingerprint.byteCount)
        defer { position += Fingerprint.byteCount }
        return Fingerprint(bytes[position..<(position + Fingerprint.byteCount)])!  // 16 bytes by construction
    }

    mutating func idList() throws(ReconciliationError) -> [Bytes32] {
        let count = try varint()
        guard count <= UInt64(remainingByteCount / Bytes32.byteCount) else {
            throw .messageTruncated(byteCount: bytes.count)
        }
        var ids: [Bytes32] = []
        ids.reserveCapacity(Int(count))
        for _ in 0..<count { ids.append(try paddedID(byteCount: Bytes32.byteCount)) }
        return ids
    }

    /// Reads the next `byteCount` bytes, at most 32, filled up with zeros.
    private mutating func paddedID(byteCount: Int) throws(ReconciliationError) -> Bytes32 {
        try need(byteCount: byteCount)
        let end = position + byteCount
        defer { position = end }
        func word(startingAt start: Int) -> UInt64 {
            var word: UInt64 = 0
            for index in start..<(start + 8) { word = word << 8 | (index < end ? UInt64(bytes[index]) : 0) }
            return word
        }
        return Bytes32(
            words: word(startingAt: position), word(startingAt: position + 8),
            word(startingAt: position + 16), word(startingAt: position + 24))
    }

    private func need(byteCount: Int) throws(ReconciliationError) {
        guard byteCount <= remainingByteCount else { throw .messageTruncated(byteCount: bytes.count) }
    }
}
