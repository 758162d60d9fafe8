// SPDX-License-Identifier: Apache-2.0

/// WebP (RFC 9649 §2.3): RIFF chunks of type, little-endian length, payload and padding to even.
enum WebPScrubber {
    private static let chunkCountMax = 100_000
    private static let kept: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]

    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        let declaredEnd = range.lowerBound + 8 + (try region.littleEndianNumber(at: range.lowerBound + 4))
        let end = min(declaredEnd, range.upperBound)
        var offset = range.lowerBound + 12
        for _ in 0..<chunkCountMax {
            guard offset + 8 <= end else {
                try region.fill(min(end, range.upperBound)..<range.upperBound, as: .trailer)
                guard declaredEnd <= range.upperBound else { throw .malformed }
                return
            }
            let kind = String(decoding: try region.bytes(offset..<(offset + 4)), as: UTF8.self)
            let length = try region.littleEndianNumber(at: offset + 4)
            let payload = (offset + 8)..<min(offset + 8 + length, end)
            switch kind {
            case "EXIF":
                // Some writers put JPEG's six bytes of introduction in front.
                let head = try region.bytes(payload.lowerBound..<min(payload.lowerBound + 6, payload.upperBound))
                let start = payload.lowerBound + (head.starts(with: "Exif\0\0".utf8) ? 6 : 0)
                try EXIFScrubber.scrub(start..<payload.upperBound, in: &region)
            case "XMP ": try region.blankXMP(payload)
            case let kind where kept.contains(kind): break
            default: try region.fill(payload, as: .other)
            }
            guard payload.count == length else { throw .malformed }
            offset = payload.upperBound + length % 2
        }
        throw .malformed
    }
}
