// SPDX-License-Identifier: Apache-2.0

/// A request about tickets.
public enum TicketRequest: Codable, Sendable, Equatable {
    /// Lists all tickets of the event.
    case list
    /// Makes so many more tickets, and lists them.
    case create(Int)
    /// Cancels the ticket with a key, or with a number that only one ticket has.
    case cancel(String)
    /// Uses a ticket for this node's person: its text, or a link that contains it.
    case use(String)
}

/// A ticket, as commands and the desk show it.
public struct TicketInfo: Codable, Sendable, Equatable {
    /// The number that is printed on it.
    public var number: UInt64
    public var key: String
    /// `unused`, `used`, `usedTwice` or `cancelled`.
    public var state: String
    /// The person that has it: the name, or the start of the key; absent if nobody has.
    public var holder: String?
    /// Everybody that has used it, if they are more than one: names, or starts of keys, at most 16.
    public var users: [String]
    /// The secret that is printed on it; absent on nodes that have not made it.
    public var ticket: String?
}
