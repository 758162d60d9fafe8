// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
public import DisposableWire

/// What a node has of the event's blobs.
public struct BlobInventory: Sendable {
    /// Whole blobs, each with the length of its plaintext.
    public let complete: [BlobRoot: UInt64]
    public let partial: [Partial]
    /// Blobs that were complete or begun, and found missing or damaged when the store was opened. They are not complete
    /// any more, unless they have been fetched again since.
    public let lost: [BlobRoot]

    public struct Partial: Equatable, Sendable {
        public let root: BlobRoot
        /// Of the plaintext.
        public let byteCount: UInt64
        public let chunks: ChunkBitmap
        public let chunkHashes: [Bytes32]
    }
}
