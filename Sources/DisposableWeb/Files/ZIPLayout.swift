// SPDX-License-Identifier: Apache-2.0

/// The offsets in a ZIP archive of stored files, computed from lengths and names only.
///
/// A local header precedes each file's bytes, and the central directory follows the last. The checksums are passed when
/// a header is made. Numbers too large for 32 bits, or 16 for the count, use ZIP64 records; an archive that needs none
/// has none, for old clients. (PKWARE APPNOTE.TXT 6.3.10, §4.3 and §4.5.3)
package struct ZIPLayout: Sendable {
    package struct Entry: Equatable, Sendable {
        package var name: String
        package var byteCount: UInt64
        package var modified: DOSTime

        package init(name: String, byteCount: UInt64, modified: DOSTime) {
            self.name = name
            self.byteCount = byteCount
            self.modified = modified
        }
    }

    package let entries: [Entry]
    /// The offset of each local header.
    package let offsets: [UInt64]
    package let directoryOffset: UInt64
    package let directoryByteCount: UInt64
    /// The length of the whole archive.
    package let byteCount: UInt64

    private static let max32 = UInt64(UInt32.max)
    private static let max16 = Int(UInt16.max)

    package init(_ entries: [Entry]) {
        self.entries = entries
        var (offsets, offset) = ([UInt64](), UInt64(0))
        offsets.reserveCapacity(entries.count)
        for entry in entries {
            offsets.append(offset)
            let extraByteCount = entry.byteCount >= Self.max32 ? 20 : 0
            offset += UInt64(30 + entry.name.utf8.count + extraByteCount) + entry.byteCount
        }
        self.offsets = offsets
        directoryOffset = offset
        directoryByteCount = zip(entries, offsets).reduce(0) { sum, place in
            let numbers = Self.largeNumbers(place.0, at: place.1)
            return sum + UInt64(46 + place.0.name.utf8.count + (numbers.isEmpty ? 0 : 4 + 8 * numbers.count))
        }
        let isLarge = Self.needsLargeEnd(count: entries.count, directoryOffset, directoryByteCount)
        byteCount = directoryOffset + directoryByteCount + (isLarge ? 56 + 20 : 0) + 22
    }

    package func localHeader(of index: Int, crc32: UInt32) -> [UInt8] {
        let entry = entries[index]
        let isLarge = entry.byteCount >= Self.max32
        var bytes = LittleEndianBytes()
        bytes.append(UInt32(0x0403_4b50))
        bytes.append(version(isLarge: isLarge))
        appendCommon(entry, crc32: crc32, to: &bytes)
        bytes.append(UInt16(isLarge ? 20 : 0))
        bytes.append(entry.name)
        if isLarge { appendLarge([entry.byteCount, entry.byteCount], to: &bytes) }
        return bytes.bytes
    }

    package func directoryHeader(of index: Int, crc32: UInt32) -> [UInt8] {
        let (entry, offset) = (entries[index], offsets[index])
        let numbers = Self.largeNumbers(entry, at: offset)
        var bytes = LittleEndianBytes()
        bytes.append(UInt32(0x0201_4b50))
        bytes.append(UInt16(3) << 8 | version(isLarge: !numbers.isEmpty))  // 3: the attributes below are Unix's
        bytes.append(version(isLarge: !numbers.isEmpty))
        appendCommon(entry, crc32: crc32, to: &bytes)
        bytes.append(UInt16(numbers.isEmpty ? 0 : 4 + 8 * numbers.count))
        bytes.append(UInt16(0))  // comment
        bytes.append(UInt16(0))  // disk
        bytes.append(UInt16(0))  // internal attributes
        bytes.append(UInt32(0o100644) << 16)
        bytes.append(UInt32(min(offset, Self.max32)))
        bytes.append(entry.name)
        if !numbers.isEmpty { appendLarge(numbers, to: &bytes) }
        return bytes.bytes
    }

    /// The records after the directory.
    package var end: [UInt8] {
        var bytes = LittleEndianBytes()
        if Self.needsLargeEnd(count: entries.count, directoryOffset, directoryByteCount) {
            bytes.append(UInt32(0x0606_4b50))
            bytes.append(UInt64(44))  // the rest of this record
            bytes.append(UInt16(3) << 8 | version(isLarge: true))
            bytes.append(version(isLarge: true))
            bytes.append(UInt32(0))  // disk
            bytes.append(UInt32(0))  // disk of the directory
            bytes.append(UInt64(entries.count))
            bytes.append(UInt64(entries.count))
            bytes.append(directoryByteCount)
            bytes.append(directoryOffset)
            bytes.append(UInt32(0x0706_4b50))
            bytes.append(UInt32(0))  // disk of the record above
            bytes.append(directoryOffset + directoryByteCount)
            bytes.append(UInt32(1))  // disks
        }
        bytes.append(UInt32(0x0605_4b50))
        bytes.append(UInt16(0))  // disk
        bytes.append(UInt16(0))  // disk of the directory
        bytes.append(UInt16(min(entries.count, Self.max16)))
        bytes.append(UInt16(min(entries.count, Self.max16)))
        bytes.append(UInt32(min(directoryByteCount, Self.max32)))
        bytes.append(UInt32(min(directoryOffset, Self.max32)))
        bytes.append(UInt16(0))  // comment
        return bytes.bytes
    }

    private func version(isLarge: Bool) -> UInt16 { isLarge ? 45 : 20 }

    /// Appends the part that local and directory header share, from the flags to the length of the name.
    private func appendCommon(_ entry: Entry, crc32: UInt32, to bytes: inout LittleEndianBytes) {
        bytes.append(UInt16(1 << 11))  // the name is UTF-8
        bytes.append(UInt16(0))  // stored
        bytes.append(entry.modified.time)
        bytes.append(entry.modified.date)
        bytes.append(crc32)
        bytes.append(UInt32(min(entry.byteCount, Self.max32)))
        bytes.append(UInt32(min(entry.byteCount, Self.max32)))
        bytes.append(UInt16(entry.name.utf8.count))
    }

    private func appendLarge(_ numbers: [UInt64], to bytes: inout LittleEndianBytes) {
        bytes.append(UInt16(1))
        bytes.append(UInt16(8 * numbers.count))
        for number in numbers { bytes.append(number) }
    }

    /// Returns the numbers of a directory header that exceed 32 bits, in the order of APPNOTE §4.5.3: both lengths, the offset.
    private static func largeNumbers(_ entry: Entry, at offset: UInt64) -> [UInt64] {
        (entry.byteCount >= max32 ? [entry.byteCount, entry.byteCount] : []) + (offset >= max32 ? [offset] : [])
    }

    private static func needsLargeEnd(count: Int, _ directoryOffset: UInt64, _ directoryByteCount: UInt64) -> Bool {
        count >= max16 || directoryOffset >= max32 || directoryByteCount >= max32
    }
}

/// A date and time in ZIP's format: from 1980 to 2107, in steps of two seconds, here always UTC.
package struct DOSTime: Equatable, Sendable {
    package let date: UInt16
    package let time: UInt16

    /// - Parameter milliseconds: since 1970 UTC; clamped to the range.
    package init(milliseconds: UInt64) {
        let (first, last) = (UInt64(315_532_800), UInt64(4_354_819_198))  // 1980-01-01 00:00:00, 2107-12-31 23:59:58
        let seconds = min(max(milliseconds / 1_000, first), last)
        let (day, second) = (Int(seconds / 86_400), Int(seconds % 86_400))
        // The civil date of a day number. Years start in March here, so that leap days are at their ends.
        let shifted = day + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        date = UInt16((year - 1_980) << 9 | month << 5 | dayOfMonth)
        time = UInt16((second / 3_600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2)
    }
}

private struct LittleEndianBytes {
    var bytes: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    mutating func append(_ text: String) { bytes += text.utf8 }
}
