// SPDX-License-Identifier: Apache-2.0

/// ISO base media files (ISO 14496-12): MP4, QuickTime, HEIC and AVIF. Boxes that are not about showing the picture
/// become `free` boxes of zeros, and so do the samples of tracks that carry metadata along a video.
enum BoxScrubber {
    private static let boxCountMax = 100_000
    /// Children of each container that stay; `free`, `skip` and `wide` stay as boxes and are emptied.
    private static let keptInFile: Set<String> = [
        "ftyp", "styp", "moov", "moof", "mdat", "mfra", "sidx", "ssix", "pdin", "prft", "emsg", "idat",
    ]
    private static let keptInMovie: Set<String> = ["mvhd", "trak", "mvex", "iods", "cmov", "rmra", "ctab", "clip"]
    private static let keptInTrack: Set<String> = [
        "tkhd", "edts", "mdia", "tref", "tapt", "load", "clip", "matt", "trgr",
    ]
    private static let padding: Set<String> = ["free", "skip", "wide"]
    /// XMP; and the projection of spherical video, the one user box that says how to show the picture.
    private static let xmpIdentifier: [UInt8] = [
        0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
    ]
    private static let sphericalIdentifier: [UInt8] = [
        0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd,
    ]

    /// One box: `kindOffset` is where its four letters are.
    struct Box {
        var kind: String
        var kindOffset: Int
        var payload: Range<Int>
    }

    static func scrub(_ range: Range<Int>, isImage: Bool, in region: inout FileRegion) throws(ScrubFailure) {
        var (isDescribed, hasMedia) = (false, false)
        // What cameras append, behind all else, need not be boxes. What is a box by its kind was damaged or cut off.
        let isTrailer = { kind in
            isDescribed && hasMedia && !keptInFile.contains(kind) && !padding.contains(kind)
                && !["meta", "uuid"].contains(kind)
        }
        try eachBox(of: range, isTrailer: isTrailer, in: &region) { (box, region) throws(ScrubFailure) in
            switch box.kind {
            case "moov":
                try scrubMovie(box.payload, of: range, in: &region)
                isDescribed = isDescribed || !isImage
            case "cmov": throw .malformed
            case "meta" where isImage:
                try HEIFItemScrubber.scrub(box.payload, in: &region)
                isDescribed = true
            case "mpvd" where isImage: try scrub(box.payload, isImage: false, in: &region)
            default:
                try blank(box, unlessIn: keptInFile, in: &region)
                hasMedia = hasMedia || box.kind == "mdat"
            }
        }
    }

    /// Calls `body` for each box of `range`; throws `malformed` for one that is longer than what it is in, or shorter
    /// than itself, unless what begins there is a trailer: that is emptied.
    static func eachBox(
        of range: Range<Int>, isTrailer: (_ kind: String) -> Bool = { _ in false }, in region: inout FileRegion,
        _ body: (Box, inout FileRegion) throws(ScrubFailure) -> Void
    ) throws(ScrubFailure) {
        var offset = range.lowerBound
        for _ in 0..<boxCountMax {
            // QuickTime ends some lists with four zero bytes.
            guard offset + 8 <= range.upperBound else { return }
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
                // A length of zero: as far as the file goes.
                try region.overwrite(at: offset, with: [0, 0, 0, 0] + Array("free".utf8), as: .trailer)
                return try region.fill((offset + 8)..<range.upperBound, as: .trailer)
            }
            guard length >= headerByteCount else { throw .malformed }
            let end = isWhole ? offset + length : range.upperBound
            guard offset + headerByteCount <= end else { throw .malformed }
            try body(
                Box(kind: kind, kindOffset: offset + 4, payload: (offset + headerByteCount)..<end), &region)
            guard isWhole else { throw .malformed }
            offset = end
        }
        throw .malformed
    }

    private static func scrubMovie(
        _ range: Range<Int>, of movie: Range<Int>, in region: inout FileRegion
    ) throws(ScrubFailure) {
        try eachBox(of: range, in: &region) { (box, region) throws(ScrubFailure) in
            if box.kind == "cmov" { throw .malformed }
            guard box.kind == "trak" else { return try blank(box, unlessIn: keptInMovie, in: &region) }
            try TimedMetadataScrubber.scrub(track: box.payload, of: movie, in: &region)
            try eachBox(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                try blank(box, unlessIn: keptInTrack, in: &region)
            }
        }
    }

    private static func blank(
        _ box: Box, unlessIn kept: Set<String>, in region: inout FileRegion
    ) throws(ScrubFailure) {
        guard !kept.contains(box.kind) else { return }
        if padding.contains(box.kind) { return try region.fill(box.payload, as: .other) }
        var category = category(of: box.kind)
        if box.kind == "uuid" {
            let start = box.payload.lowerBound
            let identifier = try region.bytes(start..<min(start + 16, box.payload.upperBound))
            if identifier == sphericalIdentifier { return }
            if identifier == xmpIdentifier { category = .xmp }
        }
        try region.overwrite(at: box.kindOffset, with: Array("free".utf8), as: category)
        try region.fill(box.payload, as: category)
    }

    /// User data and QuickTime's metadata list are where phones keep the place.
    private static func category(of kind: String) -> ScrubReport.Category {
        switch kind {
        case "udta", "meta", "gps ": .location
        case "XMP_": .xmp
        default: .other
        }
    }
}
