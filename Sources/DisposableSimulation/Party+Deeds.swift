// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// An action of a person, executed once the machine runs and has the necessary operations.
struct Deed {
    var dueAt: UInt64
    /// The time after which it is not tried again: perhaps the machine was removed, or never receives the photo.
    var endsAt: UInt64
    let node: Int
    /// Returns false if it cannot be done yet.
    let act: (Party, SimulatedNode) -> Bool
}

/// A guest of the pages, with the sub-keys that nodes have made for it.
struct Guest {
    let key: SigningKey
    var subKeys: [Int: SigningKey] = [:]
    /// The first photo, and the node where it was taken.
    var first: (node: Int, ticket: Ticket)?
}

/// Actions with ranks, and of guests on pages.
extension Party {
    private static let deedMilliseconds: UInt64 = 120_000
    private static let againMilliseconds: UInt64 = 2_000

    func plan(at dueAt: UInt64, by node: Int, _ act: @escaping (Party, SimulatedNode) -> Bool) {
        deeds.append(Deed(dueAt: dueAt, endsAt: dueAt + Self.deedMilliseconds, node: node, act: act))
    }

    /// Returns a time of the fault, or soon after it.
    func someTime(in fault: Fault) -> UInt64 {
        UInt64.random(in: fault.begins...fault.ends + 10_000, using: &swarm.random)
    }

    func doDeeds() {
        let due = deeds.filter { $0.dueAt <= time }
        guard !due.isEmpty else { return }
        deeds.removeAll { $0.dueAt <= time }
        for var deed in due {
            let node = swarm.nodes[deed.node]
            let isReady = node.replica?.isAdmitted == true && !node.clock.isAsleep(at: swarm.now)
            if isReady, deed.act(self, node) { continue }
            deed.dueAt = time + Self.againMilliseconds
            if deed.dueAt <= deed.endsAt { deeds.append(deed) }
        }
    }

    /// Ends the time of faults: pending actions are done now, or soon.
    func hurryDeeds() {
        for place in deeds.indices {
            deeds[place].dueAt = min(deeds[place].dueAt, time)
            deeds[place].endsAt = min(deeds[place].endsAt, time + 30_000)
        }
    }

    // Ranks

    func plan(_ fault: Fault) {
        let half = fault.begins + (fault.ends - fault.begins) / 2
        switch fault.trouble {
        case .removal(let member, let isForgiven):
            removeMember(swarm.nodes[member].device.bytes32, at: fault.begins)
            if isForgiven { forgive(swarm.nodes[member].device, at: fault.ends, by: 0) }
        case .role(let role, let member):
            let device = swarm.nodes[member].device
            rule(.grant(role, to: device.bytes32), at: fault.begins) { $0.isMember(device) }
            if role == .page { plan(guestAt: member, then: 0, fault) }
            if role == .moderator { moderate(member, fault) }
            rule(.revoke(role, of: device.bytes32), at: fault.ends) { $0.holds(role, device.bytes32) }
        case .tidying: for _ in 0..<4 { touchPhoto(by: 0, mayErase: true, fault) }
        case .outcast: removeMember(invite(.outcast, fault).device.bytes32, at: half)
        case .smuggling: removeMember(invite(.smuggler, fault).device.bytes32, at: half)
        case .hostages: takeHostages(half, fault)
        case .guest(let node, let other): plan(guestAt: node, then: other, fault)
        case .rotation(let member, let isTwofold):
            rotate(by: 0, at: isTwofold ? half : fault.begins)
            if isTwofold { rotate(by: member, madeOrganizerFor: fault) }
        case .approval(let approval, let member): plan(approval: approval, member, fault)
        case .gifts(let member, let other): plan(giftsOf: member, other, fault)
        case .shares(let member, let other): plan(sharesOf: member, other, fault)
        case .votes(let member, let other): plan(votesOf: member, other, fault)
        case .tickets(let member, let other): plan(ticketsOf: member, other, fault)
        case .twins(let member): plan(twinsOf: member, fault)
        case .veils(let member, let other): plan(veilsOf: member, other, fault)
        case .missions(let member, let other): plan(missionsOf: member, other, fault)
        default: break
        }
    }

    /// Schedules a command of the organizer, or of the event key on its node, as soon as `condition` holds there.
    func rule(
        _ ruling: Ruling, at dueAt: UInt64, by key: SigningKey? = nil, when condition: @escaping (Membership) -> Bool
    ) {
        plan(at: dueAt, by: 0) { party, node in
            guard let membership = node.replica?.state.membership, condition(membership) else { return false }
            party.log?("\(party.time) \(key == nil ? "n0" : "the event key") rules \(ruling)")
            party.swarm.rule(ruling, by: node, key)
            return true
        }
    }

    private func removeMember(_ grantee: Grantee, at dueAt: UInt64) {
        rule(.revoke(.participant, of: grantee), at: dueAt) { $0.holds(.participant, grantee) }
    }

    /// Makes a node a portal; it later loses the role or is removed, or both in half of the cases.
    private func takeHostages(_ half: UInt64, _ fault: Fault) {
        let taker = invite(.hostageTaker, fault)
        let device = taker.device
        rule(.grant(.page, to: device.bytes32), at: fault.begins) { $0.isMember(device) }
        let losesRole = swarm.random.oneIn(2)
        let role = losesRole ? Role.page : .participant
        rule(.revoke(role, of: device.bytes32), at: half) { [swarm] in
            guard $0.holds(role, device.bytes32) else { return false }
            swarm.noteHostages(of: taker)
            return true
        }
        if losesRole, swarm.random.oneIn(2) { removeMember(device.bytes32, at: fault.ends) }
    }

    private func forgive(_ device: DeviceID, at dueAt: UInt64, by judge: Int) {
        plan(at: dueAt, by: judge) { party, node in
            guard node.replica?.state.membership.isRevoked(device) == true else { return false }
            party.log?("\(party.time) n\(node.index) reinstates \(device)")
            party.swarm.rule(.grant(.participant, to: device.bytes32), by: node)
            return true
        }
    }

    /// Hides and shows photos, and sometimes removes a member: while it may, and a little longer.
    private func moderate(_ moderator: Int, _ fault: Fault) {
        for _ in 0..<4 { touchPhoto(by: moderator, mayErase: false, fault) }
        guard swarm.random.oneIn(2) else { return }
        let other = Int.random(in: 0..<options.peerCount, using: &swarm.random)
        let device = swarm.nodes[other].device
        plan(at: UInt64.random(in: fault.begins...fault.ends, using: &swarm.random), by: moderator) { party, node in
            guard node.replica?.state.membership.rank(of: node.device) == .moderator else { return false }
            party.log?("\(party.time) n\(moderator) removes \(device)")
            party.swarm.rule(.revoke(.participant, of: device.bytes32), by: node)
            return true
        }
        if swarm.random.oneIn(2) { forgive(device, at: fault.ends, by: 0) }
    }

    private func touchPhoto(by judge: Int, mayErase: Bool, _ fault: Fault) {
        plan(at: someTime(in: fault), by: judge) { party, node in
            guard let album = node.replica?.state.album,
                let picture = party.pictures.randomElement(using: &party.swarm.random),
                let id = party.swarm.nodes[picture.node].person.authored[picture.ticket]?.first
            else { return true }
            let photo = PhotoID(id)
            let isErased = mayErase && party.swarm.random.oneIn(3)
            party.log?("\(party.time) n\(judge) moderates photo \(photo.short)")
            party.swarm.rule(isErased ? .erase(photo) : album.isHidden(photo) ? .unhide(photo) : .hide(photo), by: node)
            return true
        }
    }

    // Secrets

    private func rotate(by organizer: Int, at dueAt: UInt64) {
        plan(at: dueAt, by: organizer) { party, node in
            guard node.replica?.state.membership.rank(of: node.device) == .organizer else { return false }
            party.log?("\(party.time) n\(organizer) replaces the secret")
            party.swarm.rotate(by: node)
            return true
        }
    }

    /// The event key grants the rank, and revokes it in half of the cases: acts with the rank may still count,
    /// depending on which nodes knew them.
    private func rotate(by member: Int, madeOrganizerFor fault: Fault) {
        let device = swarm.nodes[member].device
        let eventKey = swarm.founding.eventKey
        rule(.grant(.organizer, to: device.bytes32), at: fault.begins, by: eventKey) { $0.isMember(device) }
        rotate(by: member, at: UInt64.random(in: fault.begins...fault.ends, using: &swarm.random))
        if swarm.random.oneIn(2) {
            rule(.revoke(.organizer, of: device.bytes32), at: fault.ends, by: eventKey) {
                $0.holds(.organizer, device.bytes32)
            }
        }
    }

    /// At the end the organizer gives the secret to waiting members, and shows the new invitation to outsiders.
    func giveSecret() {
        guard time >= givesSecretAt else { return }
        givesSecretAt = time + Self.againMilliseconds
        let honest = swarm.honestNodes.filter { !options.absentPeers.contains($0.index) && $0.replica != nil }
        let organizer = honest.first { node in
            guard let state = node.replica?.state else { return false }
            return state.membership.rank(of: node.device) == .organizer
                && node.replica?.keyring.epoch == state.epochs.current
        }
        guard let organizer, let replica = organizer.replica else { return }
        for node in honest where !isOut(node) {
            if replica.state.waitingNodes.contains(node.device) {
                log?("\(time) n\(organizer.index) gives the secret to n\(node.index)")
                swarm.admit(node, by: organizer)
            } else if !replica.state.membership.isMember(node.device) {
                // Its sponsor may have been removed since: it may believe that it is a member.
                swarm.invite(node, with: replica.keyring.current.secret)
            }
        }
    }

    // Guests

    /// Plans a guest that takes photos on the page of one node, then on that of another, and sometimes deletes the
    /// first one there.
    private func plan(guestAt node: Int, then other: Int, _ fault: Fault) {
        let index = guests.count
        guests.append(Guest(key: SigningKey(seed: swarm.random.secret())))
        func moment() -> UInt64 { UInt64.random(in: fault.begins...fault.ends, using: &swarm.random) }
        var moments = [fault.begins, moment(), moment(), moment(), fault.ends]
        moments.sort()
        for (place, host) in [node, swarm.random.oneIn(2) ? node : other, other].enumerated() {
            plan(at: moments[place], by: host) { party, node in
                party.takePicture(ofGuest: index, on: node)
                return true
            }
        }
        if swarm.random.oneIn(2) {
            plan(at: moments[3], by: other) { party, node in party.takeBack(firstOfGuest: index, on: node) }
        }
        if swarm.random.oneIn(6) {
            let author = AuthorID(guests[index].key.verifyingKey)
            rule(.revoke(.participant, of: author.bytes32), at: fault.ends) { $0.isAuthor(author) }
        }
    }

    /// Returns the node's person, or a random guest of its pages with the sub-key there; `nil` if it has no guest.
    func speaker(at node: SimulatedNode, isGuests: Bool) -> (author: AuthorID, key: SigningKey?)? {
        guard isGuests else { return (AuthorID(node.device), nil) }
        let known = guests.filter { $0.subKeys[node.index] != nil }
        guard let guest = known.randomElement(using: &swarm.random) else { return nil }
        return (AuthorID(guest.key.verifyingKey), guest.subKeys[node.index])
    }

    func takePicture(ofGuest index: Int, on node: SimulatedNode) {
        let subKey = guests[index].subKeys[node.index] ?? SigningKey(seed: swarm.random.secret())
        guests[index].subKeys[node.index] = subKey
        // No effect if it is a member already.
        swarm.admit(guest: guests[index].key, subKey: subKey, at: node)
        useTicket(for: AuthorID(guests[index].key.verifyingKey), by: node, subKey)
        let ticket = takePicture(on: node, by: subKey)
        if guests[index].first == nil { guests[index].first = (node.index, ticket) }
    }

    /// Returns false while the node does not know the photo, which may have been taken at another one.
    private func takeBack(firstOfGuest index: Int, on node: SimulatedNode) -> Bool {
        guard let first = guests[index].first, let id = swarm.nodes[first.node].person.authored[first.ticket]?.first,
            let subKey = guests[index].subKeys[node.index], node.replica?.state.photo(PhotoID(id)) != nil
        else { return false }
        log?("\(time) guest \(index) deletes \(id.short) on n\(node.index)")
        swarm.say(.remove(PhotoID(id)), by: node, subKey)
        return true
    }
}
