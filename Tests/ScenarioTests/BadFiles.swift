// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Malformed files.
enum BadFiles {
    /// A PNG that claims 50,000 x 40,000 pixels and has no pixel data.
    static let twoGigapixels: [UInt8] = png(width: 50_000, height: 40_000, data: [0x78, 0x9c, 3, 0, 0, 0, 0, 1])

    /// A valid PNG of one black pixel: a stored zlib block, the filter byte and three samples.
    static let onePixel: [UInt8] = png(
        width: 1, height: 1,
        data: [0x78, 0x01, 1, 4, 0, 0xfb, 0xff, 0, 0, 0, 0] + bigEndian(0x0004_0001))

    /// The first box of a video, followed by noise.
    static let video: [UInt8] = {
        // In steps: as one expression it takes the compiler 16 seconds.
        var bytes = bigEndian(24)
        bytes += "ftypisom".utf8
        bytes += bigEndian(512)
        bytes += "isommp42".utf8
        bytes += bigEndian(4_000)
        bytes += "mdat".utf8
        for number in 0..<3_992 { bytes.append(UInt8(truncatingIfNeeded: number &* 31)) }
        return bytes
    }()

    static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Writes a file that starts like a JPEG and continues with a hole of this many bytes.
    static func writeSparseJPEG(byteCount: UInt64, to path: String) throws {
        try write([0xff, 0xd8, 0xff, 0xe0], to: path)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: byteCount)
        try handle.close()
    }

    static func makeFIFO(_ path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    private static func png(width: UInt32, height: UInt32, data: [UInt8]) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0])
            + chunk("IDAT", data) + chunk("IEND", [])
    }

    private static func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        let body = Array(kind.utf8) + payload
        return bigEndian(UInt32(payload.count)) + body + bigEndian(checksum(body))
    }

    /// CRC-32 as in PNG.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xffff_ffff as UInt32) { remainder, byte in
            (0..<8).reduce(remainder ^ UInt32(byte)) { value, _ in (value & 1) * 0xedb8_8320 ^ value >> 1 }
        }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
