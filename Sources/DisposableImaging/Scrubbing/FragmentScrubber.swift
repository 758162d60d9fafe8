// SPDX-License-Identifier: Apache-2.0

/// Fragments of a film (`moof`, ISO 14496-12 §8.8), as browsers record them: fragments of tracks that are not kept are
/// blanked, the others give the locations of their samples.
enum FragmentScrubber {
    private struct Header {
        var track: Int
        /// The start of the fragment's data, from the start of the file; nil if not given.
        var base: Int?
        var countsFromFragment: Bool
        var sampleSize: Int?
    }

    static func scrub(
        _ fragment: Box, of movie: Movie, layout: inout MediaLayout, in region: inout FileRegion
    ) throws(ScrubFailure) {
        let fragmentOffset = fragment.start - layout.file.lowerBound
        var end = fragmentOffset
        try Box.each(of: fragment.payload, in: &region) { (box, region) throws(ScrubFailure) in
            guard box.kind == "traf" else { return try BoxCleaner.cleanChild(box, of: "moof", in: &region) }
            let header = try readHeader(of: box, in: &region)
            let isKept = movie.keptTracks.contains(header.track)
            let size = header.sampleSize ?? movie.defaultSampleSizes[header.track] ?? 0
            // Without a base: the first data of a fragment count from its start, the next from the end of those.
            let base = header.base ?? (header.countsFromFragment ? fragmentOffset : end)
            end = base
            try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                guard box.kind == "trun" else { return }
                let run = try readRun(box, base: base, previousEnd: end, sampleSize: size, in: &region)
                try layout.addRun(at: run.offset, count: run.count, isShown: isKept)
                end = run.offset + run.count
            }
            if isKept {
                try BoxCleaner.cleanChildren(of: box, as: "traf", in: &region)
            } else {
                try box.blank(as: .timedMetadata, in: &region)
            }
        }
    }

    private static func readHeader(of track: Box, in region: inout FileRegion) throws(ScrubFailure) -> Header {
        var header: Header?
        try Box.each(of: track.payload, in: &region) { (box, region) throws(ScrubFailure) in
            guard box.kind == "tfhd" else { return }
            guard header == nil else { throw .malformed }
            let start = box.payload.lowerBound
            let flags = try region.number(at: start, count: 4) & 0xff_ffff
            var found = Header(
                track: try region.number(at: start + 4, count: 4), countsFromFragment: flags & 0x2_0000 != 0)
            var offset = start + 8
            if flags & 0x01 != 0 {
                found.base = try region.number(at: offset, count: 8)
                offset += 8
            }
            for flag in [0x02, 0x08, 0x10, 0x20] where flags & flag != 0 {
                if flag == 0x10 { found.sampleSize = try region.number(at: offset, count: 4) }
                offset += 4
            }
            guard offset <= box.payload.upperBound else { throw .malformed }
            try region.fill(offset..<box.payload.upperBound, as: .other)
            header = found
        }
        guard let header else { throw .malformed }
        return header
    }

    /// Reads the location of a run of samples, from the start of the file.
    private static func readRun(
        _ box: Box, base: Int, previousEnd: Int, sampleSize: Int, in region: inout FileRegion
    ) throws(ScrubFailure) -> (offset: Int, count: Int) {
        let start = box.payload.lowerBound
        let flags = try region.number(at: start, count: 4) & 0xff_ffff
        let sampleCount = try region.number(at: start + 4, count: 4)
        var position = start + 8
        var offset = previousEnd
        if flags & 0x01 != 0 {
            let number = UInt32(truncatingIfNeeded: try region.number(at: position, count: 4))
            offset = base + Int(Int32(bitPattern: number))
            position += 4
        }
        if flags & 0x04 != 0 { position += 4 }
        let fields = [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }
        let entryByteCount = 4 * fields.count
        guard position + sampleCount * entryByteCount <= box.payload.upperBound else { throw .malformed }
        // More than the file has: both numbers come from the file, and their product may exceed any integer.
        guard sampleCount <= region.byteCount, sampleSize <= region.byteCount else { throw .malformed }
        let entries = position..<(position + sampleCount * entryByteCount)
        try region.fill(entries.upperBound..<box.payload.upperBound, as: .other)
        guard let place = fields.firstIndex(of: 0x200) else { return (offset, sampleCount * sampleSize) }
        let bytes = try region.bytes(entries)
        var count = 0
        for index in stride(from: 4 * place, to: bytes.count, by: entryByteCount) {
            count += bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
        return (offset, count)
    }
}
