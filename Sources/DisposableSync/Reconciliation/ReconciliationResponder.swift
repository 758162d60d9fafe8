// SPDX-License-Identifier: Apache-2.0

/// The side of a reconciliation that answers, and learns nothing about the other set.
public struct ReconciliationResponder: Sendable {
    private let reconciler: Reconciler

    /// - Parameters:
    ///   - items: this side's set.
    ///   - frameSizeLimit: the largest message to write in bytes, at least 4096, or 0 for no limit. With 0, four bytes
    ///     of the initiator may request the ids of the whole set.
    public init(items: ItemSet.Snapshot, frameSizeLimit: Int) {
        reconciler = Reconciler(items: items, frameSizeLimit: frameSizeLimit)
    }

    /// Returns the answer to a message of the initiator. A message of a later version of the protocol is answered with
    /// our version byte alone, so that the initiator can start again with version 1.
    public func reconcile(_ message: [UInt8]) throws(ReconciliationError) -> [UInt8] {
        try reconciler.answer(to: message, as: .responder).message.bytes
    }
}
