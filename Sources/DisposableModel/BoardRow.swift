// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// An event as a board shows it.
public struct BoardRow: Sendable, Equatable {
    public enum Phase: Int, Sendable, Comparable {
        case running, upcoming, over
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public let event: EventID
    public let eventKey: VerifyingKey
    public let card: EventCard
    /// Whether this node is in the event.
    public let isOwn: Bool
    /// Whether its pages can be reached on this network.
    public let isReachable: Bool
    /// The addresses, with their ports, of other nodes that have its pages.
    public let pages: [String]
    public let seenAtMilliseconds: UInt64
    public let phase: Phase
    public let category: EventCategory?
    /// In the last hour, as far as this node has heard.
    public let activity: RecentActivity
    /// The text that a search looks through.
    fileprivate let searchText: String

    init(
        event: EventID, eventKey: VerifyingKey, card: EventCard, isOwn: Bool, isReachable: Bool, pages: [String],
        seenAtMilliseconds: UInt64, at milliseconds: UInt64
    ) {
        self.event = event
        self.eventKey = eventKey
        self.card = card
        self.isOwn = isOwn
        self.isReachable = isReachable
        self.pages = pages
        self.seenAtMilliseconds = seenAtMilliseconds
        phase =
            milliseconds >= card.endsAtMilliseconds
            ? .over : milliseconds >= card.startsAtMilliseconds ? .running : .upcoming
        category = EventCategory(label: card.category)
        activity = card.activity(at: milliseconds)
        searchText = SearchText.folded("\(card.name) \(card.place) \(card.organizer)")
    }

    /// Reachable events first, then those that run, then those to come by their start, then those that are over, the
    /// latest first.
    static func precedes(_ left: BoardRow, _ right: BoardRow) -> Bool {
        guard left.isReachable == right.isReachable else { return left.isReachable }
        guard left.phase == right.phase else { return left.phase < right.phase }
        let (first, second) = (left.card, right.card)
        if left.phase == .over, first.endsAtMilliseconds != second.endsAtMilliseconds {
            return first.endsAtMilliseconds > second.endsAtMilliseconds
        }
        guard first.startsAtMilliseconds == second.startsAtMilliseconds else {
            return first.startsAtMilliseconds < second.startsAtMilliseconds
        }
        return first.name == second.name ? left.event < right.event : first.name < second.name
    }
}

extension [BoardRow] {
    /// The limit on a search, in bytes of UTF-8.
    public static var searchByteCountMax: Int { 200 }

    /// Returns the events whose name, place or organizer has every word of the search, without regard to case and
    /// accents.
    /// - Parameter category: `nil` for all.
    public func matching(_ search: String, category: EventCategory? = nil) -> [BoardRow] {
        let words = SearchText.words(search)
        return filter { row in
            guard category == nil || row.category == category else { return false }
            return words.allSatisfy(row.searchText.contains)
        }
    }

    /// Returns the rows that share their name with another one: people tell them apart by organizer and fingerprint.
    public var ambiguous: Set<EventID> {
        let names = Dictionary(grouping: self) { SearchText.folded($0.card.name) }
        return Set(names.values.filter { $0.count > 1 }.flatMap { $0.map(\.event) })
    }
}

/// Text as it is compared in a search: in lower case, Latin letters without their accents.
enum SearchText {
    static func words(_ text: String) -> [String] { folded(text).split(separator: " ").map(String.init) }

    static func folded(_ text: String) -> String {
        var folded = ""
        for scalar in text.lowercased().unicodeScalars {
            // Marks that follow their letter.
            if (0x300...0x36F).contains(scalar.value) { continue }
            if let plain = letters[scalar] { folded += plain } else { folded.unicodeScalars.append(scalar) }
        }
        return folded
    }

    /// The accented letters of the languages around; others have to be typed as they are.
    private static let letters: [Unicode.Scalar: String] = {
        let groups = [
            "a": "àáâãäåāăą", "c": "çćč", "d": "ďđ", "e": "èéêëēėęě", "g": "ğ", "i": "ìíîïīįı", "l": "ł",
            "n": "ñńň", "o": "òóôõöøōő", "r": "ř", "s": "śšş", "t": "ťţ", "u": "ùúûüūůűų", "y": "ýÿ", "z": "źżž",
            "ae": "æ", "oe": "œ", "ss": "ß", " ": "-’'",
        ]
        var letters: [Unicode.Scalar: String] = [:]
        for (plain, accented) in groups { for scalar in accented.unicodeScalars { letters[scalar] = plain } }
        return letters
    }()
}
