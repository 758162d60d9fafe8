// SPDX-License-Identifier: Apache-2.0

/// Scrubs JPEG (ISO 10918-1 Annex B): marker segments, then entropy-coded data. Segments other than those for decoding
/// and showing the image are zeroed inside their frame; data after the end of the image are scrubbed, too.
enum JPEGScrubber {
    private static let segmentCountMax = 10_000
    private static let followerCountMax = 64
    /// Frames, tables, scans, restart intervals, numbers of lines.
    private static let codingMarkers = Set(0xc0...0xcf).subtracting([0xc8]).union([0xda, 0xdb, 0xdc, 0xdd])
    /// The gain map parameters of ISO 21496-1 take fewer bytes than this.
    private static let gainMapByteCountMax = 256

    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        let end = try scrubImage(range, in: &region)
        try scrubFollowers(end..<range.upperBound, in: &region)
    }

    /// Scrubs one image and returns the offset after its end marker; the end of `range` if that is missing.
    private static func scrubImage(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) -> Int {
        var offset = range.lowerBound + 2
        for _ in 0..<segmentCountMax {
            guard offset + 2 <= range.upperBound else { return range.upperBound }
            guard try region.number(at: offset, count: 1) == 0xff else {
                // Readers skip bytes between two segments.
                let next = try endOfScan(offset..<range.upperBound, in: region)
                try region.fill(offset..<next, as: .other)
                offset = next
                continue
            }
            guard let markerOffset = try region.firstOffset(ofOtherThan: 0xff, in: offset..<range.upperBound)
            else { return range.upperBound }
            let marker = try region.number(at: markerOffset, count: 1)
            offset = markerOffset + 1
            switch marker {
            case 0xd9: return offset
            case 0x01, 0xd0...0xd8: continue
            case 0x00: throw .malformed
            default: break
            }
            guard offset + 2 <= range.upperBound else { return range.upperBound }
            let length = try region.number(at: offset, count: 2)
            guard length >= 2 else { throw .malformed }
            let isWhole = offset + length <= range.upperBound
            let payload = (offset + 2)..<min(offset + length, range.upperBound)
            if !codingMarkers.contains(marker) { try scrubSegment(marker, payload, in: &region) }
            guard isWhole else { throw .malformed }
            offset = payload.upperBound
            if marker == 0xda { offset = try endOfScan(offset..<range.upperBound, in: region) }
        }
        throw .malformed
    }

    /// Returns the offset of the next marker that is neither a restart nor a stuffed 0xff.
    private static func endOfScan(_ range: Range<Int>, in region: borrowing FileRegion) throws(ScrubFailure) -> Int {
        var offset = range.lowerBound
        while offset + 1 < range.upperBound {
            let block = try region.bytes(offset..<min(offset + FileRegion.blockByteCount, range.upperBound))
            var index = 0
            while let found = block.firstIndex(of: 0xff, from: index), found + 1 < block.count {
                switch block[found + 1] {
                case 0, 0xd0...0xd7: index = found + 2
                case 0xff: index = found + 1
                default: return offset + found
                }
            }
            // A last 0xff is read again at the start of the next block.
            offset += block.last == 0xff && index < block.count ? block.count - 1 : block.count
        }
        return range.upperBound
    }

    private static func scrubSegment(
        _ marker: Int, _ payload: Range<Int>, in region: inout FileRegion
    ) throws(ScrubFailure) {
        let head = try region.bytes(payload.lowerBound..<min(payload.lowerBound + 32, payload.upperBound))
        func begins(_ text: String) -> Bool { head.starts(with: text.utf8) }
        switch marker {
        case 0xe0 where begins("JFIF\0"):
            // After twelve bytes: width and height of an uncompressed thumbnail, and the thumbnail.
            let start = min(payload.lowerBound + 12, payload.upperBound)
            try region.fill(start..<payload.upperBound, as: .embeddedThumbnail)
        case 0xe2 where begins("ICC_PROFILE\0"): break
        case 0xe2 where begins("MPF\0"):
            let start = min(payload.lowerBound + 4, payload.upperBound)
            try EXIFScrubber.scrub(multiPicture: start..<payload.upperBound, in: &region)
        case 0xe2 where begins("urn:iso:std:iso:ts:21496:-1\0") && payload.count <= gainMapByteCountMax: break
        case 0xee where begins("Adobe"):
            try region.fill(min(payload.lowerBound + 12, payload.upperBound)..<payload.upperBound, as: .other)
        case 0xe1 where begins("Exif\0"):
            try EXIFScrubber.scrub(min(payload.lowerBound + 6, payload.upperBound)..<payload.upperBound, in: &region)
        case 0xe1 where begins("http://ns.adobe.com/"): try region.fill(payload, as: .xmp)
        case 0xed: try region.fill(payload, as: .iptc)
        case 0xfe: try region.fill(payload, as: .text)
        case 0xe0: try region.fill(payload, as: .embeddedThumbnail)
        default: try region.fill(payload, as: .other)
        }
    }

    /// Scrubs the data that cameras append: further JPEG images (gain map, preview), a short video, proprietary blocks.
    /// None of it is the image itself, so unreadable data become zero.
    private static func scrubFollowers(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        var offset = range.lowerBound
        for _ in 0..<followerCountMax {
            guard let start = try region.firstOffset(ofOtherThan: 0, in: offset..<range.upperBound) else {
                return
            }
            // A video begins with the length of its first box, the first bytes of which are zero.
            let boxStart = max(start - 3, offset)
            do throws(ScrubFailure) {
                if try type(at: start, before: range.upperBound, in: region) == .jpeg {
                    offset = try scrubImage(start..<range.upperBound, in: &region)
                    continue
                }
                if try type(at: boxStart, before: range.upperBound, in: region)?.family == .video {
                    return try BoxScrubber.scrub(boxStart..<range.upperBound, isImage: false, in: &region)
                }
            } catch {
                guard case .malformed = error else { throw error }
            }
            break
        }
        try region.fill(offset..<range.upperBound, as: .trailer)
    }

    private static func type(
        at offset: Int, before end: Int, in region: borrowing FileRegion
    ) throws(ScrubFailure) -> MediaFormat? {
        MediaFormat(sniffing: try region.bytes(offset..<min(offset + MediaFormat.sniffedByteCount, end)))
    }
}
