// SPDX-License-Identifier: Apache-2.0
internal import CZlib

/// Reading of gzip (RFC 1952) from a file that nobody vouches for.
enum Inflation {
    /// zlib's window of 32 KiB, plus the 16 that select gzip's header and trailer.
    private static let windowBits: Int32 = 15 + 16

    /// Returns the whole content, which has at most `byteCountMax` bytes; `nil` for a longer one and for other bytes.
    static func inflated(_ bytes: [UInt8], upTo byteCountMax: Int) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: byteCountMax)
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }
}
