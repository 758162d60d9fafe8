// SPDX-License-Identifier: Apache-2.0

/// A photo that a camera took of a clock, and the time that this clock showed: how far the camera's own clock is off.
public struct CameraClock: Codable, Sendable, Equatable {
    /// The path of the photo.
    public var photo: String
    /// Milliseconds since 1970 UTC.
    public var shownAt: UInt64

    public init(photo: String, shownAt: UInt64) {
        self.photo = photo
        self.shownAt = shownAt
    }
}
