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
        Set(
            withdrawn.filter { subject in
                let destroyed = withheld[subject] ?? []
                return state.album.bodies(with: subject).contains { !destroyed.contains($0) }
            })
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
            if withdrawn.contains(subject) {
                withheld[subject] = Set(bodies)
            } else {
                // Restored during the purge: the lost data comes from others.
                for body in bodies { missingBodies.append(body) }
                for root in roots { takenBack(root, left: .absent) }
            }
        }
        withdrawalCount += 1
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
        withdrawalCount += 1
    }

    private mutating func followMissingBody(of operation: VerifiedOperation) {
        // An unknown kind has a body that the fold does not read, so it may arrive later as well.
        guard operation.kind?.isErasable != false else { return }
        if let subject = state.album.withdrawnSubject(of: operation.id, operation.header) {
            if operation.body == nil {
                withheld[subject, default: []].insert(operation.id)
            } else {
                withdrawalCount += 1
            }
        } else if operation.body == nil {
            missingBodies.append(operation.id)
        }
    }

    /// Handles a missing body that is now stored.
    mutating func followBody(_ operation: VerifiedOperation) {
        if missingBodies.remove(operation.id) != nil {
            state.apply(operation)
        } else if let subject = state.album.withdrawnSubject(of: operation.id, operation.header),
            withheld[subject]?.remove(operation.id) != nil
        {
            // Withdrawn between its arrival and its storage.
            withdrawalCount += 1
        }
    }

    /// Returns the operation without a body that must not be kept or sent.
    func withoutWithdrawnBody(_ operation: VerifiedOperation) -> VerifiedOperation {
        guard operation.body != nil, state.album.withdrawnSubject(of: operation.id, operation.header) != nil else {
            return operation
        }
        return operation.bodiless
    }

    private mutating func withdrawAll() {
        for subject in withdrawn.union(state.withdrawals.keys).union(withheld.keys).sorted() { withdraw(subject) }
    }

    /// Updates the stored state to whether the photo or annotation is withdrawn.
    private mutating func withdraw(_ subject: OperationID) {
        if state.album.withdrawal(of: subject) != nil {
            guard withdrawn.insert(subject).inserted else { return }
            withdrawalCount += 1
            scheduleRegister()
            let missing = state.album.bodies(with: subject).filter { missingBodies.remove($0) != nil }
            withheld[subject, default: []].formUnion(missing)
            for blob in blobs.withdraw(PhotoID(subject)) {
                for output in scheduler.unwant(blob) { perform(output) }
                forget(blob)
            }
        } else if !state.album.isErased(PhotoID(subject)) {
            // For an unknown subject, only an erase can have withdrawn it.
            for body in (withheld.removeValue(forKey: subject) ?? []).sorted() { missingBodies.append(body) }
            guard withdrawn.remove(subject) != nil else { return }
            withdrawalCount += 1
            for (blob, isComplete) in blobs.reinstate(PhotoID(subject)) where isComplete {
                count(original: blob, of: state.album.device(of: PhotoID(subject)))
            }
            interests.undecided.append(PhotoID(subject))
            scheduleAnnouncement()
        }
    }
}
