// SPDX-License-Identifier: Apache-2.0

/// WebM (RFC 8794, RFC 9559): tags and attachments lose their content. Recordings made live have a segment and clusters
/// of unknown length, which end where something begins that does not belong into them.
enum EBMLScrubber {
    /// Blocks of three hours of picture and sound that were recorded live.
    private static let elementCountMax = 1_000_000
    private static let segment = 0x1853_8067
    private static let cluster = 0x1f43_b675
    /// Tags, attachments.
    private static let blanked: Set = [0x1254_c367, 0x1941_a469]
    /// "Void": content to be skipped.
    private static let void = 0xec

    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        var offset = range.lowerBound
        let end = range.upperBound
        for _ in 0..<elementCountMax {
            guard offset < end else { return }
            let first = try region.number(at: offset, count: 1)
            let idByteCount = UInt8(first).leadingZeroBitCount + 1
            guard idByteCount <= 4 else { throw .malformed }
            let id = try region.number(at: offset, count: idByteCount)
            let lengthOffset = offset + idByteCount
            let lengthByteCount = UInt8(try region.number(at: lengthOffset, count: 1)).leadingZeroBitCount + 1
            guard lengthByteCount <= 8 else { throw .malformed }
            let valueMax = 1 << (7 * lengthByteCount) - 1
            let length = try region.number(at: lengthOffset, count: lengthByteCount) & valueMax
            let start = lengthOffset + lengthByteCount
            let isUnknown = length == valueMax
            // What follows a segment is looked at as if it were in it.
            if id == segment || (id == cluster && isUnknown) {
                offset = start
                continue
            }
            guard !isUnknown else { throw .malformed }
            guard length <= end - start else { throw .malformed }
            if blanked.contains(id) { try blank(offset..<(start + length), in: &region) }
            offset = start + length
        }
        throw .malformed
    }

    /// One void element over all of `range`, its length written in eight bytes.
    private static func blank(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        guard range.count >= 9 else { return }
        let length = range.count - 9
        let header = [UInt8(void), 0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        try region.overwrite(at: range.lowerBound, with: header, as: .text)
        try region.fill((range.lowerBound + 9)..<range.upperBound, as: .text)
    }
}
