// SPDX-License-Identifier: Apache-2.0

/// The worker's result for one accepted file.
public struct RenderedImage: Equatable, Sendable {
    public var mediaType: MediaFormat
    /// From EXIF; nil for videos and if the file has none.
    public var capturedAt: CaptureTime?
    /// Nil for videos, which are not decoded, and for images without a decoder on this machine.
    public var renditions: Renditions?
    public var warnings: [Warning]

    public enum Warning: UInt8, CaseIterable, Sendable {
        /// Truncated or corrupt: the decoded part is shown, the rest is blank.
        case damaged = 1
        /// An accepted image that this machine cannot decode (HEIC without its library): kept, and shown as a tile.
        case noDecoder = 2
    }

    package init(
        mediaType: MediaFormat, capturedAt: CaptureTime? = nil, renditions: Renditions? = nil, warnings: [Warning] = []
    ) {
        self.mediaType = mediaType
        self.capturedAt = capturedAt
        self.renditions = renditions
        self.warnings = warnings
    }
}

/// The small versions of an image: JPEG in sRGB, upright, on white, without metadata, the first frame only.
public struct Renditions: Equatable, Sendable {
    /// Size of the original in pixels, after it is turned upright.
    public var width: Int
    public var height: Int
    /// At most `thumbnailByteCountMax` bytes, long edge at most `thumbnailSide` pixels.
    public var thumbnail: [UInt8]
    /// At most `previewByteCountMax` bytes, long edge at most `previewSide` pixels.
    public var preview: [UInt8]

    public static let thumbnailByteCountMax = 24 << 10
    public static let previewByteCountMax = 512 << 10
    public static let thumbnailSide = 320
    public static let previewSide = 1_600

    package init(width: Int, height: Int, thumbnail: [UInt8], preview: [UInt8]) {
        self.width = width
        self.height = height
        self.thumbnail = thumbnail
        self.preview = preview
    }
}
