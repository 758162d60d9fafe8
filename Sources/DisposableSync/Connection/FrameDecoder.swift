// SPDX-License-Identifier: Apache-2.0

/// Splits a stream of bytes into the units of the connection's current stage: a fixed number of bytes, or a
/// length-prefixed frame.
///
/// It buffers the received bytes that were not taken yet: less than one frame and one read of the socket.
package struct FrameDecoder {
    private var buffer: [UInt8] = []
    private var start = 0
    /// Arrived after `buffer` and not yet moved there: most units are whole in one read, and are not copied.
    private var later: [UInt8] = []
    private var laterStart = 0

    package init() {}

    package var bufferedByteCount: Int { buffer.count - start + later.count - laterStart }

    package mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
            // Nothing but what `later` has is left.
            (buffer, start) = (later, laterStart)
            (later, laterStart) = ([], 0)
        }
        if start == buffer.count {
            (buffer, start) = (bytes, 0)
        } else if laterStart == later.count {
            (later, laterStart) = (bytes, 0)
        } else {
            // The unit that has begun is larger than one read.
            pull(later.count - laterStart)
            (later, laterStart) = (bytes, 0)
        }
    }

    /// Moves bytes of `later` behind those of `buffer`.
    private mutating func pull(_ count: Int) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer.append(contentsOf: later[laterStart..<laterStart + count])
        laterStart += count
    }

    /// Makes the next `count` bytes contiguous; false until they have arrived.
    private mutating func gather(_ count: Int) -> Bool {
        guard bufferedByteCount >= count else { return false }
        if start == buffer.count {
            (buffer, start) = (later, laterStart)
            (later, laterStart) = ([], 0)
        } else if buffer.count - start < count {
            pull(count - (buffer.count - start))
        }
        return true
    }

    /// Returns the next `count` bytes, `nil` until they have arrived.
    package mutating func next(byteCount: Int) -> ArraySlice<UInt8>? {
        guard gather(byteCount) else { return nil }
        defer { start += byteCount }
        return buffer[start..<start + byteCount]
    }

    /// Returns the content of the next frame: a 16-bit big-endian length, then as many bytes. `nil` until it has
    /// arrived.
    package mutating func nextFrame() -> ArraySlice<UInt8>? {
        guard let length = nextLength, gather(2 + length) else { return nil }
        start += 2
        return next(byteCount: length)
    }

    private var nextLength: Int? {
        mutating get {
            guard gather(2) else { return nil }
            return Int(buffer[start]) << 8 | Int(buffer[start + 1])
        }
    }

    /// The number of bytes that the frame that has begun still lacks, 1 if that is not known.
    package var missingByteCount: Int {
        mutating get {
            guard let length = nextLength else { return 1 }
            return max(2 + length - bufferedByteCount, 1)
        }
    }
}
