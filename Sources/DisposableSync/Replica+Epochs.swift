// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The replacement of an event secret that has leaked (protocol/disposable-v1.md §6.12, §9.11).
///
/// A node that notices that a connection does not use the current secret sends the proof of that secret, and nothing
/// else, and the two connect again under the new one. Both ends may do so at once, each with news for the other.
extension Replica {
    /// Switches to the event secret that the operations determine, if this device has it.
    mutating func followEpochs() {
        guard let change = epochs.follow(state.epochs, key: identity.deviceKey) else { return }
        for epoch in change.falselySealed { outputs.append(.changed(.falselySealed(epoch))) }
        guard change.isRotated else { return }
        addresses.renewed(at: now)
        outputs.append(.changed(.rotated))
        for (connection, peer) in peers {
            if peer.epochs.renewal != nil {
                peer.epochs.currentChanged()
                // This was the purpose of the connection.
                if !isOutdated(peer) || peer.epochs.knows(keyring.epoch) { close(connection, .rotated) }
            } else if isOutdated(peer), let other = peer.device {
                renew(connection, other)
            }
        }
    }

    /// Adds the secret of another invitation to the same event, if this device waits for admission.
    mutating func take(invited secret: SecretBytes) {
        epochs.take(invited: secret)
        followEpochs()
        addresses.renewed(at: now)
    }

    func isOutdated(_ peer: Peer) -> Bool { !peer.isBundle && epochs.isOutdated(peer.connection.credentials) }

    /// Handles a connection under another secret than the current one: a member to which the current one is sealed is
    /// sent its proof. Other peers are sent nothing.
    mutating func renew(_ connection: ConnectionID, _ other: DeviceID) {
        guard let peer = peers[connection], peer.epochs.renewal == nil else { return }
        let isKnown = peer.epochs.knows(keyring.epoch)
        // An organizer has named it, or a device that was named: it does not matter if its join has not arrived here.
        // This node may not know yet that another peer was named or reinstated: that peer may send the proof itself.
        guard !isAdmitted || (state.insiders.contains(other) && !state.membership.isRevoked(other)) else {
            guard peer.device == nil else {
                // Until now it was sent everything.
                return close(
                    connection, .invitationReplaced, retryAfter: Limits.refusedConnectionRetryMilliseconds)
            }
            return beginRenewal(connection, .invitationReplaced, Limits.strangerMilliseconds)
        }
        guard !isKnown else { return close(connection, .rotated) }
        beginRenewal(connection, .rotated, Limits.handshakeMillisecondsMax)
        // A node that is no member has no news, and may be sent the proof that it waits for.
        if isAdmitted { enqueue(proofOfEpoch, to: connection) }
    }

    private mutating func beginRenewal(_ connection: ConnectionID, _ code: ProtocolCode, _ milliseconds: Int) {
        peers[connection]?.epochs.begin(Renewal(dueAt: now.milliseconds + UInt64(milliseconds), code: code))
        watch(connection)
    }

    /// Ends the connection after the last news, or after none has come.
    mutating func endRenewal(_ connection: ConnectionID, _ renewal: Renewal) {
        // A peer that knows the current secret is met under it at once.
        let isRenewed = renewal.isKnown && renewal.code == .rotated
        close(
            connection, renewal.code, retryAfter: isRenewed ? nil : Limits.refusedConnectionRetryMilliseconds)
    }

    /// Handles a message of a peer that is being sent another secret: only operations of the authority set are
    /// accepted; they may bring news of yet another secret.
    mutating func receiveWhileRenewing(_ message: PeerMessage, from connection: ConnectionID) {
        switch message {
        case .operations(let operations):
            receive(operations.filter { $0.header.set == .authority }, from: connection)
        case .close(let code, let retryAfter, _):
            if code == .invitationReplaced { outputs.append(.changed(.invitationReplaced)) }
            remove(connection, code: code ?? .shuttingDown, pause: UInt64(retryAfter))
        default: break
        }
    }

    /// Records which epochs a peer knows. A connection to a peer that knows the current one ends, but not before it has
    /// sent all of its news: that may take several messages, and this may be the first.
    mutating func noteEpochs(_ operations: [UncheckedOperation], from connection: ConnectionID) {
        let epochs = operations.filter { $0.header.kind == OperationKind.epoch.rawValue }.map(\.id)
        guard !epochs.isEmpty, let peer = peers[connection] else { return }
        if peer.epochs.hear(epochs, current: keyring.epoch) { watch(connection) }
        answerStrayEpochs(connection)
    }

    /// Answers a peer that sends an epoch which leads nowhere and may use it: on this connection it is sent only the
    /// proof of the current epoch.
    mutating func answerStrayEpochs(_ connection: ConnectionID) {
        guard isAdmitted, let peer = peers[connection], trusts(peer), peer.epochs.takesStray(state.epochs.isStray)
        else { return }
        enqueue(proofOfEpoch, to: connection)
    }

    /// The operations that began epochs or add to the current one, their signers' proofs, and all rulings: the proof of
    /// which secret is current.
    private var proofOfEpoch: [OperationID] {
        let (operations, signers) = state.epochs.proof
        return Array(OrderedSet(proofOfRulings + proof(of: signers)).union(operations))
    }

    // Queries of the shell

    /// Records that a member whose connection ends was met under its secret.
    mutating func noteRenewed(_ peer: Peer) {
        guard let other = peer.device, !isOutdated(peer), state.membership.isMember(other) else { return }
        epochs.meet(other)
    }

    /// Whether a preface was made with a secret of the event, the current one or an older one.
    public func recognises(_ preface: [UInt8], challenge: [UInt8]) -> Bool {
        keyring.credentials(answering: preface, challenge: challenge) != nil
    }

    /// The nodes of members to which the current secret is sealed and that were not met under it since this node knows
    /// it.
    public var unrenewedNodes: [DeviceID] {
        guard state.epochs.current != .none else { return [] }
        let entered = state.membership.devices(under: state.epochs.current, from: [])
        let met = Set(peers.values.filter { !isOutdated($0) }.compactMap(\.device))
        return state.insideNodes.filter {
            $0 != device && !met.contains($0) && !epochs.hasMet($0) && !entered.contains($0)
        }
    }

    /// The credentials with which this node advertises the event: also older secrets as long as a member may know no
    /// other.
    public var shownCredentials: [EventCredentials] {
        unrenewedNodes.isEmpty ? [keyring.current] : keyring.all
    }
}
