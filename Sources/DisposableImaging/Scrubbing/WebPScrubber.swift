// SPDX-License-Identifier: Apache-2.0

/// Scrubs WebP (RFC 9649 §2.3): RIFF chunks of type, little-endian length, payload and padding to even.
enum WebPScrubber {
    private static let chunkCountMax = 100_000
    /// The chunks that define how to show the image, and the number of bytes of fields in their payloads.
    private static let kept = ["VP8 ": Int.max, "VP8L": .max, "VP8X": 10, "ALPH": .max, "ANIM": 6, "ICCP": .max]
    /// The size of the fields of an animation's frame (ANMF) before its own chunks.
    private static let frameByteCount = 16

    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        let declaredEnd = range.lowerBound + 8 + (try region.littleEndianNumber(at: range.lowerBound + 4))
        let end = min(declaredEnd, range.upperBound)
        var chunkCount = 0
        try scrubChunks(min(range.lowerBound + 12, end)..<end, isFrame: false, &chunkCount, in: &region)
        try region.fill(end..<range.upperBound, as: .trailer)
        guard declaredEnd <= range.upperBound else { throw .malformed }
    }

    private static func scrubChunks(
        _ range: Range<Int>, isFrame: Bool, _ chunkCount: inout Int, in region: inout FileRegion
    ) throws(ScrubFailure) {
        let end = range.upperBound
        var offset = range.lowerBound
        while offset + 8 <= end {
            chunkCount += 1
            guard chunkCount <= chunkCountMax else { throw .malformed }
            let kind = String(decoding: try region.bytes(offset..<(offset + 4)), as: UTF8.self)
            let length = try region.littleEndianNumber(at: offset + 4)
            let payload = (offset + 8)..<min(offset + 8 + length, end)
            switch kind {
            case "EXIF" where !isFrame:
                // Some writers add JPEG's six bytes of introduction.
                let head = try region.bytes(payload.lowerBound..<min(payload.lowerBound + 6, payload.upperBound))
                let start = payload.lowerBound + (head.starts(with: "Exif\0\0".utf8) ? 6 : 0)
                try EXIFScrubber.scrub(start..<payload.upperBound, in: &region)
            case "XMP " where !isFrame: try region.blankXMP(payload)
            case "ANMF" where !isFrame && payload.count >= frameByteCount:
                let chunks = (payload.lowerBound + frameByteCount)..<payload.upperBound
                try scrubChunks(chunks, isFrame: true, &chunkCount, in: &region)
            default:
                let count = min(kept[kind] ?? 0, payload.count)
                try region.fill((payload.lowerBound + count)..<payload.upperBound, as: .other)
            }
            guard payload.count == length else { throw .malformed }
            let next = min(payload.upperBound + length % 2, end)
            try region.fill(payload.upperBound..<next, as: .other)
            offset = next
        }
        try region.fill(offset..<end, as: .other)
    }
}
