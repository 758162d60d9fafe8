// SPDX-License-Identifier: Apache-2.0
internal import CZlib

/// Compression of the files that every browser loads (RFC 1952): it saves three quarters.
enum Gzip {
    /// zlib's window of 32 KiB, plus the 16 that select gzip's header and trailer.
    private static let windowBits: Int32 = 15 + 16

    /// Returns `nil` if zlib has no memory, or the result is not smaller.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 9, Z_DEFLATED, windowBits, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else {
            return nil
        }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END, Int(stream.total_out) < bytes.count else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }
}
