// SPDX-License-Identifier: Apache-2.0

/// Parses a message; every read is checked against the remaining bytes.
struct MessageReader {
    private var rest: ArraySlice<UInt8>

    init(bytes: [UInt8]) { rest = bytes[...] }

    /// Reads a little-endian number.
    mutating func number(byteCount: Int) throws(ImagingError) -> UInt64 {
        guard rest.count >= byteCount else { throw .malformedMessage }
        let value = rest.prefix(byteCount).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest.removeFirst(byteCount)
        return value
    }

    /// Reads bytes preceded by their count in four bytes.
    mutating func bytes(limit: Int) throws(ImagingError) -> [UInt8] {
        let count = Int(try number(byteCount: 4))
        guard count <= limit, count <= rest.count else { throw .malformedMessage }
        let bytes = Array(rest.prefix(count))
        rest.removeFirst(count)
        return bytes
    }

    /// Throws `malformedMessage` if bytes are left over.
    func finish() throws(ImagingError) {
        guard rest.isEmpty else { throw .malformedMessage }
    }
}

/// Writes a message for `MessageReader`.
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
