// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// Votes for the photo of the night, each with what its node knows.
extension Party {
    /// Lets the organizer open a vote and close it, and two members and guests of their pages vote meanwhile, several
    /// times and also after it.
    func plan(votesOf member: Int, _ other: Int, _ fault: Fault) {
        plan(at: fault.begins, by: 0) { party, node in
            let ballot = SealedBallot(
                secret: party.swarm.random.secret(), organizers: node.replica?.state.messageRecipients ?? [],
                seed: party.swarm.random.secret())
            guard let ballot else { return false }
            party.log?("\(party.time) n0 opens a vote")
            party.swarm.rule(.openVote(ballot), by: node)
            return true
        }
        for voter in [member, other, member, 0] { vote(by: voter, isGuests: false, fault) }
        for voter in [member, other, other] { vote(by: voter, isGuests: true, fault) }
        plan(at: fault.ends, by: 0) { party, node in
            guard let ballot = node.replica?.state.ballot, ballot.isOpen,
                let secret = ballot.sealed.secret(for: node.deviceKey)
            else { return true }
            party.log?("\(party.time) n0 closes the vote")
            party.swarm.rule(.closeVote(ballot.id, secret: secret), by: node)
            return true
        }
    }

    /// - Parameter isGuests: whether a guest of the node's pages votes, and not the node's person.
    private func vote(by voter: Int, isGuests: Bool, _ fault: Fault) {
        plan(at: someTime(in: fault), by: voter) { party, node in
            // Nodes behind a cut know of no vote.
            guard let state = node.replica?.state, let ballot = state.ballot, ballot.isOpen,
                let (author, key) = party.speaker(at: node, isGuests: isGuests)
            else { return true }
            let others = state.gallery.filter { $0.author != author && state.isEligible($0.id) }
            let photo = others.randomElement(using: &party.swarm.random)?.id
            let device = key.map { DeviceID($0.verifyingKey) } ?? node.device
            let ephemeral = AgreementKey(scalar: party.swarm.random.secret())
            guard let sealed = SealedVote(for: photo, by: device, key: ballot.sealed.key, ephemeral: ephemeral) else {
                return true
            }
            party.log?("\(party.time) \(isGuests ? "a guest at " : "")n\(voter) votes \(photo?.short ?? "for none")")
            let salt = party.swarm.random.bytes(16)
            party.swarm.say(.say(.vote(photo, in: ballot.id, sealed), salt: salt), by: node, key)
            return true
        }
    }
}
