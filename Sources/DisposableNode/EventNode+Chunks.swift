// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

/// Chunks that are being stored: those that arrive while one batch is written form the next batch, so that one sync
/// serves many.
struct ChunkWriting {
    var arrived: [ArrivedChunk] = []
    var isWriting = false
    /// When chunks of unfinished blobs are synced to the disk, by the node's clock.
    var flushDueAt: UInt64?
}

extension EventNode {
    func writeChunks() {
        guard !chunks.isWriting, !chunks.arrived.isEmpty else { return }
        // Blobs that were deleted meanwhile are not started again.
        let batch = chunks.arrived.filter { replica.isDescribed($0.blob) }
        chunks.arrived = []
        guard !batch.isEmpty else { return }
        chunks.isWriting = true
        writes.async { [self, blobs = store.blobs] in
            let outcomes = blobs.write(
                batch.map {
                    ChunkWrite(
                        root: $0.blob.root, blobClass: $0.blob.blobClass, byteCount: $0.blob.byteCount,
                        index: $0.index, ciphertext: $0.ciphertext, chunkHashes: $0.hashes)
                })
            let written = zip(batch, outcomes).map { (chunk: $0, outcome: $1) }
            complete { $0.chunksWritten(written) }
        }
    }

    func chunksWritten(_ written: [(chunk: ArrivedChunk, outcome: ChunkOutcome)]) {
        chunks.isWriting = false
        for (chunk, outcome) in written {
            switch outcome {
            case .stored, .completed:
                apply(.chunkStored(chunk.blob, index: chunk.index))
            case .failed(let error):
                storingFailed(error)
                apply(.chunkStoringFailed(chunk.blob, index: chunk.index))
            }
        }
        if written.contains(where: { $0.outcome == .stored || $0.outcome == .completed }) { solve(.storage) }
        if chunks.flushDueAt == nil { chunks.flushDueAt = now.milliseconds + 2_000 }
        writeChunks()
    }

    func flushIfDue() {
        guard let due = chunks.flushDueAt, due <= now.milliseconds else { return }
        chunks.flushDueAt = nil
        writes.async { [blobs = store.blobs, logger] in
            do { try blobs.flush() } catch { logger.error("chunks not synced", metadata: ["reason": "\(error)"]) }
        }
    }
}
