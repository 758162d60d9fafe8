// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

/// Files with a secret in every place where metadata can be, before and after.
@Suite struct MetadataScrubberTests {
    let folder: TestFolder
    static let secret = Data(TestEXIF.secret.utf8)

    init() throws { folder = try TestFolder() }

    /// A plain photo without metadata, 64 x 48 pixels.
    func plain(_ suffix: String = "jpg") throws -> [UInt8] {
        var random = SplitMix64(state: 5)
        let rows = (0..<48).map { _ in (0..<192).map { _ in UInt8.random(in: 100...140, using: &random) } }
        let png = try folder.write(TestPNG.file(header: TestPNG.header(width: 64, height: 48), rows: rows), to: "p.png")
        if suffix == "png" { return try TestFolder.bytes(at: png) }
        try TestPicture.convert(png, to: folder.file("plain.\(suffix)") + "[strip]")
        return try TestFolder.bytes(at: folder.file("plain.\(suffix)"))
    }

    /// Scrubs `bytes` and checks what holds for every file: same length, no secret, same pixels, nothing left to do.
    @discardableResult
    func scrub(
        _ bytes: [UInt8], isPicture: Bool = true, isUnparsable: Bool = false
    ) throws -> (report: ScrubReport, after: [UInt8]) {
        let path = try folder.write(bytes, to: "scrubbed")
        #expect(Data(bytes).range(of: Self.secret) != nil, "the sample holds no secret")
        let before = isPicture ? try TestPicture(path: path) : nil
        let report = try MetadataScrubber.scrub(fileAt: path)
        let after = try TestFolder.bytes(at: path)
        #expect(after.count == bytes.count)
        #expect(Data(after).range(of: Self.secret) == nil)
        #expect(report.isUnparsable == isUnparsable)
        // A byte may change twice, where the second look knows better than the first.
        #expect(report.changedByteCount >= zip(bytes, after).count { $0 != $1 })
        if let before {
            // Under another name: libvips remembers files.
            let copy = try folder.write(after, to: "scrubbed-\(UUID())")
            #expect(try TestPicture(path: copy) == before)
        }
        #expect(try MetadataScrubber.scrub(fileAt: path).changedByteCount == 0)
        return (report, after)
    }

    func jpeg(_ segments: [UInt8]..., behind: [UInt8] = []) throws -> [UInt8] {
        let plain = try plain()
        return Array(plain[..<2]) + segments.joined() + Array(plain[2...]) + behind
    }

    @Test("EXIF keeps orientation, camera and times, and loses the rest", arguments: [true, false])
    func exif(isLittleEndian: Bool) throws {
        let block = TestEXIF(isLittleEndian: isLittleEndian)
        let (report, after) = try scrub(try jpeg(block.segment))
        #expect(report.mediaType == .jpeg)
        for category in [ScrubReport.Category.location, .makerNote, .serialNumber, .owner, .text, .embeddedThumbnail] {
            #expect(report.changedByteCounts[category, default: 0] > 5, "\(category)")
        }
        let text = Data(after)
        for kept in ["Maker", "Model 5", "2025:08:16 14:03:22", "2025:08:16 15:00:00", "+02:00"] {
            #expect(text.range(of: Data(kept.utf8)) != nil, "\(kept)")
        }
        // The time still reads, by the directories and not only as bytes.
        let start = try #require(text.range(of: Data("Exif\0\0".utf8))).upperBound
        let tiff = try #require(TIFFBlock(Array(after[start..<(start + block.block.count)])))
        #expect(CaptureTime(exif: tiff) == CaptureTime(milliseconds: 1_755_345_802_250, hasTimeZone: true))
    }

    @Test("segments of XMP, IPTC, comments and makers' own become zeros; profiles stay")
    func segments() throws {
        let secret = TestEXIF.secret
        let profile = TestEXIF.segment(0xe2, Array("ICC_PROFILE\0\u{1}\u{1}not a real profile".utf8))
        let bytes = try jpeg(
            TestEXIF.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x>\(secret)</x>".utf8)),
            TestEXIF.segment(0xe1, Array("http://ns.adobe.com/xmp/extension/\0\(secret)".utf8)),
            TestEXIF.segment(0xed, Array("Photoshop 3.0\08BIM\(secret)".utf8)),
            TestEXIF.segment(0xfe, Array(secret.utf8)), TestEXIF.segment(0xe5, Array(secret.utf8)),
            TestEXIF.segment(0xeb, Array("JP\(secret)".utf8)), profile)
        let (report, after) = try scrub(bytes)
        #expect(report.changedByteCounts[.xmp]! > 60)
        #expect(report.changedByteCounts[.iptc]! > 10)
        #expect(report.changedByteCounts[.text] == secret.utf8.count)
        #expect(Data(after).range(of: Data(profile)) != nil)
    }

    @Test("what follows the image is scrubbed as what it is, or becomes zeros")
    func followers() throws {
        let secret = Array(TestEXIF.secret.utf8)
        let second = try jpeg(TestEXIF(isLittleEndian: true).segment)
        let video = TestMovie(secret: TestEXIF.secret).bytes
        let (report, after) = try scrub(try jpeg(behind: [0, 0] + second + video))
        #expect(report.changedByteCounts[.makerNote]! > 5)
        #expect(report.changedByteCounts[.timedMetadata]! > 5)
        #expect(Data(after).range(of: Data("picture".utf8)) != nil)
        let (other, _) = try scrub(try jpeg(behind: Array("SEFH".utf8) + secret))
        #expect(other.changedByteCounts == [.trailer: 10])
        // A second image that breaks off in its header.
        try scrub(try jpeg(behind: Array(second.prefix(60)) + secret))
    }

    @Test("bytes that stray between two segments become zeros, as readers pass over them")
    func strays() throws {
        let secret = Array(TestEXIF.secret.utf8)
        let segment = TestEXIF.segment(0xfe, secret)
        let (report, _) = try scrub(try jpeg(segment + secret + segment))
        #expect(report.changedByteCounts[.other] == secret.count)
    }

    @Test("what a camera appends to a film need be no box: it is emptied, and a film that breaks off is said to")
    func filmTrailer() throws {
        let film = TestMovie(secret: TestEXIF.secret).bytes
        for trailer in ["\(TestEXIF.secret), 8db42d694ccc418790edff439fe026bf", "\0\0\0\u{3}none \(TestEXIF.secret)"] {
            let (report, after) = try scrub(film + Array(trailer.utf8), isPicture: false)
            #expect(report.changedByteCounts[.trailer]! > 10)
            #expect(after.count == film.count + trailer.utf8.count)
        }
        for kind in ["mdat", "free", "uuid"] {
            let path = try folder.write(film + box(kind, [1, 2, 3]).dropLast(), to: "cut.mp4")
            #expect(try MetadataScrubber.scrub(fileAt: path).isUnparsable)
        }
    }

    @Test("a film whose pictures are not found is no trailer behind its description")
    func damagedLength() throws {
        let pictures = box("mdat", Array("picture".utf8))
        let film =
            box("ftyp", Array("isom".utf8), [0, 0, 0, 0]) + box("moov", box("mvhd", [1])) + [0, 0, 0, 3] + pictures
        let path = try folder.write(film, to: "shifted.mp4")
        #expect(try MetadataScrubber.scrub(fileAt: path).isUnparsable)
        #expect(try TestFolder.bytes(at: path).suffix(pictures.count) == pictures[...])
    }

    @Test("PNG: EXIF is rewritten, text chunks are emptied, and all checksums are right")
    func png() throws {
        let secret = TestEXIF.secret
        let plain = try plain("png")
        let exif = TestEXIF(isLittleEndian: false)
        let extra =
            TestPNG.chunk("eXIf", exif.block) + TestPNG.chunk("tEXt", Array("Author\0\(secret)".utf8))
            + TestPNG.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0<x>\(secret)</x>".utf8))
            + TestPNG.chunk("prVt", Array(secret.utf8)) + TestPNG.chunk("tIME", [7, 233, 8, 16, 1, 2, 3])
        let (_, after) = try scrub(Array(plain[..<33]) + extra + Array(plain[33...]) + Array(secret.utf8))
        #expect(Data(after).range(of: Data("2025:08:16 14:03:22".utf8)) != nil)
        var offset = 8
        var kinds: [String] = []
        while offset < after.count - secret.utf8.count {
            let length = after[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            let body = Array(after[(offset + 4)..<(offset + 8 + length)])
            let checksum = Array(after[(offset + 8 + length)..<(offset + 12 + length)])
            #expect(checksum == TestPNG.bigEndian(Int(TestPNG.checksum(body))))
            kinds.append(String(decoding: body.prefix(4), as: UTF8.self))
            offset += 12 + length
        }
        #expect(kinds == ["IHDR", "eXIf", "skIp", "skIp", "skIp", "skIp", "IDAT", "IEND"])
    }

    @Test("WebP: EXIF is rewritten, XMP is emptied")
    func webp() throws {
        func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
            let count = (0..<4).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
            return Array(kind.utf8) + count + payload + [UInt8](repeating: 0, count: payload.count % 2)
        }
        // As the extended format wants it: header with flags for EXIF and XMP, size less one.
        let plain = try plain("webp")
        let start = try #require(Data(plain).range(of: Data("VP8 ".utf8))).lowerBound
        let count = plain[(start + 4)..<(start + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
        let image = Array(plain[start..<(start + 8 + count + count % 2)])
        let exif = TestEXIF(isLittleEndian: true)
        let content =
            Array("WEBP".utf8) + chunk("VP8X", [0x0c, 0, 0, 0, 63, 0, 0, 47, 0, 0]) + image
            + chunk("EXIF", exif.block) + chunk("XMP ", Array("<x>\(TestEXIF.secret)</x>".utf8))
        let (report, after) = try scrub(chunk("RIFF", content))
        #expect(report.changedByteCounts[.xmp] == 13)
        #expect(Data(after).range(of: Data("2025:08:16 14:03:22".utf8)) != nil)
    }

    @Test("GIF: comments and XMP become spaces, looping stays")
    func gif() throws {
        let plain = try plain("gif")
        let secret = Array(TestEXIF.secret.utf8)
        let tableByteCount = plain[10] & 0x80 == 0 ? 0 : 3 << (Int(plain[10] & 7) + 1)
        let loop: [UInt8] = [0x21, 0xff, 11] + "NETSCAPE2.0".utf8 + [3, 1, 0, 0, 0]
        let comment: [UInt8] = [0x21, 0xfe, UInt8(secret.count)] + secret + [0]
        // XMP's raw text, and the ramp that brings readers of sub-blocks to its end.
        let ramp = [1] + (0...255).reversed().map { UInt8($0) } + [0]
        let text = (0..<60).map { "<x n='\($0)'>\(TestEXIF.secret)</x>" }.joined()
        let xmp: [UInt8] = [0x21, 0xff, 11] + "XMP DataXMP".utf8 + text.utf8 + ramp
        let start = 13 + tableByteCount
        let bytes = Array(plain[..<start]) + loop + comment + xmp + Array(plain[start...]) + secret
        let (report, after) = try scrub(bytes)
        #expect(report.changedByteCounts[.text]! >= secret.count)
        #expect(report.changedByteCounts[.xmp]! > 500)
        #expect(Data(after).range(of: Data(loop)) != nil)
    }

    @Test(
        "MP4 and QuickTime: places, metadata lists and GPS tracks go, picture and times stay",
        arguments: ["isom", "qt  "], ["meta", "text", "sbtl", "camm", "data"])
    func movie(brand: String, handler: String) throws {
        let movie = TestMovie(secret: TestEXIF.secret, brand: brand, handler: handler)
        let (report, after) = try scrub(movie.bytes, isPicture: false)
        #expect(report.changedByteCounts[.location]! > 20)
        #expect(report.changedByteCounts[.timedMetadata] == 2 * 11)
        #expect(report.changedByteCounts[.xmp]! > 5)
        for kept in ["picture", "mvhd", "tkhd", "stco"] {
            #expect(Data(after).range(of: Data(kept.utf8)) != nil, "\(kept)")
        }
    }

    @Test("a film whose samples lie beyond all numbers is one that cannot be read")
    func samplesBeyondAllNumbers() throws {
        let one = TestPNG.bigEndian(1)
        let table = box(
            "stbl", box("stsz", [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], one),
            box("stsc", [0, 0, 0, 0], one, one, [0x7f, 0xff, 0xff, 0xff], one),
            box("co64", [0, 0, 0, 0], one, [0x10, 0, 0, 0, 0, 0, 0, 0]))
        let handler = box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0], Array("meta".utf8), [UInt8](repeating: 0, count: 13))
        let film =
            box("ftyp", Array("isom".utf8), [0, 0, 0, 0])
            + box("moov", box("trak", box("mdia", handler, box("minf", table))))
        let path = try folder.write(film, to: "film")
        #expect(try MetadataScrubber.scrub(fileAt: path).isUnparsable)
    }

    @Test(
        "an EXIF thumbnail with an invalid offset is not found, and zeroed nevertheless")
    func thumbnailNowhere() throws {
        for place in [[UInt8](repeating: 0xff, count: 8), [0x7f] + [UInt8](repeating: 0xff, count: 7)] {
            for bytes in [place, place.reversed()] {
                try scrub(try jpeg(TestEXIF(isLittleEndian: true, thumbnailPlace: bytes).segment))
                try scrub(try jpeg(TestEXIF(isLittleEndian: false, thumbnailPlace: bytes).segment))
            }
        }
    }

    @Test(
        "an EXIF block whose entries all name the same bytes, and each other, takes no longer", .timeLimit(.minutes(10)))
    func entriesThatNameEachOther() throws {
        let count = 2_500
        func entry(_ tag: [UInt8], _ type: UInt8, _ count: Int, _ value: Int) -> [UInt8] {
            tag + [0, type] + TestPNG.bigEndian(count) + TestPNG.bigEndian(value)
        }
        let pointers = (0..<count).flatMap { _ in entry([0x88, 0x25], 4, 1, 8) }
        let values = (0..<count).flatMap { _ in entry([0x92, 0x7c], 1, 60_000, 8) }
        let number = [UInt8(2 * count >> 8), UInt8(2 * count & 255)]
        let block = [0x4d, 0x4d, 0, 0x2a] + TestPNG.bigEndian(8) + number + pointers + values
        try scrub(
            try jpeg(TestEXIF.segment(0xe1, Array("Exif\0\0".utf8) + block + Array(TestEXIF.secret.utf8))))
    }

    /// The header of a WebM file, and tracks of VP8.
    private var webMHead: (header: ElementTree, tracks: ElementTree) {
        let header = ElementTree([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x82, 0x84] + Array("webm".utf8))
        let track = ElementTree(
            [0xae],
            children: [
                ElementTree([0xd7], [1]), ElementTree([0x83], [1]), ElementTree([0x86], Array("V_VP8".utf8)),
            ])
        return (header, ElementTree([0x16, 0x54, 0xae, 0x6b], children: [track]))
    }

    private static let webMBlock = ElementTree([0xa3], [0x81, 0, 0, 4])

    @Test("WebM: tags become a gap, and what follows the segment becomes another")
    func webm() throws {
        let secret = Array(TestEXIF.secret.utf8)
        let tags = ElementTree([0x12, 0x54, 0xc3, 0x67], secret)
        let cluster = ElementTree([0x1f, 0x43, 0xb6, 0x75], children: [Self.webMBlock])
        let segment = ElementTree([0x18, 0x53, 0x80, 0x67], children: [webMHead.tracks, tags, cluster])
        let (_, after) = try scrub(webMHead.header.bytes + segment.bytes + secret, isPicture: false)
        let start = webMHead.header.bytes.count + 12 + webMHead.tracks.bytes.count
        let gap: [UInt8] = [0xec, 0x01, 0, 0, 0, 0, 0, 0, UInt8(tags.bytes.count - 9)]
        #expect(after[start...].starts(with: gap))
        #expect(after[(start + tags.bytes.count)...].starts(with: cluster.bytes))
        #expect(after.suffix(secret.count) == [0xec, 0x80 + UInt8(secret.count - 2), 0, 0, 0, 0][...])
    }

    @Test("WebM recorded live: tags behind clusters of unknown length become a gap, too")
    func liveWebM() throws {
        let secret = Array(TestEXIF.secret.utf8)
        let (header, tracks) = webMHead
        let tags = ElementTree([0x12, 0x54, 0xc3, 0x67], secret).bytes
        var cluster = ElementTree([0x1f, 0x43, 0xb6, 0x75], children: [Self.webMBlock, Self.webMBlock])
        cluster.isOfUnknownLength = true
        let segment = header.bytes + [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xff, count: 7) + tracks.bytes
        let (_, after) = try scrub(segment + cluster.bytes + cluster.bytes + tags, isPicture: false)
        #expect(after.dropLast(tags.count) == (segment + cluster.bytes + cluster.bytes)[...])
        // Tracks of unknown length have no end that anybody could find, and blocks in front of them no track.
        var endless = tracks
        endless.isOfUnknownLength = true
        for bytes in [header.bytes + segment + endless.bytes + tags, header.bytes + segment.prefix(24) + cluster.bytes]
        {
            let path = try folder.write(Array(bytes), to: "endless.webm")
            #expect(try MetadataScrubber.scrub(fileAt: path).isUnparsable)
        }
    }

    @Test("a file of an unknown kind stays as it is")
    func unknown() throws {
        let bytes = Array("some text about \(TestEXIF.secret)".utf8)
        let path = try folder.write(bytes, to: "text.jpg")
        let report = try MetadataScrubber.scrub(fileAt: path)
        #expect(report.mediaType == nil && report.changedByteCount == 0 && !report.isUnparsable)
        #expect(try TestFolder.bytes(at: path) == bytes)
    }

    @Test("what cannot be written, or is no file, is an error")
    func unreadable() throws {
        #expect(throws: ImagingError.unreadable(code: ENOENT)) {
            try MetadataScrubber.scrub(fileAt: folder.file("nothing"))
        }
        #expect(throws: ImagingError.unreadable(code: EISDIR)) { try MetadataScrubber.scrub(fileAt: folder.path) }
    }

    @Test("a photo cut at any length loses what is in front of the cut, and says when it broke off")
    func truncation() throws {
        let bytes = try jpeg(TestEXIF(isLittleEndian: true).segment)
        let segmentEnd = 2 + TestEXIF(isLittleEndian: true).segment.count
        for count in 0..<(segmentEnd + 400) {
            let path = try folder.write(Array(bytes.prefix(count)), to: "cut")
            let report = try MetadataScrubber.scrub(fileAt: path)
            let after = try TestFolder.bytes(at: path)
            #expect(after.count == count)
            #expect(Data(after).range(of: Self.secret) == nil, "cut at \(count)")
            if (6..<segmentEnd).contains(count) { #expect(report.isUnparsable, "cut at \(count)") }
        }
    }

    @Test("mutated files never crash the scrubber nor change their length", arguments: 0..<5)
    func fuzz(kind: Int) throws {
        let exif = TestEXIF(isLittleEndian: kind % 2 == 0)
        let png = try plain("png")
        let gif = try plain("gif")
        let samples: [[UInt8]] = [
            try jpeg(exif.segment, behind: try jpeg(exif.segment)),
            Array(png[..<33]) + TestPNG.chunk("eXIf", exif.block) + TestPNG.chunk("tEXt", [1, 0, 2])
                + Array(png[33...]),
            TestMovie(secret: "S").bytes, TestHEIF(exif: exif.block).bytes,
            Array(gif[..<13]) + [0x21, 0xfe, 2, 1, 1, 0] + Array(gif[13...]),
        ]
        var random = SplitMix64(state: UInt64(kind))
        for _ in 0..<(kind == 0 ? 2_000 : 500) {
            let bytes = random.mutated(samples[kind])
            let path = try folder.write(bytes, to: "mutated")
            let report = try MetadataScrubber.scrub(fileAt: path)
            let after = try TestFolder.bytes(at: path)
            #expect(after.count == bytes.count)
            #expect(report.mediaType != nil || after == bytes)
        }
    }

    @Test("a table that names the same metadata over and over is cleaned once")
    func overlap() throws {
        try scrub(TestMovie(secret: TestEXIF.secret, repeatCount: 5_000).bytes, isPicture: false)
    }

    @Test("a spherical film keeps its projection and loses what else the camera wrote beside it")
    func sphericalFilm() throws {
        let identifier: [UInt8] = [
            0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd,
        ]
        let document =
            "<GSpherical:Spherical>true</GSpherical:Spherical><GSpherical:StereoMode>top-bottom</GSpherical:StereoMode>"
            + String(
                repeating: "<GSpherical:StitchingSoftware>\(TestEXIF.secret)</GSpherical:StitchingSoftware>", count: 6)
        var movie = BoxTree.list(TestMovie(secret: TestEXIF.secret).bytes[...])
        let index = try #require(movie.firstIndex { $0.kind == "moov" })
        movie[index].children![1].children!.append(
            BoxTree(kind: "uuid", fields: identifier + Array(document.utf8)))
        let (_, after) = try scrub(movie.flatMap(\.bytes), isPicture: false)
        for kept in ["<GSpherical:ProjectionType>equirectangular<", "<GSpherical:StereoMode>top-bottom<"] {
            #expect(Data(after).range(of: Data(kept.utf8)) != nil)
        }
    }
}
