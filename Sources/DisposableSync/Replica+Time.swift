// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Deadlines: what is due is done, silent peers are probed and then closed.
extension Replica {
    mutating func keepTime() {
        timers.handled(at: now.milliseconds)
        relayDue()
        if timers.isDue(.waitingRooms, at: now.milliseconds) { releaseRooms() }
        for (connection, peer) in peers {
            if let renewal = peer.epochs.renewal, let due = peer.renewalDueAt {
                if now.milliseconds >= due { endRenewal(connection, renewal) }
                continue
            }
            guard peer.device != nil else {
                if now.milliseconds >= peer.openedAt + UInt64(Limits.handshakeMillisecondsMax) {
                    remove(connection, code: .unresponsive)
                }
                continue
            }
            let isOwed = scheduler.hasRequests(of: connection)
            if peer.liveness.isLost(isOwed: isOwed, at: now.milliseconds) {
                remove(connection, code: .unresponsive)
            } else if peer.liveness.isPingDue(isOwed: isOwed, at: now.milliseconds) {
                ping(connection)
            }
        }
        abandonStalledSessions()
        remindOfReveal()
        keepView()
        dialElsewhere()
        for output in scheduler.cancelStalled(at: now.milliseconds) { perform(output) }
        if gossip.announcement.isDue(at: now.milliseconds) { announce() }
        if inventories.signer.isDue(at: now.milliseconds) { signRegister() }
        timers[.peers] = peers.values.map(\.nextDeadline).min()
    }

    /// Requests a sign of life from a peer, within a short time.
    mutating func probe(_ connection: ConnectionID) {
        guard let peer = peers[connection], peer.device != nil, !peer.liveness.isInDoubt else { return }
        peer.liveness.doubt(at: now.milliseconds)
        ping(connection)
        watch(connection)
    }

    /// The machine has slept, or is on another network. All peers are probed; silence until now was this machine's own.
    /// Addresses without a connection are dialled at once.
    mutating func interrupted() {
        addresses.interrupted(at: now)
        scheduler.interrupted(at: now.milliseconds)
        for (connection, peer) in peers where peer.device != nil {
            peer.liveness.excuse(until: max(now.milliseconds, peer.liveness.lastReceivedAt))
            peer.reconciliation.session?.lastProgress = now.milliseconds
            probe(connection)
        }
    }

    mutating func ping(_ connection: ConnectionID) {
        let nonce = random.next()
        peers[connection]?.liveness.pinged(nonce, at: now.milliseconds)
        peers[connection]?.addresses.receivedCount = 0
        if let peer = peers[connection] { send(.ping(ownPing(nonce: nonce, to: peer)), to: connection) }
        // Its join may have been lost on either side.
        guard let other = peers[connection]?.device, isAdmitted, !state.membership.isMember(other) else { return }
        peers[connection]?.joining.news = nil
        greet(connection)
    }

    /// Closes a connection with a reason for the other side.
    /// - Parameter retryAfter: milliseconds for which both sides do not dial each other, if not the usual time.
    mutating func close(_ connection: ConnectionID, _ code: ProtocolCode, retryAfter: Int? = nil) {
        guard peers[connection] != nil else { return }
        let usual = code == .busy ? Limits.refusedConnectionRetryMilliseconds : 1_000
        let pause = code.mayRetry ? retryAfter ?? usual : 0
        send(.close(code, retryAfterMilliseconds: UInt32(pause), reason: code.meaning), to: connection)
        remove(connection, code: code, pause: retryAfter == nil ? 0 : UInt64(pause))
    }

    /// - Parameter pause: milliseconds that the other side requests without a dial.
    mutating func remove(_ connection: ConnectionID, code: ProtocolCode?, pause: UInt64 = 0) {
        guard let peer = peers.removeValue(forKey: connection) else { return }
        scheduler.removePeer(connection)
        keepAllowance(of: peer)
        noteRenewed(peer)
        leave(peer, code, pause)
        outputs.append(.close(connection))
        // Closed after the preface: the other side serves no event that it names.
        if code == nil, let address = peer.address, peer.connection.hasAnsweredChallenge, peer.device == nil {
            if !addresses.triesAgain(address, secretCount: keyring.all.count, at: now) {
                outputs.append(.changed(.rejected(address)))
            }
        }
        if let code { outputs.append(.changed(.closed(peer.device, code))) }
        outputs.append(.changed(.peers))
        continueSessions()
    }

    /// Schedules the next dial of the address of a connection that has ended.
    private mutating func leave(_ peer: Peer, _ code: ProtocolCode?, _ pause: UInt64) {
        let longest = UInt64(Limits.redialMillisecondsMax)
        let isPointless = code.map { !$0.mayRetry && $0 != .duplicateConnection } ?? false
        let pause = isPointless ? longest : min(pause, longest)
        if let address = peer.address {
            let age = now.milliseconds(since: peer.openedAt)
            addresses.closed(
                address, at: now, wasGood: peer.device != nil && age >= UInt64(Limits.handshakeMillisecondsMax),
                pause: pause)
        }
        guard !peer.isBundle, let device = peer.device, !peers.values.contains(where: { $0.device == device }) else {
            return
        }
        addresses.lost(device, at: now, pause: pause)
    }

    mutating func stop() {
        status.isStopping = true
        for connection in Array(peers.keys) { close(connection, .shuttingDown) }
    }
}
