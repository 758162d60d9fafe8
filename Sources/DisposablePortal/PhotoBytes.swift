// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// The bytes of one blob, for reading in parts.
public struct PhotoBytes: Sendable {
    public let byteCount: UInt64
    public let mediaType: MediaType
    /// Blocks on the disk, so callers must not be on an event loop. Throws if the blob is no longer here.
    public let read: @Sendable (_ range: Range<UInt64>) throws -> [UInt8]

    public init(byteCount: UInt64, mediaType: MediaType, read: @escaping @Sendable (Range<UInt64>) throws -> [UInt8]) {
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.read = read
    }
}
