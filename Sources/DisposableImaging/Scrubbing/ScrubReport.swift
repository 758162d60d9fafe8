// SPDX-License-Identifier: Apache-2.0

/// The metadata that `MetadataScrubber` found and overwrote.
public struct ScrubReport: Equatable, Sendable {
    public enum Category: String, CaseIterable, Sendable {
        case location, makerNote, serialNumber, owner, text, embeddedThumbnail, xmp, iptc
        /// Samples of tracks that carry metadata along a video, such as a GPS log, and media data that belong to no
        /// picture and no sound.
        case timedMetadata
        /// Bytes after the end of the image that belong to no known format.
        case trailer
        case other
    }

    /// Nil if the file is of no known type: then it is unchanged.
    public package(set) var mediaType: MediaFormat?
    /// The number of changed bytes. A second scrub of the same file changes none, unless its tables refer to bytes for
    /// two reasons.
    public package(set) var changedByteCounts: [Category: Int] = [:]
    /// Whether metadata may be left: the structure ended or became invalid at some point, or a part has a kind that
    /// could not be cleaned.
    public package(set) var isUnparsable = false

    /// The duration of a video, of its samples and as its header says, whichever is longer; nil for pictures, and for
    /// a structure that is not understood.
    public package(set) var durationMilliseconds: Int?

    package init() {}

    public var changedByteCount: Int { changedByteCounts.values.reduce(0, +) }
}
