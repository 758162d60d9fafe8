// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Connections: opening, authenticating, keeping alive, closing.
extension Replica {
    /// The number of places that accepted connections, dialled ones and dials leave. Unauthenticated connections have
    /// places of their own.
    var placesToDial: Int {
        let accepted = peers.values.count { $0.device != nil && $0.connection.side == .listener }
        return Limits.peersMax - accepted - addresses.inUseCount
    }

    var claims: Authentication.Claims {
        Authentication.Claims(
            device: device, instance: identity.instance, wallClockMilliseconds: now.wallClockMilliseconds,
            listenPort: status.listenPort)
    }

    mutating func connected(_ connection: ConnectionID, to address: PeerAddress, _ entropy: Entropy) {
        let credentials = keyring.all[min(addresses.attempt(at: address), keyring.older.count)]
        let machine = PeerConnection.dialled(
            credentials: credentials, staticKey: identity.staticKey,
            entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: identity.deviceKey, claims: claims)
        peers[connection] = Peer(connection: machine, address: address, host: address.host, at: now.milliseconds)
        watch(connection)
        if isStopping { remove(connection, code: .shuttingDown) }
    }

    mutating func accepted(
        _ connection: ConnectionID, from host: String, challenge: [UInt8], preface: [UInt8], _ entropy: Entropy
    ) {
        let credentials = keyring.credentials(answering: preface, challenge: challenge) ?? keyring.current
        let place = handshakePlace(for: host)
        if let refusal = refusal(of: preface, from: host, place) {
            if refusal.code == .unsupportedVersion { noteVersion(UInt32(Preface.version(of: preface)), of: host) }
            let frame = refusal.frame(
                for: credentials, challenge: challenge, salt: Preface.salt(of: preface))
            outputs.append(.send(connection, frame))
            outputs.append(.close(connection))
            return
        }
        let machine = PeerConnection.accepted(
            challenge: challenge, preface: preface, credentials: credentials, staticKey: identity.staticKey,
            entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: identity.deviceKey, claims: claims)
        if case .takenFrom(let other) = place { remove(other, code: .busy) }
        peers[connection] = Peer(connection: machine, address: nil, host: host, at: now.milliseconds)
        watch(connection)
    }

    /// Includes a peer's deadline in the earliest one.
    mutating func watch(_ connection: ConnectionID) {
        if let peer = peers[connection] { timers.advance(.peers, to: peer.nextDeadline) }
    }

    /// Returns why a connection by a peer that knows the event secret is refused, if it is.
    private func refusal(of preface: [UInt8], from host: String, _ place: HandshakePlace) -> ConnectionRefusal? {
        guard Preface.isOfThisVersion(preface) else {
            return ConnectionRefusal.otherVersion
        }
        let isFull = liveCount >= Limits.peersMax && crowdingPeer(among: livePeerConnections, beside: host) == nil
        guard isStopping || place == .none || isFull else { return nil }
        return ConnectionRefusal(
            code: isStopping ? .shuttingDown : .busy,
            retryAfterMilliseconds: UInt32(Limits.refusedConnectionRetryMilliseconds))
    }

    /// Reports that a node with the event secret speaks another version; each version once.
    private mutating func noteVersion(_ version: UInt32, of host: String) {
        guard status.notices.recordVersion(version) else { return }
        outputs.append(.changed(.otherVersion(host: host, theirs: version, ours: UInt32(Preface.version))))
    }

    private var liveCount: Int { peers.values.count { $0.device != nil && !$0.isBundle } }

    mutating func received(_ bytes: [UInt8], from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        peer.liveness.received(at: now.milliseconds)
        peer.traffic.receivedByteCount += UInt64(bytes.count)
        status.traffic.receivedByteCount += UInt64(bytes.count)
        for output in peer.connection.receive(bytes) {
            switch output {
            case .send(let bytes): transmit(bytes, to: connection)
            case .authenticated(let proof): authenticated(connection, proof)
            case .message(let message): receive(message, from: connection)
            case .refused(let code, let retryAfter):
                if let address = peers[connection]?.address {
                    outputs.append(.changed(.refused(address, code)))
                    if code == .unsupportedVersion { noteVersion(retryAfter, of: address.description) }
                }
                remove(connection, code: code, pause: code == .unsupportedVersion ? 0 : UInt64(retryAfter))
            case .failed(let code): remove(connection, code: code)
            }
            guard peers[connection] === peer else { return }
        }
        pauseIfOverdrawn(connection)
    }

    private mutating func transmit(_ bytes: [UInt8], to connection: ConnectionID) {
        guard !bytes.isEmpty, let peer = peers[connection] else { return }
        outputs.append(.send(connection, bytes))
        if !peer.outbox.sent(bytes.count) { remove(connection, code: .unresponsive) }
    }

    mutating func send(_ message: PeerMessage, to connection: ConnectionID) {
        send(message.bytes, to: connection)
    }

    /// Sends the plaintext of a message: a message to many peers is encoded once.
    mutating func send(_ plaintext: [UInt8], to connection: ConnectionID) {
        if peers[connection]?.isBundle == true { return outputs.append(.send(connection, plaintext)) }
        guard let bytes = peers[connection]?.connection.seal(plaintext) else { return }
        transmit(bytes, to: connection)
    }

    mutating func sent(_ byteCount: Int, to connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        peer.outbox.taken(byteCount)
        peer.traffic.sentByteCount += UInt64(byteCount)
        status.traffic.sentByteCount += UInt64(byteCount)
        loadOutgoing(to: connection)
        serveNext(to: connection)
    }

    // Authentication

    private mutating func authenticated(_ connection: ConnectionID, _ proof: Authentication) {
        let other = proof.claims.device
        guard other != device || proof.claims.instance != identity.instance else {
            if let address = peers[connection]?.address { addresses.forget(address) }
            close(connection, .sameDevice)
            return
        }
        if let peer = peers[connection], isOutdated(peer) {
            if let address = peer.address { addresses.answered(address) }
            return renew(connection, other)
        }
        peers[connection]?.device = other
        peers[connection]?.process.instance = proof.claims.instance
        // A copy of this node's folder runs there: a member like any other, and people should know.
        if other == device { noteClone(other) }
        peers[connection]?.liveness.ping(at: now.milliseconds + UInt64(Limits.pingMilliseconds))
        learnAddress(of: connection, port: proof.claims.listenPort, device: other)
        guard !admissions.bans.isBanned(other, at: now.milliseconds) else {
            close(connection, .limitExceeded)
            return
        }
        guard resolveDuplicates(of: other, keepingIfOnly: connection), hasPlace(for: connection) else { return }
        warnOfClock(proof.claims, other, connection)
        scheduler.addPeer(connection, device: other)
        beginAllowance(of: connection, other)
        greet(connection)
        exchangeAddresses()
        reviewSources()
        outputs.append(.changed(.peers))
    }

    /// Whether the peer gets a place; a newcomer gets none of those that are reserved for members. Without a place, the
    /// connection is closed.
    private mutating func hasPlace(for connection: ConnectionID) -> Bool {
        guard let peer = peers[connection] else { return false }
        let isNewcomer = !trusts(peer)
        let others = livePeerConnections.filter { $0 != connection }
        let newcomers = others.filter { peers[$0]?.joining.isNewcomer == true }
        var rivals: [ConnectionID] = []
        if others.count >= Limits.peersMax { rivals = others }
        if isNewcomer, newcomers.count >= Limits.newcomersMax { rivals = newcomers }
        if !rivals.isEmpty {
            guard let victim = crowdingPeer(among: rivals, beside: peer.host) else {
                close(connection, .busy)
                return false
            }
            close(victim, .busy)
        }
        peer.joining.isNewcomer = isNewcomer
        return true
    }

    private var livePeerConnections: [ConnectionID] {
        peers.keys.filter { peers[$0]?.device != nil && peers[$0]?.isBundle == false }
    }

    /// Returns the peer that yields to one more from `host` if all places are taken: the latest of the source with the
    /// most, unless that has hardly more than the host's. One machine with any number of devices crowds out itself.
    private func crowdingPeer(among rivals: [ConnectionID], beside host: String) -> ConnectionID? {
        let sources = PeerSource.merged(rivals.map { peers[$0]?.host ?? "" } + [host])
        let counts = sources.dropLast().reduce(into: [PeerSource: Int]()) { $0[$1, default: 0] += 1 }
        guard let most = counts.values.max(), most >= 2 + counts[sources[rivals.count], default: 0] else { return nil }
        return rivals.indices.last { counts[sources[$0]] == most }.map { rivals[$0] }
    }

    private mutating func learnAddress(of connection: ConnectionID, port: UInt16, device: DeviceID) {
        guard let peer = peers[connection] else { return }
        let claimed = port > 0 ? PeerAddress(host: peer.host, port: port) : nil
        guard let address = peer.address ?? claimed else { return }
        if peer.address == nil { addresses.add(address, isPersistent: false, at: now) }
        addresses.authenticated(address, as: device)
        // Anyone with the secret may claim any port. A member that joins later counts as met then.
        if trusts(peer) { addresses.met(at: address) }
        peer.addresses.listener = address
    }

    private mutating func warnOfClock(_ claims: Authentication.Claims, _ other: DeviceID, _ connection: ConnectionID) {
        peers[connection]?.process.compareClocks(claims.wallClockMilliseconds, at: now)
        let difference = Int64(clamping: claims.wallClockMilliseconds) - Int64(clamping: now.wallClockMilliseconds)
        guard abs(difference) > Int64(Limits.clockDifferenceMillisecondsMax) else { return }
        outputs.append(.changed(.clockDiffers(other, milliseconds: difference)))
    }

    /// Resolves several connections to one device. Two nodes that dial each other at once keep one connection, the same
    /// on both sides: the one that the smaller key dialled. A new connection also replaces an old one that did not
    /// answer a probe; an old one that stays is probed now, since a node that dials again may have lost it. Two
    /// processes of one device are either one that has restarted, or copies: the old one is probed, and closed if it
    /// does not answer.
    /// Returns false if `connection` was closed.
    private mutating func resolveDuplicates(of other: DeviceID, keepingIfOnly connection: ConnectionID) -> Bool {
        for (existing, peer) in peers where existing != connection && peer.device == other && !peer.isBundle {
            guard !isOutdated(peer) else {
                close(existing, .rotated)
                continue
            }
            guard let new = peers[connection] else { return false }
            if peer.process.instance != new.process.instance {
                peers[existing]?.process.hasDouble = true
                probe(existing)
                continue
            }
            let loser = keeps(peer, over: new) ? connection : existing
            close(loser, .duplicateConnection)
            if loser == connection {
                probe(existing)
                return false
            }
        }
        return true
    }

    private func keeps(_ old: Peer, over new: Peer) -> Bool {
        let silence = old.liveness.silence(at: now.milliseconds)
        guard silence < UInt64(Limits.pingMilliseconds + Limits.handshakeMillisecondsMax / 2) else { return false }
        guard old.connection.side == new.connection.side else {
            return old.connection.side == (precedes(old) ? .dialler : .listener)
        }
        // Two dials of one side, to two addresses of the other: decided by data that both know, as the other side may
        // have authenticated them in another order. An older one is most likely dead.
        guard now.milliseconds < old.openedAt + UInt64(Limits.handshakeMillisecondsMax) else { return false }
        return old.connection.channelHash.lexicographicallyPrecedes(new.connection.channelHash)
    }

    /// Orders the two ends of a connection, in the same way on both. Copies of one device have different instances.
    func precedes(_ peer: Peer) -> Bool {
        let other = (peer.device?.bytes ?? []) + peer.process.instance
        return (device.bytes + identity.instance).lexicographicallyPrecedes(other)
    }

    mutating func ban(_ connection: ConnectionID) {
        if let device = peers[connection]?.device { admissions.bans.ban(device, at: now.milliseconds) }
        close(connection, .limitExceeded)
    }

    /// Whether the peer's device belongs to the event, as far as this node can tell. A node that is no member itself
    /// has nothing to hide and trusts every peer with the secret.
    func trusts(_ peer: Peer) -> Bool {
        guard let other = peer.device else { return false }
        return !isAdmitted || state.membership.isMember(other)
    }

    /// Handles a change of members: what waited for a join continues, and removed devices are notified.
    mutating func trustChanged() {
        if isAdmitted, !status.wasAdmitted {
            status.wasAdmitted = true
            outputs.append(.changed(.admitted))
        }
        exchangeAddresses()
        remindOfReveal()
        for connection in peers.keys {
            guard let peer = peers[connection], peer.device != nil else { continue }
            // A removed device does not keep a member's place; a new member does not keep a newcomer's.
            peer.joining.isNewcomer = !trusts(peer)
            if peer.reconciliation.session == nil || !trusts(peer) { greet(connection) }
            answerStrayEpochs(connection)
            guard trusts(peer) else { continue }
            for message in peer.joining.takeDeferred() { receive(message, from: connection) }
        }
    }
}
