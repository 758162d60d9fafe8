// SPDX-License-Identifier: Apache-2.0

/// What one file may cost at most; the helper holds itself to these before it touches the file.
public enum ImagingLimits {
    /// Largest original, image or video.
    public static let fileByteCountMax = 256 << 20
    /// Checked from the header, before a pixel is decoded.
    public static let pixelCountMax = 120_000_000
    /// Address space of the helper, libraries included.
    public static let workerMemoryMax = 3 << 29
    /// Processor time for one request, a second line behind the node's own watchdog.
    public static let requestCPUSecondsMax = 10
    /// The same for cleaning a file, of which the largest may have to be read several times.
    public static let cleaningCPUSecondsMax = 60
    package static let requestByteCountMax = 64
    /// A demo photo of 4000 x 3000 pixels is the largest answer.
    package static let replyByteCountMax = 16 << 20
}
