// SPDX-License-Identifier: Apache-2.0

/// Overwrites in place, at equal length, the location of a photo and the identity of its camera and photographer.
///
/// Runs on the copy that is shared, before it is hashed. Pixels, sound, colour profile, orientation and capture time
/// stay byte for byte. Each format has a list of the parts to keep, because they define how to show picture and sound;
/// everything else is blanked, so unforeseen metadata do not slip through. Files are read by offset in small pieces: a
/// video of 256 MiB needs no more memory than a photo. A malformed file ends the scrub, never the process.
///
/// Texts inside a colour profile, and metadata inside a codec's own bit stream, are not removed.
public enum MetadataScrubber {
    /// Throws `unreadable`, `notARegularFile` or `tooLarge`. After a throw the file may be overwritten in part.
    /// - Important: this does not sync to disk.
    public static func scrub(fileAt path: String) throws(ImagingError) -> ScrubReport {
        try scrub(RegularFile(path: path, for: .updating))
    }

    /// Does the same for a file that is open for reading and writing. A node leaves this to a worker
    /// (`ImageWorkerPool.clean`): a flaw in a parser then affects one file.
    package static func scrub(_ file: consuming RegularFile) throws(ImagingError) -> ScrubReport {
        var region = FileRegion(file: file)
        let head = try region.file.bytes(in: 0..<min(MediaFormat.sniffedByteCount, region.byteCount))
        guard let type = MediaFormat(sniffing: head) else { return region.report }
        region.report.mediaType = type
        do throws(ScrubFailure) {
            try scrub(type, in: &region)
        } catch {
            switch error {
            case .malformed: region.report.isUnparsable = true
            case .file(let error): throw error
            }
        }
        return region.report
    }

    private static func scrub(_ type: MediaFormat, in region: inout FileRegion) throws(ScrubFailure) {
        let all = 0..<region.byteCount
        switch type {
        case .jpeg: try JPEGScrubber.scrub(all, in: &region)
        case .png: try PNGScrubber.scrub(all, in: &region)
        case .webp: try WebPScrubber.scrub(all, in: &region)
        case .gif: try GIFScrubber.scrub(all, in: &region)
        case .heic, .avif: try BoxScrubber.scrub(all, isImage: true, in: &region)
        case .mp4, .quicktime:
            try BoxScrubber.scrub(all, isImage: false, in: &region)
            do throws(ScrubFailure) {
                region.report.durationMilliseconds = try MovieClock.duration(all, in: &region)
            } catch {
                // It is clean, and nothing is known of its duration.
                if case .file = error { throw error }
            }
        case .webm: region.report.durationMilliseconds = try EBMLScrubber.scrub(all, in: &region)
        }
    }
}
