// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging

/// The replacement of an event secret that has leaked (protocol/disposable-v1.md §6.12).
///
/// Only the operation that seals a secret is stored: a node derives its secrets from the operations at every start.
extension EventNode {
    /// Returns the effect of a rotation, planned or done.
    func rotationInfo() throws -> RotationInfo {
        let state = replica.state
        let (given, leftOut) = replica.recipientCounts
        let waiting = waitingNodes()
        return RotationInfo(
            event: event.description, name: name, epoch: state.epochs.chain.count, stayingCount: given,
            leftOutCount: leftOut, waiting: waiting.map(\.name),
            waitingCount: waiting.reduce(waiting.count) { $0 + $1.othersCount })
    }

    func rotate(isConfirmed: Bool, reply: @Sendable (ControlReply) async -> Void) async throws {
        guard isConfirmed else {
            await reply(.rotating(try rotationInfo()))
            return await reply(.finished(exitCode: 0))
        }
        let leftOut = replica.recipientCounts.leftOut
        try await rule(.rotate(epochEntropy))
        var info = try rotationInfo()
        info.leftOutCount = leftOut
        await reply(.rotated(info))
        await reply(.finished(exitCode: 0))
    }

    func admit(named text: String, reply: @Sendable (ControlReply) async -> Void) async throws {
        let matches = replica.state.waitingNodes.map { waitingNode($0) }.filter {
            $0.name == text || $0.device.hasPrefix(text.lowercased())
        }
        guard matches.count < 2 else {
            throw NodeError.ambiguousMember(text, matches.map { String($0.device.prefix(8)) })
        }
        let member =
            try matches.first.flatMap { DeviceID(hex: $0.device) } ?? DeviceID(self.member(named: text))
        try await rule(.admit(member, epochEntropy))
        let name = matches.first?.name ?? text
        await reply(.letIn(WaitingNode(device: member.description, name: name)))
        await reply(.finished(exitCode: 0))
    }

    private var epochEntropy: EpochEntropy {
        EpochEntropy(
            secret: Entropy.secret(Invitation.secretByteCount), seed: Entropy.secret(32),
            salt: Entropy.bytes(OperationBody.saltByteCount))
    }

    /// Returns members without the current secret, for an organizer to decide: at most four of those that one member
    /// admitted, the last with the number of the others.
    func waitingNodes() -> [WaitingNode] {
        replica.grouped(replica.state.waitingNodes).flatMap { devices in
            var nodes = devices.prefix(4).map { waitingNode($0) }
            nodes[nodes.count - 1].othersCount = devices.count - nodes.count
            return nodes
        }
    }

    private func waitingNode(_ device: DeviceID) -> WaitingNode {
        let name = replica.state.album.shownName(of: AuthorID(device)) ?? device.short
        return WaitingNode(device: device.description, name: name)
    }

    var epochStatus: EpochStatus {
        let state = replica.state
        let stayingCount = state.insideNodes.count
        return EpochStatus(
            number: state.epochs.chain.count, hasSecret: replica.keyring.epoch == state.epochs.current,
            nodeCount: stayingCount, renewedCount: stayingCount - replica.unrenewedNodes.count,
            waiting: waitingNodes(), isWaiting: state.waitingNodes.contains(replica.deviceID))
    }

    // Consequences of another secret

    func rotated() {
        links.follow(replica.keyring, of: event)
        refreshSummary()
        context.report(.rotated)
        logger.notice("the event has a new secret", metadata: ["event": "\(event.short)"])
        announce(.rotated(event, name: name))
        tellReaders(.event)
        lookAtPrinted()
    }

    func falselySealed(_ epoch: OperationID) {
        logger.warning("a false secret was sealed to this node", metadata: ["epoch": "\(epoch.short)"])
    }

    /// Warns of removed members as `lookAtOutcasts` does, at once and then at most once a second: any member can cause
    /// changes of everything, and all joins are examined.
    func outcastsMayHaveChanged() {
        guard !reading.outcasts.isRequested else { return }
        reading.outcasts.request(pause: 1_000, at: now.milliseconds)
        if reading.outcasts.isDue(at: now.milliseconds) { return lookAtOutcasts() }
        jobs.add {
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            await self.lookAtOutcasts()
        }
    }

    /// Warns of removed members that have the current secret: they could join again as new devices.
    func lookAtOutcasts() {
        reading.outcasts.done(at: now.milliseconds)
        // The rank first: computing the removed members examines all members.
        guard replica.state.membership.rank(of: replica.deviceID) ?? .participant >= .organizer,
            !replica.state.outcastsWithSecret.isEmpty
        else {
            return solve(.leakedSecret)
        }
        note(
            .leakedSecret,
            "a removed member of \(name) still knows the invitation: `disposable invite rotate` makes a new one"
        )
    }

    private static let printed = "printed under"

    /// Records that codes of the present secret were printed.
    func notePrinted() throws {
        try store.setMetadata(replica.keyring.epoch.bytes, for: Self.printed)
        solve(.printed)
    }

    func lookAtPrinted() {
        guard let printed = try? store.metadata(for: Self.printed),
            printed != replica.keyring.epoch.bytes
        else { return solve(.printed) }
        note(
            .printed,
            "posters and cards of \(name) that were printed before the new invitation do not work: print new ones "
                + "with `disposable invite --poster`")
    }

    /// Uses another invitation to an event of this node whose secret it lacks. Returns false if the invitation has
    /// nothing new.
    func renew(_ invitation: Invitation) throws -> Bool {
        guard store.keys.organizer == nil,
            !replica.keyring.all.contains(where: { $0.secret.isEqual(to: invitation.secret) })
        else { return false }
        try store.take(invitation.secret)
        apply(.invited(invitation.secret))
        dial(invitation.addresses)
        return true
    }
}
