// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
public import DisposableWire

/// What a node has of the event's blobs.
public struct BlobInventory: Sendable {
    public let complete: [BlobID]
    public let partial: [Partial]
    /// Blobs that were complete or begun, and found missing or damaged when the store was opened. They are neither
    /// complete nor partial any more, unless they have been fetched again since.
    public let lost: [BlobID]

    public struct Partial: Equatable, Sendable {
        public let root: BlobID
        public let chunks: ChunkBitmap
        public let chunkHashes: [Bytes32]
    }
}
