// SPDX-License-Identifier: Apache-2.0

/// The properties of a film that its fragments need.
struct Movie {
    /// Tracks of picture and sound, by their ids.
    var keptTracks: Set<Int> = []
    /// The size of a sample of each track if a fragment does not give it.
    var defaultSampleSizes: [Int: Int] = [:]
}

/// The description of a film (`moov`, ISO 14496-12 §8.2). Tracks other than picture and sound are blanked: a GPS log, a
/// phone's sensor data, and also subtitles, because drones write their position there.
enum MovieScrubber {
    /// Handlers of tracks that are kept: picture, sound, alpha, stills and time code.
    private static let keptHandlers: Set<String> = ["vide", "soun", "auxv", "pict", "tmcd"]

    private struct Track {
        var id: Int?
        var handler: String?
        var sampleTable: Box?
        var isKept: Bool { handler.map { MovieScrubber.keptHandlers.contains($0) } ?? false }
    }

    static func scrub(
        _ movieBox: Box, layout: inout MediaLayout, in region: inout FileRegion
    ) throws(ScrubFailure) -> Movie {
        var movie = Movie()
        try Box.each(of: movieBox.payload, in: &region) { (box, region) throws(ScrubFailure) in
            switch box.kind {
            case "cmov": throw .malformed
            case "trak": try scrubTrack(box, of: &movie, layout: &layout, in: &region)
            case "mvex":
                try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                    guard box.kind == "trex" else { return }
                    let start = box.payload.lowerBound
                    let id = try region.number(at: start + 4, count: 4)
                    movie.defaultSampleSizes[id] = try region.number(at: start + 16, count: 4)
                }
                try BoxCleaner.cleanChild(box, of: "moov", in: &region)
            default: try BoxCleaner.cleanChild(box, of: "moov", in: &region)
            }
        }
        return movie
    }

    private static func scrubTrack(
        _ box: Box, of movie: inout Movie, layout: inout MediaLayout, in region: inout FileRegion
    ) throws(ScrubFailure) {
        let track = try readTrack(box, in: &region)
        if let table = track.sampleTable {
            try SampleTables(table, in: &region).addRuns(
                to: &layout, isShown: track.isKept, isSound: track.handler == "soun")
        }
        guard track.isKept, let handler = track.handler else { return try box.blank(as: .location, in: &region) }
        if let id = track.id { movie.keptTracks.insert(id) }
        try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
            guard box.kind == "mdia" else { return try BoxCleaner.cleanChild(box, of: "trak", in: &region) }
            try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                guard box.kind == "minf" else { return try BoxCleaner.cleanChild(box, of: "mdia", in: &region) }
                try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                    guard box.kind == "stbl" else { return try BoxCleaner.cleanChild(box, of: "minf", in: &region) }
                    try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                        guard box.kind == "stsd" else {
                            return try BoxCleaner.cleanChild(box, of: "stbl", in: &region)
                        }
                        try SampleEntryScrubber.scrub(box, handler: handler, in: &region)
                    }
                }
            }
        }
    }

    private static func readTrack(_ box: Box, in region: inout FileRegion) throws(ScrubFailure) -> Track {
        var track = Track()
        try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
            if box.kind == "tkhd" {
                let version = try region.number(at: box.payload.lowerBound, count: 1)
                track.id = try region.number(at: box.payload.lowerBound + (version == 0 ? 12 : 20), count: 4)
            }
            guard box.kind == "mdia" else { return }
            try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                if box.kind == "hdlr" {
                    guard box.payload.count >= 12, track.handler == nil else { throw .malformed }
                    let start = box.payload.lowerBound + 8
                    track.handler = String(decoding: try region.bytes(start..<(start + 4)), as: UTF8.self)
                }
                guard box.kind == "minf" else { return }
                try Box.each(of: box.payload, in: &region) { (box, _) throws(ScrubFailure) in
                    guard box.kind == "stbl" else { return }
                    guard track.sampleTable == nil else { throw .malformed }
                    track.sampleTable = box
                }
            }
        }
        return track
    }
}
