// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Single-use invitations (protocol/disposable-v1.md §9.24).
extension Replica {
    func lists(
        of keys: [TicketKey], first: UInt64, salt: [UInt8], by device: DeviceID
    ) throws(Refusal) -> [Draft] {
        guard state.membership.rank(of: device) ?? .participant >= .organizer else {
            throw .rankTooLow(needed: .organizer)
        }
        let most = UInt64(EventState.ticketsMax)
        guard !keys.isEmpty, (1...most).contains(first), UInt64(keys.count) - 1 <= most - first else {
            throw .noTicket(.number)
        }
        return stride(from: 0, to: keys.count, by: EventState.ticketsPerListMax).map { start in
            let part = Array(keys[start..<min(start + EventState.ticketsPerListMax, keys.count)])
            return Draft(
                kind: .tickets, argument: first + UInt64(start), body: OperationBody.encode(.tickets(part), salt: salt))
        }
    }

    func use(of ticket: TicketKey, body: [UInt8], by author: AuthorID) throws(Refusal) -> Draft? {
        if let refusal = state.ticketRefusal(ticket, for: author) { throw .noTicket(refusal) }
        guard state.ticket(ticket)?.holder != author else { return nil }
        return Draft(kind: .ticketUse, subject: OperationID(ticket.bytes32), body: body)
    }

    func cancellation(of ticket: TicketKey, _ rank: Rank) throws(Refusal) -> Draft {
        guard rank >= .organizer else { throw .rankTooLow(needed: .organizer) }
        guard let known = state.ticket(ticket) else { throw .noTicket(.unknown) }
        guard !known.isCancelled else { throw .nothingToDo }
        return Draft(
            kind: .ticketRuling, subject: OperationID(ticket.bytes32), argument: TicketRuling.cancel.rawValue)
    }

    func confirmations(by device: DeviceID) -> [Draft] {
        guard state.membership.rank(of: device) ?? .participant >= .organizer else { return [] }
        return state.unconfirmedUses.sorted().prefix(Limits.operationsPerMessageMax).map { use in
            Draft(kind: .ticketRuling, subject: use, argument: TicketRuling.confirm.rawValue)
        }
    }

    /// Has an organizer's device confirm the uses that it knows as the first: somebody who copies a ticket afterwards
    /// cannot win with a use whose id is smaller. They do not wait for guests' commands.
    mutating func confirmTicketUses() {
        guard !state.unconfirmedUses.isEmpty, isAdmitted, state.membership.rank(of: device) == .organizer,
            !authoring.hasUrgent, !mustReconcile || isAloneInEvent
        else { return }
        authoring.append(.confirmTickets, by: nil, newTicket())
    }
}
