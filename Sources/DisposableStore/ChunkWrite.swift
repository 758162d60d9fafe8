// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// A received chunk whose hash has been checked against the list, and the list against the root.
public struct ChunkWrite: Sendable {
    public let root: BlobRoot
    public let blobClass: BlobClass
    /// The length of the blob's plaintext.
    public let byteCount: UInt64
    public let index: Int
    public let ciphertext: [UInt8]
    public let chunkHashes: [Bytes32]

    public init(
        root: BlobRoot, blobClass: BlobClass, byteCount: UInt64, index: Int, ciphertext: [UInt8], chunkHashes: [Bytes32]
    ) {
        self.root = root
        self.blobClass = blobClass
        self.byteCount = byteCount
        self.index = index
        self.ciphertext = ciphertext
        self.chunkHashes = chunkHashes
    }
}

/// The outcome of a `ChunkWrite`.
public enum ChunkOutcome: Equatable, Sendable {
    /// In the file, and durable after the next `flush` at the latest.
    case stored
    /// The blob is complete and durable; returned for the last of its chunks in a batch.
    case completed
    /// The chunk may be written again.
    case failed(StoreError)
}
