// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
public import DisposableWire

/// The blobs of the event that a node has.
public struct BlobInventory: Sendable {
    /// Complete blobs, each with the length of its plaintext.
    public let complete: [BlobRoot: UInt64]
    public let partial: [Partial]
    /// Blobs that were complete or begun, and found missing or corrupt when the store was opened. They are no longer
    /// complete, unless they have been fetched again since.
    public let lost: [BlobRoot]

    public struct Partial: Equatable, Sendable {
        public let root: BlobRoot
        /// The length of the plaintext.
        public let byteCount: UInt64
        public let chunks: ChunkBitmap
        public let chunkHashes: [Bytes32]
    }
}
