// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Tickets that several use at once, each with what its node knows.
extension Party {
    /// Whether there are tickets, needed or not.
    var hasTickets: Bool { options.faults.contains(.tickets) }

    /// Lets the organizer list tickets and, in half of the cases, cancel one, and guests of two nodes use one at the
    /// same time. Some of these guests are removed, and in half of the cases the member is an organizer meanwhile.
    func plan(ticketsOf member: Int, _ other: Int, _ fault: Fault) {
        listTickets(4, by: 0, at: fault.begins)
        // Neither knows of the other's use. The one that has lost its ticket uses another at the end.
        let useAt = UInt64.random(in: fault.begins...fault.ends, using: &swarm.random)
        for host in [member, other] {
            let (index, key) = (guests.count, SigningKey(seed: swarm.random.secret()))
            guests.append(Guest(key: key))
            for dueAt in [useAt, fault.ends] {
                plan(at: dueAt, by: host) { party, node in
                    party.takePicture(ofGuest: index, on: node)
                    return true
                }
            }
            guard swarm.random.oneIn(3) else { continue }
            let author = AuthorID(key.verifyingKey)
            rule(.revoke(.participant, of: author.bytes32), at: someTime(in: fault)) { $0.isAuthor(author) }
        }
        if swarm.random.oneIn(2) { cancelTicket(fault) }
        if member != 0, swarm.random.oneIn(2) { listTickets(by: member, madeOrganizerFor: fault) }
    }

    /// Lists new tickets, as soon as the node is an organizer's.
    func listTickets(_ count: Int, by organizer: Int, at dueAt: UInt64) {
        plan(at: dueAt, by: organizer) { party, node in
            guard let state = node.replica?.state, state.membership.rank(of: node.device) == .organizer else {
                return false
            }
            let new = state.newTickets(count) { TicketKey(party.ticket($0, of: node).verifyingKey) }
            guard let new else { return true }
            party.log?("\(party.time) n\(organizer) lists tickets from \(new.first) on")
            party.swarm.say(.listTickets(new.keys, first: new.first, salt: party.swarm.random.bytes(16)), by: node)
            return true
        }
    }

    /// The event key grants the rank, and revokes it in half of the cases: lists and confirmations made with the rank
    /// may still count, depending on which nodes knew them.
    private func listTickets(by member: Int, madeOrganizerFor fault: Fault) {
        let (device, eventKey) = (swarm.nodes[member].device, swarm.founding.eventKey)
        rule(.grant(.organizer, to: device.bytes32), at: fault.begins, by: eventKey) { $0.isMember(device) }
        listTickets(2, by: member, at: someTime(in: fault))
        guard swarm.random.oneIn(2) else { return }
        rule(.revoke(.organizer, of: device.bytes32), at: fault.ends, by: eventKey) {
            $0.holds(.organizer, device.bytes32)
        }
    }

    /// Cancels a ticket, used or not.
    private func cancelTicket(_ fault: Fault) {
        plan(at: someTime(in: fault), by: 0) { party, node in
            guard let state = node.replica?.state else { return false }
            let valid = state.tickets.filter { !$0.state.isCancelled }
            guard let ticket = valid.randomElement(using: &party.swarm.random) else { return true }
            party.log?("\(party.time) n0 cancels ticket \(ticket.state.number)")
            party.swarm.rule(.cancelTicket(ticket.key), by: node)
            return true
        }
    }

    /// Lets somebody without a ticket use the first free one that the node knows: the same that others use who do not
    /// know of each other.
    /// - Parameter key: a guest's sub-key; without one the machine's own person uses the ticket.
    func useTicket(for author: AuthorID, by node: SimulatedNode, _ key: SigningKey?) {
        guard hasTickets, let state = node.replica?.state, !state.holdsTicket(author) else { return }
        let free = state.tickets.first { $0.state.holder == nil && !$0.state.isCancelled }
        guard let free, let ticket = signingKey(of: free) else { return }
        let proof = TicketProof(of: author, event: swarm.founding.id, by: ticket)
        let body = OperationBody.encode(.ticketUse(proof), salt: swarm.random.bytes(16))
        log?("\(time) \(key == nil ? "" : "a guest at ")n\(node.index) uses ticket \(free.state.number)")
        swarm.say(.useTicket(free.key, body: body), by: node, key)
    }

    /// Returns the key pair of the ticket, which one of the nodes has made.
    private func signingKey(of listed: ListedTicket) -> SigningKey? {
        swarm.nodes.lazy.map { self.ticket(listed.state.number, of: $0) }
            .first { TicketKey($0.verifyingKey) == listed.key }
    }

    /// Returns the key pair of the node's ticket with that number.
    private func ticket(_ number: UInt64, of node: SimulatedNode) -> SigningKey {
        TicketSecret(number: number, from: node.importSecret, event: swarm.founding.id)
            .signingKey(in: swarm.founding.id)
    }
}
