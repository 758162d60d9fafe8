// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

/// The length of videos, as the rule about videos needs it (protocol/disposable-v1.md §9.17).
@Suite struct VideoLengthTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private static let fragments = ["-c:v", "mpeg4", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]

    private func film(_ name: String, _ codecs: [String], seconds: Int) throws -> [UInt8] {
        let path = folder.file("source-" + name)
        try Tool.ffmpeg.run(
            [
                "-y", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=\(seconds)", "-f",
                "lavfi", "-i", "sine=duration=\(seconds)",
            ] + codecs + [path])
        return try TestFolder.bytes(at: path)
    }

    private func length(of bytes: [UInt8], named name: String) throws -> Int {
        let report = try MetadataScrubber.scrub(fileAt: try folder.write(bytes, to: name))
        #expect(!report.isUnparsable, "\(name)")
        return try #require(report.durationMilliseconds)
    }

    @Test(
        "a video has the length of its samples, whatever the container",
        .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"),
        arguments: [
            ("plain.mp4", ["-c:v", "mpeg4", "-c:a", "aac"]), ("plain.mov", ["-c:v", "mpeg4", "-c:a", "pcm_s16le"]),
            ("fragments.mp4", fragments), ("plain.webm", ["-c:v", "libvpx", "-c:a", "libopus"]),
            ("live.webm", ["-c:v", "libvpx", "-c:a", "libopus", "-live", "1"]),
        ])
    func lengths(name: String, codecs: [String]) throws {
        for seconds in [2, 7] {
            let length = try length(of: try film(name, codecs, seconds: seconds), named: "\(seconds)-\(name)")
            // The last frame of a live recording has no end.
            #expect((seconds * 1_000 - 250...seconds * 1_000 + 250).contains(length), "\(name): \(length)")
        }
    }

    @Test(
        "a header that says less than the samples shortens nothing",
        .enabled(if: Tool.ffmpeg.isInstalled, "ffmpeg is not installed"))
    func lyingHeader() throws {
        var bytes = try film("long.mp4", ["-c:v", "mpeg4", "-c:a", "aac"], seconds: 7)
        for (kind, offset) in [("mvhd", 16), ("mdhd", 16), ("tkhd", 20)] {
            var from = 0
            while let place = Data(bytes[from...]).range(of: Data(kind.utf8)).map({ $0.lowerBound + from }) {
                for index in 0..<4 { bytes[place + 4 + offset + index] = index == 3 ? 1 : 0 }
                from = place + 4
            }
        }
        #expect(try length(of: bytes, named: "lying.mp4") > 6_700)
    }

    @Test("a picture has no length")
    func picture() throws {
        let path = try folder.write(
            TestPNG.file(header: TestPNG.header(width: 1, height: 1), rows: [[0, 0, 0, 0]]), to: "a.png")
        #expect(try MetadataScrubber.scrub(fileAt: path).durationMilliseconds == nil)
    }
}
