// SPDX-License-Identifier: Apache-2.0

/// The location of the data of one item (`iloc`, ISO 14496-12 §8.11.3).
struct ItemLocation {
    /// The base of an offset.
    enum Base { case file, itemData, somethingElse }

    var item: Int
    var base: Base
    var extents: [Range<Int>]

    /// Longer tables do not occur in photos.
    static let tableByteCountMax = 1 << 20
    private static let itemCountMax = 10_000
    /// The limit over all items: one usually has one. With fields of length zero an extent takes no bytes in the file.
    private static let extentCountMax = 10_000

    static func read(_ box: Box, in region: borrowing FileRegion) throws(ScrubFailure) -> [ItemLocation] {
        guard box.payload.count <= tableByteCountMax else { throw .malformed }
        var reader = Reader(bytes: try region.bytes(box.payload))
        let version = try reader.number(1)
        _ = try reader.number(3)
        let sizes = try reader.number(2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        guard version <= 2 else { throw .malformed }
        let count = try reader.number(version < 2 ? 2 : 4)
        guard count <= itemCountMax else { throw .malformed }
        var locations: [ItemLocation] = []
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
            // Method 2 composes an item of others.
            let base: Base = isElsewhere || method > 1 ? .somethingElse : method == 1 ? .itemData : .file
            locations.append(ItemLocation(item: item, base: base, extents: extents))
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
