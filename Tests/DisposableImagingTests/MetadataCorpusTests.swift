// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

/// Real files with a marker in every box, chunk and element that is not picture or sound.
///
/// FFmpeg writes the films, libvips the pictures, and the tests put the marker into them. After scrubbing no marker is
/// left, ExifTool finds nothing but structure, and picture and sound decode to what they were.
@Suite struct MetadataCorpusTests {
    static let marker = "MARKER"
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// ExifTool's groups that describe structure, times and exposure, which are kept.
    private static let structureGroups: Set<String> = [
        "ExifTool", "System", "File", "QuickTime", "Composite", "Matroska", "JFIF", "PNG", "PNG-pHYs", "GIF", "RIFF",
        "Meta", "IFD0", "ExifIFD", "MPF0", "MPImage1", "MPImage2", "Adobe", "ICC_Profile", "ICC-header",
    ]

    /// Scrubs a file and checks what holds for each of them. `frames` decodes it.
    @discardableResult
    private func scrub(_ bytes: [UInt8], to name: String, frames: (String) throws -> String) throws -> ScrubReport {
        #expect(Data(bytes).range(of: Data(Self.marker.utf8)) != nil, "no marker in \(name)")
        let before = try frames(try folder.write(bytes, to: "before-" + name))
        let path = try folder.write(bytes, to: name)
        let report = try MetadataScrubber.scrub(fileAt: path)
        #expect(!report.isUnparsable, "\(name)")
        let after = try TestFolder.bytes(at: path)
        #expect(after.count == bytes.count)
        if let place = Data(after).range(of: Data(Self.marker.utf8)) {
            Issue.record("\(name) has a marker at \(place.lowerBound), behind \(after[..<place.lowerBound].suffix(24))")
        }
        #expect(try frames(path) == before, "\(name)")
        #expect(try MetadataScrubber.scrub(fileAt: path).changedByteCount == 0, "\(name)")
        guard Tool.exiftool.isInstalled else { return report }
        for line in try Tool.exiftool.run(["-a", "-G1", "-u", "-ee3", "-s", path]).split(separator: "\n") {
            #expect(!line.contains(Self.marker) && !line.contains("GPS"), "\(name): \(line)")
            let group = line.dropFirst().prefix { $0 != "]" }
            #expect(Self.structureGroups.contains(String(group)) || group.hasPrefix("Track"), "\(name): \(line)")
        }
        return report
    }

    // Films

    private func film(_ name: String, _ codecs: [String], hasSubtitles: Bool = false) throws -> [UInt8] {
        let path = folder.file("source-" + name)
        let subtitles = try folder.write(
            Array("1\n00:00:00,000 --> 00:00:01,000\n\(Self.marker) 48.8577, 2.295\n".utf8), to: "place.srt")
        try Tool.ffmpeg.run(
            [
                "-y", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=2", "-f", "lavfi",
                "-i", "sine=duration=2",
            ] + (hasSubtitles ? ["-i", subtitles] : []) + codecs + [
                "-metadata", "title=\(Self.marker)", "-metadata", "location=+48.8577+002.2950/",
                "-metadata:s:v:0", "handler_name=\(Self.marker)", "-metadata:s:a:0", "title=\(Self.marker)", path,
            ])
        return try TestFolder.bytes(at: path)
    }

    private func frames(of path: String) throws -> String {
        try Tool.ffmpeg.run(["-loglevel", "error", "-i", path, "-map", "0:v", "-map", "0:a", "-f", "framemd5", "-"])
    }

    static let fragments = "frag_keyframe+empty_moov+default_base_moof"
    static let h264 = ["-c:v", "libx264", "-g", "5", "-bsf:v", "filter_units=remove_types=6", "-c:a", "aac"]

    @Test(
        "films lose what is in foreign boxes at every level, and play the same",
        .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"),
        arguments: [
            ("plain.mp4", h264, false), ("plain.mov", h264, false),
            ("subtitles.mp4", h264 + ["-c:s", "mov_text"], true),
            ("sound.mov", ["-c:v", "mpeg4", "-c:a", "pcm_s16le"], false),
            ("fragments.mp4", h264 + ["-movflags", fragments], false),
            ("fragmentsWithSubtitles.mp4", h264 + ["-c:s", "mov_text", "-movflags", fragments], true),
            ("index.mp4", h264 + ["-movflags", "dash+delay_moov+global_sidx+frag_keyframe"], false),
        ])
    func films(name: String, codecs: [String], hasSubtitles: Bool) throws {
        let source = BoxTree.list(try film(name, codecs, hasSubtitles: hasSubtitles)[...])
        // Boxes at the end of the file move nothing in front of them.
        let boxes = source.map { $0.planted(Self.marker) } + BoxTree.foreign(Self.marker)
        let report = try scrub(boxes.flatMap(\.bytes), to: name, frames: frames)
        if hasSubtitles { #expect(report.changedByteCounts[.timedMetadata, default: 0] > 10) }
    }

    @Test(
        "fragments without a base for their data play the same",
        .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"))
    func oldFragments() throws {
        let bytes = try film(
            "old.mp4", Self.h264 + ["-c:s", "mov_text", "-movflags", "frag_keyframe+empty_moov"], hasSubtitles: true)
        try scrub(bytes, to: "old.mp4", frames: frames)
    }

    @Test(
        "WebM loses what is in foreign elements at every level, and plays the same",
        .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"),
        arguments: [
            ("plain.webm", ["-c:v", "libvpx", "-c:a", "libopus"], false),
            ("vorbis.webm", ["-c:v", "libvpx-vp9", "-c:a", "libvorbis"], false),
            ("live.webm", ["-c:v", "libvpx", "-c:a", "libopus", "-live", "1"], false),
            ("subtitles.webm", ["-c:v", "libvpx", "-c:a", "libopus", "-c:s", "webvtt"], true),
        ])
    func webm(name: String, codecs: [String], hasSubtitles: Bool) throws {
        let source = ElementTree.list(try film(name, codecs, hasSubtitles: hasSubtitles)[...])
        let bytes = source.map { $0.planted(Self.marker) }.flatMap(\.bytes)
        try scrub(bytes, to: name, frames: frames)
        if name == "vorbis.webm" {
            #expect(Data(try TestFolder.bytes(at: folder.file(name))).range(of: Data("Lavc".utf8)) == nil)
        }
    }

    @Test(
        "a film in a codec that is not known here is said to be unclean, and stays whole",
        .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"))
    func unknownCodec() throws {
        let path = try folder.write(try film("motion.mov", ["-c:v", "mjpeg", "-c:a", "aac"]), to: "motion.mov")
        let before = try frames(of: path)
        #expect(try MetadataScrubber.scrub(fileAt: path).isUnparsable)
        #expect(try frames(of: path) == before)
    }

    // Pictures

    /// Decodes with libvips. Under another name each time: libvips remembers files.
    private func pixels(of path: String) throws -> String {
        let copy = try folder.write(try TestFolder.bytes(at: path), to: UUID().uuidString)
        let picture = try TestPicture(path: copy)
        return "\(picture.width) \(picture.height) \(picture.samples)"
    }

    private func picture(_ suffix: String) throws -> [UInt8] {
        var random = SplitMix64(state: 5)
        let rows = (0..<48).map { _ in (0..<192).map { _ in UInt8.random(in: 100...140, using: &random) } }
        let png = try folder.write(TestPNG.file(header: TestPNG.header(width: 64, height: 48), rows: rows), to: "p.png")
        if suffix == "png" { return try TestFolder.bytes(at: png) }
        try TestPicture.convert(png, to: folder.file("plain.\(suffix)") + "[strip]")
        return try TestFolder.bytes(at: folder.file("plain.\(suffix)"))
    }

    /// EXIF with the marker in tags that go, and in a kept tag of a wrong kind.
    private var exif: [UInt8] {
        let text = Array((Self.marker + Self.marker).utf8)
        func entry(_ tag: [UInt8], _ type: UInt8, _ count: Int, _ value: Int) -> [UInt8] {
            tag + [0, type] + TestPNG.bigEndian(count) + TestPNG.bigEndian(value)
        }
        let end = 8 + 2 + 3 * 12 + 4
        return [0x4d, 0x4d, 0, 0x2a] + TestPNG.bigEndian(8) + [0, 3] + entry([0x01, 0x12], 3, 1, 1 << 16)
            + entry([0x01, 0x3b], 2, text.count, end) + entry([0x82, 0x9a], 7, text.count, end) + [0, 0, 0, 0] + text
    }

    @Test("JPEG loses all segments but those that show the picture")
    func jpeg() throws {
        let text = Array(Self.marker.utf8)
        let plain = try picture("jpg")
        var segments: [UInt8] = []
        for marker in Array(UInt8(0xe0)...0xef) + [0xfe] {
            for introduction in [
                "", "Exif\0\0", "http://ns.adobe.com/xap/1.0/\0", "JFXX\0", "MPF\0", "FPXR\0", "Ducky",
            ] {
                segments += TestEXIF.segment(marker, Array(introduction.utf8) + text)
            }
        }
        segments += TestEXIF.segment(0xe0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0] + text)
        segments += TestEXIF.segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + text)
        segments += TestEXIF.segment(0xe1, Array("Exif\0\0".utf8) + exif)
        try scrub(
            Array(plain[..<2]) + segments + Array(plain[2...]) + Array("SEFH".utf8) + text, to: "a.jpg", frames: pixels)
        // Reserved markers, which libjpeg does not read.
        let reserved = (Array(UInt8(0xf0)...0xfd) + [0x02, 0xbf]).flatMap { TestEXIF.segment($0, text) }
        try scrub(Array(plain[..<2]) + reserved + Array(plain[2...]), to: "reserved.jpg") { _ in "" }
    }

    @Test("the list of unique ids in a JPEG of several pictures goes, their places stay")
    func multiPicture() throws {
        let plain = try picture("jpg")
        let entries = [UInt8](repeating: 0, count: 32)
        let ids = Array("\(Self.marker)-000000000000000000000000000\(Self.marker)-000000000000000000000000000".utf8)
        func entry(_ tag: UInt8, _ type: UInt8, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            [0xb0, tag, 0, type] + TestPNG.bigEndian(count) + value
        }
        let end = 8 + 2 + 4 * 12 + 4
        let index =
            Array("MPF\0".utf8) + [0x4d, 0x4d, 0, 0x2a] + TestPNG.bigEndian(8) + [0, 4]
            + entry(0, 7, 4, Array("0100".utf8)) + entry(1, 4, 1, TestPNG.bigEndian(2))
            + entry(2, 7, entries.count, TestPNG.bigEndian(end))
            + entry(3, 7, ids.count, TestPNG.bigEndian(end + entries.count)) + [0, 0, 0, 0] + entries + ids
        let bytes = Array(plain[..<2]) + TestEXIF.segment(0xe2, index) + Array(plain[2...]) + plain
        try scrub(bytes, to: "several.jpg", frames: pixels)
        if Tool.exiftool.isInstalled {
            let tags = try Tool.exiftool.run(["-a", "-G1", "-u", "-s", folder.file("several.jpg")])
            #expect(tags.contains("NumberOfImages") && !tags.contains("ImageUIDList"))
        }
    }

    @Test("PNG loses all chunks but those that show the picture, and the name of its profile")
    func png() throws {
        let text = Array(Self.marker.utf8)
        let plain = try picture("png")
        let kinds = ["tEXt", "zTXt", "iTXt", "sPLT", "tIME", "hIST", "iDOT", "caBX", "prVt", "dSIG", "gIFx", "oFFs"]
        // Deflated nothing: libpng passes over a profile that is none.
        let profile = text + [0, 0, 0x78, 0x9c, 3, 0, 0, 0, 0, 1]
        let chunks =
            kinds.flatMap { TestPNG.chunk($0, text) } + TestPNG.chunk("iCCP", profile) + TestPNG.chunk("gAMA", text)
            + TestPNG.chunk("eXIf", exif)
        let bytes = Array(plain[..<33]) + chunks + Array(plain[33...]) + text
        try scrub(bytes, to: "a.png", frames: pixels)
    }

    @Test("WebP loses all chunks but those that show the picture, in animations too")
    func webp() throws {
        func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
            let count = (0..<4).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
            return Array(kind.utf8) + count + payload + [UInt8](repeating: 0x4d, count: payload.count % 2)
        }
        let text = Array(Self.marker.utf8)
        let plain = try picture("webp")
        let start = try #require(Data(plain).range(of: Data("VP8 ".utf8))).lowerBound
        let count = plain[(start + 4)..<(start + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
        let image = Array(plain[start..<(start + 8 + count + count % 2)])
        let foreign = chunk("ZZZZ", text) + chunk("name", text + [1])
        let size: [UInt8] = [63, 0, 0, 47, 0, 0]
        let still =
            Array("WEBP".utf8) + chunk("VP8X", [0x0c, 0, 0, 0] + size) + image + chunk("EXIF", exif)
            + chunk("XMP ", text) + foreign
        try scrub(chunk("RIFF", still) + text, to: "still.webp", frames: pixels)
        let frame = chunk("ANMF", [0, 0, 0, 0, 0, 0] + size + [100, 0, 0, 0] + image + foreign)
        let moving =
            Array("WEBP".utf8) + chunk("VP8X", [2, 0, 0, 0] + size) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frame + frame
            + foreign
        try scrub(chunk("RIFF", moving), to: "moving.webp", frames: pixels)
    }

    @Test("GIF loses all extensions but those that show the picture")
    func gif() throws {
        let text = Array(Self.marker.utf8)
        let plain = try picture("gif")
        let block = [UInt8(text.count)] + text + [0]
        func application(_ name: String) -> [UInt8] { [0x21, 0xff, 11] + Array(name.utf8) + block }
        let extensions =
            [0x21, 0xfe] + block + [0x21, 0x01, 12] + text + text + block + [0x21, 0x77] + block
            + application("NETSCAPE2.0") + application("\(Self.marker)_1.0.") + application("XMP DataXMP")
            + [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        let start = 13 + (plain[10] & 0x80 == 0 ? 0 : 3 << (Int(plain[10] & 7) + 1))
        try scrub(Array(plain[..<start]) + extensions + Array(plain[start...]) + text, to: "a.gif", frames: pixels)
        #expect(try TestFolder.bytes(at: folder.file("a.gif")).contains(0x21))
    }

    @Test("HEIC and AVIF lose foreign boxes, properties, items and references", arguments: ["heic", "avif"])
    func heif(suffix: String) throws {
        let plain: [UInt8]
        do { plain = try picture(suffix) } catch let error as TestPicture.Failed {
            // Without an encoder libvips says so.
            try Test.cancel("no encoder: \(error.message)")
        }
        let source = BoxTree.list(plain[...])
        // A second description would be taken for the first.
        let foreign = BoxTree.foreign(Self.marker).filter { $0.kind != "meta" }
        var boxes = source.map { $0.planted(Self.marker, isPhoto: true) } + foreign
        // Media data follow the description.
        let distance =
            try #require(boxes.first { $0.kind == "meta" }).bytes.count
            - source.first { $0.kind == "meta" }!.bytes.count
        for index in boxes.indices { boxes[index].moveItems(by: distance) }
        boxes += [BoxTree(kind: "mdat", fields: Array(Self.marker.utf8))]
        let report = try scrub(boxes.flatMap(\.bytes), to: "a.\(suffix)", frames: pixels)
        #expect(report.changedByteCounts[.timedMetadata] == Self.marker.utf8.count)
    }
}
