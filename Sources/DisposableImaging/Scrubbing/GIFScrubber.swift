// SPDX-License-Identifier: Apache-2.0

/// Scrubs GIF89a: among the extensions, delays and transparency, looping and colour are kept. All others lose their
/// content.
enum GIFScrubber {
    private static let blockCountMax = 1_000_000
    private static let loopApplications: Set<String> = ["NETSCAPE2.0", "ANIMEXTS1.0"]
    private static let colorApplication = "ICCRGBG1012"

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
                offset = try scrubExtension(label, offset + 2, in: &region)
            default: throw .malformed
            }
        }
        throw .malformed
    }

    /// Scrubs the extension that begins at `start`, after its label, and returns its end.
    private static func scrubExtension(
        _ label: Int, _ start: Int, in region: inout FileRegion
    ) throws(ScrubFailure) -> Int {
        var text = start
        var category = ScrubReport.Category.other
        if label == 0xff {
            let name = String(decoding: try region.bytes((start + 1)..<(start + 12)), as: UTF8.self)
            guard try region.number(at: start, count: 1) == 11 else { throw .malformed }
            text = start + 12
            let end = try endOfBlocks(text, in: region)
            if name == colorApplication { return end }
            if loopApplications.contains(name), try isLoop(text..<end, in: region) { return end }
            category = name == "XMP DataXMP" ? .xmp : .other
            try region.fill((start + 1)..<(start + 12), with: UInt8(ascii: "-"), as: category)
        }
        let end = try endOfBlocks(text, in: region)
        // Graphic control: one block of four bytes.
        if label == 0xf9, end - start == 6, try region.number(at: start, count: 1) == 4 { return end }
        if label == 0xfe || label == 0x01 { category = .text }
        try blank(text..<end, as: category, in: &region)
        return end
    }

    /// Whether these blocks are the number of loops (1), or that and the size of a buffer (2).
    private static func isLoop(_ range: Range<Int>, in region: borrowing FileRegion) throws(ScrubFailure) -> Bool {
        guard range.count == 5 || range.count == 11 else { return false }
        let bytes = try region.bytes(range)
        return bytes[0] == 3 && bytes[1] == 1 && (range.count == 5 || (bytes[4] == 5 && bytes[5] == 2))
    }

    private static func colorTableByteCount(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }

    /// Returns the offset after the empty sub-block that ends a series of them.
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

    /// Replaces `range` by sub-blocks of spaces: XMP is stored raw, so its old lengths are themselves text.
    private static func blank(
        _ range: Range<Int>, as category: ScrubReport.Category, in region: inout FileRegion
    ) throws(ScrubFailure) {
        guard !range.isEmpty else { return }
        var offset = range.lowerBound
        let last = range.upperBound - 1
        while offset < last {
            // Never leave a single byte over: it could only be a terminator.
            let room = last - offset
            let length = room == 257 ? 254 : min(255, room - 1)
            try region.overwrite(at: offset, with: [UInt8(length)], as: category)
            try region.fill((offset + 1)..<(offset + 1 + length), with: UInt8(ascii: " "), as: category)
            offset += 1 + length
        }
        try region.overwrite(at: last, with: [0], as: category)
    }
}
