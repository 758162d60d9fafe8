// SPDX-License-Identifier: Apache-2.0

/// An ISO base media box.
func box(_ kind: String, _ payload: [UInt8]...) -> [UInt8] {
    let payload = Array(payload.joined())
    return TestPNG.bigEndian(payload.count + 8) + Array(kind.utf8) + payload
}

/// A film of one picture and one metadata track, with secrets wherever phones and cameras keep them.
struct TestMovie {
    var secret: String
    var brand = "isom"
    /// The handler of the metadata track.
    var handler = "meta"
    /// The number of times that the chunk table names the same two samples.
    var repeatCount = 1

    var bytes: [UInt8] {
        let header = box("ftyp", Array(brand.utf8), [0, 0, 0, 0], Array("isom".utf8))
        let picture = Array("picture".utf8)
        let samples = Array("GPS: \(secret)GPS: \(secret)".utf8)
        let start = header.count + 8
        let entry = box("avc1", [UInt8](repeating: 0, count: 78), box("avcC", [1, 100, 0, 10]))
        let movie = box(
            "moov", box("mvhd", [UInt8](repeating: 2, count: 100)),
            track("vide", entry, at: start, sizes: [picture.count]),
            track(
                handler, box("mebx", [UInt8](repeating: 0, count: 8), Array(secret.utf8)), at: start + picture.count,
                sizes: [samples.count / 2, samples.count / 2], repeatCount: repeatCount),
            box("udta", [0, 0, 0, 30, 0xa9] + Array("xyz".utf8) + Array("+48.8577+002.2950/\(secret)".utf8)),
            box("meta", Array("com.apple.quicktime.location.ISO6709 \(secret)".utf8)))
        let identifier: [UInt8] = [
            0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
        ]
        return header + box("mdat", picture, samples) + movie
            + box("uuid", identifier, Array("<x>\(secret)</x>".utf8)) + box("free", Array(secret.utf8))
    }

    private func track(
        _ handler: String, _ entry: [UInt8], at offset: Int, sizes: [Int], repeatCount: Int = 1
    ) -> [UInt8] {
        let one = TestPNG.bigEndian(1)
        let offsets = repeatElement(TestPNG.bigEndian(offset), count: repeatCount).joined()
        let table = box(
            "stbl", box("stsd", [0, 0, 0, 0], one, entry),
            box("stsc", [0, 0, 0, 0], one, one, TestPNG.bigEndian(sizes.count), one),
            box("stsz", [0, 0, 0, 0], TestPNG.bigEndian(sizes[0]), TestPNG.bigEndian(sizes.count)),
            box("stco", [0, 0, 0, 0], TestPNG.bigEndian(repeatCount), Array(offsets)))
        let name = [UInt8](repeating: 0, count: 12) + Array(secret.utf8) + [0]
        return box(
            "trak", box("tkhd", [UInt8](repeating: 0, count: 84)),
            box("mdia", box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0], Array(handler.utf8), name), box("minf", table)),
            box("udta", box("name", Array(secret.utf8))))
    }
}

/// A HEIC file in structure, without a decodable picture: EXIF in the media data, XMP in the item box.
struct TestHEIF {
    var exif: [UInt8]
    /// The construction method of the EXIF item (0: in the file), and the version of its entry.
    var constructionMethod: UInt8 = 0
    var entryVersion: UInt8 = 2
    /// Which item has its place; another one than 2 leaves it without.
    var placedItem: UInt8 = 2
    /// Whether its length is not told.
    var isOfAnyLength = false
    /// More boxes of the description.
    var extra: [UInt8] = []

    var bytes: [UInt8] {
        let header = box("ftyp", Array("heic".utf8), [0, 0, 0, 0], Array("mif1".utf8))
        let xmp = Array("<x>\(TestEXIF.secret)</x>".utf8)
        let item = [0, 0, 0, 6] + Array("Exif\0\0".utf8) + exif
        func entry(_ id: UInt8, _ kind: String, version: UInt8 = 2) -> [UInt8] {
            box("infe", [version, 0, 0, 0, 0, id, 0, 0], Array(kind.utf8))
        }
        func meta(exifOffset: Int) -> [UInt8] {
            box(
                "meta", [0, 0, 0, 0],
                box(
                    "iinf", [0, 0, 0, 0, 0, 3], entry(1, "hvc1\0"), entry(2, "Exif\0", version: entryVersion),
                    entry(3, "mime\0application/rdf+xml\0")),
                // Version 1, offsets and lengths of four bytes, no base, no index.
                box(
                    "iloc", [1, 0, 0, 0, 0x44, 0, 0, 3],
                    [0, 1, 0, 0, 0, 0, 0, 1], TestPNG.bigEndian(exifOffset - 7), TestPNG.bigEndian(7),
                    [0, placedItem, 0, constructionMethod, 0, 0, 0, 1], TestPNG.bigEndian(exifOffset),
                    TestPNG.bigEndian(isOfAnyLength ? 0 : item.count),
                    [0, 3, 0, 1, 0, 0, 0, 1], TestPNG.bigEndian(0), TestPNG.bigEndian(xmp.count)),
                box("idat", xmp), extra)
        }
        let offset = header.count + meta(exifOffset: 7).count + 8 + 7
        return header + meta(exifOffset: offset) + box("mdat", Array("picture".utf8), item)
    }
}
