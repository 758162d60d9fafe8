// SPDX-License-Identifier: Apache-2.0

/// What `MetadataScrubber` found and overwrote.
public struct ScrubReport: Equatable, Sendable {
    public enum Category: String, CaseIterable, Sendable {
        case location, makerNote, serialNumber, owner, text, embeddedThumbnail, xmp, iptc
        /// Samples of tracks that carry metadata along a video, such as a GPS log, and media data that belong to no
        /// picture and no sound.
        case timedMetadata
        /// Bytes after the end of the image that belong to no format known here.
        case trailer
        case other
    }

    /// Nil when the file is of no kind known here: then it is as it was.
    public package(set) var mediaType: MediaType?
    /// Bytes that are different now. A second scrub of the same file finds none, unless its tables name bytes for two
    /// reasons.
    public package(set) var changedByteCounts: [Category: Int] = [:]
    /// Metadata may be left: the structure broke off or made no sense from some point on, or a part is of a kind that
    /// could not be cleaned.
    public package(set) var isUnparsable = false

    package init() {}

    public var changedByteCount: Int { changedByteCounts.values.reduce(0, +) }
}
