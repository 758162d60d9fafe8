// SPDX-License-Identifier: Apache-2.0
internal import DisposableSync

/// Chunks that are being verified and stored: those that arrive while one batch is written form the next batch, so that
/// one sync serves many.
struct ChunkWriting {
    var arrived: [ArrivedChunk] = []
    var isWriting = false
    /// When chunks of unfinished blobs are synced to the disk, by the node's clock.
    var flushDueAt: UInt64?
}
