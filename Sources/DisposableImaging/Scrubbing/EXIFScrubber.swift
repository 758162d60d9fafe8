// SPDX-License-Identifier: Apache-2.0

/// Rewrites an EXIF block at equal length: tags on the list of `EXIFTag.kept` keep their values, directories are
/// compacted, and every other byte of the block becomes zero.
///
/// Zeroing everything that is not kept, instead of known bad parts, also covers bytes that no directory refers to:
/// maker notes behind the thumbnail, leftovers of an editor, the uncropped thumbnail of the second directory.
struct EXIFScrubber {
    private let block: TIFFBlock
    private var output: [UInt8]
    private var categories: [ScrubReport.Category]
    /// The number of bytes that may still be labelled: entries may refer to the same bytes any number of times.
    private var labelBudget: Int
    private var hasLabelledGPS = false

    /// Larger blocks are not parsed, and become zero.
    static let byteCountMax = 1 << 20

    /// Scrubs the EXIF block at `range`. An unreadable one becomes zero as a whole.
    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        guard range.count <= byteCountMax else { return try region.fill(range, as: .other) }
        guard let block = TIFFBlock(try region.bytes(range)) else { return try region.fill(range, as: .other) }
        var scrubber = EXIFScrubber(block: block)
        scrubber.rewrite()
        let categories = scrubber.categories
        try region.overwrite(at: range.lowerBound, with: scrubber.output) { categories[$0] }
    }

    /// Scrubs the index of a file of several pictures (CIPA DC-007), which has the same structure. Its list of the
    /// pictures' unique ids is removed.
    static func scrub(multiPicture range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        guard let block = TIFFBlock(try region.bytes(range)) else { return try region.fill(range, as: .other) }
        var scrubber = EXIFScrubber(block: block)
        scrubber.copy(0..<8)
        if let index = block.directory(at: block.firstDirectoryOffset) {
            scrubber.keep(index, EXIFTag.keptForMultiPicture)
        }
        try region.overwrite(at: range.lowerBound, with: scrubber.output, as: .other)
    }

    private init(block: TIFFBlock) {
        self.block = block
        output = [UInt8](repeating: 0, count: block.bytes.count)
        categories = [ScrubReport.Category](repeating: .other, count: block.bytes.count)
        labelBudget = 4 * block.bytes.count
    }

    private mutating func rewrite() {
        copy(0..<8)
        guard let main = block.directory(at: block.firstDirectoryOffset) else { return }
        keep(main, EXIFTag.kept.union([EXIFTag.exifDirectory]))
        if let pointer = main.entries.first(where: { $0.tag == EXIFTag.exifDirectory }),
            let exif = block.directory(of: pointer)
        {
            keep(exif, EXIFTag.kept.union([EXIFTag.interoperabilityDirectory]))
            if let pointer = exif.entries.first(where: { $0.tag == EXIFTag.interoperabilityDirectory }),
                let interoperability = block.directory(of: pointer)
            {
                keep(interoperability, EXIFTag.keptForInteroperability)
            }
        }
        if let thumbnail = block.directory(at: main.nextOffset) { label(thumbnail: thumbnail) }
    }

    /// Writes `directory` with the entries of `tags` only, and without a next one.
    private mutating func keep(_ directory: TIFFBlock.Directory, _ tags: Set<UInt16>) {
        var offset = directory.offset + 2
        var count = 0
        for entry in directory.entries {
            guard tags.contains(entry.tag), let value = entry.value, EXIFTag.allows(entry, block.bytes[value]) else {
                label(entry)
                continue
            }
            copy(value)
            // A value in the entry itself may be shorter than its four bytes.
            output.replaceSubrange(offset..<(offset + 12), with: block.bytes[entry.offset..<(entry.offset + 12)])
            // (A longer one may have the same offset.)
            if value.count < 4 {
                for unused in (offset + 8 + value.count)..<(offset + 12) { output[unused] = 0 }
            }
            offset += 12
            count += 1
        }
        for rest in offset..<max(offset, directory.range.upperBound) { output[rest] = 0 }
        let high = UInt8(count >> 8)
        let low = UInt8(count & 0xff)
        output[directory.offset] = block.isLittleEndian ? low : high
        output[directory.offset + 1] = block.isLittleEndian ? high : low
    }

    private mutating func copy(_ range: Range<Int>) {
        output.replaceSubrange(range, with: block.bytes[range])
    }

    private mutating func label(_ entry: TIFFBlock.Entry) {
        let category = EXIFTag.category(of: entry.tag)
        if let value = entry.value { label(value, category) }
        guard entry.tag == EXIFTag.gpsDirectory, !hasLabelledGPS, let directory = block.directory(of: entry) else {
            return
        }
        hasLabelledGPS = true
        label(directory.range, category)
        for entry in directory.entries { if let value = entry.value { label(value, category) } }
    }

    private mutating func label(thumbnail directory: TIFFBlock.Directory) {
        label(directory.range, .embeddedThumbnail)
        func number(_ tag: UInt16) -> Int? {
            // A value may be of any type, and longer than a number.
            directory.entries.first { $0.tag == tag }?.value.flatMap { $0.count <= 4 ? block.number($0) : nil }
        }
        for entry in directory.entries { if let value = entry.value { label(value, .embeddedThumbnail) } }
        guard let start = number(EXIFTag.thumbnailOffset), let count = number(EXIFTag.thumbnailByteCount) else {
            return
        }
        label(min(start, output.count)..<min(start + count, output.count), .embeddedThumbnail)
    }

    private mutating func label(_ range: Range<Int>, _ category: ScrubReport.Category) {
        guard range.count <= labelBudget else { return }
        labelBudget -= range.count
        for index in range { categories[index] = category }
    }
}
