// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// What is taken away. At once: its blobs are neither asked for nor given out, bodies that come are not kept and those
/// that are here leave only as headers. Later the shell destroys what is here (`DestructionSchedule` says when) and
/// tells with `.destroyed`. An erase that turns out void puts everything back: what is still here, and the rest from
/// others.
extension Replica {
    /// What is taken away and of which this node still has bodies. Looks at everything that is taken away, so only to
    /// be asked for when `withdrawalCount` has changed.
    public var destructible: Set<OperationID> {
        Set(
            withdrawn.filter { subject in
                let destroyed = withheld[subject] ?? []
                return state.album.bodies(with: subject).contains { !destroyed.contains($0) }
            })
    }

    /// What is to be destroyed with `subjects`, all of which are taken away.
    public func remains(of subjects: [OperationID]) -> (bodies: [OperationID], blobs: [BlobRoot]) {
        (subjects.flatMap(state.album.bodies), blobs.roots(describedOnlyBy: Set(subjects.map { PhotoID($0) })))
    }

    /// Bodies and blobs are gone from this node. They are not wanted back while what they are of stays taken away.
    mutating func destroyed(_ subjects: [OperationID], _ roots: [BlobRoot]) {
        for subject in subjects {
            let bodies = state.album.bodies(with: subject)
            state.forgetBodies(bodies)
            blobs.forgetWithdrawn(PhotoID(subject))
            if withdrawn.contains(subject) {
                withheld[subject] = Set(bodies)
            } else {
                // Put back while it was being destroyed: what is lost comes from others.
                for body in bodies { missingBodies.append(body) }
                for root in roots { takenBack(root, left: .absent) }
            }
        }
        withdrawalCount += 1
        scheduleRegister()
    }

    /// The operations have entered: what they take away or put back follows, and whether their own bodies are wanted.
    /// - Parameter change: what they change for others.
    mutating func followWithdrawals(_ operations: [VerifiedOperation], _ change: Membership.Change) {
        for operation in operations where operation.kind == .remove || operation.kind == .erase {
            withdraw(operation.header.subject)
        }
        if change.isOfRanks {
            // Other erases and removes may count than did before.
            withdrawAll()
        } else {
            // Or speak for somebody else.
            for subject in state.album.subjects(takenBackBy: change.authors).sorted() { withdraw(subject) }
        }
        for operation in operations {
            if operation.kind?.isErasable != false { withdraw(operation.id) }
            followMissingBody(of: operation)
        }
    }

    /// Everything that the store has is here.
    /// - Parameter headers: what is here without its body.
    mutating func followWithdrawals(ofRestored headers: [VerifiedOperation]) {
        withdrawAll()
        for operation in headers { followMissingBody(of: operation) }
        withdrawalCount += 1
    }

    private mutating func followMissingBody(of operation: VerifiedOperation) {
        // Of a kind that is not known nobody reads the body, so it may come later as well.
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

    /// A body that was missing is on disk.
    mutating func followBody(_ operation: VerifiedOperation) {
        if missingBodies.remove(operation.id) != nil {
            state.apply(operation)
        } else if let subject = state.album.withdrawnSubject(of: operation.id, operation.header),
            withheld[subject]?.remove(operation.id) != nil
        {
            // Taken away between its coming and its being stored.
            withdrawalCount += 1
        }
    }

    /// Without a body that is not to be kept or given out.
    func withoutWithdrawnBody(_ operation: VerifiedOperation) -> VerifiedOperation {
        guard operation.body != nil, state.album.withdrawnSubject(of: operation.id, operation.header) != nil else {
            return operation
        }
        return operation.bodiless
    }

    private mutating func withdrawAll() {
        for subject in withdrawn.union(state.withdrawals.keys).union(withheld.keys).sorted() { withdraw(subject) }
    }

    /// Brings into line what is here with whether the photo or remark is taken away.
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
            // Of what is not known, an erase alone says that it is taken away.
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
