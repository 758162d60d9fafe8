// SPDX-License-Identifier: Apache-2.0

/// HEIC and AVIF (ISO 23008-12, ISO 14496-12 §8.11): metadata are items, named by `iinf` and placed by `iloc`.
enum HEIFItemScrubber {
    /// Item tables longer than this belong to no photo.
    private static let tableByteCountMax = 1 << 20
    private static let itemCountMax = 10_000
    /// In all items together: one usually has one. Fields of no length make an extent that takes no bytes in the file.
    private static let extentCountMax = 10_000

    private enum ItemKind { case exif, xmp, other }

    /// What a place counts from.
    private enum Base { case file, itemData, somethingElse }

    private struct Location {
        var item: Int
        var base: Base
        var extents: [Range<Int>]
    }

    /// Scrubs the payload of a `meta` box: version and flags, then boxes.
    static func scrub(_ range: Range<Int>, in region: inout FileRegion) throws(ScrubFailure) {
        guard range.count >= 4 else { throw .malformed }
        var kinds: [Int: ItemKind] = [:]
        var locations: [Location] = []
        var itemData: Range<Int>?
        let children = (range.lowerBound + 4)..<range.upperBound
        try BoxScrubber.eachBox(of: children, in: &region) { (box, region) throws(ScrubFailure) in
            switch box.kind {
            case "iinf" where kinds.isEmpty: kinds = try readItemKinds(box.payload, in: &region)
            case "iloc" where locations.isEmpty: locations = try readLocations(box.payload, in: region)
            case "iinf", "iloc": throw .malformed
            case "idat": itemData = box.payload
            default: break
            }
        }
        let placed = Set(locations.lazy.filter { !$0.extents.isEmpty }.map(\.item))
        guard kinds.allSatisfy({ $0.value == .other || placed.contains($0.key) }) else { throw .malformed }
        for location in locations {
            guard let kind = kinds[location.item] else { continue }
            for extent in location.extents {
                let base: Range<Int>? =
                    switch location.base {
                    case .file: 0..<region.byteCount
                    case .itemData: itemData
                    case .somethingElse: nil
                    }
                // An extent of no length is all that there is.
                guard let base, !extent.isEmpty, extent.upperBound <= base.count else { throw .malformed }
                let place = (base.lowerBound + extent.lowerBound)..<(base.lowerBound + extent.upperBound)
                try scrub(kind, at: place, isWhole: location.extents.count == 1, in: &region)
            }
        }
    }

    private static func scrub(
        _ kind: ItemKind, at range: Range<Int>, isWhole: Bool, in region: inout FileRegion
    ) throws(ScrubFailure) {
        switch kind {
        case .xmp: try region.blankXMP(range)
        case .exif where isWhole && range.count > 4:
            // Four bytes say how far behind them the block begins (ISO 23008-12 §A.2.1).
            let skip = try region.number(at: range.lowerBound, count: 4)
            guard skip <= range.count - 4 else { return try region.fill(range, as: .other) }
            try EXIFScrubber.scrub((range.lowerBound + 4 + skip)..<range.upperBound, in: &region)
        case .exif, .other: try region.fill(range, as: .other)
        }
    }

    /// The items that are metadata, by id.
    private static func readItemKinds(
        _ range: Range<Int>, in region: inout FileRegion
    ) throws(ScrubFailure) -> [Int: ItemKind] {
        let version = try region.number(at: range.lowerBound, count: 1)
        let start = range.lowerBound + (version == 0 ? 6 : 8)
        guard start <= range.upperBound, range.count <= tableByteCountMax else { throw .malformed }
        var kinds: [Int: ItemKind] = [:]
        try BoxScrubber.eachBox(of: start..<range.upperBound, in: &region) { (box, region) throws(ScrubFailure) in
            guard box.kind == "infe" else { return }
            let version = try region.number(at: box.payload.lowerBound, count: 1)
            // Versions 0 and 1 describe items of other file formats, and not by such kinds.
            guard version >= 2 else { throw .malformed }
            let idByteCount = version == 2 ? 2 : 4
            let id = try region.number(at: box.payload.lowerBound + 4, count: idByteCount)
            let kindOffset = box.payload.lowerBound + 4 + idByteCount + 2
            guard kindOffset + 4 <= box.payload.upperBound else { throw .malformed }
            let rest = try region.bytes(kindOffset..<box.payload.upperBound)
            switch String(decoding: rest.prefix(4), as: UTF8.self) {
            case "Exif": kinds[id] = .exif
            case "mime": kinds[id] = String(decoding: rest, as: UTF8.self).contains("xml") ? .xmp : .other
            case "uri ": kinds[id] = .other
            default: break
            }
        }
        return kinds
    }

    private static func readLocations(
        _ range: Range<Int>, in region: borrowing FileRegion
    ) throws(ScrubFailure) -> [Location] {
        guard range.count <= tableByteCountMax else { throw .malformed }
        var reader = Reader(bytes: try region.bytes(range))
        let version = try reader.number(1)
        _ = try reader.number(3)
        let sizes = try reader.number(2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        guard version <= 2 else { throw .malformed }
        let count = try reader.number(version < 2 ? 2 : 4)
        guard count <= itemCountMax else { throw .malformed }
        var locations: [Location] = []
        var extentCount = 0
        for _ in 0..<count {
            let item = try reader.number(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try reader.number(2) & 15
            let isElsewhere = try reader.number(2) != 0
            let start = try reader.number(baseSize)
            var extents: [Range<Int>] = []
            let count = try reader.number(2)
            extentCount += count
            guard extentCount <= extentCountMax else { throw .malformed }
            for _ in 0..<count {
                _ = try reader.number(indexSize)
                let offset = start + (try reader.number(offsetSize))
                extents.append(offset..<(offset + (try reader.number(lengthSize))))
            }
            // Method 2 builds an item out of others; nobody writes metadata so.
            let base: Base = isElsewhere || method > 1 ? .somethingElse : method == 1 ? .itemData : .file
            locations.append(Location(item: item, base: base, extents: extents))
        }
        return locations
    }

    /// Reads big-endian numbers one after the other.
    private struct Reader {
        var bytes: [UInt8]
        var offset = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func number(_ count: Int) throws(ScrubFailure) -> Int {
            guard count <= 8, offset + count <= bytes.count else { throw .malformed }
            let value = bytes[offset..<(offset + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            offset += count
            // Sums of two such numbers cannot overflow.
            guard value < 1 << 60 else { throw .malformed }
            return Int(value)
        }
    }
}
