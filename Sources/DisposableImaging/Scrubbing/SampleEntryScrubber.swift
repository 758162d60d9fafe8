// SPDX-License-Identifier: Apache-2.0

/// Descriptions of samples (`stsd`, ISO 14496-12 §8.5.2): the codec of a track, and its setup.
enum SampleEntryScrubber {
    private static let pictureCodecs: Set<String> = [
        "avc1", "avc2", "avc3", "avc4", "hvc1", "hev1", "hvc2", "hev2", "lhv1", "lhe1", "vvc1", "vvi1", "av01", "vp08",
        "vp09", "dvh1", "dvhe", "dvav", "dva1", "dav1", "mp4v", "s263", "h263", "H263", "apch", "apcn", "apcs",
        "apco", "ap4h", "ap4x", "raw ", "rle ",
    ]
    private static let soundCodecs: Set<String> = [
        "mp4a", "ac-3", "ec-3", "ac-4", "alac", "fLaC", "Opus", "samr", "sawb", "sawp", "lpcm", "ipcm", "fpcm", "sowt",
        "twos", "in24", "in32", "fl32", "fl64", "ulaw", "alaw", "raw ", "NONE", "ima4", ".mp3", "apac", "mha1", "mhm1",
    ]

    /// Scrubs a description. An unknown codec may need unknown boxes: its description is kept, and the report says that
    /// metadata may be left.
    static func scrub(_ box: Box, handler: String, in region: inout FileRegion) throws(ScrubFailure) {
        guard box.payload.count >= 8 else { throw .malformed }
        let version = try region.number(at: box.payload.lowerBound, count: 1)
        try Box.each(of: box.payload(from: 8), in: &region) { (entry, region) throws(ScrubFailure) in
            let start = entry.payload.lowerBound
            switch handler {
            case "soun" where soundCodecs.contains(entry.kind):
                var childrenOffset = 28
                if version == 0 {
                    // QuickTime's longer forms of the description.
                    switch try region.number(at: start + 8, count: 2) {
                    case 1: childrenOffset = 44
                    case 2: childrenOffset = 64
                    default: break
                    }
                }
                try cleanChildren(of: entry, at: childrenOffset, in: &region)
            case "vide" where pictureCodecs.contains(entry.kind), "auxv" where pictureCodecs.contains(entry.kind),
                "pict" where pictureCodecs.contains(entry.kind):
                guard entry.payload.count >= 78 else { throw .malformed }
                // The name of the compressor: a text of 32 bytes.
                try region.fill((start + 42)..<(start + 74), as: .text)
                try cleanChildren(of: entry, at: 78, in: &region)
            case "tmcd" where entry.kind == "tmcd": try cleanChildren(of: entry, at: 26, in: &region)
            default: region.report.isUnparsable = true
            }
        }
    }

    private static func cleanChildren(
        of entry: Box, at offset: Int, in region: inout FileRegion
    ) throws(ScrubFailure) {
        guard entry.payload.count >= offset else { throw .malformed }
        try Box.each(of: entry.payload(from: offset), in: &region) { (box, region) throws(ScrubFailure) in
            try BoxCleaner.cleanChild(box, of: "entry", in: &region)
        }
    }
}
