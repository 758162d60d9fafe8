// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// Galleries that are joined with those of other events, each with what its node knows.
extension Party {
    /// Six other events, of which one event can have four as twins. The same in every party.
    private static let others = (UInt8(1)...6).map { number in
        var seed = [UInt8](repeating: number, count: SigningKey.seedByteCount)
        return SigningKey(seed: SecretBytes(consuming: &seed))
    }

    /// Lets the organizer and a member that is one meanwhile join the gallery with others, and separate them. In half
    /// of the cases the member loses the rank at the end.
    func plan(twinsOf member: Int, _ fault: Fault) {
        let (device, eventKey) = (swarm.nodes[member].device, swarm.founding.eventKey)
        rule(.grant(.organizer, to: device.bytes32), at: fault.begins, by: eventKey) { $0.isMember(device) }
        for organizer in [0, member, 0, member, member] {
            twin(by: organizer, fault)
            if swarm.random.oneIn(2) { untwin(by: organizer, fault) }
        }
        guard swarm.random.oneIn(2) else { return }
        rule(.revoke(.organizer, of: device.bytes32), at: fault.ends, by: eventKey) {
            $0.holds(.organizer, device.bytes32)
        }
    }

    /// Joins the gallery with one of the other events, or renews that.
    private func twin(by organizer: Int, _ fault: Fault) {
        let other = Self.others.randomElement(using: &swarm.random) ?? Self.others[0]
        plan(at: someTime(in: fault), by: organizer) { party, node in
            guard let state = node.replica?.state, state.membership.rank(of: node.device) == .organizer,
                let nonce = Bytes32(party.swarm.random.bytes(Bytes32.byteCount))
            else { return true }
            let agreement = TwinAgreement(of: other.verifyingKey, with: state.event, by: other)
            let secret = TwinSecret(
                of: party.swarm.random.secret(), twin: agreement.event, under: party.swarm.random.secret(),
                epoch: state.epochs.current, nonce: nonce)
            party.log?("\(party.time) n\(organizer) joins the gallery with \(agreement.event.short)")
            party.swarm.rule(.twin(Twinning(agreement: agreement, name: "Twin", secret: secret)), by: node)
            return true
        }
    }

    private func untwin(by organizer: Int, _ fault: Fault) {
        plan(at: someTime(in: fault), by: organizer) { party, node in
            let twins = node.replica?.state.twins ?? []
            guard let twin = twins.randomElement(using: &party.swarm.random) else { return true }
            party.log?("\(party.time) n\(organizer) separates the gallery from \(twin.event.short)")
            party.swarm.rule(.untwin(twin.event), by: node)
            return true
        }
    }
}
