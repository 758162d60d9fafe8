// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel

/// An event of the board for the command line.
public struct BoardEvent: Codable, Sendable, Equatable {
    /// Rounded numbers of the last hour.
    public struct Recent: Codable, Sendable, Equatable {
        public var photos: UInt32
        public var people: UInt32
    }

    public var event: String
    public var name: String
    /// A word of `EventCategory`; `nil` if none is stated.
    public var category: String?
    public var place: String
    /// `nil` if not stated.
    public var position: EventParameters.Position?
    /// Milliseconds since 1970 UTC.
    public var startsAt: UInt64
    public var endsAt: UInt64
    /// `running`, `upcoming` or `over`.
    public var phase: String
    /// Whether its pages can be reached on this network.
    public var isReachable: Bool
    /// Whether this node is in it.
    public var isJoined: Bool
    /// `nil` if nothing is known to have happened.
    public var recent: Recent?
    /// `nil` if not stated.
    public var price: EventParameters.Price?
    public var links: [EventParameters.Link]
    public var details: String
    public var organizer: String
    public var contact: String
    public var registration: String
    /// The addresses of its pages on other nodes.
    public var pages: [String]
    public var seenAt: UInt64
    /// The event's public key, of which the fingerprint words are made.
    public var key: String

    public init(_ row: BoardRow) {
        event = row.event.description
        name = row.card.name
        category = row.category?.rawValue
        place = row.card.place
        position = row.card.position.map { EventParameters.Position($0) }
        startsAt = row.card.startsAtMilliseconds
        endsAt = row.card.endsAtMilliseconds
        phase = "\(row.phase)"
        isReachable = row.isReachable
        isJoined = row.isOwn
        recent =
            row.activity == .none
            ? nil : Recent(photos: row.activity.photoCount, people: row.activity.personCount)
        price = row.card.price.map { .init(cents: $0.cents, currency: $0.currency) }
        links = row.card.links.map { .init(kind: "\($0.kind)", address: $0.address) }
        details = row.card.details
        organizer = row.card.organizer
        contact = row.card.contact
        registration = row.card.registration
        pages = row.pages.map { "http://\($0)/" }
        seenAt = row.seenAtMilliseconds
        key = row.eventKey.description
    }
}
