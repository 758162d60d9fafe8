// SPDX-License-Identifier: Apache-2.0

/// Tracks that carry metadata along a video (a GPS log of an action camera or of a phone; of a drone it may call itself
/// subtitles): their samples lie in the media data between those of picture and sound, and become zeros.
enum TimedMetadataScrubber {
    /// Handlers of tracks that stay: picture, sound, alpha, stills, time code, hints for sending it.
    private static let keptHandlers: Set<String> = ["vide", "soun", "auxv", "pict", "tmcd", "hint"]
    private static let entryCountMax = 1_000_000

    /// Where the samples are (ISO 14496-12 §8.7).
    private struct SampleTables {
        var chunkOffsets: [Int] = []
        /// First chunk (from 1), samples a chunk; flattened.
        var chunkRuns: [Int] = []
        /// One size for all samples; 0 = each has its own.
        var commonSize = 0
        var sizes: [Int] = []
    }

    /// - Parameter movie: what the offsets of the tables are in: the file, or a film inside a photo.
    static func scrub(
        track: Range<Int>, of movie: Range<Int>, in region: inout FileRegion
    ) throws(ScrubFailure) {
        var isMetadata = true
        var sampleTable: Range<Int>?
        try BoxScrubber.eachBox(of: track, in: &region) { (box, region) throws(ScrubFailure) in
            guard box.kind == "mdia" else { return }
            try BoxScrubber.eachBox(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                if box.kind == "hdlr" { isMetadata = !keptHandlers.contains(try handler(box.payload, in: region)) }
                guard box.kind == "minf" else { return }
                try BoxScrubber.eachBox(of: box.payload, in: &region) { (box, _) throws(ScrubFailure) in
                    if box.kind == "stbl" { sampleTable = box.payload }
                }
            }
        }
        guard isMetadata, let sampleTable else { return }
        let tables = try read(sampleTable, in: &region)
        try blank(tables, of: movie, in: &region)
    }

    private static func handler(_ range: Range<Int>, in region: borrowing FileRegion) throws(ScrubFailure) -> String {
        guard range.count >= 12 else { throw .malformed }
        return String(decoding: try region.bytes((range.lowerBound + 8)..<(range.lowerBound + 12)), as: UTF8.self)
    }

    private static func read(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) -> SampleTables {
        var tables = SampleTables()
        try BoxScrubber.eachBox(of: range, in: &region) { (box, region) throws(ScrubFailure) in
            let start = box.payload.lowerBound
            switch box.kind {
            case "stco": tables.chunkOffsets = try numbers(box.payload, countAt: start + 4, width: 4, in: region)
            case "co64": tables.chunkOffsets = try numbers(box.payload, countAt: start + 4, width: 8, in: region)
            case "stsc":
                tables.chunkRuns = try numbers(box.payload, countAt: start + 4, width: 4, fields: 3, in: region)
            case "stsz":
                tables.commonSize = try region.number(at: start + 4, count: 4)
                if tables.commonSize == 0 {
                    tables.sizes = try numbers(box.payload, countAt: start + 8, width: 4, in: region)
                }
            default: break
            }
        }
        return tables
    }

    /// The numbers of `width` bytes behind the count of entries, each of so many `fields`.
    private static func numbers(
        _ range: Range<Int>, countAt offset: Int, width: Int, fields: Int = 1, in region: borrowing FileRegion
    ) throws(ScrubFailure) -> [Int] {
        let count = try region.number(at: offset, count: 4)
        let start = offset + 4
        guard count <= entryCountMax, start + count * fields * width <= range.upperBound else { throw .malformed }
        let bytes = try region.bytes(start..<(start + count * fields * width))
        var values: [Int] = []
        for index in stride(from: 0, to: bytes.count, by: width) {
            let value = bytes[index..<(index + width)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            values.append(Int(truncatingIfNeeded: min(value, 1 << 60)))
        }
        return values
    }

    private static func blank(
        _ tables: SampleTables, of movie: Range<Int>, in region: inout FileRegion
    ) throws(ScrubFailure) {
        var sample = 0
        var run = 0
        for (index, offset) in tables.chunkOffsets.enumerated() {
            // Runs are (first chunk, samples a chunk, description).
            while run + 5 < tables.chunkRuns.count, tables.chunkRuns[run + 3] <= index + 1 { run += 3 }
            guard run + 1 < tables.chunkRuns.count else { throw .malformed }
            let count = tables.chunkRuns[run + 1]
            let product = tables.commonSize.multipliedReportingOverflow(by: count)
            guard !product.overflow else { throw .malformed }
            var length = product.partialValue
            if tables.commonSize == 0 {
                guard sample + count <= tables.sizes.count else { throw .malformed }
                length = tables.sizes[sample..<(sample + count)].reduce(0, +)
            }
            sample += count
            guard length <= movie.count, offset <= movie.count - length else { throw .malformed }
            let start = movie.lowerBound + offset
            try region.fill(start..<(start + length), as: .timedMetadata)
        }
    }
}
