// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// Frames that guests give each other (protocol/disposable-v1.md §9.23).
extension Replica {
    /// Returns the gifts of the author's highest free frames: photos take the lowest, so at two nodes that are apart
    /// both seldom choose one frame.
    func gifts(
        _ count: Int, to recipient: AuthorID, by author: AuthorID, left: Int?
    ) throws(Refusal) -> [Draft] {
        if let refusal = state.giftRefusal(count, to: recipient, by: author, left: left) { throw .noGift(refusal) }
        return state.frames(givableBy: author).prefix(count).map { slot in
            Draft(kind: .gift, subject: OperationID(recipient.bytes32), argument: slot)
        }
    }
}
