// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The listed events that a node knows of beside its own: the cards that other nodes have passed on, and which of their
/// pages can be reached now (protocol/disposable-v1.md §5.1).
///
///     var board = Board()
///     board.take(cards, from: "192.168.1.20:8027", here: [event], at: now)
///     board.rows(own: own, at: now).matching("lyon", category: .concert)
///
/// Any node on the network can offer any number of validly signed cards of events that it has invented. So the places
/// are limited, and when there is none left, the machine with the most cards loses the one that was not seen for longest.
/// A card counts for a source that has the event's pages rather than for one that has relayed it before, if that one has
/// more cards: otherwise a flood could take the cards of others with it.
public struct Board: Sendable {
    public static let cardCountMax = 300
    /// The limit of sources whose pages are counted as reachable.
    public static let sourceCountMax = 32
    /// The limit of events whose pages one source has.
    public static let pagesPerSourceMax = 32

    public struct Held: Sendable, Equatable {
        public let signed: SignedCard
        /// The node that has brought the event here: an address with its port.
        public var source: String
        /// When a node with the event's pages has last shown the card, or when it came; milliseconds since 1970 UTC.
        public var seenAtMilliseconds: UInt64

        public init(_ signed: SignedCard, source: String, seenAtMilliseconds: UInt64) {
            self.signed = signed
            self.source = source
            self.seenAtMilliseconds = seenAtMilliseconds
        }
    }

    /// Why a card is not taken.
    public enum Refusal: Sendable, Equatable {
        /// The event is over and forgotten.
        case expired
        /// Written, or beginning, too far ahead of this machine's clock.
        case future
        /// This or a later card is here already.
        case replay
    }

    private var cards: [EventID: Held] = [:]
    /// The events that have their pages at each source.
    private var pages: [String: Set<EventID>] = [:]
    /// Counts the changes of what is passed on or shown.
    public private(set) var version: UInt64 = 0

    public init() {}

    /// The cards to pass on and to keep, in the order of the events' ids, also those of withdrawn events.
    public var held: [Held] { cards.values.sorted { $0.signed.event < $1.signed.event } }
    public var isEmpty: Bool { cards.isEmpty }

    // Taking

    /// Takes the cards that a source offers.
    /// - Parameters:
    ///   - offered: the cards, of which at most `cardCountMax` are looked at.
    ///   - source: its address with the port.
    ///   - here: the events whose pages the source says it has.
    ///   - milliseconds: the time now, since 1970 UTC.
    @discardableResult
    public mutating func take(
        _ offered: [SignedCard], from source: String, here: Set<EventID>, at milliseconds: UInt64
    ) -> [EventID: Refusal] {
        forgetExpired(at: milliseconds)
        var refusals: [EventID: Refusal] = [:]
        for signed in offered.prefix(Self.cardCountMax) {
            refusals[signed.event] = take(signed, from: source, isHere: here.contains(signed.event), at: milliseconds)
        }
        makeRoom()
        // Also of events that this node is in itself, or whose cards come later.
        let here = Set(here.sorted().prefix(Self.pagesPerSourceMax))
        if pages[source] != nil || pages.count < Self.sourceCountMax, pages[source] != here {
            pages[source] = here
            version += 1
        }
        return refusals
    }

    private mutating func take(
        _ signed: SignedCard, from source: String, isHere: Bool, at milliseconds: UInt64
    ) -> Refusal? {
        let (card, known) = (signed.card, cards[signed.event])
        guard card.expiresAtMilliseconds > milliseconds else { return .expired }
        guard card.revisedAtMilliseconds <= milliseconds + EventCard.revisionAheadMax,
            card.startsAtMilliseconds <= milliseconds + EventCard.startAheadMax
        else { return .future }
        guard let known else {
            cards[signed.event] = Held(signed, source: source, seenAtMilliseconds: milliseconds)
            version += 1
            return nil
        }
        if known.signed == signed {
            // Relays alone do not keep a card among the newest.
            guard isHere else { return .replay }
            cards[signed.event]?.seenAtMilliseconds = max(milliseconds, known.seenAtMilliseconds)
            if cardCount(ofMachineOf: source) < cardCount(ofMachineOf: known.source) {
                cards[signed.event]?.source = source
            }
            return .replay
        }
        guard signed.replaces(known.signed) else { return .replay }
        cards[signed.event] = Held(signed, source: known.source, seenAtMilliseconds: milliseconds)
        version += 1
        return nil
    }

    private func cardCount(ofMachineOf source: String) -> Int {
        let machine = Self.machine(of: source)
        return cards.values.count { Self.machine(of: $0.source) == machine }
    }

    /// Takes back what an earlier process kept; nothing of it is reachable until it is seen again.
    public mutating func restore(_ kept: [Held], at milliseconds: UInt64) {
        for held in kept.prefix(Self.cardCountMax) where held.signed.card.expiresAtMilliseconds > milliseconds {
            if let known = cards[held.signed.event], !held.signed.replaces(known.signed) { continue }
            cards[held.signed.event] = held
        }
        version += 1
    }

    /// The source has the same cards as before.
    public mutating func seeAgain(_ source: String, at milliseconds: UInt64) {
        for event in pages[source] ?? [] {
            guard let known = cards[event], known.seenAtMilliseconds < milliseconds else { continue }
            cards[event]?.seenAtMilliseconds = milliseconds
        }
    }

    /// Whether the source has pages of events whose cards are no longer here: they were dropped for others.
    public func lacksCards(of source: String) -> Bool { pages[source]?.contains { cards[$0] == nil } == true }

    /// The source was not found at its address.
    public mutating func lose(_ source: String) {
        if pages.removeValue(forKey: source) != nil { version += 1 }
    }

    /// Removes the card of an event that this node is in itself.
    public mutating func forget(_ event: EventID) {
        guard cards.removeValue(forKey: event) != nil else { return }
        version += 1
    }

    public mutating func forgetExpired(at milliseconds: UInt64) {
        let expired = cards.values.filter { $0.signed.card.expiresAtMilliseconds <= milliseconds }
        for held in expired { forget(held.signed.event) }
    }

    private mutating func makeRoom() {
        while cards.count > Self.cardCountMax {
            let byMachine = Dictionary(grouping: cards.values) { Self.machine(of: $0.source) }
            let largest = byMachine.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
            guard
                let oldest = largest.min(by: {
                    ($0.seenAtMilliseconds, $0.signed.event) < ($1.seenAtMilliseconds, $1.signed.event)
                })
            else { return }
            forget(oldest.signed.event)
        }
    }

    /// The address without its port: one machine may be a source at any number of ports.
    private static func machine(of source: String) -> String {
        source.lastIndex(of: ":").map { String(source[..<$0]) } ?? source
    }

    // Showing

    /// Returns what people see: this node's own events and those of the cards, the likeliest to be visited first.
    /// - Parameters:
    ///   - own: the events of this node, listed or not.
    ///   - milliseconds: the time now, since 1970 UTC.
    public func rows(own: [OwnEvent], at milliseconds: UInt64) -> [BoardRow] {
        let ownEvents = Set(own.map(\.event))
        let others = cards.values.filter { held in
            !held.signed.card.isWithdrawn && !ownEvents.contains(held.signed.event)
                && held.signed.card.expiresAtMilliseconds > milliseconds
        }.map { held in
            BoardRow(
                event: held.signed.event, eventKey: held.signed.eventKey, card: held.signed.card, isOwn: false,
                isReachable: pages.values.contains { $0.contains(held.signed.event) },
                pages: pages.filter { $0.value.contains(held.signed.event) }.keys.sorted(),
                seenAtMilliseconds: held.seenAtMilliseconds, at: milliseconds)
        }
        let ours = own.compactMap { own in
            own.card.map { card in
                BoardRow(
                    event: own.event, eventKey: own.eventKey, card: card, isOwn: true, isReachable: own.isServed,
                    pages: [], seenAtMilliseconds: milliseconds, at: milliseconds)
            }
        }
        return (ours + others).sorted(by: BoardRow.precedes)
    }
}

/// An event that this node is in.
public struct OwnEvent: Sendable, Equatable {
    public let eventKey: VerifyingKey
    /// The card for strangers; `nil` for an event that they are not told of.
    public let card: EventCard?
    /// The signed card to pass on, or the one that withdraws the event. `nil` if this node does not have the event key:
    /// then it shows the event and passes on what others have signed.
    public let signed: SignedCard?
    /// Whether this node serves the event's pages to others.
    public let isServed: Bool
    public let event: EventID

    public init(eventKey: VerifyingKey, card: EventCard?, signed: SignedCard?, isServed: Bool) {
        self.eventKey = eventKey
        self.card = card
        self.signed = signed
        self.isServed = isServed
        event = EventID(key: eventKey)
    }
}
