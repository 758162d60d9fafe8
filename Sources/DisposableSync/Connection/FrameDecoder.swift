// SPDX-License-Identifier: Apache-2.0

/// Splits a stream of bytes into the units of the connection's current stage: a fixed number of bytes, or a
/// length-prefixed frame.
///
/// It buffers the received bytes that were not taken yet: less than one frame and one read of the socket.
package struct FrameDecoder {
    private var buffer: [UInt8] = []
    private var start = 0

    package init() {}

    package var bufferedByteCount: Int { buffer.count - start }

    package mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
            buffer = bytes
        } else {
            buffer.removeSubrange(..<start)
            buffer.append(contentsOf: bytes)
        }
        start = 0
    }

    /// Returns the next `count` bytes, `nil` until they have arrived.
    package mutating func next(byteCount: Int) -> ArraySlice<UInt8>? {
        guard bufferedByteCount >= byteCount else { return nil }
        defer { start += byteCount }
        return buffer[start..<start + byteCount]
    }

    /// Returns the content of the next frame: a 16-bit big-endian length, then as many bytes. `nil` until it has
    /// arrived.
    package mutating func nextFrame() -> ArraySlice<UInt8>? {
        guard bufferedByteCount >= 2 else { return nil }
        let byteCount = Int(buffer[start]) << 8 | Int(buffer[start + 1])
        guard bufferedByteCount >= 2 + byteCount else { return nil }
        start += 2
        return next(byteCount: byteCount)
    }
}
