// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Joining: a member proves its own membership and offers an admission; the newcomer's join follows from that.
extension Replica {
    /// Greets a peer: a member admits a newcomer; members that know each other send their holdings, and reconcile.
    mutating func greet(_ connection: ConnectionID) {
        guard let peer = peers[connection], let other = peer.device else { return }
        if isAdmitted, !state.membership.isMember(other) {
            let news: OutsideNews = state.membership.isRevoked(other) ? .rulings : .admission
            guard peer.joining.news != news else { return }
            guard news == .admission else {
                // It is sent the reason, and nothing else.
                peer.joining.news = .rulings
                return enqueue(proofOfRulings, to: connection)
            }
            // A node with the secret of an epoch that it does not know yet cannot name the epoch under which it admits
            // others.
            guard keyring.epoch != .none || state.membership.hasEntered(device, under: .none) else { return }
            let isTreeWithVeils = state.album.areVeilsOn && state.membership.isEstablished(device)
            let wait = admissions.admit(other, from: peer.host, isTreeWithVeils: isTreeWithVeils, at: now.milliseconds)
            if let wait {
                close(connection, .busy, retryAfter: Int(clamping: wait))
                return
            }
            peer.joining.news = .admission
            // A device whose sponsor was removed since is no member either, and may not know it.
            enqueue(state.membership.mayAuthor(other) ? proofOfRulings : proofOfMembership, to: connection)
            send(
                .admission(Admission(of: other, to: state.event, under: keyring.epoch, by: identity.deviceKey)),
                to: connection)
            return
        }
        if peer.joining.greet() { ping(connection) }
    }

    /// Handles an admission. A member that does not know this device is sent the proof of membership; a newcomer keeps
    /// the offer.
    mutating func receive(_ admission: Admission, from connection: ConnectionID) {
        if isAdmitted {
            enqueue(proofOfMembership, to: connection)
        } else {
            peers[connection]?.joining.offer = admission
        }
    }

    /// Signs this device's join from an admission by a proved member: one that counts for every node with the same
    /// proof. Offers of other peers stay with their connections, unused. Waits for the charter, since a member can sign
    /// operations, which needs the event's parameters.
    mutating func joinIfOffered() {
        guard !isAdmitted, state.charter != nil, !authoring.isStoring else { return }
        // A device that may have joined before waits while a peer is connected that may know.
        guard !mustReconcile || peers.values.allSatisfy({ $0.device == nil || $0.joining.offer != nil }) else { return }
        for peer in peers.values {
            guard let admission = peer.joining.offer, state.membership.mayAuthor(admission.sponsor) else { continue }
            peer.joining.offer = nil
            guard admission.admits(device, to: state.event) else { continue }
            var signer = authoring.chains.signer(
                for: identity.deviceKey, of: state.event, wallClockMilliseconds: now.wallClockMilliseconds)
            let body = OperationBody.encode(.join(admission, nil), salt: identity.joinSalt)
            guard (try? signer.sign(Draft(kind: .join, body: body))) != nil else { return }
            return store(signer.signed, of: newTicket(), isCharged: false)
        }
    }

    /// The charter, then this device's joins that count, before them its sponsors', before those their sponsors', and
    /// so on: a holder of the event's public key can verify that this device is a member, and of which event.
    private var proofOfMembership: [OperationID] { proof(of: [device]) }

    /// The same for all signers of rulings, with the rulings.
    var proofOfRulings: [OperationID] {
        let proof = OrderedSet(proof(of: [device] + state.membership.rulers))
        return Array(proof.union(state.membership.rulings))
    }

    func proof(of devices: [DeviceID]) -> [OperationID] {
        var ids: [OperationID] = []
        var seen = OrderedSet(devices)
        var place = 0
        while place < seen.count {
            // One is usual. A device whose sponsor was removed since has another one.
            for join in state.membership.joins(of: seen[place]).prefix(Limits.joinsInProofMax) {
                ids.append(join.id)
                seen.append(join.sponsor)
            }
            place += 1
        }
        return [state.charterID].compactMap(\.self) + ids.reversed()
    }

    /// Whether no other node could know more of the event than this one.
    public var isAloneInEvent: Bool {
        index.joins.allSatisfy { other, join in
            other == device || (join.sponsor == device && state.membership.author(of: other) != AuthorID(other))
        }
    }

    /// Announces this device's join, which is stored. Peers accept nothing else from it before.
    mutating func announceOwnJoin() {
        for connection in peers.keys where peers[connection]?.device != nil {
            enqueue(proofOfMembership, to: connection)
        }
    }
}
