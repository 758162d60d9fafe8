// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
public import DisposableWire
internal import OrderedCollections

extension Replica {
    /// Restores the contents of the store, before the first input.
    /// - Parameters:
    ///   - operations: in any order, with the bodies that describe blobs.
    ///   - blob: returns the stored part of a blob.
    public mutating func restore(_ operations: [VerifiedOperation], blob: (BlobID) -> StoredBlob) {
        restore(part: operations)
        finishRestoring(blob: blob)
    }

    /// Restores part of the store, if the whole is too large for memory. Call `finishRestoring` afterwards, which
    /// derives ranks and void operations once for all parts.
    public mutating func restore(part operations: [VerifiedOperation]) {
        for operation in operations {
            guard index.insert(operation) else { continue }
            state.take(operation)
            followChain(operation)
            if operation.kind?.isErasable != false, operation.body == nil {
                index.restored.headers.append(operation)
            } else if operation.kind == .photo || operation.kind == .original {
                // The bytes are not needed, their description is.
                index.restored.descriptions.append(
                    VerifiedOperation(
                        id: operation.id, header: operation.header, signature: operation.signature, body: nil,
                        content: operation.content))
            }
        }
    }

    /// - Parameter blob: returns the stored part of a blob.
    public mutating func finishRestoring(blob: (BlobID) -> StoredBlob) {
        state.resolve()
        pipeline.budgets.trees.standingChanged()
        interests.standingChanged()
        followWithdrawals(ofRestored: index.restored.headers)
        for operation in index.restored.descriptions { note(blobsOf: operation, stored: blob) }
        decideRestored()
        index.restored = ([], [])
        status.wasAdmitted = isAdmitted
        followEpochs()
        outputs.removeAll { if case .changed(.rotated) = $0 { true } else { false } }
        _ = blobs.takeAnnouncements()
        gossip.announcement.cancel()
    }

    /// The stored part of a blob when a node starts.
    public enum StoredBlob: Sendable {
        case absent
        case partial(ChunkBitmap, hashes: [Bytes32])
        case complete
    }
}
