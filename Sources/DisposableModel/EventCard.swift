// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The data that a listed event tells strangers, signed by the event key so that any node can pass them on
/// (protocol/disposable-v1.md §5.1).
public struct EventCard: Equatable, Sendable {
    /// The limit on the description, in bytes of UTF-8: the charter's is cut.
    public static let detailsByteCountMax = 1_000
    /// The limit on a card's text.
    public static let byteCountMax = 6_144
    /// The time by which the revision of a received card may be ahead of this machine's clock, in milliseconds.
    public static let revisionAheadMax: UInt64 = 86_400_000
    /// The same for the start.
    public static let startAheadMax: UInt64 = 366 * 86_400_000

    /// When it was written, in milliseconds since 1970 UTC: of two cards of one event the later counts.
    public var revisedAtMilliseconds: UInt64
    /// Whether the event is no longer listed: the card only replaces earlier ones. The texts are empty then.
    public var isWithdrawn = false
    /// A label.
    public var name: String
    /// Labels, or empty.
    public var category = ""
    public var place = ""
    /// `nil` where the organizer has given none.
    public var position: EventPosition?
    public var startsAtMilliseconds: UInt64
    /// Planned, or by an organizer's command.
    public var endsAtMilliseconds: UInt64
    /// When every node forgets the event, and this card.
    public var expiresAtMilliseconds: UInt64
    public var price: Price?
    public var links: [EventLink] = []
    /// Prose, empty where there is none.
    public var details = ""
    /// Labels, or empty.
    public var organizer = ""
    public var contact = ""
    /// A SIREN or SIRET, digits only, or empty.
    public var registration = ""
    /// In an hour that ended at most `RecentActivity.intervalMilliseconds` before the card was written.
    public var activity = RecentActivity.none

    public init(
        name: String, startsAtMilliseconds: UInt64, endsAtMilliseconds: UInt64, expiresAtMilliseconds: UInt64,
        revisedAtMilliseconds: UInt64
    ) {
        self.name = name
        self.startsAtMilliseconds = startsAtMilliseconds
        self.endsAtMilliseconds = endsAtMilliseconds
        self.expiresAtMilliseconds = expiresAtMilliseconds
        self.revisedAtMilliseconds = revisedAtMilliseconds
    }

    /// The card of an event at a time. `nil` for an event that strangers are not told of: unlisted, a draft without a
    /// date, or expired.
    public init?(_ charter: Charter, at milliseconds: UInt64) {
        let presentation = charter.presentation
        guard presentation.isListed, !charter.isUndatedDraft, milliseconds < charter.expiresAtMilliseconds else {
            return nil
        }
        self.init(
            name: charter.name, startsAtMilliseconds: charter.schedule.startsAtMilliseconds,
            endsAtMilliseconds: max(charter.overAtMilliseconds, charter.schedule.startsAtMilliseconds),
            expiresAtMilliseconds: charter.expiresAtMilliseconds, revisedAtMilliseconds: milliseconds)
        category = presentation.category
        place = presentation.place
        position = presentation.position
        price = presentation.price
        links = presentation.links
        details = presentation.details.cut(toByteCount: Self.detailsByteCountMax)
        organizer = charter.organizer.name
        contact = charter.organizer.contact
        registration = charter.organizer.registration
    }

    /// Returns the card that replaces this one for an event that is not listed any longer.
    public func withdrawn(at milliseconds: UInt64) -> EventCard {
        var card = EventCard(
            name: "", startsAtMilliseconds: startsAtMilliseconds, endsAtMilliseconds: endsAtMilliseconds,
            expiresAtMilliseconds: expiresAtMilliseconds, revisedAtMilliseconds: milliseconds)
        card.isWithdrawn = true
        return card
    }

    /// Whether two cards say the same, whenever they were written.
    public func saysTheSame(as other: EventCard) -> Bool {
        var copy = other
        copy.revisedAtMilliseconds = revisedAtMilliseconds
        return copy == self
    }

    /// Whether every part is in its range: the same answer on every node.
    public var isWellFormed: Bool {
        let times = [revisedAtMilliseconds, startsAtMilliseconds, endsAtMilliseconds, expiresAtMilliseconds]
        let hour: UInt64 = 3_600_000
        // The time of an expiry may lie before that of the end, for an event that ends later than guests were told.
        guard times.allSatisfy({ $0 <= HybridTimestamp.millisecondsMax }),
            startsAtMilliseconds <= endsAtMilliseconds,
            endsAtMilliseconds - startsAtMilliseconds <= UInt64(Charter.durationHoursRange.upperBound) * hour,
            expiresAtMilliseconds <= endsAtMilliseconds + UInt64(Charter.retentionHoursRange.upperBound) * hour
                + UInt64(Charter.durationHoursRange.upperBound) * hour
        else { return false }
        let texts = [category, place, organizer, contact]
        if isWithdrawn {
            return ([name, details, registration] + texts).allSatisfy(\.isEmpty) && price == nil && links.isEmpty
                && position == nil && activity == .none
        }
        var charter = Charter(name: name, startsAtMilliseconds: startsAtMilliseconds)
        (charter.presentation.price, charter.presentation.links) = (price, links)
        charter.organizer.registration = registration
        let fields: [CharterField] = [.name, .price, .links, .registration]
        return activity.isWellFormed && position?.isWellFormed ?? true
            && texts.allSatisfy { $0.isEmpty || Label.isWellFormed($0) }
            && Label.isWellFormedProse(details, byteCountMax: Self.detailsByteCountMax)
            && fields.allSatisfy { charter.isWellFormed($0) }
    }
}

/// A card as it is passed on: its text as it was signed, and the signature of the event key.
public struct SignedCard: Equatable, Sendable {
    public let eventKey: VerifyingKey
    /// JSON; never encoded again.
    public let text: String
    public let signature: Signature
    /// The content of the text.
    public let card: EventCard
    public let event: EventID

    /// - Precondition: the text says what `card` says, and the signature is valid.
    package init(eventKey: VerifyingKey, text: String, signature: Signature, card: EventCard) {
        self.eventKey = eventKey
        self.text = text
        self.signature = signature
        self.card = card
        event = EventID(key: eventKey)
    }

    /// Whether this card replaces another of the same event: the same answer on every node.
    func replaces(_ other: SignedCard) -> Bool {
        guard card.revisedAtMilliseconds == other.card.revisedAtMilliseconds else {
            return card.revisedAtMilliseconds > other.card.revisedAtMilliseconds
        }
        return other.text.utf8.lexicographicallyPrecedes(text.utf8)
    }
}

extension String {
    /// Returns the beginning that has at most so many bytes of UTF-8, cut between characters.
    package func cut(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var count = 0
        return String(
            prefix { character in
                count += character.utf8.count
                return count <= limit
            })
    }
}
