// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

extension EventState {
    /// The holder of each listed ticket, as the fold has it; `nil` for one that nobody holds.
    package var holdersOfTickets: [TicketKey: AuthorID?] {
        Dictionary(uniqueKeysWithValues: tickets.map { ($0.key, $0.state.holder) })
    }
}

/// The rules of tickets once more.
extension Oracle {
    /// The holder of each listed ticket; `nil` for one that nobody holds.
    package var tickets: [TicketKey: AuthorID?] {
        var tickets: [TicketKey: AuthorID?] = [:]
        for list in operations where rank(ofAct: list) >= .organizer {
            guard case .tickets(let keys)? = list.content else { continue }
            for key in keys { tickets[key] = .some(holder(of: key)) }
        }
        return tickets
    }

    private func holder(of ticket: TicketKey) -> AuthorID? {
        let rulings = operations.filter { $0.kind == .ticketRuling && rank(ofAct: $0) >= .organizer }
        if rulings.contains(where: { $0.header.argument == 1 && $0.header.subject.bytes32 == ticket.bytes32 }) {
            return nil
        }
        let uses = operations.filter { $0.header.subject.bytes32 == ticket.bytes32 && user($0) != nil }
        let confirmations = rulings.filter { ruling in
            ruling.header.argument == 2 && uses.contains { $0.id == ruling.header.subject }
        }.sorted { $0.id < $1.id }
        if let first = confirmations.first { return uses.first { $0.id == first.header.subject }.flatMap(user) }
        return uses.filter { counts($0) && author(of: $0) == user($0) }.min {
            ($0.header.sequence, $0.id) < ($1.header.sequence, $1.id)
        }.flatMap(user)
    }

    private func user(_ operation: VerifiedOperation) -> AuthorID? {
        if case .ticketUse(let proof)? = operation.content { proof.author } else { nil }
    }

    /// The authors with a ticket; `nil` where none is needed.
    var ticketHolders: Set<AuthorID>? {
        charter?.options.needsTickets == true ? Set(tickets.values.compactMap(\.self)) : nil
    }
}
