// SPDX-License-Identifier: Apache-2.0

/// The user box of a track that describes a spherical video (Google's Spherical Video V1): an XML document, in which
/// cameras also write their software and the time. It is replaced by one that has only the projection.
enum SphericalVideo {
    private static let identifier: [UInt8] = [
        0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd,
    ]
    private static let documentByteCountMax = 65_536

    static func clean(_ box: Box, in region: inout FileRegion) throws(ScrubFailure) {
        let start = box.payload.lowerBound
        guard try region.bytes(start..<min(start + 16, box.payload.upperBound)) == identifier,
            box.payload.count <= documentByteCountMax
        else { return try box.blank(as: BoxRules.category(of: box, in: region), in: &region) }
        let range = box.payload(from: 16)
        let old = String(decoding: try region.bytes(range), as: UTF8.self)
        let stereoMode = ["left-right", "top-bottom"].first { old.contains(">\($0)<") }
        let document = Array(document(stereoMode: stereoMode).utf8)
        guard document.count <= range.count else { return try box.blank(as: .xmp, in: &region) }
        try region.overwrite(at: range.lowerBound, with: document, as: .xmp)
        try region.fill(
            (range.lowerBound + document.count)..<range.upperBound, with: UInt8(ascii: " "), as: .xmp)
    }

    private static func document(stereoMode: String?) -> String {
        let names = [("Spherical", "true"), ("Stitched", "true"), ("ProjectionType", "equirectangular")]
        let fields = (names + (stereoMode.map { [("StereoMode", $0)] } ?? [])).map { name, value in
            "<GSpherical:\(name)>\(value)</GSpherical:\(name)>"
        }
        return "<rdf:SphericalVideo xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
            + " xmlns:GSpherical=\"http://ns.google.com/videos/1.0/spherical/\">\(fields.joined())</rdf:SphericalVideo>"
    }
}
