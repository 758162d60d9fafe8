// SPDX-License-Identifier: Apache-2.0

/// Properties of items (`iprp`, ISO 23008-12 §9.3): `ipco` lists them, `ipma` assigns them to items by their indexes in
/// that list. A property that is not kept is blanked and removed from all items, so that readers which refuse unknown
/// essential properties still show the picture.
enum ItemPropertyScrubber {
    private static let associationCountMax = 100_000
    /// The prefixes of the names of the uses of auxiliary pictures: alpha, depth, gain maps.
    private static let auxiliaryPrefixes = ["urn:mpeg:", "urn:com:apple:photo:", "urn:iso:std:iso:ts:21496"]
    private static let auxiliaryNameByteCountMax = 64

    static func scrub(_ box: Box, in region: inout FileRegion) throws(ScrubFailure) {
        var blanked: Set<Int> = []
        try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
            guard box.kind == "ipco" else { return }
            var index = 0
            try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
                index += 1
                let isKept = BoxRules.children["ipco"]!.contains(box.kind)
                if !isKept { blanked.insert(index) }
                if box.kind == "auxC" { return try cleanAuxiliaryType(box, in: &region) }
                try BoxCleaner.cleanChild(box, of: "ipco", in: &region)
            }
        }
        try Box.each(of: box.payload, in: &region) { (box, region) throws(ScrubFailure) in
            switch box.kind {
            case "ipco": break
            case "ipma": try dissociate(blanked, in: box, of: &region)
            default: try BoxCleaner.cleanChild(box, of: "iprp", in: &region)
            }
        }
    }

    /// Cleans `auxC`: version and flags, a URN that ends with a zero byte, and data that depend on it.
    private static func cleanAuxiliaryType(_ box: Box, in region: inout FileRegion) throws(ScrubFailure) {
        let content = box.payload(from: 4)
        let head = content.lowerBound..<min(content.lowerBound + auxiliaryNameByteCountMax, content.upperBound)
        let name = try region.bytes(head).prefix { $0 != 0 }
        let text = String(decoding: name, as: UTF8.self)
        let isKnown = name.count < head.count && auxiliaryPrefixes.contains { text.hasPrefix($0) }
        try region.fill((content.lowerBound + (isKnown ? name.count : 0))..<content.upperBound, as: .text)
    }

    private static func dissociate(
        _ properties: Set<Int>, in box: Box, of region: inout FileRegion
    ) throws(ScrubFailure) {
        var offset = box.payload.lowerBound
        let head = try region.number(at: offset, count: 4)
        let (idByteCount, indexByteCount) = (head >> 24 == 0 ? 2 : 4, head & 1 == 0 ? 1 : 2)
        let entryCount = try region.number(at: offset + 4, count: 4)
        offset += 8
        var associationCount = 0
        for _ in 0..<entryCount {
            guard offset + idByteCount + 1 <= box.payload.upperBound else { throw .malformed }
            let count = try region.number(at: offset + idByteCount, count: 1)
            offset += idByteCount + 1
            associationCount += count + 1
            guard associationCount <= associationCountMax, offset + count * indexByteCount <= box.payload.upperBound
            else { throw .malformed }
            for _ in 0..<count {
                // The first bit marks the property as essential.
                let index = try region.number(at: offset, count: indexByteCount) & (1 << (8 * indexByteCount - 1) - 1)
                if properties.contains(index) {
                    try region.fill(offset..<(offset + indexByteCount), as: .other)
                }
                offset += indexByteCount
            }
        }
        try region.fill(offset..<max(offset, box.payload.upperBound), as: .other)
    }
}
