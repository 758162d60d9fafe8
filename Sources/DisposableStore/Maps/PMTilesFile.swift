// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem
internal import DisposableValues
internal import Foundation
internal import Synchronization

/// Tiles in a PMTiles file of version 3: a header, directories of ranges, and the tiles. A tile costs at most the
/// directories on its way, each with a limit; the last ones are kept.
final class PMTilesFile: TileSource {
    static let headerByteCount = 127
    /// The limits of one directory or of the metadata: its bytes in the file, its bytes without compression.
    static let directoryByteCountMax: UInt64 = 1 << 20
    static let inflatedByteCountMax = 2 << 20
    static let entriesMax = 65_536
    /// The root and the leaves below it, as the format limits them.
    static let depthMax = 4
    private static let keptDirectoriesMax = 8

    let zooms: ClosedRange<Int>
    let area: MapArea?
    let attribution: String
    private let file: StoreFile
    private let isCompressed: Bool
    private let root: [PMTilesEntry]
    private let leaves: Range<UInt64>
    private let contents: Range<UInt64>
    /// The leaves that were read last, the latest at the end, by their places in the file.
    private let kept = Mutex<[(place: UInt64, entries: [PMTilesEntry])]>([])

    init(_ file: StoreFile, byteCount: UInt64) throws(TileFileError) {
        let header = try Self.read(file, 0..<UInt64(Self.headerByteCount))
        guard header.count == Self.headerByteCount else { throw .malformed("its header is cut off") }
        guard header[7] == 3 else { throw .otherVersion(Int(header[7])) }
        func section(_ place: Int) throws(TileFileError) -> Range<UInt64> {
            let (start, length) = (Self.number(header, place), Self.number(header, place + 8))
            let (end, overflows) = start.addingReportingOverflow(length)
            guard !overflows, end <= byteCount else { throw .malformed("a section ends beyond the file") }
            return start..<end
        }
        switch header[97] {
        case 1: isCompressed = false
        case 2: isCompressed = true
        default: throw .compression(Int(header[97]))
        }
        guard header[98] <= 1 else { throw .compression(Int(header[98])) }
        guard (2...4).contains(header[99]) else {
            throw .noImages(format: header[99] == 1 ? "vector tiles" : "of an unknown format")
        }
        let (least, most) = (Int(header[100]), min(Int(header[101]), TileName.zoomMax))
        guard least <= most else { throw .noTiles }
        zooms = least...most
        func degrees(_ place: Int) -> Double {
            Double(Int32(truncatingIfNeeded: Self.number(header, place, byteCount: 4))) / 1e7
        }
        area = MapArea(west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114))
        self.file = file
        leaves = try section(40)
        contents = try section(56)
        root = try Self.directory(file, try section(8), isCompressed)
        guard !root.isEmpty else { throw .noTiles }
        attribution = try Self.attribution(file, try section(24), isCompressed)
    }

    func bytes(of name: TileName) throws(TileFileError) -> [UInt8]? {
        let id = Self.id(of: name)
        var entries = root
        for _ in 0..<Self.depthMax {
            guard let entry = Self.entry(for: id, in: entries) else { return nil }
            guard entry.isLeaf else {
                guard entry.length <= UInt64(TileFile.tileByteCountMax) else {
                    throw .tileByteCount(limit: TileFile.tileByteCountMax)
                }
                return try Self.read(file, try Self.range(of: entry, in: contents))
            }
            entries = try leaf(try Self.range(of: entry, in: leaves))
        }
        throw .malformed("its directories are nested too deeply")
    }

    /// The number of a tile: the zooms one after the other, each along a Hilbert curve.
    static func id(of name: TileName) -> UInt64 {
        var id: UInt64 = ((1 << UInt64(2 * name.zoom)) - 1) / 3
        var (x, y) = (UInt64(name.column), UInt64(name.row))
        for level in stride(from: UInt64(name.zoom), to: 0, by: -1).map({ $0 - 1 }) {
            let side: UInt64 = 1 << level
            let (right, below) = (x & side, y & side)
            id += ((3 * right) ^ below) << level
            guard below == 0 else { continue }
            // Bits above the level are no longer used, so the differences may wrap.
            if right != 0 { (x, y) = (side &- 1 &- x, side &- 1 &- y) }
            (x, y) = (y, x)
        }
        return id
    }

    /// The last entry that begins at the tile or before it, if it reaches the tile.
    private static func entry(for id: UInt64, in entries: [PMTilesEntry]) -> PMTilesEntry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].first <= id { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.isLeaf || id - entry.first < entry.runLength ? entry : nil
    }

    private static func range(
        of entry: PMTilesEntry, in section: Range<UInt64>
    ) throws(TileFileError) -> Range<UInt64> {
        let (start, overflows) = section.lowerBound.addingReportingOverflow(entry.offset)
        let (end, alsoOverflows) = start.addingReportingOverflow(entry.length)
        guard !overflows, !alsoOverflows, end <= section.upperBound else {
            throw .malformed("an entry ends beyond its section")
        }
        return start..<end
    }

    private func leaf(_ range: Range<UInt64>) throws(TileFileError) -> [PMTilesEntry] {
        if let entries = kept.withLock({ kept in kept.last { $0.place == range.lowerBound }?.entries }) {
            return entries
        }
        let entries = try Self.directory(file, range, isCompressed)
        kept.withLock { kept in
            kept.append((range.lowerBound, entries))
            if kept.count > Self.keptDirectoriesMax { kept.removeFirst() }
        }
        return entries
    }

    // Reading

    private static func number(_ bytes: [UInt8], _ place: Int, byteCount: Int = 8) -> UInt64 {
        bytes[place..<place + byteCount].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func read(_ file: StoreFile, _ range: Range<UInt64>) throws(TileFileError) -> [UInt8] {
        do throws(StoreError) {
            return try file.read(Int(range.upperBound - range.lowerBound), at: range.lowerBound)
        } catch {
            throw TileFileError(error)
        }
    }

    private static func contents(
        _ file: StoreFile, _ range: Range<UInt64>, _ isCompressed: Bool
    ) throws(TileFileError) -> [UInt8] {
        guard range.upperBound - range.lowerBound <= directoryByteCountMax else {
            throw .malformed("a directory or its metadata are too long")
        }
        let bytes = try read(file, range)
        guard isCompressed else { return bytes }
        guard let inflated = Inflation.inflated(bytes, upTo: inflatedByteCountMax) else {
            throw .malformed("a directory or its metadata cannot be decompressed")
        }
        return inflated
    }

    private static func directory(
        _ file: StoreFile, _ range: Range<UInt64>, _ isCompressed: Bool
    ) throws(TileFileError) -> [PMTilesEntry] {
        try PMTilesEntry.entries(of: contents(file, range, isCompressed), limit: entriesMax)
    }

    private struct Metadata: Decodable { let attribution: String? }

    private static func attribution(
        _ file: StoreFile, _ range: Range<UInt64>, _ isCompressed: Bool
    ) throws(TileFileError) -> String {
        guard !range.isEmpty else { return "" }
        let bytes = try contents(file, range, isCompressed)
        // Metadata of another shape are no reason to refuse the tiles.
        return (try? JSONDecoder().decode(Metadata.self, from: Data(JSONNesting.checked(bytes))))?.attribution ?? ""
    }
}

/// An entry of a directory: tiles with successive numbers and the same bytes, or a leaf.
package struct PMTilesEntry: Equatable, Sendable {
    package let first: UInt64
    /// 0 for a leaf.
    package let runLength: UInt64
    package let length: UInt64
    /// In bytes from the start of the tiles, or of the leaves.
    package let offset: UInt64

    var isLeaf: Bool { runLength == 0 }

    /// Reads a directory: the number of entries, then each column of the table as variable-length integers.
    package static func entries(of bytes: [UInt8], limit: Int) throws(TileFileError) -> [PMTilesEntry] {
        var reader = VarintReader(bytes)
        let count = try reader.next()
        // Each entry has four numbers of a byte or more.
        guard count <= UInt64(limit), count <= UInt64(bytes.count / 4) else {
            throw .malformed("a directory has too many entries")
        }
        func column(_ reader: inout VarintReader) throws(TileFileError) -> [UInt64] {
            var values: [UInt64] = []
            values.reserveCapacity(Int(count))
            for _ in 0..<count { values.append(try reader.next()) }
            return values
        }
        let (steps, runs) = (try column(&reader), try column(&reader))
        let (lengths, places) = (try column(&reader), try column(&reader))
        var entries: [PMTilesEntry] = []
        entries.reserveCapacity(Int(count))
        var first: UInt64 = 0
        for index in 0..<Int(count) {
            let (id, overflows) = first.addingReportingOverflow(steps[index])
            guard !overflows, index == 0 || steps[index] > 0 else { throw .malformed("a directory is not in order") }
            guard lengths[index] > 0 else { throw .malformed("an entry is empty") }
            let offset: UInt64
            if places[index] > 0 {
                offset = places[index] - 1
            } else {
                // 0: right behind the entry before.
                guard let last = entries.last else { throw .malformed("the first entry has no place") }
                let (end, overflows) = last.offset.addingReportingOverflow(last.length)
                guard !overflows else { throw .malformed("an entry ends beyond its section") }
                offset = end
            }
            entries.append(
                PMTilesEntry(first: id, runLength: runs[index], length: lengths[index], offset: offset))
            first = id
        }
        return entries
    }
}

/// Variable-length integers: seven bits a byte, the lowest first.
private struct VarintReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(TileFileError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard place < bytes.count else { throw .malformed("a directory is cut off") }
            let byte = UInt64(bytes[place])
            place += 1
            guard shift < 63 || byte <= 1 else { break }
            value |= (byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw .malformed("a number in a directory is too large")
    }
}
