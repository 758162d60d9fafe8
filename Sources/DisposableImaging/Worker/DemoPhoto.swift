// SPDX-License-Identifier: Apache-2.0

/// A synthetic photo for demonstrations, measurements and tests: hills under an evening sky, confetti, a large number.
///
/// The worker paints it, see `ImageWorkerPool.jpeg(of:)`. The same values give the same picture; camera-like grain
/// makes 4000 x 3000 pixels 2 to 5 MB.
public struct DemoPhoto: Equatable, Sendable {
    /// Determines colours and shapes; its last two decimals are the number in the picture.
    public var seed: UInt64
    /// The width in pixels; both sides are within 16 to 8192.
    public var width: Int
    public var height: Int
    /// Milliseconds since 1970, UTC: `DateTimeOriginal`, with offset +00:00.
    public var capturedAtMilliseconds: Int64

    public static let sideRange = 16...8_192

    /// - Precondition: both sides are within `sideRange`.
    public init(
        seed: UInt64, width: Int = 4_000, height: Int = 3_000, capturedAtMilliseconds: Int64 = 1_755_345_600_000
    ) {
        self.seed = seed
        self.width = width
        self.height = height
        self.capturedAtMilliseconds = capturedAtMilliseconds
    }
}
