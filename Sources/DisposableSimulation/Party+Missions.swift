// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// Missions that organizers set and photos answer, each with what its node knows.
extension Party {
    /// The same in every party, so that one organizer removes what another one adds.
    private static let missions = (UInt32(1)...6).map { Mission(id: $0, text: "mission \($0)") }

    /// Lets the organizer and the first member, which is an organizer meanwhile, set missions. Both members, the
    /// organizer and guests of the members' pages assign missions to their own photos. In half of the cases the first
    /// member loses the rank at the end.
    func plan(missionsOf member: Int, _ other: Int, _ fault: Fault) {
        let (device, eventKey) = (swarm.nodes[member].device, swarm.founding.eventKey)
        rule(.grant(.organizer, to: device.bytes32), at: fault.begins, by: eventKey) { $0.isMember(device) }
        setMissions(by: 0, at: fault.begins)
        for organizer in [member, 0, member] { setMissions(by: organizer, at: someTime(in: fault)) }
        for person in [member, other, other, 0] { answer(by: person, isGuests: false, fault) }
        for person in [member, other, other] { answer(by: person, isGuests: true, fault) }
        guard swarm.random.oneIn(2) else { return }
        rule(.revoke(.organizer, of: device.bytes32), at: fault.ends, by: eventKey) {
            $0.holds(.organizer, device.bytes32)
        }
    }

    /// Sets some of the missions in some order, as soon as the node is an organizer's.
    private func setMissions(by organizer: Int, at dueAt: UInt64) {
        plan(at: dueAt, by: organizer) { party, node in
            guard let state = node.replica?.state, var charter = state.charter,
                state.membership.rank(of: node.device) == .organizer
            else { return false }
            charter.missions = Self.missions.shuffled(using: &party.swarm.random)
                .filter { _ in !party.swarm.random.oneIn(3) }
            party.log?("\(party.time) n\(organizer) sets the missions \(charter.missions.map(\.id))")
            let salt = party.swarm.random.bytes(16)
            party.swarm.say(.edit([.missions], charter, salt: salt), by: node)
            return true
        }
    }

    /// Answers a mission with a photo of the author's own, or sometimes none any longer.
    /// - Parameter isGuests: whether a guest of the node's pages answers, and not the node's person.
    private func answer(by person: Int, isGuests: Bool, _ fault: Fault) {
        plan(at: someTime(in: fault), by: person) { party, node in
            guard let state = node.replica?.state,
                let (author, key) = party.speaker(at: node, isGuests: isGuests)
            else { return true }
            let photos = state.photos.filter { $0.author == author }.map(\.id)
            guard let photo = photos.randomElement(using: &party.swarm.random) else { return true }
            let missions = party.swarm.random.oneIn(4) ? [] : state.charter?.missions ?? []
            let mission = missions.randomElement(using: &party.swarm.random)?.id
            party.log?(
                "\(party.time) \(isGuests ? "a guest at " : "")n\(person) answers \(mission.map { "\($0)" } ?? "none") "
                    + "with \(photo.short)")
            party.swarm.say(.say(.answer(photo, mission), salt: party.swarm.random.bytes(16)), by: node, key)
            return true
        }
    }
}
