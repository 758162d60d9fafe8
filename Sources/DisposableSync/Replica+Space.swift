// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// What a node does without when its disk is nearly full (protocol/disposable-v1.md §8.4). Nothing that is here goes, and
/// with room again everything else is asked for: this delays, and changes nothing that the fold reads.
extension Replica {
    mutating func spaceChanged(to space: DiskSpace) {
        let hasMore = space > diskSpace
        diskSpace = space
        scheduler.roomChanged(space == .plenty)
        // What was left out is found by comparing.
        if hasMore { for (connection, peer) in peers where peer.device != nil { ping(connection) } }
    }

    /// Whether an operation of another node is taken at all.
    func hasSpace(for operation: UncheckedOperation) -> Bool {
        diskSpace > .noOperations || isUnlimited(operation.header.device)
    }

    /// Without a body that the fold does not read, where the disk has no room for it. It is asked for later.
    func withoutUnneededBody(_ operation: VerifiedOperation) -> VerifiedOperation {
        guard diskSpace < .noBlobs, operation.kind?.foldReadsBody != true, operation.body?.isEmpty == false,
            !signs(for: operation.header.device)
        else { return operation }
        return operation.bodiless
    }
}
