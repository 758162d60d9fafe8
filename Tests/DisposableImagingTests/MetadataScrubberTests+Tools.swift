// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

/// The results as other programs see them.
extension MetadataScrubberTests {
    @Test(
        "what a phone's tools write is gone by the word of ExifTool, and times and orientation are not",
        .enabled(if: Tool.exiftool.isInstalled, "exiftool is not installed"),
        arguments: ["jpg", "png", "webp", "heic"])
    func exiftool(suffix: String) throws {
        let path = folder.file("oracle.\(suffix)")
        do { _ = try plain(suffix) } catch let error as TestPicture.Failed where suffix == "heic" {
            // No encoder on this machine.
            #expect(!error.message.isEmpty)
            return
        }
        try FileManager.default.copyItem(
            atPath: folder.file(suffix == "png" ? "p.png" : "plain.\(suffix)"), toPath: path)
        let secret = TestEXIF.secret
        try Tool.exiftool.run(
            [
                "-q", "-overwrite_original", "-GPSLatitude=48.8577", "-GPSLatitudeRef=N", "-GPSLongitude=2.295",
                "-GPSLongitudeRef=E", "-EXIF:SerialNumber=\(secret)", "-EXIF:LensSerialNumber=\(secret)",
                "-EXIF:OwnerName=\(secret)", "-EXIF:ImageUniqueID=\(secret)", "-EXIF:Artist=\(secret)",
                "-EXIF:UserComment=\(secret)", "-XMP:Creator=\(secret)", "-XMP:GPSLatitude=48.8577",
                "-EXIF:Orientation#=1", "-EXIF:DateTimeOriginal=2025:08:16 14:03:22", "-EXIF:Model=Model 5",
                "-EXIF:OffsetTimeOriginal=+02:00", path,
            ] + (suffix == "jpg" ? ["-IPTC:By-line=\(secret)", "-Comment=\(secret)"] : []))
        let before = try Tool.exiftool.run(["-a", "-u", "-G1", "-s", path])
        #expect(before.contains(secret) && before.contains("GPSLatitude"))
        let pixels = try TestPicture(path: path)
        let report = try MetadataScrubber.scrub(fileAt: path)
        #expect(!report.isUnparsable)
        let after = try Tool.exiftool.run(["-a", "-u", "-G1", "-s", path])
        for gone in [secret, "GPS", "[XMP", "[IPTC", "Invalid", "SerialNumber", "OwnerName", "Artist"] {
            #expect(!after.contains(gone), "\(gone) in \(after)")
        }
        for kept in ["Orientation", "2025:08:16 14:03:22", "+02:00", "Model 5"] {
            #expect(after.contains(kept), "\(kept) in \(after)")
        }
        let copy = folder.file("copy.\(suffix)")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(try TestPicture(path: copy) == pixels)
    }

    @Test(
        "a film with a place plays the same frames after, without the place",
        .enabled(if: Tool.ffmpeg.isInstalled && Tool.exiftool.isInstalled, "ffmpeg or exiftool is not installed"),
        arguments: ["mp4", "mov"])
    func film(suffix: String) throws {
        let path = folder.file("film.\(suffix)")
        try Tool.ffmpeg.run([
            "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1", "-c:v", "mpeg4",
            "-metadata", "location=+48.8577+002.2950/", "-metadata", "artist=\(TestEXIF.secret)",
            "-metadata", "creation_time=2025-08-16T12:03:22Z", path,
        ])
        try Tool.exiftool.run([
            "-q", "-overwrite_original", "-Keys:GPSCoordinates=48.8577, 2.295, 35", "-XMP:Creator=\(TestEXIF.secret)",
            path,
        ])
        let frames = try Tool.ffmpeg.run(["-loglevel", "error", "-i", path, "-f", "framemd5", "-"])
        #expect(try Tool.exiftool.run(["-a", "-ee", "-G1", "-s", path]).contains("GPSCoordinates"))
        let report = try MetadataScrubber.scrub(fileAt: path)
        #expect(!report.isUnparsable)
        let after = try Tool.exiftool.run(["-a", "-ee", "-G1", "-s", path])
        for gone in [TestEXIF.secret, "GPS", "XMP", "Artist"] { #expect(!after.contains(gone), "\(gone) in \(after)") }
        #expect(after.contains("2025:08:16 12:03:22"))
        #expect(try Tool.ffmpeg.run(["-loglevel", "error", "-i", path, "-f", "framemd5", "-"]) == frames)
    }
}
