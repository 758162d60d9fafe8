// SPDX-License-Identifier: Apache-2.0
internal import DisposableImaging
internal import DisposableModel

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

extension EventNode {
    /// Returns the time by which the camera's clock is ahead, in milliseconds; negative if it is behind. A clock in
    /// another time zone is one that is hours ahead. Throws `Refusal.refusedFile` for a photo without a time.
    func ahead(of clock: CameraClock) async throws -> Int64 {
        let times: ClosedRange<Int64> = -(1 << 48)...(1 << 48)
        guard let captured = try? await context.images.render(path: clock.photo).capturedAt,
            times.contains(captured.milliseconds)
        else {
            throw NodeError.refused(
                .refusedFile(reason: "\(clock.photo), the photo of the clock, cannot be read, or has no time"))
        }
        return captured.milliseconds - Int64(min(clock.shownAt, 1 << 48))
    }
}
