// SPDX-License-Identifier: Apache-2.0

/// The TIFF structure of EXIF metadata (EXIF 2.32 §4.5): a header and directories of tagged values.
///
/// Every offset comes from the file, so every read is checked; directories are read as far as they are valid.
package struct TIFFBlock {
    let bytes: [UInt8]
    let isLittleEndian: Bool
    let firstDirectoryOffset: Int

    struct Entry {
        var tag: UInt16
        /// The offset of its twelve bytes.
        var offset: Int
        /// The range of its value, in the entry itself or elsewhere in the block; nil if it is outside the block, or
        /// has an unknown type.
        var value: Range<Int>?
        var isASCII: Bool
        /// Whether it consists of single bytes without a defined meaning.
        var isOpaque: Bool
    }

    struct Directory {
        var offset: Int
        var entries: [Entry]
        /// The offset of the next directory; 0 if there is none.
        var nextOffset: Int
        /// Count, entries and the offset of the next directory, as far as they are inside the block.
        var range: Range<Int>
    }

    package init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x49, 0x49, 0x2a, 0]) {
            isLittleEndian = true
        } else if bytes.starts(with: [0x4d, 0x4d, 0, 0x2a]) {
            isLittleEndian = false
        } else {
            return nil
        }
        guard bytes.count >= 8 else { return nil }
        self.bytes = bytes
        firstDirectoryOffset = Self.number(bytes[4..<8], isLittleEndian)
    }

    func directory(at offset: Int) -> Directory? {
        guard offset >= 8, offset + 2 <= bytes.count else { return nil }
        let count = number(offset..<(offset + 2))
        let fitting = min(count, (bytes.count - offset - 2) / 12)
        let entries = (0..<fitting).map { entry(at: offset + 2 + 12 * $0) }
        let end = offset + 2 + 12 * fitting
        let hasNext = fitting == count && end + 4 <= bytes.count
        return Directory(
            offset: offset, entries: entries, nextOffset: hasNext ? number(end..<(end + 4)) : 0,
            range: offset..<(hasNext ? end + 4 : end))
    }

    /// Returns the directory that `entry` points to.
    func directory(of entry: Entry) -> Directory? {
        guard let value = entry.value, value.count == 4 else { return nil }
        return directory(at: number(value))
    }

    /// - Parameter range: four bytes at most.
    func number(_ range: Range<Int>) -> Int { Self.number(bytes[range], isLittleEndian) }

    private func entry(at offset: Int) -> Entry {
        let type = number((offset + 2)..<(offset + 4))
        let count = number((offset + 4)..<(offset + 8))
        // Bytes for one value of the types 1 to 13: byte, ASCII, short, long, rational, ... (TIFF 6.0 §2).
        let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
        var value: Range<Int>?
        if type < sizes.count, sizes[type] > 0 {
            let byteCount = count * sizes[type]
            let start = byteCount <= 4 ? offset + 8 : number((offset + 8)..<(offset + 12))
            if start + byteCount <= bytes.count { value = start..<(start + byteCount) }
        }
        return Entry(
            tag: UInt16(number(offset..<(offset + 2))), offset: offset, value: value, isASCII: type == 2,
            isOpaque: [1, 6, 7].contains(type))
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isLittleEndian: Bool) -> Int {
        isLittleEndian
            ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}

extension CaptureTime {
    /// Reads `DateTimeOriginal`, or else `DateTimeDigitized`, of an EXIF block.
    package init?(exif block: TIFFBlock) {
        guard let main = block.directory(at: block.firstDirectoryOffset),
            let pointer = main.entries.first(where: { $0.tag == EXIFTag.exifDirectory }),
            let directory = block.directory(of: pointer)
        else { return nil }
        func text(_ tag: UInt16) -> String? {
            guard let entry = directory.entries.first(where: { $0.tag == tag }), entry.isASCII, let value = entry.value
            else { return nil }
            return String(decoding: block.bytes[value].prefix(64).prefix { $0 != 0 }, as: UTF8.self)
        }
        if let original = text(EXIFTag.dateTimeOriginal),
            let time = CaptureTime(dateTime: original, offset: text(0x9011), subSecond: text(0x9291))
        {
            self = time
        } else if let digitized = text(EXIFTag.dateTimeDigitized),
            let time = CaptureTime(dateTime: digitized, offset: text(0x9012), subSecond: text(0x9292))
        {
            self = time
        } else {
            return nil
        }
    }
}
