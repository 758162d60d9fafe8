// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// A blob with some or all chunks in its `.part` file, and no row that marks it as complete.
struct PartialBlob {
    let blobClass: BlobClass
    let layout: ChunkLayout
    let chunkHashes: [Bytes32]
    /// The chunks in the file, some perhaps only in the system's cache.
    var chunks: ChunkBitmap
    /// The chunks that are durable: only these may be in a row.
    var lastingChunks: ChunkBitmap
    /// Bytes written since the file was last synchronized.
    var unsyncedByteCount = 0
    /// Whether the file has its final name already and only the row lags.
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
