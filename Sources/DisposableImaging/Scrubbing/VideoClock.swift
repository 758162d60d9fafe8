// SPDX-License-Identifier: Apache-2.0

/// The duration of a film in an ISO base media file (ISO 14496-12 §8.6): of its samples, as players show them, and not
/// only what its header says. Read after the scrub, so it changes nothing.
enum MovieClock {
    private static let entryByteCountMax = 16 << 20

    private struct Track {
        var id = 0
        /// Units a second.
        var scale = 0
        var duration = 0
        /// The duration of a fragment's sample that gives none.
        var sampleDuration = 0
    }

    /// Returns milliseconds. Throws `malformed`.
    static func duration(_ file: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) -> Int {
        var tracks: [Track] = []
        var header = 0
        try Box.each(of: file, in: &region) { (box, region) throws(ScrubFailure) in
            switch box.kind {
            case "moov": header = try read(movie: box, &tracks, in: &region)
            case "moof": try add(fragment: box, to: &tracks, in: &region)
            default: break
            }
        }
        return tracks.reduce(header) { max($0, milliseconds($1.duration, scale: $1.scale)) }
    }

    private static func milliseconds(_ units: Int, scale: Int) -> Int {
        // Both are below 2^62, their quotient may not be.
        scale > 0 ? Int(min(Double(units) * 1_000 / Double(scale), 1e15)) : 0
    }

    private static func read(
        movie: Box, _ tracks: inout [Track], in region: inout FileRegion
    ) throws(ScrubFailure) -> Int {
        var header = 0
        var defaults: [Int: Int] = [:]
        try Box.each(of: movie.payload, in: &region) { (box, region) throws(ScrubFailure) in
            switch box.kind {
            case "mvhd":
                let (scale, duration) = try readHeader(box, in: region)
                header = milliseconds(duration, scale: scale)
            case "trak": tracks.append(try read(track: box, in: &region))
            case "mvex":
                try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                    guard box.kind == "trex" else { return }
                    let id = try region.number(at: box.payload.lowerBound + 4, count: 4)
                    defaults[id] = try region.number(at: box.payload.lowerBound + 12, count: 4)
                }
            default: break
            }
        }
        for index in tracks.indices { tracks[index].sampleDuration = defaults[tracks[index].id] ?? 0 }
        return header
    }

    /// Reads the time scale and the duration of `mvhd` or `mdhd`. A duration of all ones is unknown.
    private static func readHeader(
        _ box: Box, in region: borrowing FileRegion
    ) throws(ScrubFailure) -> (scale: Int, duration: Int) {
        let start = box.payload.lowerBound
        let isLong = try region.number(at: start, count: 1) == 1
        let scale = try region.number(at: start + (isLong ? 20 : 12), count: 4)
        let bytes = try region.bytes((start + (isLong ? 24 : 16))..<(start + (isLong ? 32 : 20)))
        if bytes.allSatisfy({ $0 == 0xff }) { return (scale, 0) }
        return (scale, try region.number(at: start + (isLong ? 24 : 16), count: isLong ? 8 : 4))
    }

    private static func read(track: Box, in region: inout FileRegion) throws(ScrubFailure) -> Track {
        var found = Track()
        try Box.each(of: track.payload, in: &region) { (box, region) throws(ScrubFailure) in
            if box.kind == "tkhd" {
                let version = try region.number(at: box.payload.lowerBound, count: 1)
                found.id = try region.number(at: box.payload.lowerBound + (version == 0 ? 12 : 20), count: 4)
            }
            guard box.kind == "mdia" else { return }
            try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                if box.kind == "mdhd" { found.scale = try readHeader(box, in: region).scale }
                guard box.kind == "minf" else { return }
                try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                    guard box.kind == "stbl" else { return }
                    try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                        guard box.kind == "stts" else { return }
                        found.duration = try sum(timeTable: box, in: region)
                    }
                }
            }
        }
        return found
    }

    /// Returns the sum over `stts`: each entry is a number of samples and the duration of one.
    private static func sum(timeTable box: Box, in region: borrowing FileRegion) throws(ScrubFailure) -> Int {
        let start = box.payload.lowerBound
        let byteCount = 8 * (try region.number(at: start + 4, count: 4))
        guard byteCount <= entryByteCountMax, start + 8 + byteCount <= box.payload.upperBound else { throw .malformed }
        let numbers = try region.bytes((start + 8)..<(start + 8 + byteCount)).bigEndianNumbers
        var total = 0
        for place in stride(from: 0, to: numbers.count - 1, by: 2) {
            let (product, isTooLarge) = numbers[place].multipliedReportingOverflow(by: numbers[place + 1])
            let sum = total.addingReportingOverflow(product)
            guard !isTooLarge, !sum.overflow else { throw .malformed }
            total = sum.partialValue
        }
        return total
    }

    private static func add(
        fragment: Box, to tracks: inout [Track], in region: inout FileRegion
    ) throws(ScrubFailure) {
        try Box.each(of: fragment.payload, in: &region) { (box, region) throws(ScrubFailure) in
            guard box.kind == "traf" else { return }
            var place: Int?
            var sampleDuration = 0
            try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                let start = box.payload.lowerBound
                if box.kind == "tfhd" {
                    let flags = try region.number(at: start, count: 4) & 0xff_ffff
                    let id = try region.number(at: start + 4, count: 4)
                    place = tracks.firstIndex { $0.id == id }
                    sampleDuration = place.map { tracks[$0].sampleDuration } ?? 0
                    let offset = start + 8 + (flags & 0x01 != 0 ? 8 : 0) + (flags & 0x02 != 0 ? 4 : 0)
                    if flags & 0x08 != 0 { sampleDuration = try region.number(at: offset, count: 4) }
                }
                guard box.kind == "trun", let place else { return }
                let run = try sum(run: box, sampleDuration: sampleDuration, in: region)
                let total = tracks[place].duration.addingReportingOverflow(run)
                guard !total.overflow else { throw .malformed }
                tracks[place].duration = total.partialValue
            }
        }
    }

    private static func sum(
        run box: Box, sampleDuration: Int, in region: borrowing FileRegion
    ) throws(ScrubFailure) -> Int {
        let start = box.payload.lowerBound
        let flags = try region.number(at: start, count: 4) & 0xff_ffff
        let sampleCount = try region.number(at: start + 4, count: 4)
        guard flags & 0x100 != 0 else {
            let (product, isTooLarge) = sampleCount.multipliedReportingOverflow(by: sampleDuration)
            guard !isTooLarge else { throw .malformed }
            return product
        }
        let position = start + 8 + (flags & 0x01 != 0 ? 4 : 0) + (flags & 0x04 != 0 ? 4 : 0)
        let width = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 }
        let byteCount = 4 * width * sampleCount
        guard byteCount <= entryByteCountMax, position + byteCount <= box.payload.upperBound else { throw .malformed }
        let numbers = try region.bytes(position..<(position + byteCount)).bigEndianNumbers
        return stride(from: 0, to: numbers.count, by: width).reduce(0) { $0 + numbers[$1] }
    }
}

/// The duration of a WebM: of its header, or up to its last block where the header says nothing, as in a recording of a
/// browser (RFC 9559 §5.1.2, §10).
struct WebMClock {
    /// Nanoseconds a unit.
    private var scale = 1_000_000
    private var header = 0.0
    private var cluster = 0
    private var last = 0

    private static let scaleID = 0x2a_d7b1, durationID = 0x4489, timestampID = 0xe7

    /// Notes a number or a float.
    mutating func note(_ id: Int, _ payload: Range<Int>, in region: borrowing FileRegion) throws(ScrubFailure) {
        guard [Self.scaleID, Self.durationID, Self.timestampID].contains(id), (1...8).contains(payload.count) else {
            return
        }
        let bits = try region.bytes(payload).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch id {
        case Self.scaleID: scale = Int(min(bits, 1_000_000_000_000))
        case Self.timestampID: cluster = Int(min(bits, 1 << 53))
        default:
            let value = payload.count == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
            if payload.count == 4 || payload.count == 8, value.isFinite { header = max(0, value) }
        }
    }

    /// Notes a block, by the offset of its time: 16 bits, relative to its cluster.
    mutating func noteBlock(timeAt offset: Int, in region: borrowing FileRegion) throws(ScrubFailure) {
        let bits = UInt16(truncatingIfNeeded: try region.number(at: offset, count: 2))
        last = max(last, cluster + Int(Int16(bitPattern: bits)))
    }

    var milliseconds: Int { Int(min(max(header, Double(last)) * Double(scale) / 1e6, 1e15)) }
}

extension [UInt8] {
    /// The numbers of 32 bits that the bytes are.
    fileprivate var bigEndianNumbers: [Int] {
        stride(from: 0, to: count - 3, by: 4).map { place in
            Int(self[place]) << 24 | Int(self[place + 1]) << 16 | Int(self[place + 2]) << 8 | Int(self[place + 3])
        }
    }
}
