// SPDX-License-Identifier: Apache-2.0

/// The limits for one file; the worker checks them before it reads the file.
public enum ImagingLimits {
    /// Largest original, image or video.
    public static let fileByteCountMax = 256 << 20
    /// Checked in the header, before a pixel is decoded.
    public static let pixelCountMax = 120_000_000
    /// The address space of the worker, libraries included.
    public static let workerMemoryMax = 3 << 29
    /// Processor time for one request, in addition to the node's own timeout.
    public static let requestCPUSecondsMax = 10
    /// The same for cleaning a file; the largest may have to be read several times.
    public static let cleaningCPUSecondsMax = 60
    package static let requestByteCountMax = 64
    /// A demo photo of 4000 x 3000 pixels is the largest answer.
    package static let replyByteCountMax = 16 << 20
}
