// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file that is read and overwritten by offset, with a report of the changes.
struct FileRegion: ~Copyable {
    let file: RegularFile
    var report = ScrubReport()

    static let blockByteCount = 64 << 10
    /// The number of bytes that may still be overwritten. A table may refer to the same bytes any number of times; this
    /// bounds the work.
    private var writableByteCount: Int
    /// The budget of bytes to read: in a small file the scrubber may have to search for the end of many images.
    private let readable: ReadBudget

    init(file: consuming RegularFile) {
        writableByteCount = 4 * file.byteCount
        readable = ReadBudget(byteCount: 64 << 20 + 16 * file.byteCount)
        self.file = file
    }

    var byteCount: Int { file.byteCount }

    /// Returns exactly the bytes of `range`. Throws `malformed` for a range that is not inside the file.
    func bytes(_ range: Range<Int>) throws(ScrubFailure) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= byteCount, readable.spend(range.count) else {
            throw .malformed
        }
        let bytes: [UInt8]
        do throws(ImagingError) { bytes = try file.bytes(in: range) } catch { throw .file(error) }
        // The file was truncated meanwhile.
        guard bytes.count == range.count else { throw .malformed }
        return bytes
    }

    /// Reads the unsigned number of `count` bytes at `offset`, most significant byte first. Throws `malformed` beyond
    /// 2^62.
    func number(at offset: Int, count: Int) throws(ScrubFailure) -> Int {
        guard offset >= 0, offset <= byteCount - count else { throw .malformed }
        var value: UInt64 = 0
        for byte in try bytes(offset..<(offset + count)) { value = value << 8 | UInt64(byte) }
        guard value < 1 << 62 else { throw .malformed }
        return Int(value)
    }

    func littleEndianNumber(at offset: Int) throws(ScrubFailure) -> Int {
        Int(UInt32(truncatingIfNeeded: try number(at: offset, count: 4)).byteSwapped)
    }

    /// Writes `bytes` at `offset`; `category` returns the category of a changed byte by its index.
    mutating func overwrite(
        at offset: Int, with bytes: [UInt8], as category: (Int) -> ScrubReport.Category
    ) throws(ScrubFailure) {
        writableByteCount -= bytes.count
        guard writableByteCount >= 0 else { throw .malformed }
        let old = try self.bytes(offset..<(offset + bytes.count))
        guard old != bytes else { return }
        for index in bytes.indices where old[index] != bytes[index] {
            report.changedByteCounts[category(index), default: 0] += 1
        }
        do throws(ImagingError) { try file.write(bytes, at: offset) } catch { throw .file(error) }
    }

    mutating func overwrite(
        at offset: Int, with bytes: [UInt8], as category: ScrubReport.Category
    ) throws(ScrubFailure) {
        try overwrite(at: offset, with: bytes) { _ in category }
    }

    /// Fills `range`, block by block.
    mutating func fill(
        _ range: Range<Int>, with byte: UInt8 = 0, as category: ScrubReport.Category
    ) throws(ScrubFailure) {
        var start = range.lowerBound
        while start < range.upperBound {
            let count = min(Self.blockByteCount, range.upperBound - start)
            try overwrite(at: start, with: [UInt8](repeating: byte, count: count), as: category)
            start += count
        }
    }

    /// Replaces the XMP document in `range` by an empty one, padded with spaces as XMP documents are.
    mutating func blankXMP(_ range: Range<Int>) throws(ScrubFailure) {
        let document = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
        let start = range.count >= document.count ? range.lowerBound + document.count : range.lowerBound
        if start > range.lowerBound { try overwrite(at: range.lowerBound, with: document, as: .xmp) }
        try fill(start..<range.upperBound, with: UInt8(ascii: " "), as: .xmp)
    }

    /// Returns the first offset in `range` with another byte than `byte`; nil if there is none.
    func firstOffset(ofOtherThan byte: UInt8, in range: Range<Int>) throws(ScrubFailure) -> Int? {
        var start = range.lowerBound
        while start < range.upperBound {
            let block = try bytes(start..<min(start + Self.blockByteCount, range.upperBound))
            if let index = block.firstIndex(where: { $0 != byte }) { return start + index }
            start += block.count
        }
        return nil
    }
}

/// The number of bytes of a file that may still be read. A class, because methods that only read do not mutate the
/// region.
private final class ReadBudget {
    private var byteCount: Int

    init(byteCount: Int) { self.byteCount = byteCount }

    /// Whether the budget allows it. A short read costs a system call, so it counts for more than its bytes.
    func spend(_ count: Int) -> Bool {
        byteCount -= max(count, 256)
        return byteCount >= 0
    }
}

extension [UInt8] {
    /// Returns the first index of `byte` at or after `start`, at the speed of the C library also in a debug build.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count else { return nil }
        return withUnsafeBytes { buffer in
            let base = buffer.baseAddress!
            return memchr(base + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - base }
        }
    }
}
