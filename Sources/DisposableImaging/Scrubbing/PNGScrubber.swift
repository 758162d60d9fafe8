// SPDX-License-Identifier: Apache-2.0

/// Scrubs PNG (W3C, third edition): chunks of length, type, payload and CRC. EXIF is rewritten; chunks that are not
/// needed to show the image become private ones that every decoder skips, filled with zeros.
enum PNGScrubber {
    private static let chunkCountMax = 1_000_000
    /// The chunks that define how to show the image, and the maximum lengths of their payloads.
    private static let kept: [String: Int] = [
        "IHDR": 13, "PLTE": 768, "IDAT": .max, "IEND": 0, "tRNS": 256, "cHRM": 32, "gAMA": 4, "sBIT": 4, "sRGB": 1,
        "cICP": 4, "mDCV": 24, "mDCv": 24, "cLLI": 8, "cLLi": 8, "bKGD": 6, "pHYs": 9, "acTL": 8, "fcTL": 26,
        "fdAT": .max,
    ]
    /// Ancillary, private, safe to copy: "ignore me", in the capitals of its letters.
    private static let skipped = "skIp"

    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        var offset = range.lowerBound + 8
        for _ in 0..<chunkCountMax {
            guard offset < range.upperBound else { return }
            let length = try region.number(at: offset, count: 4)
            let start = offset + 8
            guard start + length + 4 <= range.upperBound else { throw .malformed }
            let payload = start..<(start + length)
            let kind = String(decoding: try region.bytes((offset + 4)..<start), as: UTF8.self)
            if kind == "eXIf" {
                try EXIFScrubber.scrub(payload, in: &region)
                try sealChunk(at: offset + 4, payload, as: .other, in: &region)
            } else if kind == "iCCP" {
                try scrubProfileName(payload, in: &region)
                try sealChunk(at: offset + 4, payload, as: .text, in: &region)
            } else if length > kept[kind] ?? -1 {
                // A decoder requires the critical chunks, whose names begin with a capital.
                if kept[kind] != nil, kind.first!.isUppercase { throw .malformed }
                let category = category(of: kind)
                try region.overwrite(at: offset + 4, with: Array(skipped.utf8), as: category)
                try region.fill(payload, as: category)
                try sealChunk(at: offset + 4, payload, as: category, in: &region)
            }
            offset = payload.upperBound + 4
            if kind == "IEND" { return try region.fill(offset..<range.upperBound, as: .trailer) }
        }
        throw .malformed
    }

    /// Empties a profile's name of 1 to 79 characters, which may be anything: "Anna's screen".
    private static func scrubProfileName(_ payload: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        let head = try region.bytes(payload.lowerBound..<min(payload.lowerBound + 80, payload.upperBound))
        guard let end = head.firstIndex(of: 0, from: 0) else { throw .malformed }
        try region.fill(
            payload.lowerBound..<(payload.lowerBound + end), with: UInt8(ascii: "-"), as: .text)
    }

    private static func category(of kind: String) -> ScrubReport.Category {
        ["tEXt", "zTXt", "iTXt"].contains(kind) ? .text : .other
    }

    /// Writes the CRC over type and payload.
    private static func sealChunk(
        at kindOffset: Int, _ payload: Range<Int>, as category: ScrubReport.Category, in region: inout FileRegion
    ) throws(ScrubFailure) {
        var checksum = CRC32()
        for start in stride(from: kindOffset, to: payload.upperBound, by: 64 << 10) {
            checksum.update(try region.bytes(start..<min(start + (64 << 10), payload.upperBound)))
        }
        let value = checksum.value
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
        try region.overwrite(at: payload.upperBound, with: bytes, as: category)
    }
}

/// The CRC of PNG and zlib: polynomial 0xedb88320, reflected (PNG, annex D).
struct CRC32 {
    private var remainder: UInt32 = 0xffff_ffff

    var value: UInt32 { ~remainder }

    mutating func update(_ bytes: [UInt8]) {
        for byte in bytes {
            remainder = Self.table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)] ^ (remainder >> 8)
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }
}
