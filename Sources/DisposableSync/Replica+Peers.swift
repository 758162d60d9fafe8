// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Connections: opening, proving, keeping alive, closing.
extension Replica {
    mutating func dialDue() {
        guard peers.count < Limits.peersMax else { return }
        let connected = Set(peers.values.compactMap(\.device))
        for address in addresses.takeDue(at: now, isConnected: { connected.contains($0) }) {
            outputs.append(.dial(address))
        }
    }

    private var claims: Authentication.Claims {
        Authentication.Claims(
            device: device, instance: identity.instance, wallClockMilliseconds: now.wallClockMilliseconds,
            listenPort: listenPort)
    }

    mutating func connected(_ connection: ConnectionID, to address: PeerAddress, _ entropy: Entropy) {
        let machine = PeerConnection.dialled(
            credentials: identity.credentials, staticKey: identity.staticKey,
            entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: identity.deviceKey, claims: claims)
        peers[connection] = Peer(connection: machine, address: address, host: address.host, at: now.milliseconds)
    }

    mutating func accepted(
        _ connection: ConnectionID, from host: String, challenge: [UInt8], preface: [UInt8], _ entropy: Entropy
    ) {
        let machine = PeerConnection.accepted(
            challenge: challenge, preface: preface, credentials: identity.credentials, staticKey: identity.staticKey,
            entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: identity.deviceKey, claims: claims)
        peers[connection] = Peer(connection: machine, address: nil, host: host, at: now.milliseconds)
        guard peers.count <= Limits.peersMax else {
            close(connection, .busy)
            return
        }
    }

    mutating func received(_ bytes: [UInt8], from connection: ConnectionID) {
        guard peers[connection] != nil else { return }
        peers[connection]!.lastReceivedAt = now.milliseconds
        peers[connection]!.receivedByteCount += UInt64(bytes.count)
        for output in peers[connection]!.connection.receive(bytes) {
            switch output {
            case .send(let bytes): transmit(bytes, to: connection)
            case .authenticated(let proof): authenticated(connection, proof)
            case .message(let message): receive(message, from: connection)
            case .failed(let code): remove(connection, code: code)
            }
            guard peers[connection] != nil else { return }
        }
    }

    private mutating func transmit(_ bytes: [UInt8], to connection: ConnectionID) {
        guard !bytes.isEmpty else { return }
        peers[connection]?.unsentByteCount += bytes.count
        peers[connection]?.sentByteCount += UInt64(bytes.count)
        outputs.append(.send(connection, bytes))
    }

    mutating func send(_ message: PeerMessage, to connection: ConnectionID) {
        guard let bytes = peers[connection]?.connection.seal(message) else { return }
        transmit(bytes, to: connection)
    }

    mutating func sent(_ byteCount: Int, to connection: ConnectionID) {
        guard peers[connection] != nil else { return }
        peers[connection]!.unsentByteCount -= byteCount
        loadOutgoing(to: connection)
        serveNext(to: connection)
    }

    // Who is it?

    private mutating func authenticated(_ connection: ConnectionID, _ proof: Authentication) {
        let other = proof.claims.device
        guard other != device else {
            if let address = peers[connection]?.address { addresses.forget(address) }
            close(connection, .sameDevice)
            return
        }
        peers[connection]?.device = other
        peers[connection]?.instance = proof.claims.instance
        peers[connection]?.pingDueAt = now.milliseconds + UInt64(Limits.pingMilliseconds)
        learnAddress(of: connection, port: proof.claims.listenPort, device: other)
        guard resolveDuplicates(of: other, keepingIfOnly: connection) else { return }
        warnOfClock(proof.claims, other)
        scheduler.addPeer(connection)
        greet(connection)
        outputs.append(.changed(.peers))
    }

    private mutating func learnAddress(of connection: ConnectionID, port: UInt16, device: DeviceID) {
        guard let peer = peers[connection] else { return }
        if let address = peer.address {
            addresses.authenticated(address, as: device)
        } else if port > 0 {
            let address = PeerAddress(host: peer.host, port: port)
            addresses.add(address, isPersistent: false, at: now)
            addresses.authenticated(address, as: device)
        }
    }

    private mutating func warnOfClock(_ claims: Authentication.Claims, _ other: DeviceID) {
        let difference = Int64(clamping: claims.wallClockMilliseconds) - Int64(clamping: now.wallClockMilliseconds)
        guard abs(difference) > Int64(Limits.clockDifferenceMillisecondsMax) else { return }
        outputs.append(.changed(.clockDiffers(other, milliseconds: difference)))
    }

    /// Two nodes that dial each other at once end up with one connection: the one that the smaller key dialled, on both
    /// sides. A process that has restarted replaces its old connection. False when `connection` was the one to go.
    private mutating func resolveDuplicates(of other: DeviceID, keepingIfOnly connection: ConnectionID) -> Bool {
        for (existing, peer) in peers where existing != connection && peer.device == other {
            guard let new = peers[connection] else { return false }
            let loser: ConnectionID
            if peer.instance != new.instance {
                loser = existing
            } else if peer.connection.side == new.connection.side {
                loser = existing  // the older of two alike: most likely dead
            } else {
                let preferred: Authentication.Side = device < other ? .dialler : .listener
                loser = peer.connection.side == preferred ? connection : existing
            }
            close(loser, .duplicateConnection)
            if loser == connection { return false }
        }
        return true
    }

    /// Whether the peer's device belongs to the event, as far as this node can tell. A node that knows nothing of the
    /// event yet has nothing to hide and listens to everybody who has the secret.
    func trusts(_ peer: Peer) -> Bool {
        guard let other = peer.device else { return false }
        return state.charter == nil || state.membership.isMember(other)
    }

    /// First words: a member admits a newcomer; members who know each other reconcile.
    private mutating func greet(_ connection: ConnectionID) {
        guard let peer = peers[connection], let other = peer.device else { return }
        if isAdmitted, !state.membership.isMember(other) {
            guard !peer.admissionSent else { return }
            guard state.membership.countAdmitted(by: device) < Limits.admissionsPerSponsorMax else {
                close(connection, .busy)
                return
            }
            peers[connection]?.admissionSent = true
            send(.admission(Admission(of: other, to: state.event, by: identity.deviceKey)), to: connection)
        } else if peer.connection.side == .dialler, !peer.isSynchronized {
            beginReconciliation(with: connection)
        }
    }

    /// Somebody's join has come to count: what waited for it goes on.
    mutating func trustChanged() {
        if isAdmitted, !wasAdmitted {
            wasAdmitted = true
            outputs.append(.changed(.admitted))
        }
        for connection in peers.keys {
            guard let peer = peers[connection], peer.device != nil, trusts(peer) else { continue }
            let deferred = peer.deferred
            peers[connection]?.deferred = []
            if !peer.isSynchronized, peer.session == nil { greet(connection) }
            for message in deferred { receive(message, from: connection) }
        }
    }

    // What it says

    private mutating func receive(_ message: PeerMessage, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        switch message {
        case .authentication: close(connection, .malformed)
        case .ping(let ping):
            send(.pong(ownPing(nonce: ping.nonce)), to: connection)
            if trusts(peer) { compare(ping, from: connection) }
        case .pong(let ping):
            if let sent = peer.pingSentAt, sent.nonce == ping.nonce {
                peers[connection]?.roundTripMilliseconds = now.milliseconds(since: sent.milliseconds)
            }
            if trusts(peer) { compare(ping, from: connection) }
        case .close(let code, _, _):
            remove(connection, code: code ?? .shuttingDown)
        case .admission(let admission): receive(admission, from: connection)
        case .operations(let operations): receive(operations, from: connection)
        case .reconcile, .want, .have, .request, .list, .data, .refusal, .cancel:
            guard trusts(peer) else {
                guard peer.deferred.count < Limits.deferredMessagesMax else {
                    close(connection, .notAdmitted)
                    return
                }
                peers[connection]?.deferred.append(message)
                return
            }
            receiveFromMember(message, connection)
        }
    }

    private mutating func receiveFromMember(_ message: PeerMessage, _ connection: ConnectionID) {
        switch message {
        case .reconcile(let set, let isInitiator, let bytes):
            reconcile(set, bytes, fromInitiator: isInitiator, connection)
        case .want(let ids, _): answerWant(ids, to: connection)
        case .have(let have): receive(have, from: connection)
        case .request(let request): receive(request, from: connection)
        case .list(let request, let hashes):
            settle(scheduler.receive(list: hashes, request: request, from: connection), from: connection)
        case .data(let fragment):
            settle(scheduler.receive(fragment, from: connection, at: now.milliseconds), from: connection)
        case .refusal(let request, _, let retryAfter):
            scheduler.refused(request, by: connection, retryAfter: UInt64(retryAfter), at: now.milliseconds)
        case .cancel(let request): cancel(request, by: connection)
        case .authentication, .ping, .pong, .close, .admission, .operations: break
        }
    }

    /// A newcomer makes its join; a member shows by its joins that it is one.
    private mutating func receive(_ admission: Admission, from connection: ConnectionID) {
        guard ownJoin != nil else {
            join(with: admission)
            return
        }
        enqueue(joinsUpToTheEventKey(), to: connection)
    }

    /// This device's joins, its sponsors' and theirs, sponsors first.
    private func joinsUpToTheEventKey() -> [OperationID] {
        var ids: [OperationID] = []
        var devices = [device]
        var next = 0
        while next < devices.count {
            for join in joins[devices[next]] ?? [] {
                ids.append(join.id)
                if !devices.contains(join.sponsor) { devices.append(join.sponsor) }
            }
            next += 1
        }
        return ids.reversed()
    }

    private func ownPing(nonce: UInt64) -> Ping {
        Ping(nonce: nonce, authority: summary(of: .authority), content: summary(of: .content))
    }

    // Time and ends

    mutating func keepTime() {
        for (connection, peer) in peers {
            guard peer.device != nil else {
                if now.milliseconds >= peer.openedAt + UInt64(Limits.handshakeMillisecondsMax) {
                    remove(connection, code: .unresponsive)
                }
                continue
            }
            let silence = now.milliseconds(since: peer.lastReceivedAt)
            let limit =
                scheduler.hasRequests(of: connection)
                ? Limits.silenceWhileWaitingMillisecondsMax : Limits.silenceMillisecondsMax
            if silence >= UInt64(limit) {
                remove(connection, code: .unresponsive)
            } else if now.milliseconds >= peer.pingDueAt {
                ping(connection)
            }
        }
        abandonStalledSessions()
        for output in scheduler.cancelStalled(at: now.milliseconds) { perform(output) }
        if let due = announceDueAt, due <= now.milliseconds { announce() }
    }

    mutating func ping(_ connection: ConnectionID) {
        let nonce = random.next()
        peers[connection]?.pingSentAt = (nonce, now.milliseconds)
        peers[connection]?.pingDueAt = now.milliseconds + UInt64(Limits.pingMilliseconds)
        send(.ping(ownPing(nonce: nonce)), to: connection)
    }

    /// Ends a connection with a reason for the other side.
    mutating func close(_ connection: ConnectionID, _ code: ProtocolCode) {
        guard peers[connection] != nil else { return }
        send(.close(code, retryAfterMilliseconds: code.mayRetry ? 1_000 : 0, reason: code.meaning), to: connection)
        remove(connection, code: code)
    }

    mutating func remove(_ connection: ConnectionID, code: ProtocolCode?) {
        guard let peer = peers.removeValue(forKey: connection) else { return }
        scheduler.removePeer(connection)
        for (ticket, other) in loading where other == connection { loading[ticket] = nil }
        for (ticket, work) in reading where work.connection == connection { reading[ticket] = nil }
        if let address = peer.address {
            if peer.device == nil { addresses.failed(address, at: now) } else { addresses.closed(address, at: now) }
        }
        outputs.append(.close(connection))
        // Hung up on after the preface: the other side knows no event that it names.
        if code == nil, let address = peer.address, peer.connection.hasAnsweredChallenge, peer.device == nil {
            outputs.append(.changed(.rejected(address)))
        }
        if let code { outputs.append(.changed(.closed(peer.device, code))) }
        outputs.append(.changed(.peers))
    }

    mutating func stop() {
        isStopping = true
        for connection in Array(peers.keys) { close(connection, .shuttingDown) }
    }
}
