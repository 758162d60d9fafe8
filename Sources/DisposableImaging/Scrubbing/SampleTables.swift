// SPDX-License-Identifier: Apache-2.0

/// The locations of the samples of a track (ISO 14496-12 §8.7): chunks at given offsets, each with a number of samples,
/// each sample with a size.
struct SampleTables {
    private static let entryCountMax = 2_000_000

    private var chunkOffsets: [Int] = []
    /// First chunk (from 1), samples a chunk, description; flattened.
    private var chunkRuns: [Int] = []
    /// One size for all samples; 0 = each has its own.
    private var commonSize = 0
    private var sizes: [Int] = []

    init(_ table: Box, in region: inout FileRegion) throws(ScrubFailure) {
        var tables = self
        try Box.each(of: table.payload, in: &region) { (box, region) throws(ScrubFailure) in
            let start = box.payload.lowerBound
            switch box.kind {
            case "stco": tables.chunkOffsets = try Self.numbers(box, countAt: start + 4, bitCount: 32, in: region)
            case "co64": tables.chunkOffsets = try Self.numbers(box, countAt: start + 4, bitCount: 64, in: region)
            case "stsc":
                tables.chunkRuns = try Self.numbers(box, countAt: start + 4, bitCount: 32, fields: 3, in: region)
            case "stsz":
                tables.commonSize = try region.number(at: start + 4, count: 4)
                if tables.commonSize == 0 {
                    tables.sizes = try Self.numbers(box, countAt: start + 8, bitCount: 32, in: region)
                }
            case "stz2":
                let bitCount = try region.number(at: start + 7, count: 1)
                guard [4, 8, 16].contains(bitCount) else { throw .malformed }
                tables.sizes = try Self.numbers(box, countAt: start + 8, bitCount: bitCount, in: region)
            default: break
            }
        }
        self = tables
    }

    /// Reads the numbers of `bitCount` bits after the number of entries, each with this many `fields`.
    private static func numbers(
        _ box: Box, countAt offset: Int, bitCount: Int, fields: Int = 1, in region: borrowing FileRegion
    ) throws(ScrubFailure) -> [Int] {
        let count = try region.number(at: offset, count: 4) * fields
        let start = offset + 4
        guard count <= entryCountMax, start + (count * bitCount + 7) / 8 <= box.payload.upperBound else {
            throw .malformed
        }
        let bytes = try region.bytes(start..<(start + (count * bitCount + 7) / 8))
        if bitCount == 4 { return (0..<count).map { Int(bytes[$0 / 2] >> ($0 % 2 == 0 ? 4 : 0)) & 15 } }
        let width = bitCount / 8
        var values: [Int] = []
        values.reserveCapacity(count)
        for index in stride(from: 0, to: count * width, by: width) {
            var value: UInt64 = 0
            for byte in bytes[index..<(index + width)] { value = value << 8 | UInt64(byte) }
            values.append(Int(truncatingIfNeeded: min(value, 1 << 60)))
        }
        return values
    }

    /// Adds each chunk to `layout`.
    ///
    /// QuickTime counts uncompressed sound in samples of one size that need not be their size in bytes. Such a chunk is
    /// kept up to the start of the next one of any track.
    func addRuns(to layout: inout MediaLayout, isShown: Bool, isSound: Bool) throws(ScrubFailure) {
        var sample = 0
        var run = 0
        for (index, offset) in chunkOffsets.enumerated() {
            while run + 5 < chunkRuns.count, chunkRuns[run + 3] <= index + 1 { run += 3 }
            guard run + 1 < chunkRuns.count else { throw .malformed }
            let count = chunkRuns[run + 1]
            if commonSize > 0, isSound {
                try layout.addRun(at: offset, count: nil, isShown: isShown)
                continue
            }
            let product = commonSize.multipliedReportingOverflow(by: count)
            guard !product.overflow else { throw .malformed }
            var length = product.partialValue
            if commonSize == 0 {
                guard count <= sizes.count - sample else { throw .malformed }
                length = sizes[sample..<(sample + count)].reduce(0, +)
            }
            sample += count
            try layout.addRun(at: offset, count: length, isShown: isShown)
        }
    }
}
