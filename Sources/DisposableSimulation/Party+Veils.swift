// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// Photos that people do not want to be in, and what moderators decide about them, each with what its node knows.
extension Party {
    /// Lets the organizer switch veils on, two members, the organizer and guests of pages ask for veils, and the
    /// organizer and the first member, which is a moderator meanwhile, decide about them. In half of the cases veils
    /// are switched off at the end.
    func plan(veilsOf member: Int, _ other: Int, _ fault: Fault) {
        let device = swarm.nodes[member].device
        rule(.veils(isOn: true), at: fault.begins) { _ in true }
        rule(.grant(.moderator, to: device.bytes32), at: fault.begins) { $0.isMember(device) }
        for asker in [member, other, other, 0] { veil(by: asker, isGuests: false, fault) }
        for asker in [member, other, other] { veil(by: asker, isGuests: true, fault) }
        for judge in [0, member, member, 0] { decideAboutVeils(by: judge, fault) }
        rule(.revoke(.moderator, of: device.bytes32), at: fault.ends) { $0.holds(.moderator, device.bytes32) }
        if swarm.random.oneIn(2) { rule(.veils(isOn: false), at: fault.ends) { _ in true } }
    }

    /// Asks for the veil of a photo of somebody else, or sometimes no longer.
    /// - Parameter isGuests: whether a guest of the node's pages asks, and not the node's person.
    private func veil(by asker: Int, isGuests: Bool, _ fault: Fault) {
        plan(at: someTime(in: fault), by: asker) { party, node in
            // Nodes behind a cut do not know that veils are on.
            guard let state = node.replica?.state, state.album.areVeilsOn,
                let (author, key) = party.speaker(at: node, isGuests: isGuests)
            else { return true }
            let asked = state.album.veiledPhotos.filter { !state.album.veils(of: $0, by: author).isEmpty }.sorted()
            let isOn = asked.isEmpty || !party.swarm.random.oneIn(3)
            let photos = isOn ? state.gallery.filter { $0.author != author }.map(\.id) : asked
            guard let photo = photos.randomElement(using: &party.swarm.random) else { return true }
            party.log?(
                "\(party.time) \(isGuests ? "a guest at " : "")n\(asker) asks for \(isOn ? "a" : "no") veil of "
                    + photo.short)
            party.swarm.say(.say(.veil(photo, isOn: isOn), salt: party.swarm.random.bytes(16)), by: node, key)
            return true
        }
    }

    /// Lifts the veil of a photo or hides the photo, or takes an earlier lift back.
    private func decideAboutVeils(by judge: Int, _ fault: Fault) {
        plan(at: someTime(in: fault), by: judge) { party, node in
            guard let state = node.replica?.state, let rank = state.membership.rank(of: node.device),
                rank >= .moderator
            else { return false }
            let veiled = state.photos.filter(\.status.isVeiled).map(\.id)
            let lifted = state.photos.map(\.id).filter { !state.album.lifts(of: $0).isEmpty }
            let takesBack = veiled.isEmpty || !lifted.isEmpty && party.swarm.random.oneIn(4)
            let photos = takesBack ? lifted : veiled
            guard let photo = photos.randomElement(using: &party.swarm.random) else { return true }
            let ruling: Ruling =
                takesBack ? .unlift(photo) : party.swarm.random.oneIn(4) ? .hide(photo) : .lift([photo])
            party.log?("\(party.time) n\(judge) rules \(ruling)")
            party.swarm.rule(ruling, by: node)
            return true
        }
    }
}
