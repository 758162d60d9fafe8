// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Withdrawn photos and annotations. At once: their blobs are neither requested nor served, arriving bodies are dropped
/// and stored ones are sent only as headers. Later the shell purges what is stored (`DestructionSchedule` says when)
/// and reports `.destroyed`. If an erase turns out void, everything is restored: from this node, and the rest from
/// others.
extension Replica {
    /// The withdrawn subjects with bodies on this node. Expensive, as it examines all of them: use it only after
    /// `withdrawalCount` has changed.
    public var destructible: Set<OperationID> {
        index.withdrawals.purgeable(bodies: state.album.bodies)
    }

    /// Returns the bodies and blobs to purge with `subjects`, all of which are withdrawn.
    public func remains(of subjects: [OperationID]) -> (bodies: [OperationID], blobs: [BlobRoot]) {
        (subjects.flatMap(state.album.bodies), blobs.roots(describedOnlyBy: Set(subjects.map { PhotoID($0) })))
    }

    /// Records that bodies and blobs are purged. They are not requested again while their subjects stay withdrawn.
    mutating func destroyed(_ subjects: [OperationID], _ roots: [BlobRoot]) {
        for subject in subjects {
            let bodies = state.album.bodies(with: subject)
            state.forgetBodies(bodies)
            blobs.forgetWithdrawn(PhotoID(subject))
            guard !index.withdrawals.purged(subject, bodies: bodies) else { continue }
            // Restored during the purge: the lost data comes from others.
            for root in roots { takenBack(root, left: .absent) }
        }
        index.withdrawals.changed()
        scheduleRegister()
    }

    /// Applies the withdrawals and restorations of operations that have entered, and decides whether their own bodies
    /// are wanted.
    /// - Parameter change: their effect on other operations.
    mutating func followWithdrawals(_ operations: [VerifiedOperation], _ change: Membership.Change) {
        for operation in operations where operation.kind == .remove || operation.kind == .erase {
            withdraw(operation.header.subject)
        }
        if change.isOfRanks {
            // Other erases and deletions may count than did before.
            withdrawAll()
        } else {
            // Or the devices belong to other authors.
            for subject in state.album.subjects(takenBackBy: change.authors).sorted() { withdraw(subject) }
        }
        for operation in operations {
            if operation.kind?.isErasable != false { withdraw(operation.id) }
            followMissingBody(of: operation)
        }
    }

    /// Applies withdrawals after the whole store has been restored.
    /// - Parameter headers: the operations without a body on this node.
    mutating func followWithdrawals(ofRestored headers: [VerifiedOperation]) {
        withdrawAll()
        for operation in headers { followMissingBody(of: operation) }
        index.withdrawals.changed()
    }

    private mutating func followMissingBody(of operation: VerifiedOperation) {
        // An unknown kind has a body that the fold does not read, so it may arrive later as well.
        guard operation.kind?.isErasable != false else { return }
        index.withdrawals.follow(
            operation.id, hasBody: operation.body != nil,
            withdrawnSubject: state.album.withdrawnSubject(of: operation.id, operation.header))
    }

    /// Handles a missing body that is now stored.
    mutating func followBody(_ operation: VerifiedOperation) {
        let album = state.album
        let isWanted = index.withdrawals.arrived(operation.id) {
            album.withdrawnSubject(of: operation.id, operation.header)
        }
        if isWanted { state.apply(operation) }
    }

    /// Returns the operation without a body that must not be kept or sent.
    func withoutWithdrawnBody(_ operation: VerifiedOperation) -> VerifiedOperation {
        guard operation.body != nil, state.album.withdrawnSubject(of: operation.id, operation.header) != nil else {
            return operation
        }
        return operation.bodiless
    }

    private mutating func withdrawAll() {
        for subject in index.withdrawals.allSubjects.union(state.withdrawals.keys).sorted() { withdraw(subject) }
    }

    /// Updates the stored state to whether the photo or annotation is withdrawn.
    private mutating func withdraw(_ subject: OperationID) {
        if state.album.withdrawal(of: subject) != nil {
            guard index.withdrawals.withdraw(subject, bodies: state.album.bodies) else { return }
            scheduleRegister()
            for blob in blobs.withdraw(PhotoID(subject)) {
                for output in scheduler.unwant(blob) { perform(output) }
                forget(blob)
            }
        } else if !state.album.isErased(PhotoID(subject)) {
            // For an unknown subject, only an erase can have withdrawn it.
            guard index.withdrawals.restore(subject) else { return }
            for (blob, isComplete) in blobs.reinstate(PhotoID(subject)) where isComplete {
                count(original: blob, of: state.album.device(of: PhotoID(subject)))
            }
            interests.undecided.append(PhotoID(subject))
            scheduleAnnouncement()
        }
    }
}
