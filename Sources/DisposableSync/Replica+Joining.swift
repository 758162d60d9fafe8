// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// What a device that is not in is told by a member that meets it.
enum OutsideNews {
    case admission
    /// That it was put out, and by what.
    case rulings
}

/// Coming in: a member shows how it came in itself and offers its consent; the newcomer's join follows from that.
extension Replica {
    /// First words: a member admits a newcomer; members who know each other say what they have, and reconcile.
    mutating func greet(_ connection: ConnectionID) {
        guard let peer = peers[connection], let other = peer.device else { return }
        if isAdmitted, !state.membership.isMember(other) {
            let news: OutsideNews = state.membership.isRevoked(other) ? .rulings : .admission
            guard peer.toldOutside != news else { return }
            guard news == .admission else {
                // It is told why, and nothing else.
                peers[connection]?.toldOutside = .rulings
                return enqueue(proofOfRulings, to: connection)
            }
            // A node with the secret of an epoch of which it has not heard cannot say yet under which one it lets others
            // in.
            guard keyring.epoch != .none || state.membership.hasEntered(device, under: .none) else { return }
            if let wait = admissionPace.admit(other, from: peer.host, at: now.milliseconds) {
                close(connection, .busy, retryAfter: Int(clamping: wait))
                return
            }
            peers[connection]?.toldOutside = .admission
            // Who came in by the word of somebody put out since is in no more, and may not know it.
            enqueue(state.membership.mayAuthor(other) ? proofOfRulings : proofOfMembership, to: connection)
            send(
                .admission(Admission(of: other, to: state.event, under: keyring.epoch, by: identity.deviceKey)),
                to: connection)
            return
        }
        peers[connection]?.toldOutside = nil
        guard !peer.isGreeted else { return }
        peers[connection]?.isGreeted = true
        ping(connection)
    }

    /// A member that does not know this device is shown how it came in; what a newcomer is offered, it keeps.
    mutating func receive(_ admission: Admission, from connection: ConnectionID) {
        if isAdmitted {
            enqueue(proofOfMembership, to: connection)
        } else {
            peers[connection]?.offer = admission
        }
    }

    /// Makes this device's join from an admission by somebody who has been shown to be a member: one that counts, and
    /// counts for everybody who is shown the same. What strangers offer waits with their connections, never used.
    /// Not before the charter is here: who is in can say something, and that takes the event's parameters.
    mutating func joinIfOffered() {
        guard !isAdmitted, state.charter != nil, authoring.isEmpty else { return }
        // A device that may have joined before waits as long as somebody is there who may know.
        guard !mustReconcile || peers.values.allSatisfy({ $0.device == nil || $0.offer != nil }) else { return }
        for (connection, peer) in peers {
            guard let admission = peer.offer, state.membership.mayAuthor(admission.sponsor) else { continue }
            peers[connection]?.offer = nil
            guard admission.admits(device, to: state.event) else { continue }
            var signer = ChainSigner(
                chains: chains[device] ?? [:], clock: clock, event: state.event, key: identity.deviceKey,
                wallClockMilliseconds: now.wallClockMilliseconds)
            let body = OperationBody.encode(.join(admission, nil), salt: identity.joinSalt)
            guard (try? signer.sign(Draft(kind: .join, body: body))) != nil else { return }
            let ticket = newTicket()
            authoring[ticket] = signer.signed
            outputs.append(.persist(signer.signed, durably: true, ticket))
            return
        }
    }

    /// The charter, then this device's joins that count, before them its sponsors', before those their sponsors', and
    /// so on: whoever has the event key can check that this device is in, and what it is in.
    private var proofOfMembership: [OperationID] { proof(of: [device]) }

    /// The same for all who have ever ruled on anybody, and what they have ruled.
    var proofOfRulings: [OperationID] {
        let proof = OrderedSet(proof(of: [device] + state.membership.rulers))
        return Array(proof.union(state.membership.rulings))
    }

    func proof(of devices: [DeviceID]) -> [OperationID] {
        var ids: [OperationID] = []
        var seen = OrderedSet(devices)
        var place = 0
        while place < seen.count {
            // One is usual. Who was let in by somebody put out since has another one.
            for join in state.membership.joins(of: seen[place]).prefix(Limits.joinsInProofMax) {
                ids.append(join.id)
                seen.append(join.sponsor)
            }
            place += 1
        }
        return [state.charterID].compactMap(\.self) + ids.reversed()
    }

    /// Whether there is no other node that could know more of the event than this one.
    public var isAloneInEvent: Bool {
        joins.allSatisfy { other, join in
            other == device || (join.sponsor == device && state.membership.author(of: other) != AuthorID(other))
        }
    }

    /// This device's join is on disk. Nobody takes anything else from it yet.
    mutating func announceOwnJoin() {
        for connection in peers.keys where peers[connection]?.device != nil {
            enqueue(proofOfMembership, to: connection)
        }
    }
}
