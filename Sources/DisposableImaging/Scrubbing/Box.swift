// SPDX-License-Identifier: Apache-2.0

/// One box of an ISO base media file (ISO 14496-12 §4.2): a length, four letters that name its kind, and a payload.
struct Box {
    var kind: String
    /// The offset of its length field.
    var start: Int
    var payload: Range<Int>

    static let countMax = 100_000

    /// Calls `body` for each box of `range`. Up to seven bytes after the last box are zeroed.
    ///
    /// Throws `malformed` for a box that is longer than its container or shorter than its own header, unless it is a
    /// trailer: then everything from there on is blanked.
    static func each(
        of range: Range<Int>, isTrailer: (_ kind: String) -> Bool = { _ in false }, in region: inout FileRegion,
        _ body: (Box, inout FileRegion) throws(ScrubFailure) -> Void
    ) throws(ScrubFailure) {
        var offset = range.lowerBound
        for _ in 0..<countMax {
            // QuickTime ends some lists with four zero bytes.
            guard offset + 8 <= range.upperBound else {
                return try region.fill(offset..<max(offset, range.upperBound), as: .other)
            }
            var length = try region.number(at: offset, count: 4)
            var headerByteCount = 8
            if length == 1 {
                length = try region.number(at: offset + 8, count: 8)
                headerByteCount = 16
            } else if length == 0 {
                length = range.upperBound - offset
            }
            let kind = String(decoding: try region.bytes((offset + 4)..<(offset + 8)), as: UTF8.self)
            let isWhole = length >= headerByteCount && length <= range.upperBound - offset
            if !isWhole, isTrailer(kind) {
                // A length of zero: up to the end of the file.
                try region.overwrite(at: offset, with: [0, 0, 0, 0] + Array("free".utf8), as: .trailer)
                return try region.fill((offset + 8)..<range.upperBound, as: .trailer)
            }
            guard length >= headerByteCount else { throw .malformed }
            let end = isWhole ? offset + length : range.upperBound
            guard offset + headerByteCount <= end else { throw .malformed }
            try body(Box(kind: kind, start: offset, payload: (offset + headerByteCount)..<end), &region)
            guard isWhole else { throw .malformed }
            offset = end
        }
        throw .malformed
    }

    /// Replaces the box by a `free` box of zeros, which readers skip. Padding keeps its kind.
    func blank(as category: ScrubReport.Category, in region: inout FileRegion) throws(ScrubFailure) {
        if !BoxRules.padding.contains(kind) {
            try region.overwrite(at: start + 4, with: Array("free".utf8), as: category)
        }
        try region.fill(payload, as: category)
    }

    /// Returns the payload from its byte `count` on; empty if it is shorter.
    func payload(from count: Int) -> Range<Int> {
        min(payload.lowerBound + count, payload.upperBound)..<payload.upperBound
    }
}
