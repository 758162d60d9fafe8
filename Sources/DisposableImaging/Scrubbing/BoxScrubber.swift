// SPDX-License-Identifier: Apache-2.0

/// Scrubs ISO base media files (ISO 14496-12): MP4, QuickTime, HEIC and AVIF. Boxes on the lists of `BoxRules` are
/// kept, others become `free` boxes of zeros. Media data are kept where a kept picture or sound refers to them.
enum BoxScrubber {
    static func scrub(_ range: Range<Int>, isImage: Bool, in region: inout FileRegion) throws(ScrubFailure) {
        var layout = MediaLayout(file: range)
        var movie: Movie?
        var hasItems = false
        // Data that cameras append after everything else need not be boxes. A known kind is a corrupt or truncated box.
        let kept = BoxRules.children["file"]!
        let media = MediaCount()
        let isTrailer = { kind in
            media.isDescribed && media.count > 0 && !kept.contains(kind) && !BoxRules.padding.contains(kind)
                && !["meta", "uuid"].contains(kind)
        }
        try Box.each(of: range, isTrailer: isTrailer, in: &region) { (box, region) throws(ScrubFailure) in
            switch box.kind {
            case "moov" where movie == nil:
                movie = try MovieScrubber.scrub(box, layout: &layout, in: &region)
                media.isDescribed = media.isDescribed || !isImage
            // A second description, a compressed one, and data with another kind of addresses.
            case "moov", "cmov", "imda": throw .malformed
            case "moof":
                guard let movie else { throw .malformed }
                try FragmentScrubber.scrub(box, of: movie, layout: &layout, in: &region)
            case "meta" where isImage && !hasItems:
                try HEIFItemScrubber.scrub(box, layout: &layout, in: &region)
                hasItems = true
                media.isDescribed = true
            case "mpvd" where isImage: try scrub(box.payload, isImage: false, in: &region)
            case "mdat":
                layout.media.append(box.payload)
                media.count += 1
            default: try cleanChild(box, of: "file", in: &region)
            }
        }
        guard movie != nil || hasItems else { throw .malformed }
        try layout.blankTheRest(in: &region)
    }

    /// The evidence for whether the rest of a file is a trailer.
    private final class MediaCount {
        var isDescribed = false
        var count = 0
    }

    /// Cleans the children of `box`, which has the kind `container`.
    static func cleanChildren(
        of box: Box, as container: String, in region: inout FileRegion
    ) throws(ScrubFailure) {
        let children = box.payload(from: BoxRules.childrenOffsets[container] ?? 0)
        try Box.each(of: children, in: &region) { (box, region) throws(ScrubFailure) in
            try cleanChild(box, of: container, in: &region)
        }
    }

    /// Keeps `box` if `container` may contain its kind, and blanks its bytes outside of fields; blanks other boxes.
    static func cleanChild(_ box: Box, of container: String, in region: inout FileRegion) throws(ScrubFailure) {
        guard BoxRules.children[container]!.contains(box.kind) else {
            return try box.blank(as: category(of: box, in: region), in: &region)
        }
        switch box.kind {
        case _ where BoxRules.padding.contains(box.kind): try region.fill(box.payload, as: .other)
        // The name of the handler: a text of the program that wrote the file.
        case "hdlr": try region.fill(box.payload(from: 24), as: .text)
        case "dref": try cleanDataReferences(box, in: &region)
        case "stsd": throw .malformed
        case "uuid": try SphericalVideo.clean(box, in: &region)
        case "mp4a", "samr", "alac": return
        case let kind where BoxRules.children[kind] != nil: try cleanChildren(of: box, as: kind, in: &region)
        default: try region.fill(try BoxRules.tail(of: box, in: region), as: .other)
        }
    }

    /// Cleans the references to media outside the file: a URL, or an alias with the names of a disk and its folders.
    private static func cleanDataReferences(_ box: Box, in region: inout FileRegion) throws(ScrubFailure) {
        try Box.each(of: box.payload(from: 8), in: &region) { (box, region) throws(ScrubFailure) in
            try region.fill(box.payload(from: 4), as: .text)
        }
    }

    /// Returns the category of a blanked box: phones store the location in user data and QuickTime's metadata list.
    static func category(of box: Box, in region: borrowing FileRegion) throws(ScrubFailure) -> ScrubReport.Category {
        switch box.kind {
        case "udta", "meta", "gps ": return .location
        case "XMP_", "xml ": return .xmp
        case "uuid":
            let start = box.payload.lowerBound
            return try region.bytes(start..<min(start + 16, box.payload.upperBound)) == xmpIdentifier ? .xmp : .other
        default: return .other
        }
    }

    private static let xmpIdentifier: [UInt8] = [
        0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
    ]
}
