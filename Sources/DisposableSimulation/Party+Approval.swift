// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

/// Moderators who approve and decline photos, each with what its node knows.
extension Party {
    /// Sets the rule, lets the organizer and a member who is a moderator meanwhile decide about photos, and takes the
    /// role and, in half of the cases, the rule back. Meanwhile pages seal photos.
    func plan(approval: ApprovalRule, _ member: Int, _ fault: Fault) {
        let device = swarm.nodes[member].device
        rule(.approval(approval), at: fault.begins) { _ in true }
        rule(.pageSealing(isOn: true), at: fault.begins) { _ in true }
        rule(.grant(.moderator, to: device.bytes32), at: fault.begins) { $0.isMember(device) }
        for judge in [0, member, 0, member, member, 0] { decide(by: judge, fault) }
        rule(.revoke(.moderator, of: device.bytes32), at: fault.ends) { $0.holds(.moderator, device.bytes32) }
        if swarm.random.oneIn(2) { rule(.approval(.none), at: fault.ends) { _ in true } }
        rule(.pageSealing(isOn: false), at: fault.ends) { _ in true }
    }

    /// Approves what waits at the judge's node, or makes one of the photos wait again, or hides it.
    private func decide(by judge: Int, _ fault: Fault) {
        plan(at: someTime(in: fault), by: judge) { party, node in
            guard let state = node.replica?.state else { return false }
            let pending = state.photos.filter(\.status.isPending).map(\.id)
            guard let photo = pending.first ?? state.gallery.randomElement(using: &party.swarm.random)?.id else {
                return true
            }
            let ruling: Ruling =
                pending.isEmpty ? .unapprove(photo) : party.swarm.random.oneIn(4) ? .hide(photo) : .approve(pending)
            party.log?("\(party.time) n\(judge) rules \(ruling)")
            party.swarm.rule(ruling, by: node)
            return true
        }
    }
}
