// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Finding what was missed while apart: the authority set first, then content, each by Negentropy. The dialler begins;
/// the other side answers from its sets as they are and keeps nothing between messages.
extension Replica {
    /// Begins with the authority set, unless a session runs or the two do not know each other yet.
    mutating func beginReconciliation(with connection: ConnectionID) {
        guard let peer = peers[connection], peer.session == nil, trusts(peer), ownJoin != nil else { return }
        begin(.authority, with: connection)
    }

    private mutating func begin(_ set: OperationSet, with connection: ConnectionID) {
        let initiator = ReconciliationInitiator(
            items: items[set]!.snapshot(), frameSizeLimit: Limits.reconciliationMessageByteCountMax)
        peers[connection]?.session = ReconciliationSession(
            set: set, initiator: initiator, lastProgress: now.milliseconds)
        peers[connection]?.outgoingOverflowed = false
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
            items: items[set]!.snapshot(), frameSizeLimit: Limits.reconciliationMessageByteCountMax)
        guard let reply = try? responder.reconcile(message) else {
            close(connection, .malformed)
            return
        }
        send(.reconcile(set: set, isInitiator: false, message: reply), to: connection)
        if set == .content { sendHoldings(to: connection) }
    }

    private mutating func continueSession(_ set: OperationSet, _ message: [UInt8], with connection: ConnectionID) {
        guard var session = peers[connection]?.session, session.set == set, session.isExchanging else { return }
        guard let step = try? session.initiator.reconcile(message), session.roundCount < Limits.reconciliationRoundsMax
        else {
            close(connection, .malformed)
            return
        }
        session.roundCount += 1
        session.lastProgress = now.milliseconds
        session.have.formUnion(step.have)
        session.need.formUnion(step.need)
        switch step.next {
        case .send(let bytes):
            peers[connection]?.session = session
            send(.reconcile(set: set, isInitiator: true, message: bytes), to: connection)
        case .done:
            session.isExchanging = false
            let have = session.have.sorted().map { OperationID($0) }
            session.remaining = session.need.sorted()[...]
            (session.have, session.need) = ([], [])
            peers[connection]?.session = session
            if !have.isEmpty { enqueue(have, to: connection) }
            wantMore(from: connection)
        }
    }

    /// Asks for the next of the needed operations, or ends the session when all have come.
    private mutating func wantMore(from connection: ConnectionID) {
        guard var session = peers[connection]?.session, !session.isExchanging, session.wanted.isEmpty else { return }
        let next = session.remaining.prefix(Limits.wantedPerMessageMax).map { OperationID($0) }
        guard !next.isEmpty else {
            end(session.set, with: connection)
            return
        }
        session.remaining = session.remaining.dropFirst(next.count)
        session.wanted = Set(next)
        session.lastProgress = now.milliseconds
        peers[connection]?.session = session
        send(.want(next, set: session.set), to: connection)
    }

    private mutating func end(_ set: OperationSet, with connection: ConnectionID) {
        peers[connection]?.session = nil
        peers[connection]?.sessionEndedAt = now.milliseconds
        if set == .authority {
            begin(.content, with: connection)
            sendHoldings(to: connection)
        } else {
            peers[connection]?.isSynchronized = true
            ping(connection)  // so that the other side sees at once that the sets are equal
            outputs.append(.changed(.peers))
        }
    }

    mutating func answerWant(_ ids: [OperationID], to connection: ConnectionID) { enqueue(ids, to: connection) }

    /// Operations have come, from wherever: sessions that wait for them go on.
    mutating func settleSessions(having operations: [VerifiedOperation]) {
        for connection in peers.keys {
            guard let session = peers[connection]?.session, !session.wanted.isEmpty else { continue }
            for operation in operations { peers[connection]?.session?.wanted.remove(operation.id) }
            peers[connection]?.session?.lastProgress = now.milliseconds
            wantMore(from: connection)
        }
    }

    /// Gives up on sessions that make no progress: the peer may have erased what it named, or be of another opinion.
    mutating func abandonStalledSessions() {
        for connection in peers.keys {
            guard let session = peers[connection]?.session,
                now.milliseconds >= session.lastProgress + UInt64(Limits.reconciliationIdleMillisecondsMax)
            else { continue }
            peers[connection]?.session?.wanted = []
            if session.isExchanging { end(session.set, with: connection) } else { wantMore(from: connection) }
        }
    }

    /// A ping tells the peer's sets. Where they differ and nothing is under way that would explain it, the side with the
    /// smaller key reconciles again.
    mutating func compare(_ ping: Ping, from connection: ConnectionID) {
        guard ping.authority != summary(of: .authority) || ping.content != summary(of: .content) else {
            peers[connection]?.isSynchronized = true
            return
        }
        guard let peer = peers[connection], let other = peer.device, device < other, peer.session == nil,
            peer.outgoing.isEmpty, inProgress.isEmpty,
            now.milliseconds >= (peer.sessionEndedAt ?? 0) + UInt64(Limits.reconciliationPauseMilliseconds)
        else { return }
        beginReconciliation(with: connection)
    }
}
