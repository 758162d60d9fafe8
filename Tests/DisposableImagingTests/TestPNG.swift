// SPDX-License-Identifier: Apache-2.0

/// PNG files written by hand: any header, any content, any extra chunk.
enum TestPNG {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// - Parameter colorType: 0 gray, 2 RGB, 6 RGBA.
    static func header(width: Int, height: Int, bitDepth: UInt8 = 8, colorType: UInt8 = 2) -> [UInt8] {
        chunk("IHDR", bigEndian(width) + bigEndian(height) + [bitDepth, colorType, 0, 0, 0])
    }

    /// A whole file. `rows` are unfiltered, without the filter byte.
    static func file(header: [UInt8], rows: [[UInt8]], extra: [UInt8] = []) -> [UInt8] {
        signature + header + extra + chunk("IDAT", stored(rows.flatMap { [0] + $0 })) + chunk("IEND", [])
    }

    static func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        let body = Array(kind.utf8) + payload
        return bigEndian(payload.count) + body + bigEndian(Int(checksum(body)))
    }

    static func bigEndian(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// zlib without compression (RFC 1950, RFC 1951 §3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x78, 0x01]
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let end = min(start + 65_535, bytes.count)
            let count = UInt16(end - start)
            output += [end == bytes.count ? 1 : 0, UInt8(count & 0xff), UInt8(count >> 8)]
            output += [UInt8(~count & 0xff), UInt8(~count >> 8)] + bytes[start..<end]
        }
        return output + bigEndian(Int(high << 16 | low))
    }

    /// CRC-32, bit by bit.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder: UInt32 = 0xffff_ffff
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? 0xedb8_8320 ^ (remainder >> 1) : remainder >> 1 }
        }
        return ~remainder
    }
}
