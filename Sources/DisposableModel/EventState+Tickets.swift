// SPDX-License-Identifier: Apache-2.0

/// The reason why a ticket cannot be used, listed or cancelled.
public enum TicketRefusal: Equatable, Sendable {
    /// The author needs one to add photos, and has none.
    case missing
    /// The event has no ticket of this key, as far as this node knows.
    case unknown
    /// Somebody else holds it.
    case used(number: UInt64)
    case cancelled(number: UInt64)
    /// The author has a ticket already.
    case another
    /// None, or more than `EventState.ticketsMax` in all.
    case number
}

extension TicketRefusal {
    var message: String {
        switch self {
        case .missing: "you need a ticket to add photos at this event"
        case .unknown: "this is not a ticket of this event"
        case .used(let number): "ticket \(number) was used already, by somebody else"
        case .cancelled(let number): "ticket \(number) was cancelled"
        case .another: "you have a ticket already, and need no other"
        case .number: "an organizer's node makes 1 to \(EventState.ticketsMax) tickets in all"
        }
    }

    var hint: String? {
        switch self {
        case .missing: "scan the code of your ticket, or ask an organizer for one"
        case .unknown: "if it was printed a moment ago, try again a little later"
        case .used, .cancelled: "ask an organizer for another ticket, or for frames"
        case .another: "somebody else can use this one"
        case .number: "cancelled and used tickets count as well"
        }
    }
}

/// A ticket with what has become of it.
public struct ListedTicket: Equatable, Sendable {
    public let key: TicketKey
    public let state: TicketState
}

/// Single-use invitations (protocol/disposable-v1.md §9.24).
extension EventState {
    /// The most tickets that one node lists.
    public static let ticketsMax = 2_000
    /// The most tickets in one operation.
    public static let ticketsPerListMax = 256

    /// Whether the author has no frames of the charter's, because it holds no ticket where guests need one.
    public func lacksTicket(_ author: AuthorID) -> Bool {
        charter?.options.needsTickets == true && !membership.isUnlimited(author)
            && !album.quotas.tickets.holdsTicket(author)
    }

    /// Whether the author holds a ticket, whether or not one is needed.
    public func holdsTicket(_ author: AuthorID) -> Bool { album.quotas.tickets.holdsTicket(author) }

    /// The tickets that organizers have listed, by number, then by key.
    public var tickets: [ListedTicket] {
        album.quotas.tickets.states.map { ListedTicket(key: $0.key, state: $0.value) }
            .sorted { ($0.state.number, $0.key) < ($1.state.number, $1.key) }
    }

    /// Returns the state of a ticket; `nil` if no organizer has listed it.
    public func ticket(_ key: TicketKey) -> TicketState? { album.quotas.tickets.states[key] }

    /// Returns so many new tickets, with the first numbers in a row that no ticket has; `nil` if there are not so many
    /// numbers up to `ticketsMax`, or for a count below 1.
    /// - Parameters:
    ///   - count: the number of tickets.
    ///   - key: the key of the lister's own ticket with a number.
    public func newTickets(_ count: Int, key: (UInt64) -> TicketKey) -> (first: UInt64, keys: [TicketKey])? {
        guard count > 0 else { return nil }
        let taken = Set(tickets.map(\.state.number))
        var keys: [TicketKey] = []
        for number in 1...UInt64(Self.ticketsMax) {
            let own = key(number)
            // Somebody else may have listed the lister's own ticket under another number.
            if taken.contains(number) || ticket(own) != nil { keys = [] } else { keys.append(own) }
            if keys.count == count { return (number + 1 - UInt64(count), keys) }
        }
        return nil
    }

    /// Returns the authors with a use of the ticket that counts, in the order of their keys.
    public func users(of ticket: TicketKey) -> [AuthorID] { album.quotas.tickets.users(of: ticket, membership) }

    /// Returns the tickets that the author has used, held or not.
    public func tickets(usedBy author: AuthorID) -> [TicketKey] {
        album.quotas.tickets.tickets(usedBy: author, membership)
    }

    /// The uses that hold a ticket and that no organizer's node has confirmed.
    public var unconfirmedUses: Set<OperationID> { album.quotas.tickets.unconfirmed }

    /// Returns the photos whose frames may change when these authors get or lose a ticket: the authors' own photos, and
    /// the photos of the recipients of their gifts.
    package func photos(dependingOnTicketsOf authors: Set<AuthorID>) -> Set<PhotoID> {
        guard charter?.options.needsTickets == true else { return [] }
        let recipients = authors.flatMap { album.recipients(by: $0, upTo: .max) }
        return Set(authors.union(recipients).flatMap(album.photos(by:)))
    }

    /// Returns why the author cannot use the ticket; `nil` if it can.
    public func ticketRefusal(_ ticket: TicketKey, for author: AuthorID) -> TicketRefusal? {
        guard let state = self.ticket(ticket) else { return .unknown }
        if state.isCancelled { return .cancelled(number: state.number) }
        if let holder = state.holder, holder != author { return .used(number: state.number) }
        return state.holder == nil && holdsTicket(author) ? .another : nil
    }
}
