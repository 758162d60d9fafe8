// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// Single-use invitations (protocol/disposable-v1.md §9.24).
extension EventNode {
    func perform(_ request: TicketRequest, reply: @Sendable (ControlReply) async -> Void) async throws {
        switch request {
        case .list: break
        case .create(let count):
            for ticket in try await createTickets(count) { await reply(.ticket(ticket)) }
            return
        case .cancel(let text): try await rule(.cancelTicket(try ticket(named: text)))
        case .use(let text):
            let number = try await use(ticket: text, by: replica.authorID, with: nil)
            return await reply(.usedTicket(number: number))
        }
        for ticket in tickets() { await reply(.ticket(ticket)) }
    }

    /// Returns all tickets of the event, by number.
    func tickets() -> [TicketInfo] { replica.state.tickets.map { info($0) } }

    private func secret(_ number: UInt64) -> TicketSecret {
        TicketSecret(number: number, from: store.keys.importSecret, event: event)
    }

    private func info(_ ticket: ListedTicket) -> TicketInfo {
        let album = replica.state.album
        func name(_ author: AuthorID) -> String { album.shownName(of: author) ?? author.short }
        let (state, secret) = (ticket.state, secret(ticket.state.number))
        let isOwn = TicketKey(secret.signingKey(in: event).verifyingKey) == ticket.key
        let isTwice = state.userCount > 1
        return TicketInfo(
            number: state.number, key: ticket.key.description,
            state: state.isCancelled ? "cancelled" : isTwice ? "usedTwice" : state.holder == nil ? "unused" : "used",
            holder: state.holder.map { name($0) },
            users: isTwice ? replica.state.users(of: ticket.key).prefix(16).map { name($0) } : [],
            ticket: isOwn ? secret.text : nil)
    }

    /// Lists tickets with the first numbers in a row that no ticket has. Durable when this returns.
    private func createTickets(_ count: Int) async throws -> [TicketInfo] {
        let new = replica.state.newTickets(count) { TicketKey(secret($0).signingKey(in: event).verifyingKey) }
        guard let (first, keys) = new else { throw NodeError.refused(.noTicket(.number)) }
        try await rule(.listTickets(keys, first: first, salt: Entropy.bytes(OperationBody.saltByteCount)))
        let made = Set(keys)
        return replica.state.tickets.filter { made.contains($0.key) }.map { info($0) }
    }

    private func ticket(named text: String) throws -> TicketKey {
        let matches = replica.state.tickets.filter {
            $0.key.description == text.lowercased() || UInt64(text) == $0.state.number
        }
        guard let first = matches.first else { throw NodeError.refused(.noTicket(.unknown)) }
        guard matches.count == 1 else {
            throw NodeError.control(
                "several tickets have number \(text): name the key, which `disposable invite tickets --json` lists")
        }
        return first.key
    }

    /// Uses a ticket. Durable when this returns. Throws `Refusal.noTicket`.
    /// - Parameters:
    ///   - text: the ticket's text, or a link with it.
    ///   - author: this node's person, or a guest of this node.
    ///   - key: the sub-key of the guest; `nil` for this node's person.
    /// - Returns: the number of the ticket.
    private func use(ticket text: String, by author: AuthorID, with key: SigningKey?) async throws -> UInt64 {
        let end = text.split(separator: "~").last ?? ""
        guard let secret = TicketSecret(text: end) else { throw NodeError.refused(.noTicket(.unknown)) }
        let signer = secret.signingKey(in: event)
        let ticket = TicketKey(signer.verifyingKey)
        let proof = TicketProof(of: author, event: event, by: signer)
        let body = OperationBody.encode(.ticketUse(proof), salt: Entropy.bytes(OperationBody.saltByteCount))
        _ = try await self.author(.useTicket(ticket, body: body), by: key)
        return replica.state.ticket(ticket)?.number ?? 0
    }

    /// Uses a ticket for a guest of this node. Durable when this returns. Throws `Refusal.noTicket`.
    public func use(ticket text: String, by guest: AuthorID) async throws -> UInt64 {
        try await use(ticket: text, by: guest, with: subKey(of: guest))
    }

    /// Returns the guest's ticket.
    public func ticket(of guest: AuthorID) -> GuestTicket {
        let state = replica.state
        let used = state.tickets(usedBy: guest).compactMap(state.ticket)
        return GuestTicket(
            isMissing: state.lacksTicket(guest), number: used.first { $0.holder == guest }?.number,
            lostNumber: used.first { $0.holder != guest && !$0.isCancelled }?.number)
    }
}
