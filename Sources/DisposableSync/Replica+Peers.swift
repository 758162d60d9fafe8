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

    private var claims: Authentication.Claims {
        Authentication.Claims(
            device: device, instance: identity.instance, wallClockMilliseconds: now.wallClockMilliseconds,
            listenPort: listenPort)
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
        if let peer = peers[connection] { peersDueAt = min(peersDueAt, peer.nextDeadline) }
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
        guard versionsMet.count < 16, versionsMet.insert(version).inserted else { return }
        outputs.append(.changed(.otherVersion(host: host, theirs: version, ours: UInt32(Preface.version))))
    }

    private var liveCount: Int { peers.values.count { $0.device != nil } }

    mutating func received(_ bytes: [UInt8], from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        peer.lastReceivedAt = now.milliseconds
        peer.answerDueAt = .max
        peer.receivedByteCount += UInt64(bytes.count)
        receivedByteCount += UInt64(bytes.count)
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
        peer.unsentByteCount += bytes.count
        outputs.append(.send(connection, bytes))
        if peer.unsentByteCount > Limits.unsentByteCountMax { remove(connection, code: .unresponsive) }
    }

    mutating func send(_ message: PeerMessage, to connection: ConnectionID) {
        send(message.bytes, to: connection)
    }

    /// Sends the plaintext of a message: a message to many peers is encoded once.
    mutating func send(_ plaintext: [UInt8], to connection: ConnectionID) {
        guard let bytes = peers[connection]?.connection.seal(plaintext) else { return }
        transmit(bytes, to: connection)
    }

    mutating func sent(_ byteCount: Int, to connection: ConnectionID) {
        guard peers[connection] != nil else { return }
        peers[connection]!.unsentByteCount -= byteCount
        peers[connection]!.sentByteCount += UInt64(byteCount)
        sentByteCount += UInt64(byteCount)
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
        peers[connection]?.instance = proof.claims.instance
        // A copy of this node's folder runs there: a member like any other, and people should know.
        if other == device { noteClone(other) }
        peers[connection]?.pingDueAt = now.milliseconds + UInt64(Limits.pingMilliseconds)
        learnAddress(of: connection, port: proof.claims.listenPort, device: other)
        guard !isShunned(other) else {
            close(connection, .limitExceeded)
            return
        }
        guard resolveDuplicates(of: other, keepingIfOnly: connection), hasPlace(for: connection) else { return }
        warnOfClock(proof.claims, other, connection)
        scheduler.addPeer(connection)
        beginAllowance(of: connection, other)
        greet(connection)
        exchangeAddresses()
        outputs.append(.changed(.peers))
    }

    /// Whether the peer gets a place; a newcomer gets none of those that are reserved for members. Without a place, the
    /// connection is closed.
    private mutating func hasPlace(for connection: ConnectionID) -> Bool {
        guard let peer = peers[connection] else { return false }
        let isNewcomer = !trusts(peer)
        let others = livePeerConnections.filter { $0 != connection }
        let newcomers = others.filter { peers[$0]?.isNewcomer == true }
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
        peers[connection]?.isNewcomer = isNewcomer
        return true
    }

    private var livePeerConnections: [ConnectionID] { peers.keys.filter { peers[$0]?.device != nil } }

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
        peers[connection]?.listensAt = address
    }

    private mutating func warnOfClock(_ claims: Authentication.Claims, _ other: DeviceID, _ connection: ConnectionID) {
        let difference = Int64(clamping: claims.wallClockMilliseconds) - Int64(clamping: now.wallClockMilliseconds)
        peers[connection]?.clockDifference = difference
        peers[connection]?.wallClockLead =
            Int64(clamping: claims.wallClockMilliseconds) - Int64(clamping: now.milliseconds)
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
        for (existing, peer) in peers where existing != connection && peer.device == other {
            guard !isOutdated(peer) else {
                close(existing, .rotated)
                continue
            }
            guard let new = peers[connection] else { return false }
            if peer.instance != new.instance {
                peers[existing]?.hasDouble = true
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
        let silence = now.milliseconds(since: old.lastReceivedAt)
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
        (device.bytes + identity.instance).lexicographicallyPrecedes((peer.device?.bytes ?? []) + peer.instance)
    }

    /// Whether the device is banned: it has recently sent too many wrong chunks.
    func isShunned(_ device: DeviceID) -> Bool { shunned[device].map { now.milliseconds < $0 } ?? false }

    mutating func shun(_ connection: ConnectionID) {
        if let device = peers[connection]?.device {
            shunned = shunned.filter { now.milliseconds < $0.value }
            shunned[device] = now.milliseconds + UInt64(Limits.shunMilliseconds)
        }
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
        if isAdmitted, !wasAdmitted {
            wasAdmitted = true
            outputs.append(.changed(.admitted))
        }
        exchangeAddresses()
        noteReveal()
        for connection in peers.keys {
            guard let peer = peers[connection], peer.device != nil else { continue }
            // A removed device does not keep a member's place; a new member does not keep a newcomer's.
            peer.isNewcomer = !trusts(peer)
            if peer.session == nil || !trusts(peer) { greet(connection) }
            answerStrayEpochs(connection)
            guard trusts(peer), !peer.deferred.isEmpty else { continue }
            let messages = peer.deferred
            peer.deferred = []
            for message in messages { receive(message, from: connection) }
        }
    }

    // Messages

    private mutating func receive(_ message: PeerMessage, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        charge(message, connection)
        guard peer.renewal == nil else { return receiveWhileRenewing(message, from: connection) }
        switch message {
        case .authentication: close(connection, .malformed)
        case .ping(let ping):
            send(.pong(ownPing(nonce: ping.nonce, to: peer)), to: connection)
            if trusts(peer) { compare(ping, from: connection) }
        case .pong(let ping):
            if let sent = peer.pingSentAt, sent.nonce == ping.nonce {
                peers[connection]?.roundTripMilliseconds = now.milliseconds(since: sent.milliseconds)
                if peer.hasDouble, let other = peer.device { noteClone(other) }
            }
            if trusts(peer) { compare(ping, from: connection) }
        case .close(let code, let retryAfter, _):
            if code == .invitationReplaced { outputs.append(.changed(.invitationReplaced)) }
            remove(connection, code: code ?? .shuttingDown, pause: UInt64(retryAfter))
        case .admission(let admission): receive(admission, from: connection)
        case .operations(let operations): receive(operations, from: connection)
        case .later: break
        case .addresses, .register, .pages, .reconcile, .want, .have, .request, .list, .data, .refusal, .cancel:
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
        case .addresses(let addresses): receive(addresses, from: connection)
        case .register(let register): receive(register, from: connection)
        case .pages(let addresses): receive(pages: addresses, from: connection)
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
        case .authentication, .ping, .pong, .close, .admission, .operations, .later: break
        }
    }

    /// Returns this node's ping; to a peer that is no member, with sets that look empty.
    private func ownPing(nonce: UInt64, to peer: Peer) -> Ping {
        guard trusts(peer) else {
            return Ping(nonce: nonce, authority: .untold, content: .untold)
        }
        return Ping(nonce: nonce, authority: summary(of: .authority), content: summary(of: .content))
    }

    // Time and closing

    mutating func keepTime() {
        keptTimeAt = now.milliseconds
        relayDue()
        if let due = roomsDueAt, due <= now.milliseconds { releaseRooms() }
        for (connection, peer) in peers {
            if let renewal = peer.renewal, let due = peer.renewalDueAt {
                if now.milliseconds >= due { endRenewal(connection, renewal) }
                continue
            }
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
            if silence >= UInt64(limit) || now.milliseconds >= peer.answerDueAt {
                remove(connection, code: .unresponsive)
            } else if now.milliseconds >= peer.pingDueAt || isOwedAnAnswer(peer, connection, silence) {
                ping(connection)
            }
        }
        abandonStalledSessions()
        noteReveal()
        keepView()
        for output in scheduler.cancelStalled(at: now.milliseconds) { perform(output) }
        if let due = announceDueAt, due <= now.milliseconds { announce() }
        if let due = registerDueAt, due <= now.milliseconds { signRegister() }
        peersDueAt = peers.values.reduce(.max) { min($0, $1.nextDeadline) }
    }

    /// Whether a peer with requested chunks has been silent for half of its time and is to be probed.
    private func isOwedAnAnswer(_ peer: Peer, _ connection: ConnectionID, _ silence: UInt64) -> Bool {
        scheduler.hasRequests(of: connection) && silence >= UInt64(Limits.silenceWhileWaitingMillisecondsMax) / 2
            && (peer.pingSentAt?.milliseconds ?? 0) <= peer.lastReceivedAt
    }

    /// Requests a sign of life from a peer, within a short time.
    private mutating func probe(_ connection: ConnectionID) {
        guard let peer = peers[connection], peer.device != nil, peer.answerDueAt == .max else { return }
        // Input during a pause is not handled before its end.
        peers[connection]?.answerDueAt =
            max(now.milliseconds, peer.lastReceivedAt) + UInt64(Limits.probeMillisecondsMax)
        ping(connection)
        watch(connection)
    }

    /// The machine has slept, or is on another network. All peers are probed; silence until now was this machine's own.
    /// Addresses without a connection are dialled at once.
    mutating func interrupted() {
        addresses.interrupted(at: now)
        scheduler.interrupted(at: now.milliseconds)
        for (connection, peer) in peers where peer.device != nil {
            peers[connection]?.lastReceivedAt = max(now.milliseconds, peer.lastReceivedAt)
            peers[connection]?.session?.lastProgress = now.milliseconds
            probe(connection)
        }
    }

    mutating func ping(_ connection: ConnectionID) {
        let nonce = random.next()
        peers[connection]?.pingSentAt = (nonce, now.milliseconds)
        peers[connection]?.pingDueAt = now.milliseconds + UInt64(Limits.pingMilliseconds)
        peers[connection]?.toldAddressCount = 0
        if let peer = peers[connection] { send(.ping(ownPing(nonce: nonce, to: peer)), to: connection) }
        // Its join may have been lost on either side.
        guard let other = peers[connection]?.device, isAdmitted, !state.membership.isMember(other) else { return }
        peers[connection]?.toldOutside = nil
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
        for (ticket, other) in loading where other == connection { loading[ticket] = nil }
        for read in peer.reads { reading[read.ticket] = nil }
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
        guard let device = peer.device, !peers.values.contains(where: { $0.device == device }) else { return }
        addresses.lost(device, at: now, pause: pause)
    }

    mutating func stop() {
        isStopping = true
        for connection in Array(peers.keys) { close(connection, .shuttingDown) }
    }
}
