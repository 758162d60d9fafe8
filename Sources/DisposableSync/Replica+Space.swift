// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The restrictions of a node whose disk is nearly full (protocol/disposable-v1.md §8.4). Nothing stored is removed,
/// and with room again everything else is requested: this delays, and changes nothing that the fold reads.
extension Replica {
    mutating func spaceChanged(to space: DiskSpace) {
        let hasMore = space > diskSpace
        status.diskSpace = space
        scheduler.roomChanged(space == .plenty)
        // Comparing the sets finds what was left out.
        if hasMore { for (connection, peer) in peers where peer.device != nil { ping(connection) } }
    }

    /// Whether an operation of another node is accepted at all.
    func hasSpace(for operation: UncheckedOperation) -> Bool {
        status.storesOperations || isUnlimited(operation.header.device)
    }

    /// Returns the operation without a body that the fold does not read, if the disk has no room for it. It is
    /// requested later.
    func withoutUnneededBody(_ operation: VerifiedOperation) -> VerifiedOperation {
        guard !status.storesBodies, operation.kind?.foldReadsBody != true, operation.body?.isEmpty == false,
            !signs(for: operation.header.device)
        else { return operation }
        return operation.bodiless
    }
}
