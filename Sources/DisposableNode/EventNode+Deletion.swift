// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Deleting an event everywhere before its time.
extension EventNode {
    /// Ends the event and its retention, with one signed edit for each field. From then on no node shows its photos,
    /// and every node destroys keys and data as after any retention (`RetentionPolicy`). Throws if this node may not
    /// edit the event, or if it is deleted already.
    func delete() async throws {
        guard let charter = replica.state.charter else { throw NodeError.refused(.notAdmitted) }
        guard !charter.isDeleted else { throw NodeError.refused(.nothingToDo) }
        // An edit counts as soon as it arrives, and the end of the event is what may open its sealed photos.
        if charter.revealKey != .zero, !replica.state.isRevealed {
            var sealed = charter
            sealed.reveal = .never
            try await edit(charter, to: sealed)
        }
        guard let charter = replica.state.charter else { throw NodeError.refused(.notAdmitted) }
        var deleted = charter
        deleted.delete(at: now.wallClockMilliseconds)
        try await edit(charter, to: deleted)
    }

    private func edit(_ charter: Charter, to edited: Charter) async throws {
        let fields = charter.differences(from: edited)
        guard !fields.isEmpty else { return }
        try await rule(.edit(fields, edited, salt: Entropy.bytes(OperationBody.saltByteCount)))
    }
}
