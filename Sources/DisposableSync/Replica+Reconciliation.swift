// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Reconciliation of operations that were missed: the authority set first, then content, each by Negentropy. The node
/// with more operations begins; the other side answers from its present sets and keeps nothing between messages.
extension Replica {
    /// Begins with the authority set, unless a session runs or the two do not know each other yet. A node that is no
    /// member begins with a member that has sent summaries: that member counts it as a member, perhaps after a
    /// reinstatement.
    mutating func beginReconciliation(with connection: ConnectionID) {
        guard let peer = peers[connection], peer.reconciliation.session == nil, trusts(peer),
            isAdmitted || peer.isBundle
                || (peer.reconciliation.summaries != nil && peer.device.map(state.membership.isMember) == true)
        else { return }
        begin(.authority, with: connection)
    }

    private mutating func begin(_ set: OperationSet, with connection: ConnectionID) {
        let initiator = ReconciliationInitiator(
            items: index.snapshot(of: set), frameSizeLimit: Limits.reconciliationMessageByteCountMax)
        peers[connection]?.reconciliation.begin(
            ReconciliationSession(set: set, initiator: initiator, lastProgress: now.milliseconds))
        watch(connection)
        send(.reconcile(set: set, isInitiator: true, message: initiator.initiate()), to: connection)
    }

    mutating func reconcile(_ set: OperationSet, _ message: [UInt8], fromInitiator: Bool, _ connection: ConnectionID) {
        if fromInitiator {
            answer(set, message, to: connection)
        } else {
            continueSession(set, message, with: connection)
        }
    }

    private mutating func answer(_ set: OperationSet, _ message: [UInt8], to connection: ConnectionID) {
        let responder = ReconciliationResponder(
            items: index.snapshot(of: set), frameSizeLimit: Limits.reconciliationMessageByteCountMax)
        guard let reply = try? responder.reconcile(message) else {
            close(connection, .malformed)
            return
        }
        // Without room it answers that nothing differs: it begins itself, to send what others lack.
        let answer = status.storesOperations ? reply : [Reconciler.protocolVersion]
        send(.reconcile(set: set, isInitiator: false, message: answer), to: connection)
        if set == .content { sendHoldings(to: connection) }
    }

    private mutating func continueSession(_ set: OperationSet, _ message: [UInt8], with connection: ConnectionID) {
        guard let current = peers[connection]?.reconciliation.session, current.set == set, current.isExchanging,
            // Removed while it changes, so that its sets are not copied.
            var session = peers[connection]?.reconciliation.session.take()
        else { return }
        guard let step = try? session.initiator.reconcile(message), session.roundCount < Limits.reconciliationRoundsMax
        else {
            close(connection, .malformed)
            return
        }
        session.roundCount += 1
        session.lastProgress = now.milliseconds
        session.have.formUnion(step.have)
        session.need.formUnion(step.need)
        // The number of ids that a peer may name is bounded; another session finds the rest.
        let next = session.need.count < neededCountMax(of: connection, set) ? step.next : .done
        switch next {
        case .send(let bytes):
            peers[connection]?.reconciliation.session = session
            send(.reconcile(set: set, isInitiator: true, message: bytes), to: connection)
        case .done:
            session.isExchanging = false
            let have = session.have.sorted().map { OperationID($0) }
            let need = status.storesOperations ? session.need.sorted() : []
            session.remaining = Deque(need.map { OperationID($0) })
            (session.have, session.need) = ([], [])
            peers[connection]?.reconciliation.session = session
            if !have.isEmpty, peers[connection]?.isBundle == false { enqueue(have, to: connection) }
            wantMore(from: connection)
        }
    }

    /// Returns the maximum of needed ids: the number that the peer has announced, plus what it may have received since.
    private func neededCountMax(of connection: ConnectionID, _ set: OperationSet) -> Int {
        let told = peers[connection]?.reconciliation.summaries
        let count = Int(clamping: (set == .authority ? told?.authority : told?.content)?.count ?? 0)
        return min(count, Limits.outgoingOperationsMax) + Limits.operationsInProgressMax
    }

    /// Requests the next needed operations, or ends the session when all have arrived. Operations that another session
    /// has requested come from there: several peers share the work.
    private mutating func wantMore(from connection: ConnectionID) {
        guard let current = peers[connection]?.reconciliation.session, !current.isExchanging, current.wanted.isEmpty,
            var session = peers[connection]?.reconciliation.session.take()
        else { return }
        var next: [OperationID] = []
        for _ in 0..<min(session.remaining.count, Limits.wantedPerMessageMax * max(peers.count, 2)) {
            guard next.count < Limits.wantedPerMessageMax, let id = session.remaining.popFirst() else { break }
            if session.arrived.remove(id) != nil || pipeline.budgets.isDeclined(id, at: now.milliseconds) { continue }
            if peers.values.contains(where: { $0.reconciliation.session?.wanted.contains(id) == true }) {
                session.remaining.append(id)
            } else {
                next.append(id)
            }
        }
        session.wanted = Set(next)
        if !next.isEmpty { session.lastProgress = now.milliseconds }
        peers[connection]?.reconciliation.session = session
        if !next.isEmpty {
            send(.want(next, set: session.set), to: connection)
        } else if session.remaining.isEmpty {
            end(session.set, with: connection)
        }
    }

    private mutating func end(_ set: OperationSet, with connection: ConnectionID) {
        peers[connection]?.reconciliation.end(at: now.milliseconds)
        if set == .authority {
            begin(.content, with: connection)
            sendHoldings(to: connection)
        } else {
            peers[connection]?.outbox.pingAtEnd()
            pingWhenSent(to: connection)
        }
    }

    mutating func answerWant(_ ids: [OperationID], to connection: ConnectionID) { enqueue(ids, to: connection) }

    /// Records operations that have arrived from any peer, so that sessions that wait for them continue.
    mutating func settleSessions(having ids: [OperationID]) {
        for peer in peers.values where peer.reconciliation.session != nil {
            // Otherwise other peers' operations would hide for ever that this peer does not send what was requested.
            var isProgress =
                peer.reconciliation.session?.isExchanging == true || peer.reconciliation.session?.wanted.isEmpty == true
            for id in ids {
                if peer.reconciliation.session?.wanted.remove(id) != nil {
                    isProgress = true
                } else {
                    peer.reconciliation.session?.arrived.insert(id)
                }
            }
            if isProgress { peer.reconciliation.session?.lastProgress = now.milliseconds }
        }
        continueSessions()
    }

    /// Lets sessions that have nothing to wait for request more.
    mutating func continueSessions() {
        for (connection, peer) in peers where peer.reconciliation.session != nil { wantMore(from: connection) }
    }

    /// Requests operations again that were not genuine: from the other peers that were to send them, and from those
    /// whose copies were ignored because these were being verified.
    mutating func wantAgain(_ ids: [OperationID]) {
        for connection in peers.keys {
            guard let session = peers[connection]?.reconciliation.session else { continue }
            let wanted = ids.filter(session.wanted.contains)
            if !wanted.isEmpty { send(.want(wanted, set: session.set), to: connection) }
        }
    }

    /// Abandons sessions without progress: the peer may have erased what it named, or not know this device yet.
    mutating func abandonStalledSessions() {
        for connection in peers.keys {
            guard let session = peers[connection]?.reconciliation.session,
                now.milliseconds >= session.lastProgress + UInt64(Limits.reconciliationIdleMillisecondsMax)
            else { continue }
            if session.isExchanging || session.wanted.isEmpty {
                // The next ping with different sets starts again.
                peers[connection]?.reconciliation.end(at: now.milliseconds)
            } else {
                peers[connection]?.reconciliation.session?.wanted = []
            }
        }
        continueSessions()
    }

    // Pings

    /// Compares a peer's sets with the own. If they differ, and nothing in progress would explain it, one of the two
    /// reconciles.
    mutating func compare(_ ping: Ping, from connection: ConnectionID) {
        guard ping.authority != .untold else { return tellRulings(to: connection) }
        peers[connection]?.reconciliation.summaries = ping
        if ping.authority == summary(of: .authority) { tellRegisters(to: connection) }
        if hasEqualSets(connection) {
            peers[connection]?.reconciliation.setsAreEqual()
            noteEqualSets(with: connection)
            sendHoldings(to: connection)
            guard status.storesBodies else { return }
            let bodies = index.withdrawals.wanted(Limits.wantedPerMessageMax, using: &random)
            if !bodies.isEmpty { send(.want(bodies, set: .content), to: connection) }
        } else if let peer = peers[connection], beginsReconciliation(with: peer) || diskSpace == .noOperations,
            peer.reconciliation.session == nil,
            now.milliseconds >= peer.reconciliation.dueAt
        {
            if peer.outbox.operationCount == 0, !isPutOff(peer), peer.intake.room.isHalfEmpty {
                beginReconciliation(with: connection)
            } else {
                // Operations in progress may explain it: the two compare again soon, the first time at once.
                let pause = !peer.reconciliation.hasEnded ? 500 : Limits.reconciliationPauseMilliseconds
                peer.liveness.ping(before: now.milliseconds + UInt64(pause))
                watch(connection)
            }
        }
    }

    /// Whether to wait, since operations are being verified or stored that may explain why the sets differ. The wait is
    /// bounded: a member may sign operations without end.
    private func isPutOff(_ peer: Peer) -> Bool {
        !pipeline.isEmpty && peer.reconciliation.waits(at: now.milliseconds)
    }

    /// Sends all rulings to a member that withholds its sets: it takes this device, or its sponsor, for removed, may
    /// not know that this was cancelled, and sends nothing that would allow a comparison.
    private mutating func tellRulings(to connection: ConnectionID) {
        let count = state.membership.rulingCount
        guard isAdmitted, let peer = peers[connection], trusts(peer), peer.joining.rulingCount != count else { return }
        peer.joining.rulingCount = count
        enqueue(proofOfRulings, to: connection)
    }

    private func hasEqualSets(_ connection: ConnectionID) -> Bool {
        guard let told = peers[connection]?.reconciliation.summaries else { return false }
        // Counts first: they differ nearly always, and fingerprints cost a hash.
        guard told.authority.count == UInt64(index.count(of: .authority)),
            told.content.count == UInt64(index.count(of: .content))
        else { return false }
        return told.authority == summary(of: .authority) && told.content == summary(of: .content)
    }

    @discardableResult private mutating func noteEqualSets(with connection: ConnectionID) -> Bool {
        guard hasEqualSets(connection), peers[connection]?.reconciliation.isSynchronized == false else { return false }
        peers[connection]?.reconciliation.isSynchronized = true
        outputs.append(.changed(.peers))
        if mustReconcile, isAdmitted, let peer = peers[connection], !peer.isBundle, let other = peer.device,
            state.membership.isMember(other)
        {
            status.mustReconcile = false
            outputs.append(.changed(.reconciled))
        }
        return true
    }

    /// Notifies peers whose sets have become equal by operations that have arrived.
    mutating func noteEqualSets() {
        for (connection, peer) in peers where !peer.reconciliation.isSynchronized && noteEqualSets(with: connection) {
            ping(connection)
            sendHoldings(to: connection)
        }
    }

    /// Whether this node begins: the node with more operations learns which the other lacks and sends them without
    /// requests. A node with far fewer begins instead and requests, so that several peers share the work. Both sides
    /// decide alike while their sets do not change.
    private func beginsReconciliation(with peer: Peer) -> Bool {
        guard peer.device != nil, let told = peer.reconciliation.summaries else { return false }
        if peer.isBundle { return true }
        // As floating point, since a peer may send any numbers.
        let ours = Double(index.count(of: .authority)) + Double(index.count(of: .content))
        let theirs = Double(told.authority.count) + Double(told.content.count)
        guard ours != theirs else { return precedes(peer) }
        return (ours > theirs) == (abs(ours - theirs) <= Double(Limits.operationsInProgressMax))
    }

    /// Pings after a session, so that both sides see at once whether the sets are equal.
    mutating func pingWhenSent(to connection: ConnectionID) {
        if peers[connection]?.outbox.takePing() == true { ping(connection) }
    }
}

extension SetSummary {
    /// The summary for a peer that is no member: its fingerprint is that of no set.
    static let untold = SetSummary(count: 0, fingerprint: [UInt8](repeating: 0, count: Fingerprint.byteCount))
}
