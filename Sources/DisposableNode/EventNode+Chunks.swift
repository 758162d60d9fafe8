// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

extension EventNode {
    func writeChunks() {
        guard !chunks.isWriting, !chunks.arrived.isEmpty else { return }
        // Blobs that were deleted meanwhile are not started again.
        let batch = chunks.arrived.filter { replica.isDescribed($0.blob) }
        chunks.arrived = []
        guard !batch.isEmpty else { return }
        chunks.isWriting = true
        writes.async { [self, blobs = store.blobs] in
            let (right, wrong) = Self.verify(batch)
            let outcomes = blobs.write(right.map(\.write))
            let written = zip(right, outcomes).map { (chunk: $0.chunk, outcome: $1) }
            complete { $0.chunksWritten(written, wrong: wrong) }
        }
    }

    private static func verify(
        _ batch: [ArrivedChunk]
    ) -> (right: [(chunk: ArrivedChunk, write: ChunkWrite)], wrong: [ArrivedChunk]) {
        var right: [(chunk: ArrivedChunk, write: ChunkWrite)] = []
        var wrong: [ArrivedChunk] = []
        for (chunk, list) in zip(batch, ArrivedChunk.verifiedLists(of: batch)) {
            guard let list else {
                wrong.append(chunk)
                continue
            }
            let write = ChunkWrite(
                root: chunk.blob.root, blobClass: chunk.blob.blobClass, byteCount: chunk.blob.byteCount,
                index: chunk.index, ciphertext: chunk.ciphertext, chunkHashes: list)
            right.append((chunk, write))
        }
        return (right, wrong)
    }

    func chunksWritten(_ written: [(chunk: ArrivedChunk, outcome: ChunkOutcome)], wrong: [ArrivedChunk]) {
        chunks.isWriting = false
        for chunk in wrong { apply(.chunkTurnedOutWrong(chunk.blob, index: chunk.index)) }
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
