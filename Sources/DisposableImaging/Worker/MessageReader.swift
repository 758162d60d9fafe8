// SPDX-License-Identifier: Apache-2.0

/// Takes a message apart; every read is checked against what is left.
struct MessageReader {
    private var rest: ArraySlice<UInt8>

    init(bytes: [UInt8]) { rest = bytes[...] }

    /// A little-endian number.
    mutating func number(byteCount: Int) throws(ImagingError) -> UInt64 {
        guard rest.count >= byteCount else { throw .malformedMessage }
        let value = rest.prefix(byteCount).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest.removeFirst(byteCount)
        return value
    }

    /// Bytes preceded by their count in four bytes.
    mutating func bytes(limit: Int) throws(ImagingError) -> [UInt8] {
        let count = Int(try number(byteCount: 4))
        guard count <= limit, count <= rest.count else { throw .malformedMessage }
        let bytes = Array(rest.prefix(count))
        rest.removeFirst(count)
        return bytes
    }

    /// Throws `malformedMessage` when something is left over.
    func finish() throws(ImagingError) {
        guard rest.isEmpty else { throw .malformedMessage }
    }
}

/// The other way.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: UInt64, byteCount: Int) {
        for index in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    mutating func append(_ content: [UInt8]) {
        append(UInt64(content.count), byteCount: 4)
        bytes += content
    }
}
