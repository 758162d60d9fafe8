// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The side of a reconciliation that begins, and learns the difference of the two sets.
///
/// ```
/// initiator                                responder
/// initiate()          -- 16 fingerprints ->
///                     <- smaller ranges --  reconcile(_:)      most ranges were equal and are skipped
/// reconcile(_:)       -- lists of ids ---->
///                     <- lists of ids ----  reconcile(_:)
/// reconcile(_:) gives have, need, done
/// ```
///
/// It is a pure function of the snapshot: its owner counts rounds and time, and drops a responder that never ends.
///
/// - Important: `have` and `need` grow from step to step. Under a frame limit a range may be answered again, and an id
///   reported again: collect them in sets.
public struct ReconciliationInitiator: Sendable {
    /// The result of one message of the responder.
    public struct Step: Hashable, Sendable {
        public enum Next: Hashable, Sendable {
            case send([UInt8])
            case done
        }
        /// Ids that we have and the responder does not, in the order of the set.
        public let have: [Bytes32]
        /// Ids that the responder has and we do not, in the order of its lists.
        public let need: [Bytes32]
        public let next: Next
    }

    private let reconciler: Reconciler

    /// - Parameters:
    ///   - items: this side's set.
    ///   - frameSizeLimit: the largest message to write in bytes, at least 4096, or 0 for no limit.
    public init(items: ItemSet.Snapshot, frameSizeLimit: Int) {
        reconciler = Reconciler(items: items, frameSizeLimit: frameSizeLimit)
    }

    /// Returns the first message. At most about 1000 bytes: it is 16 fingerprints, or up to 31 ids.
    public func initiate() -> [UInt8] { reconciler.initialMessage() }

    /// Handles the responder's answer. O(message + items): an answer may say that the responder has nothing.
    public func reconcile(_ message: [UInt8]) throws(ReconciliationError) -> Step {
        let answer = try reconciler.answer(to: message, as: .initiator)
        let bytes = answer.message.bytes
        // A message without ranges is one skip over everything.
        return Step(have: answer.have, need: answer.need, next: bytes.count == 1 ? .done : .send(bytes))
    }
}
