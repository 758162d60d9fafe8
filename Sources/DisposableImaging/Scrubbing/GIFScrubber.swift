// SPDX-License-Identifier: Apache-2.0

/// GIF89a: comments, and application extensions other than looping and colour, lose their text.
enum GIFScrubber {
    private static let blockCountMax = 1_000_000
    private static let keptApplications: Set<String> = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        let flags = try region.number(at: range.lowerBound + 10, count: 1)
        var offset = range.lowerBound + 13 + colorTableByteCount(flags)
        for _ in 0..<blockCountMax {
            guard offset < range.upperBound else { return }
            switch try region.number(at: offset, count: 1) {
            case 0x3b: return try region.fill((offset + 1)..<range.upperBound, as: .trailer)
            case 0x2c:
                let flags = try region.number(at: offset + 9, count: 1)
                offset = try endOfBlocks(offset + 11 + colorTableByteCount(flags), in: region)
            case 0x21:
                let label = try region.number(at: offset + 1, count: 1)
                var text = offset + 2
                var category: ScrubReport.Category? = label == 0xfe ? .text : nil
                if label == 0xff {
                    let name = String(decoding: try region.bytes((offset + 3)..<(offset + 14)), as: UTF8.self)
                    text = offset + 14
                    if !keptApplications.contains(name) { category = name == "XMP DataXMP" ? .xmp : .other }
                }
                let end = try endOfBlocks(text, in: region)
                if let category { try blank(text..<end, as: category, in: &region) }
                offset = end
            default: throw .malformed
            }
        }
        throw .malformed
    }

    private static func colorTableByteCount(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }

    /// The offset after the empty sub-block that ends a row of them.
    private static func endOfBlocks(_ start: Int, in region: borrowing FileRegion) throws(ScrubFailure) -> Int {
        var offset = start
        while offset < region.byteCount {
            let block = try region.bytes(offset..<min(offset + FileRegion.blockByteCount, region.byteCount))
            var index = 0
            while index < block.count {
                guard block[index] > 0 else { return offset + index + 1 }
                index += 1 + Int(block[index])
            }
            offset += index
        }
        throw .malformed
    }

    /// Lays new sub-blocks of spaces over `range`: XMP is stored raw, so its old lengths are themselves text.
    private static func blank(
        _ range: Range<Int>, as category: ScrubReport.Category, in region: inout FileRegion
    ) throws(ScrubFailure) {
        guard !range.isEmpty else { return }
        var offset = range.lowerBound
        let last = range.upperBound - 1
        while offset < last {
            // Never leave a single byte over: it could only be an end of its own.
            let room = last - offset
            let length = room == 257 ? 254 : min(255, room - 1)
            try region.overwrite(at: offset, with: [UInt8(length)], as: category)
            try region.fill((offset + 1)..<(offset + 1 + length), with: UInt8(ascii: " "), as: category)
            offset += 1 + length
        }
        try region.overwrite(at: last, with: [0], as: category)
    }
}
