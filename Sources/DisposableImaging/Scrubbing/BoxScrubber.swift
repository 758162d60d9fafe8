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
            default: try BoxCleaner.cleanChild(box, of: "file", in: &region)
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
}
