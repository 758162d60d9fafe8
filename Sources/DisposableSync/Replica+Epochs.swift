// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The random bytes with which an organizer seals a secret.
public struct EpochEntropy: Equatable, Sendable {
    /// 32 bytes: the new secret. Not used if the current one is given to one more device.
    public let secret: SecretBytes
    /// 32 bytes, from which the ephemeral keys of the boxes are derived.
    public let seed: SecretBytes
    /// 16 bytes for the bodies.
    public let salt: [UInt8]

    public init(secret: SecretBytes, seed: SecretBytes, salt: [UInt8]) {
        self.secret = secret
        self.seed = seed
        self.salt = salt
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.secret.isEqual(to: right.secret) && left.seed.isEqual(to: right.seed) && left.salt == right.salt
    }
}

/// The replacement of an event secret that has leaked (protocol/disposable-v1.md §6.12, §9.11).
///
/// A node that notices that a connection does not use the current secret sends the proof of that secret, and nothing
/// else, and the two connect again under the new one. Both ends may do so at once, each with news for the other.
extension Replica {
    // Signing

    func epochDrafts(_ entropy: EpochEntropy, by device: DeviceID) throws(AuthoringError) -> EpochDrafts {
        try checkRank(of: device)
        let seals = recipients.compactMap { try? SealedSecret(of: entropy.secret, for: $0, seed: entropy.seed) }
        let parts = stride(from: 0, to: seals.count, by: Limits.sealedDevicesMax).map {
            Array(seals[$0..<min($0 + Limits.sealedDevicesMax, seals.count)])
        }
        let parent = state.epochs.current
        let commitment = Epoch.commitment(to: entropy.secret, parent: parent, event: state.event)
        let beginning = OperationBody.encode(.epoch(commitment: commitment, seals: parts[0]), salt: entropy.salt)
        return EpochDrafts(
            first: Draft(kind: .epoch, subject: parent, body: beginning),
            additions: parts.dropFirst().map {
                OperationBody.encode(.epoch(commitment: nil, seals: $0), salt: entropy.salt)
            })
    }

    /// Returns the draft that seals the current secret to one more member.
    func admissionDraft(
        of newcomer: DeviceID, _ entropy: EpochEntropy, by device: DeviceID
    ) throws(AuthoringError) -> Draft {
        try checkRank(of: device)
        guard state.membership.isMember(newcomer), state.membership.author(of: newcomer) == AuthorID(newcomer) else {
            throw .notAdmitted
        }
        guard state.epochs.current != .none, newcomer != self.device,
            state.waitingNodes.contains(newcomer) || unrenewedNodes.contains(newcomer)
        else { throw .nothingToDo }
        guard keyring.epoch == state.epochs.current else { throw .secretUnknown }
        guard let seal = try? SealedSecret(of: keyring.current.secret, for: newcomer, seed: entropy.seed) else {
            throw .notAdmitted
        }
        return Draft(
            kind: .epoch, subject: state.epochs.current, argument: EpochDrafts.addition,
            body: OperationBody.encode(.epoch(commitment: nil, seals: [seal]), salt: entropy.salt))
    }

    private func checkRank(of device: DeviceID) throws(AuthoringError) {
        guard (state.membership.rank(of: device) ?? .participant) >= .organizer else {
            throw .rankTooLow(needed: .organizer)
        }
    }

    // Following

    /// Switches to the event secret that the operations determine, if this device has it.
    mutating func followEpochs() {
        guard state.epochs.revision != followedRevision else { return }
        followedRevision = state.epochs.revision
        let known = keyring
        keyring.follow(state.epochs, key: identity.deviceKey)
        for epoch in keyring.falselySealed.subtracting(known.falselySealed).sorted() {
            outputs.append(.changed(.falselySealed(epoch)))
        }
        guard !keyring.current.isEqual(to: known.current) else { return }
        renewed = []
        addresses.renewed(at: now)
        outputs.append(.changed(.rotated))
        for (connection, peer) in peers {
            if peer.renewal != nil {
                peer.renewal?.isKnown = false
                // This was the purpose of the connection.
                if !isOutdated(peer) || peer.epochsSaid.contains(keyring.epoch) { close(connection, .rotated) }
            } else if isOutdated(peer), let other = peer.device {
                renew(connection, other)
            }
        }
    }

    /// Adds the secret of another invitation to the same event, if this device waits for admission.
    mutating func take(invited secret: SecretBytes) {
        keyring.take(invited: secret)
        followedRevision = nil
        followEpochs()
        addresses.renewed(at: now)
    }

    func isOutdated(_ peer: Peer) -> Bool { !peer.connection.credentials.isEqual(to: keyring.current) }

    /// Handles a connection under another secret than the current one: a member to which the current one is sealed is
    /// sent its proof. Other peers are sent nothing.
    mutating func renew(_ connection: ConnectionID, _ other: DeviceID) {
        guard let peer = peers[connection], peer.renewal == nil else { return }
        let isKnown = peer.epochsSaid.contains(keyring.epoch)
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
        peers[connection]?.renewal = Renewal(dueAt: now.milliseconds + UInt64(milliseconds), code: code)
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
        // A peer that is sent an epoch that it knows loses nothing but a moment.
        if peer.epochsSaid.count > Limits.operationsPerMessageMax { peer.epochsSaid = [] }
        peer.epochsSaid.formUnion(epochs)
        if peer.renewal != nil, peer.epochsSaid.contains(keyring.epoch) {
            peer.renewal?.isKnown = true
            watch(connection)
        }
        answerStrayEpochs(connection)
    }

    /// Answers a peer that sends an epoch which leads nowhere and may use it: on this connection it is sent only the
    /// proof of the current epoch.
    mutating func answerStrayEpochs(_ connection: ConnectionID) {
        guard isAdmitted, let peer = peers[connection], peer.renewal == nil, !peer.wasShownEpochs, trusts(peer),
            peer.epochsSaid.contains(where: state.epochs.isStray)
        else { return }
        peer.wasShownEpochs = true
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
        renewed.insert(other)
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
        let met = Set(peers.values.filter { !isOutdated($0) }.compactMap(\.device)).union(renewed)
        return state.insideNodes.filter { $0 != device && !met.contains($0) && !entered.contains($0) }
    }

    /// The credentials with which this node advertises the event: also older secrets as long as a member may know no
    /// other.
    public var shownCredentials: [EventCredentials] {
        unrenewedNodes.isEmpty ? [keyring.current] : keyring.all
    }
}

/// An epoch before it is signed. An addition names the id of the first operation.
struct EpochDrafts {
    static let addition: UInt64 = 1

    let first: Draft
    /// Bodies.
    let additions: [[UInt8]]
}
