// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// Frames that people give each other, each with what its node knows.
extension Party {
    /// Lets two members give each other frames, and a guest that both nodes know give some at each.
    func plan(giftsOf member: Int, _ other: Int, _ fault: Fault) {
        for (giver, recipient) in [(member, other), (member, other), (other, member)] {
            give(to: recipient, by: giver, isGuests: false, fault)
        }
        for (node, recipient) in [(member, other), (other, member)] {
            give(to: recipient, by: node, isGuests: true, fault)
        }
    }

    /// - Parameter isGuests: whether a guest of the node's pages gives, and not the node's person.
    private func give(to recipient: Int, by giver: Int, isGuests: Bool, _ fault: Fault) {
        plan(at: UInt64.random(in: fault.begins...fault.ends, using: &swarm.random), by: giver) { party, node in
            guard let state = node.replica?.state else { return false }
            guard let (author, key) = party.speaker(at: node, isGuests: isGuests) else { return true }
            let other = AuthorID(party.swarm.nodes[recipient].device)
            let count = Int.random(in: 1...4, using: &party.swarm.random)
            guard state.giftRefusal(count, to: other, by: author, left: nil) == nil else { return true }
            party.log?("\(party.time) \(isGuests ? "a guest" : "n\(giver)") gives n\(recipient) \(count) frames")
            party.swarm.say(.give(count, to: other, left: nil), by: node, key)
            return true
        }
    }
}
