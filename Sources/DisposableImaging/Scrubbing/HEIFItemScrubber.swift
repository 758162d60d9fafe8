// SPDX-License-Identifier: Apache-2.0

/// Scrubs HEIC and AVIF (ISO 23008-12, ISO 14496-12 §8.11): a file of items, which `iinf` names, `iloc` locates and
/// `iprp` describes. Pictures are kept, EXIF is rewritten, XMP is emptied, and the data of all others are zeroed.
enum HEIFItemScrubber {
    private enum ItemKind {
        case picture
        /// A picture with metadata of its own.
        case jpeg
        case exif, xmp
    }

    /// Coded pictures, and those that are composed of others.
    private static let pictureKinds: Set<String> = [
        "hvc1", "hev1", "lhv1", "av01", "avc1", "vvc1", "grid", "iovl", "iden", "tmap",
    ]

    private static let introductionByteCountMax = 64
    /// Each is read completely: entries that all refer to the same bytes must not take hours.
    private static let jpegCountMax = 16

    /// Cleans a `meta` box (version and flags, then boxes), and records in `layout` the shown data.
    static func scrub(
        _ meta: Box, layout: inout MediaLayout, in region: inout FileRegion
    ) throws(ScrubFailure) {
        guard meta.payload.count >= 4 else { throw .malformed }
        var kinds: [Int: ItemKind]?
        var locations: [ItemLocation]?
        var itemData: Range<Int>?
        try Box.each(of: meta.payload(from: 4), in: &region) { (box, region) throws(ScrubFailure) in
            switch box.kind {
            case "iinf" where kinds == nil: kinds = try scrubItemKinds(box, in: &region)
            case "iloc" where locations == nil: locations = try ItemLocation.read(box, in: region)
            case "idat" where itemData == nil: itemData = box.payload
            case "iinf", "iloc", "idat": throw .malformed
            case "iprp": try ItemPropertyScrubber.scrub(box, in: &region)
            case "iref": try scrubReferences(box, in: &region)
            case "grpl": try scrubGroups(box, in: &region)
            default: try BoxCleaner.cleanChild(box, of: "meta", in: &region)
            }
        }
        if let itemData { layout.media.append(itemData) }
        var jpegCount = 0
        for location in locations ?? [] {
            // Items that are not pictures have no kept range: their data are zeroed with everything that is not shown.
            guard let kind = kinds?[location.item] else { continue }
            let places = try self.places(of: location, kind: kind, file: layout.file, itemData: itemData)
            if kind != .picture, places.count != 1 {
                if kind == .jpeg { region.report.isUnparsable = true } else { continue }
            }
            jpegCount += kind == .jpeg ? 1 : 0
            guard jpegCount <= jpegCountMax else { throw .malformed }
            for place in places {
                layout.show(place)
                try scrub(kind, at: place, in: &region)
            }
        }
    }

    /// Returns the locations of an item's data in the file. Throws `malformed` for a picture whose location is not
    /// understood; other items have none then.
    private static func places(
        of location: ItemLocation, kind: ItemKind, file: Range<Int>, itemData: Range<Int>?
    ) throws(ScrubFailure) -> [Range<Int>] {
        let base: Range<Int>? =
            switch location.base {
            case .file: file
            case .itemData: itemData
            case .somethingElse: nil
            }
        var places: [Range<Int>] = []
        for extent in location.extents {
            guard let base, extent.upperBound <= base.count else {
                if kind == .picture || kind == .jpeg { throw .malformed }
                return []
            }
            let start = base.lowerBound + extent.lowerBound
            // An extent of length zero means all of the data.
            if extent.isEmpty, kind != .picture { return [] }
            places.append(start..<(extent.isEmpty ? base.upperBound : base.lowerBound + extent.upperBound))
        }
        return places
    }

    private static func scrub(
        _ kind: ItemKind, at range: Range<Int>, in region: inout FileRegion
    ) throws(ScrubFailure) {
        switch kind {
        case .picture: break
        case .jpeg: try JPEGScrubber.scrub(range, in: &region)
        case .xmp: try region.blankXMP(range)
        case .exif:
            // Four bytes give the offset of the block after them (ISO 23008-12 §A.2.1); usually "Exif\0\0" is between.
            guard range.count > 4 else { return try region.fill(range, as: .other) }
            let skip = try region.number(at: range.lowerBound, count: 4)
            guard skip <= min(range.count - 4, introductionByteCountMax) else {
                return try region.fill(range, as: .other)
            }
            let start = range.lowerBound + 4 + skip
            let introduction = (range.lowerBound + 4)..<start
            if try region.bytes(introduction) != Array("Exif\0\0".utf8) {
                try region.fill(introduction, as: .other)
            }
            try EXIFScrubber.scrub(start..<range.upperBound, in: &region)
        }
    }

    /// Returns the items that are kept, by id. Names and descriptions of items are emptied.
    private static func scrubItemKinds(
        _ table: Box, in region: inout FileRegion
    ) throws(ScrubFailure) -> [Int: ItemKind] {
        let version = try region.number(at: table.payload.lowerBound, count: 1)
        guard table.payload.count <= ItemLocation.tableByteCountMax else { throw .malformed }
        var kinds: [Int: ItemKind] = [:]
        try Box.each(of: table.payload(from: version == 0 ? 6 : 8), in: &region) { (box, region) throws(ScrubFailure) in
            guard box.kind == "infe" else { return try box.blank(as: .other, in: &region) }
            let version = try region.number(at: box.payload.lowerBound, count: 1)
            // Versions 0 and 1 describe items of other file formats, and have no such kinds.
            guard version >= 2 else { throw .malformed }
            let idByteCount = version == 2 ? 2 : 4
            let id = try region.number(at: box.payload.lowerBound + 4, count: idByteCount)
            let kindOffset = box.payload.lowerBound + 4 + idByteCount + 2
            guard kindOffset + 4 <= box.payload.upperBound else { throw .malformed }
            let name = (kindOffset + 4)..<box.payload.upperBound
            let kind = String(decoding: try region.bytes(kindOffset..<(kindOffset + 4)), as: UTF8.self)
            switch kind {
            case "Exif": kinds[id] = .exif
            case "jpeg": kinds[id] = .jpeg
            case "mime":
                let text = String(decoding: try region.bytes(name), as: UTF8.self)
                if ["application/rdf+xml", "application/rdf+xml\0"].contains(text.drop { $0 == "\0" }) {
                    kinds[id] = .xmp
                    return
                }
            default: if pictureKinds.contains(kind) { kinds[id] = .picture }
            }
            try region.fill(name, as: .text)
        }
        return kinds
    }

    /// Scrubs `iref`: boxes whose kind gives the type of a reference between items. Unknown kinds are erased, but their
    /// numbers are kept, because some readers treat them as a reference whatever the kind.
    private static func scrubReferences(_ box: Box, in region: inout FileRegion) throws(ScrubFailure) {
        guard box.payload.count >= 4 else { throw .malformed }
        let idByteCount = try region.number(at: box.payload.lowerBound, count: 1) == 0 ? 2 : 4
        try Box.each(of: box.payload(from: 4), in: &region) { (box, region) throws(ScrubFailure) in
            let countOffset = box.payload.lowerBound + idByteCount
            let count = try region.number(at: countOffset, count: 2)
            guard countOffset + 2 + count * idByteCount <= box.payload.upperBound else { throw .malformed }
            try region.fill((countOffset + 2 + count * idByteCount)..<box.payload.upperBound, as: .other)
            guard !BoxRules.children["iref"]!.contains(box.kind) else { return }
            try region.overwrite(at: box.start + 4, with: Array("free".utf8), as: .other)
        }
    }

    /// Scrubs `grpl`: lists of items that belong together, such as the two pictures of a stereo pair.
    private static func scrubGroups(_ box: Box, in region: inout FileRegion) throws(ScrubFailure) {
        try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
            guard BoxRules.children["grpl"]!.contains(box.kind), box.payload.count >= 12 else {
                return try box.blank(as: .other, in: &region)
            }
            let count = try region.number(at: box.payload.lowerBound + 8, count: 4)
            try region.fill(box.payload(from: 12 + 4 * count), as: .other)
        }
    }
}
