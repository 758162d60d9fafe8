// SPDX-License-Identifier: Apache-2.0

/// Cleans one box with everything in it, by the lists of `BoxRules` alone.
enum BoxCleaner {
    /// Cleans the children of `box`, which has the kind `container`.
    static func cleanChildren(
        of box: Box, as container: String, in region: inout FileRegion
    ) throws(ScrubFailure) {
        let children = box.payload(from: BoxRules.childrenOffsets[container] ?? 0)
        try Box.each(of: children, in: &region) { (box, region) throws(ScrubFailure) in
            try cleanChild(box, of: container, in: &region)
        }
    }

    /// Keeps `box` if `container` may contain its kind, and blanks its bytes outside of fields; blanks other boxes.
    static func cleanChild(_ box: Box, of container: String, in region: inout FileRegion) throws(ScrubFailure) {
        guard BoxRules.children[container]!.contains(box.kind) else {
            return try box.blank(as: BoxRules.category(of: box, in: region), in: &region)
        }
        switch box.kind {
        case _ where BoxRules.padding.contains(box.kind): try region.fill(box.payload, as: .other)
        // The name of the handler: a text of the program that wrote the file.
        case "hdlr": try region.fill(box.payload(from: 24), as: .text)
        case "dref": try cleanDataReferences(box, in: &region)
        case "stsd": throw .malformed
        case "uuid": try SphericalVideo.clean(box, in: &region)
        case "mp4a", "samr", "alac": return
        case let kind where BoxRules.children[kind] != nil: try cleanChildren(of: box, as: kind, in: &region)
        default: try region.fill(try BoxRules.tail(of: box, in: region), as: .other)
        }
    }

    /// Cleans the references to media outside the file: a URL, or an alias with the names of a disk and its folders.
    private static func cleanDataReferences(_ box: Box, in region: inout FileRegion) throws(ScrubFailure) {
        try Box.each(of: box.payload(from: 8), in: &region) { (box, region) throws(ScrubFailure) in
            try region.fill(box.payload(from: 4), as: .text)
        }
    }
}
