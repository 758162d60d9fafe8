// SPDX-License-Identifier: Apache-2.0

/// Scrubs WebM (RFC 8794, RFC 9559): elements that are not on the lists of `EBMLElement` become void ones of zeros, and
/// so do tracks other than picture and sound, with their blocks. Live recordings have a segment and clusters of unknown
/// length, which end where an element begins that does not belong in them.
struct EBMLScrubber {
    /// Blocks of many hours of picture and sound.
    private static let elementCountMax = 4_000_000
    /// Names of elements, codecs and document types take fewer bytes.
    private static let nameByteCountMax = 32

    private var elementCount = 0
    /// Numbers of the tracks that are kept; nil until the tracks are read.
    private var keptTracks: Set<Int>?
    private var clock = WebMClock()

    /// Returns the duration in milliseconds.
    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) -> Int {
        var scrubber = EBMLScrubber()
        try scrubber.scrubFile(range, in: &region)
        return scrubber.clock.milliseconds
    }

    private struct Element {
        var id: Int
        var start: Int
        /// Up to the end of the file if its length is unknown.
        var payload: Range<Int>
        var isOfUnknownLength: Bool
        var range: Range<Int> { start..<payload.upperBound }
    }

    private mutating func scrubFile(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        var offset = range.lowerBound
        var content = [EBMLElement.header: EBMLElement.Content.elements(EBMLElement.headerContent)]
        var segmentEnd = range.upperBound
        while offset < range.upperBound {
            if offset >= segmentEnd { return try blank(offset..<range.upperBound, as: .trailer, in: &region) }
            let element = try read(at: offset, before: segmentEnd, in: region)
            offset = element.payload.upperBound
            switch element.id {
            case EBMLElement.segment where segmentEnd == range.upperBound:
                // Its parts are handled one after the other, and so are those of a cluster of unknown length.
                content = EBMLElement.segmentContent
                if !element.isOfUnknownLength { segmentEnd = element.payload.upperBound }
                offset = element.payload.lowerBound
            case EBMLElement.cluster where element.isOfUnknownLength && content[EBMLElement.cluster] != nil:
                content.merge(EBMLElement.clusterContent) { part, _ in part }
                offset = element.payload.lowerBound
            default:
                guard !element.isOfUnknownLength else { throw .malformed }
                try scrub(element, content[element.id], in: &region)
            }
        }
    }

    private mutating func scrub(
        _ element: Element, _ content: EBMLElement.Content?, in region: inout FileRegion
    ) throws(ScrubFailure) {
        switch content {
        case _ where element.id == EBMLElement.void: try region.fill(element.payload, as: .other)
        case nil: try blank(element.range, as: .text, in: &region)
        case .number where element.payload.count > 8: try blank(element.range, as: .other, in: &region)
        case .number: try clock.note(element.id, element.payload, in: region)
        case .emptiedText: try region.fill(element.payload, as: .text)
        case .bytes where element.id == EBMLElement.simpleBlock:
            if try !isKept(element, in: region) { try blank(element.range, as: .timedMetadata, in: &region) }
        case .bytes: break
        case .elements where element.id == EBMLElement.track: try scrubTrack(element, in: &region)
        case .elements where element.id == EBMLElement.blockGroup: try scrubBlockGroup(element, in: &region)
        case .elements(let children):
            if element.id == EBMLElement.tracks, keptTracks == nil { keptTracks = [] }
            try scrubChildren(of: element, children, in: &region)
        }
    }

    private mutating func scrubChildren(
        of element: Element, _ children: [Int: EBMLElement.Content], in region: inout FileRegion
    ) throws(ScrubFailure) {
        try eachChild(of: element, in: &region) { (scrubber, child, region) throws(ScrubFailure) in
            try scrubber.scrub(child, children[child.id], in: &region)
        }
    }

    private mutating func scrubBlockGroup(_ group: Element, in region: inout FileRegion) throws(ScrubFailure) {
        var block: Element?
        try eachChild(of: group, in: &region) { (_, child, _) throws(ScrubFailure) in
            if child.id == EBMLElement.block { block = child }
        }
        guard let block, try isKept(block, in: region) else {
            return try blank(group.range, as: .timedMetadata, in: &region)
        }
        try scrubChildren(of: group, EBMLElement.blockGroupContent, in: &region)
    }

    /// Whether a block belongs to a kept track. Throws `malformed` for one before the tracks.
    private mutating func isKept(_ block: Element, in region: borrowing FileRegion) throws(ScrubFailure) -> Bool {
        guard let keptTracks else { throw .malformed }
        let (track, byteCount) = try number(at: block.payload.lowerBound, before: block.payload.upperBound, in: region)
        guard keptTracks.contains(track) else { return false }
        let time = block.payload.lowerBound + byteCount
        if time + 2 <= block.payload.upperBound { try clock.noteBlock(timeAt: time, in: region) }
        return true
    }

    private mutating func scrubTrack(_ track: Element, in region: inout FileRegion) throws(ScrubFailure) {
        var (trackNumber, type, codec) = (0, 0, "")
        var codecPrivate: Range<Int>?
        try eachChild(of: track, in: &region) { (_, child, region) throws(ScrubFailure) in
            switch child.id {
            case EBMLElement.trackNumber where child.payload.count <= 8:
                trackNumber = try region.number(at: child.payload.lowerBound, count: child.payload.count)
            case EBMLElement.trackType where child.payload.count <= 8:
                type = try region.number(at: child.payload.lowerBound, count: child.payload.count)
            case EBMLElement.codec where child.payload.count <= Self.nameByteCountMax:
                codec = String(decoding: try region.bytes(child.payload), as: UTF8.self)
            case EBMLElement.codecPrivate: codecPrivate = child.payload
            default: break
            }
        }
        // Video and sound.
        guard [1, 2].contains(type), codec.hasPrefix("V_") || codec.hasPrefix("A_") else {
            return try blank(track.range, as: .timedMetadata, in: &region)
        }
        keptTracks?.insert(trackNumber)
        try scrubChildren(of: track, EBMLElement.trackContent, in: &region)
        if codec.hasPrefix("A_VORBIS"), let codecPrivate { try VorbisComments.blank(in: codecPrivate, of: &region) }
    }

    private mutating func eachChild(
        of parent: Element, in region: inout FileRegion,
        _ body: (inout EBMLScrubber, Element, inout FileRegion) throws(ScrubFailure) -> Void
    ) throws(ScrubFailure) {
        var offset = parent.payload.lowerBound
        while offset < parent.payload.upperBound {
            let element = try read(at: offset, before: parent.payload.upperBound, in: region)
            guard !element.isOfUnknownLength else { throw .malformed }
            try body(&self, element, &region)
            offset = element.payload.upperBound
        }
    }

    private mutating func read(
        at offset: Int, before end: Int, in region: borrowing FileRegion
    ) throws(ScrubFailure) -> Element {
        elementCount += 1
        guard elementCount <= Self.elementCountMax else { throw .malformed }
        let head = try region.bytes(offset..<min(offset + 12, end))
        guard let first = head.first else { throw .malformed }
        let idByteCount = first.leadingZeroBitCount + 1
        guard idByteCount <= 4, idByteCount < head.count else { throw .malformed }
        let id = head[..<idByteCount].reduce(0) { $0 << 8 | Int($1) }
        let (length, lengthByteCount) = try number(at: offset + idByteCount, before: end, in: region)
        let start = offset + idByteCount + lengthByteCount
        if length == 1 << (7 * lengthByteCount) - 1 {
            return Element(id: id, start: offset, payload: start..<end, isOfUnknownLength: true)
        }
        guard length <= end - start else { throw .malformed }
        return Element(id: id, start: offset, payload: start..<(start + length), isOfUnknownLength: false)
    }

    /// Reads a number whose first bits give its length, and returns both.
    private func number(
        at offset: Int, before end: Int, in region: borrowing FileRegion
    ) throws(ScrubFailure) -> (value: Int, byteCount: Int) {
        let bytes = try region.bytes(offset..<max(offset, min(offset + 8, end)))
        guard let first = bytes.first else { throw .malformed }
        let byteCount = first.leadingZeroBitCount + 1
        guard byteCount <= 8, byteCount <= bytes.count else { throw .malformed }
        let value = bytes[..<byteCount].reduce(0) { $0 << 8 | Int($1) }
        return (value & (1 << (7 * byteCount) - 1), byteCount)
    }

    /// Replaces all of `range` by one void element. A single byte after a segment becomes zero.
    private func blank(
        _ range: Range<Int>, as category: ScrubReport.Category, in region: inout FileRegion
    ) throws(ScrubFailure) {
        guard range.count >= 2 else { return try region.fill(range, as: category) }
        // Short lengths are encoded in one byte, others in eight.
        let header: [UInt8]
        if range.count <= 9 {
            header = [UInt8(EBMLElement.void), 0x80 | UInt8(range.count - 2)]
        } else {
            let length = range.count - 9
            header =
                [UInt8(EBMLElement.void), 0x01]
                + (0..<7).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        }
        try region.overwrite(at: range.lowerBound, with: header, as: category)
        try region.fill((range.lowerBound + header.count)..<range.upperBound, as: category)
    }
}
