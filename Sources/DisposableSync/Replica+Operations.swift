// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Operations of others: received from peers, verified, stored, and only then effective here and passed on.
extension Replica {
    /// Handles operations from a peer: drops known ones, keeps those that must wait, verifies the rest.
    ///
    /// A peer that is no member (yet) may send members' operations, and joins; its other operations are dropped.
    mutating func receive(_ operations: [UncheckedOperation], from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        charge(operations, connection)
        // Before any of them is recorded as being verified, which would then never end.
        guard operations.allSatisfy({ $0.header.event == state.event }) else {
            close(connection, .malformed)
            return
        }
        noteEpochs(operations, from: connection)
        let isTrusted = trusts(peer)
        var unchecked: [UncheckedOperation] = []
        var settled: [OperationID] = []
        for operation in operations {
            guard !pipeline.isRepeated(operation.id, from: connection) else { continue }
            if isKnown(operation) {
                gossip.heard(operation.id, from: connection)
                settled.append(operation.id)
            } else if !hasSpace(for: operation) {
                peer.intake.miss()
                settled.append(operation.id)
            } else if isAdmissible(operation) {
                if !peer.intake.accepts(unchecked.count + 1) {
                    peer.intake.miss()
                    settled.append(operation.id)
                } else if isPaid(operation, from: connection) {
                    pipeline.begin(operation.id, from: connection)
                    unchecked.append(operation)
                } else {
                    settled.append(operation.id)
                }
            } else if isTrusted || operation.header.kind == OperationKind.join.rawValue {
                peer.intake.keep(orphan: operation)
                settled.append(operation.id)
            }
        }
        verify(unchecked, from: connection)
        if !settled.isEmpty { settleSessions(having: settled) }
    }

    func isKnown(_ operation: UncheckedOperation) -> Bool {
        guard index.contains(operation) else { return false }
        // An operation that arrived without its body is new again when the body arrives.
        return operation.body == nil || !status.storesBodies || !index.withdrawals.isWanted(operation.id)
    }

    /// Whether the operation is verified now; otherwise it waits. A missing body was charged with its operation.
    private mutating func isPaid(_ operation: UncheckedOperation, from connection: ConnectionID) -> Bool {
        guard let peer = peers[connection], !peer.intake.room.contains(operation.id) else { return false }
        if index.contains(operation) || pays(for: operation, from: connection, mayUseLane: peer.intake.room.isEmpty) {
            return true
        }
        wait(operation, from: connection)
        return false
    }

    private func isAdmissible(_ operation: UncheckedOperation) -> Bool {
        if operation.header.kind == OperationKind.join.rawValue, case .join(let admission, _) = operation.content {
            return state.membership.mayAuthor(admission.sponsor)
        }
        return state.membership.mayAuthor(operation.header.device)
    }

    mutating func verify(_ operations: [UncheckedOperation], from connection: ConnectionID) {
        guard !operations.isEmpty else { return }
        let ticket = newTicket()
        for operation in operations { pipeline.begin(operation.id, from: connection) }
        peers[connection]?.intake.begin(operations.count)
        pipeline.verify(operations.map(\.id), from: connection, ticket)
        outputs.append(.verify(operations, ticket))
    }

    mutating func verified(_ ticket: Ticket, _ results: [VerifiedOperation?]) {
        guard let (ids, source) = pipeline.endVerifying(ticket) else { return }
        let operations = results.compactMap(\.self).map(withoutWithdrawnBody).map(withoutUnneededBody)
        if operations.count < ids.count {
            let valid = Set(operations.map(\.id))
            let invalid = ids.filter { !valid.contains($0) }
            for id in invalid {
                pipeline.drop(id)
            }
            close(source, .malformed)
            wantAgain(invalid)
        }
        guard !operations.isEmpty, let batch = pipeline.queue(operations, from: source) else { return }
        persist(batch, from: source)
    }

    private mutating func persist(_ operations: [VerifiedOperation], from source: ConnectionID) {
        let ticket = newTicket()
        pipeline.store(operations, from: source, ticket)
        outputs.append(.persist(operations, durably: false, ticket))
    }

    // After storing

    mutating func persisted(_ ticket: Ticket) {
        if registerKept(ticket, isStored: true) { return }
        if let operations = authoring.part(of: ticket) {
            persisted(own: operations, of: ticket)
        } else if let (operations, source) = pipeline.endStoring(ticket) {
            persisted(operations, from: source)
        } else {
            return
        }
        trustChanged()
    }

    private mutating func persisted(_ operations: [VerifiedOperation], from source: ConnectionID) {
        for operation in operations { gossip.begin(operation.id, knownBy: pipeline.end(operation.id)) }
        let (regarded, hasNewRanks) = enter(operations)
        for operation in operations { note(blobsOf: operation) { _ in .absent } }
        let change = self.change(by: operations, regarded: regarded, hasNewRanks: hasNewRanks)
        followInterest(change)
        relay(operations)
        outputs.append(.changed(.album(change)))
        if changesMessages(operations) { outputs.append(.changed(.messages)) }
        noteForeign(operations)
        authoring.lostFrames.follow(operations, areForeign: true, state.membership)
        settleSessions(having: operations.map(\.id))
        noteEqualSets()
        if operations.contains(where: { $0.kind == .join }) { releaseOrphans() }
        if let next = pipeline.nextBatch(from: source) { persist(next, from: source) }
        finish(operations.count, from: source)
    }

    /// Counts processed operations of a peer. If some were dropped meanwhile, looks for them now.
    private mutating func finish(_ count: Int, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        peer.intake.end(count)
        guard peer.intake.mayRecover, peer.reconciliation.session == nil, status.storesOperations else { return }
        let dueAt = peer.reconciliation.dueAt
        guard now.milliseconds >= dueAt else {
            peer.liveness.ping(before: dueAt)
            return watch(connection)
        }
        peer.intake.recover()
        beginReconciliation(with: connection)
    }

    mutating func persistFailed(_ ticket: Ticket) {
        if registerKept(ticket, isStored: false) { return }
        if let operations = authoring.part(of: ticket) {
            authoring.fail()
            // A join is signed again from the next admission.
            if !isOwnJoin(operations) { outputs.append(.refused(ticket, .notStored)) }
        } else if let (operations, source) = pipeline.endStoring(ticket) {
            // Not stored after all; the next reconciliation finds them again.
            for operation in operations {
                pipeline.drop(operation.id)
            }
            if let next = pipeline.nextBatch(from: source) { persist(next, from: source) }
            guard let peer = peers[source] else { return }
            peer.liveness.ping(before: now.milliseconds + UInt64(Limits.reconciliationPauseMilliseconds))
            watch(source)
            finish(operations.count, from: source)
        }
    }

    /// Adds the operations to the sets and to the state, which is derived once for all of them.
    /// - Returns: the photos that became veiled, those that are no longer veiled, and those that depend on a ticket
    ///   which has another holder; and whether ranks, and what removals leave, were derived again.
    mutating func enter(_ operations: [VerifiedOperation]) -> (regarded: Set<PhotoID>, hasNewRanks: Bool) {
        var new: [VerifiedOperation] = []
        for operation in operations {
            if index.insert(operation) {
                new.append(operation)
            } else {
                if operation.body != nil { followBody(operation) }
                pipeline.budgets.refund(operation.id)
            }
        }
        let veiled = state.album.veiledPhotos
        let proof = proofCharge(of: new)
        let change = state.apply(new)
        followWithdrawals(new, change)
        standingChanged(change)
        releaseOriginals(by: change.authors)
        if change.isOfRanks {
            // Joins arrive without end, and hardly ever change the tree of another device.
            if new.contains(where: { $0.kind != .join }) {
                pipeline.budgets.trees.standingChanged()
                interests.standingChanged()
                pipeline.budgets.forgetDeclined()
            }
            forgetRegistersOfRemoved()
        }
        for operation in new { followChain(operation) }
        if let proof {
            pipeline.budgets.trees.add(
                proof.units, of: proof.device, joins: index.joins, membership: state.membership)
        }
        let regarded = veiled.symmetricDifference(state.album.veiledPhotos)
            .union(state.photos(dependingOnTicketsOf: change.ticketHolders))
        return (regarded, change.isOfRanks)
    }

    /// Updates clocks, own chains and the first joins for an operation that has entered.
    mutating func followChain(_ operation: VerifiedOperation) {
        authoring.chains.follow(operation, wallClockMilliseconds: now.wallClockMilliseconds)
        index.followJoin(operation, at: device, wallClockMilliseconds: now.wallClockMilliseconds)
        countEntered(operation)
    }

    /// Handles orphans again after a device has joined.
    private mutating func releaseOrphans() {
        for (connection, peer) in peers where !peer.intake.orphans.isEmpty {
            let ready = peer.intake.orphans.values.filter(isAdmissible)
            for operation in ready { peer.intake.drop(orphan: operation.id) }
            let new = ready.filter { !pipeline.contains($0.id) && !isKnown($0) }
            verify(new.filter { isPaid($0, from: connection) }, from: connection)
        }
    }
}
