// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

/// Items of HEIC files, which may lie in several places.
extension MetadataScrubberTests {
    @Test("HEIC: the EXIF and XMP items are scrubbed where they lie, in the file or in the item box")
    func heif() throws {
        let heif = TestHEIF(exif: TestEXIF(isLittleEndian: false).block)
        let (report, after) = try scrub(heif.bytes, isPicture: false)
        #expect(report.mediaType == .heic)
        #expect(report.changedByteCounts[.makerNote]! > 5)
        #expect(report.changedByteCounts[.xmp]! > 5)
        #expect(Data(after).range(of: Data("2025:08:16 14:03:22".utf8)) != nil)
        #expect(Data(after).range(of: Data("picture".utf8)) != nil)
    }

    @Test("HEIC: an EXIF item whose place is not understood goes with all data that no picture uses", arguments: 0..<4)
    func unplacedItem(kind: Int) throws {
        var heif = TestHEIF(exif: TestEXIF(isLittleEndian: false).block)
        switch kind {
        case 0: heif.constructionMethod = 2
        case 1: heif.isOfAnyLength = true
        case 2: heif.placedItem = 9
        default: heif.entryVersion = 1
        }
        if kind < 3 {
            let (_, after) = try scrub(heif.bytes, isPicture: false)
            #expect(Data(after).range(of: Data("picture".utf8)) != nil)
        } else {
            // A table of another file format.
            let report = try MetadataScrubber.scrub(fileAt: try folder.write(heif.bytes, to: "unplaced.heic"))
            #expect(report.isUnparsable)
        }
    }

    @Test("HEIC: a foreign property is taken from the picture, even an essential one")
    func foreignProperty() throws {
        let secret = Array(TestEXIF.secret.utf8)
        let properties = box(
            "iprp", box("ipco", box("ispe", [0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 48]), box("udes", secret)),
            box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 0x81, 0x82]))
        let references = box("iref", [0, 0, 0, 0], box("zzzz", [0, 1, 0, 1, 0, 2], secret))
        var heif = TestHEIF(exif: TestEXIF(isLittleEndian: false).block)
        heif.extra = properties + references + box("xml ", [0, 0, 0, 0] + secret)
        let (_, after) = try scrub(heif.bytes, isPicture: false)
        #expect(Data(after).range(of: Data([2, 0x81, 0])) != nil)
        #expect(Data(after).range(of: Data("free".utf8) + [0, 1, 0, 1, 0, 2, 0]) != nil)
    }
}
