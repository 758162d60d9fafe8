// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging

/// Another event secret takes the place of one that has leaked (protocol/disposable-v1.md §6.12).
///
/// Nothing of it is written but the operation that seals it: a node takes its secrets from the operations at every
/// start.
extension Node {
    /// What rotating comes to, or has come to.
    func rotationInfo(of event: EventID) throws -> RotationInfo {
        guard let session = sessions[event] else { throw NodeError.stopped }
        let state = session.replica.state
        let (given, leftOut) = session.replica.recipientCounts
        let waiting = waitingNodes(of: session)
        return RotationInfo(
            event: event.description, name: session.name, epoch: state.epochs.chain.count, stayingCount: given,
            leftOutCount: leftOut, waiting: waiting.map(\.name),
            waitingCount: waiting.reduce(waiting.count) { $0 + $1.othersCount })
    }

    func rotate(_ event: EventID, isConfirmed: Bool, reply: @Sendable (ControlReply) async -> Void) async throws {
        guard isConfirmed else {
            await reply(.rotating(try rotationInfo(of: event)))
            return await reply(.finished(exitCode: 0))
        }
        let leftOut = sessions[event]?.replica.recipientCounts.leftOut ?? 0
        try await rule(.rotate(epochEntropy), in: event)
        var info = try rotationInfo(of: event)
        info.leftOutCount = leftOut
        await reply(.rotated(info))
        await reply(.finished(exitCode: 0))
    }

    func admit(named text: String, to event: EventID, reply: @Sendable (ControlReply) async -> Void) async throws {
        guard let session = sessions[event] else { throw NodeError.stopped }
        let matches = session.replica.state.waitingNodes.map { waitingNode($0, of: session) }.filter {
            $0.name == text || $0.device.hasPrefix(text.lowercased())
        }
        guard matches.count < 2 else {
            throw NodeError.ambiguousMember(text, matches.map { String($0.device.prefix(8)) })
        }
        let member =
            try matches.first.flatMap { DeviceID(hex: $0.device) } ?? DeviceID(self.member(named: text, in: event))
        try await rule(.admit(member, epochEntropy), in: event)
        let name = matches.first?.name ?? text
        await reply(.letIn(WaitingNode(device: member.description, name: name)))
        await reply(.finished(exitCode: 0))
    }

    private var epochEntropy: EpochEntropy {
        EpochEntropy(
            secret: Entropy.secret(Invitation.secretByteCount), seed: Entropy.secret(32),
            salt: Entropy.bytes(OperationBody.saltByteCount))
    }

    /// Members without the current secret, for an organizer to decide: of those that one member let in at most four,
    /// the last with the number of the others.
    func waitingNodes(of session: EventSession) -> [WaitingNode] {
        session.replica.grouped(session.replica.state.waitingNodes).flatMap { devices in
            var nodes = devices.prefix(4).map { waitingNode($0, of: session) }
            nodes[nodes.count - 1].othersCount = devices.count - nodes.count
            return nodes
        }
    }

    private func waitingNode(_ device: DeviceID, of session: EventSession) -> WaitingNode {
        let name = session.replica.state.album.shownName(of: AuthorID(device)) ?? device.short
        return WaitingNode(device: device.description, name: name)
    }

    func epochStatus(of session: EventSession) -> EpochStatus {
        let (replica, state) = (session.replica, session.replica.state)
        let stayingCount = state.insideNodes.count
        return EpochStatus(
            number: state.epochs.chain.count, hasSecret: replica.keyring.epoch == state.epochs.current,
            nodeCount: stayingCount, renewedCount: stayingCount - replica.unrenewedNodes.count,
            waiting: waitingNodes(of: session), isWaiting: state.waitingNodes.contains(replica.deviceID))
    }

    // What follows from another secret

    func rotated(_ event: EventID) {
        guard let session = sessions[event] else { return }
        session.links.follow(session.replica.keyring, of: event)
        renewAdvertisement()
        logger.notice("the event has a new secret", metadata: ["event": "\(event.short)"])
        announce(.rotated(event, name: session.name))
        tellReaders(.parameters, of: event)
        lookAtPrinted(of: event)
    }

    func falselySealed(_ epoch: OperationID, in event: EventID) {
        logger.warning("a false secret was sealed to this node", metadata: ["epoch": "\(epoch.short)"])
    }

    /// Whoever was put out and has the current secret all the same comes in again as somebody new.
    func lookAtOutcasts(of event: EventID) {
        guard let session = sessions[event] else { return }
        let replica = session.replica
        // The rank first: to know the outcasts costs a look at everybody.
        guard replica.state.membership.rank(of: replica.deviceID) ?? .participant >= .organizer,
            !replica.state.outcastsWithSecret.isEmpty
        else {
            return solve(.leakedSecret(event))
        }
        note(
            .leakedSecret(event),
            "somebody who was put out of \(session.name) still knows the invitation: `disposable invite rotate` makes a new one"
        )
    }

    private static let printed = "printed under"

    /// Codes of the secret as it is now are on paper.
    func notePrinted(_ event: EventID) throws {
        guard let session = sessions[event] else { throw NodeError.stopped }
        try session.store.setMetadata(session.replica.keyring.epoch.bytes, for: Self.printed)
        solve(.printed(event))
    }

    func lookAtPrinted(of event: EventID) {
        guard let session = sessions[event], let printed = try? session.store.metadata(for: Self.printed),
            printed != session.replica.keyring.epoch.bytes
        else { return solve(.printed(event)) }
        note(
            .printed(event),
            "posters and cards of \(session.name) that were printed before the new invitation let nobody in: print new ones "
                + "with `disposable invite --poster`")
    }

    /// Takes another invitation to an event that this node is in and whose secret it does not have. False where the
    /// invitation says nothing new.
    func renew(_ invitation: Invitation) throws -> Bool {
        guard let session = sessions[invitation.event], session.store.keys.organizer == nil,
            !session.replica.keyring.all.contains(where: { $0.secret.isEqual(to: invitation.secret) })
        else { return false }
        try session.store.take(invitation.secret)
        apply(.invited(invitation.secret), to: invitation.event)
        dial(invitation.addresses, for: invitation.event)
        return true
    }
}
