// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// A blob of which some chunks are in its `.part` file, or all, and no row says yet that it is complete.
struct PartialBlob {
    let blobClass: BlobClass
    let layout: ChunkLayout
    let chunkHashes: [Bytes32]
    /// What is in the file, some of it perhaps only in the system's memory.
    var chunks: ChunkBitmap
    /// What is on disk for certain: all that a row may say.
    var lastingChunks: ChunkBitmap
    /// Bytes written since the file was last synchronized.
    var unsyncedByteCount = 0
    /// Whether the file has its final name already and only the row is behind.
    var isRenamed = false

    init(blobClass: BlobClass, byteCount: UInt64, chunkHashes: [Bytes32], chunks: ChunkBitmap? = nil) {
        self.blobClass = blobClass
        self.chunkHashes = chunkHashes
        layout = ChunkLayout(plaintextByteCount: byteCount)
        self.chunks = chunks ?? ChunkBitmap(chunkCount: chunkHashes.count)
        lastingChunks = self.chunks
    }

    var isComplete: Bool { chunks.count == layout.chunkCount }
}
