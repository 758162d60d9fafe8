// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

@Suite struct BoardTests {
    static let now: UInt64 = 1_800_000_000_000
    static let hour: UInt64 = 3_600_000

    /// The event key of an invented event.
    static func key(_ number: Int) -> SigningKey {
        var seed = [UInt8](repeating: 0, count: 32)
        (seed[0], seed[1], seed[2]) = (UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), 0xB0)
        return SigningKey(seed: SecretBytes(consuming: &seed))
    }

    static func card(
        _ name: String, startsIn hours: Int = 1, lasts: UInt64 = 4, revisedAt: UInt64 = now, place: String = "",
        category: String = "", organizer: String = ""
    ) -> EventCard {
        let start = UInt64(Int64(now) + Int64(hours) * Int64(hour))
        var card = EventCard(
            name: name, startsAtMilliseconds: start, endsAtMilliseconds: start + lasts * hour,
            expiresAtMilliseconds: start + (lasts + 200) * hour, revisedAtMilliseconds: revisedAt)
        (card.place, card.category, card.organizer) = (place, category, organizer)
        return card
    }

    static func signed(_ number: Int, _ card: EventCard) -> SignedCard { SignedCard(card, by: key(number)) }

    private func names(_ board: Board, own: [OwnEvent] = [], at time: UInt64 = now) -> [String] {
        board.rows(own: own, at: time).map(\.card.name)
    }

    @Test("events that can be visited come first, then those that run, then by start, and those that are over last")
    func order() {
        var board = Board()
        let cards = [
            Self.signed(1, Self.card("tomorrow", startsIn: 24)), Self.signed(2, Self.card("running", startsIn: -1)),
            Self.signed(3, Self.card("over", startsIn: -20)), Self.signed(4, Self.card("over longer", startsIn: -40)),
            Self.signed(5, Self.card("soon", startsIn: 1)), Self.signed(6, Self.card("here, next week", startsIn: 168)),
        ]
        board.take(cards, from: "10.0.0.1:8027", here: [cards[5].event], at: Self.now)
        #expect(
            names(board) == ["here, next week", "running", "soon", "tomorrow", "over", "over longer"])
        board.lose("10.0.0.1:8027")
        #expect(names(board).last == "over longer" && names(board)[3] == "here, next week")
    }

    @Test("a search finds every word in name, place or organizer, without regard to case and accents; and by category")
    func search() {
        var board = Board()
        board.take(
            [
                Self.signed(1, Self.card("Fête de l’été", place: "Besançon", category: "festival")),
                Self.signed(2, Self.card("Concert", place: "Lyon", category: "concert", organizer: "Zoë")),
                Self.signed(3, Self.card("Flea market", place: "Lyon", category: "Flohmarkt")),
            ], from: "a", here: [], at: Self.now)
        let rows = board.rows(own: [], at: Self.now)
        func found(_ text: String, _ category: EventCategory? = nil) -> [String] {
            rows.matching(text, category: category).map(\.card.name).sorted()
        }
        #expect(found("fete besancon") == ["Fête de l’été"])
        #expect(found("ÉTÉ") == ["Fête de l’été"])
        #expect(found("lyon") == ["Concert", "Flea market"])
        #expect(found("lyon zoe") == ["Concert"])
        #expect(found("", .festival) == ["Fête de l’été"])
        #expect(found("", .other) == ["Flea market"])
        #expect(found("lyon", .wedding) == [])
        #expect(found("  ").count == 3)
    }

    @Test("events of one name are marked, so that their organizers and words are shown")
    func ambiguous() {
        var board = Board()
        let cards = [
            Self.signed(1, Self.card("Summer Party", organizer: "Anna")),
            Self.signed(2, Self.card("summer party", organizer: "Ben")), Self.signed(3, Self.card("Winter party")),
        ]
        board.take(cards, from: "a", here: [], at: Self.now)
        #expect(board.rows(own: [], at: Self.now).ambiguous == [cards[0].event, cards[1].event])
    }

    @Test("a later revision replaces a card, a withdrawn one hides it, and neither is undone by a replay")
    func revisions() {
        var board = Board()
        let first = Self.signed(1, Self.card("First name"))
        let second = Self.signed(1, Self.card("Second name", revisedAt: Self.now + 1))
        board.take([first], from: "a", here: [], at: Self.now)
        board.take([second], from: "b", here: [], at: Self.now)
        #expect(names(board) == ["Second name"])
        #expect(board.take([first], from: "c", here: [], at: Self.now) == [first.event: .replay])
        #expect(names(board) == ["Second name"])
        let gone = Self.signed(1, second.card.withdrawn(at: Self.now + 2))
        board.take([gone], from: "b", here: [], at: Self.now)
        #expect(names(board).isEmpty)
        #expect(board.held.map(\.signed) == [gone], "it is passed on, so that others forget the earlier ones")
        board.take([first, second], from: "c", here: [], at: Self.now)
        #expect(names(board).isEmpty)
    }

    @Test("two cards of one revision lead to the same one everywhere, whichever came first")
    func twoOfOneRevision() {
        let (one, other) = (Self.signed(1, Self.card("One")), Self.signed(1, Self.card("Another")))
        var boards = [Board(), Board()]
        boards[0].take([one, other], from: "a", here: [], at: Self.now)
        boards[1].take([other, one], from: "a", here: [], at: Self.now)
        #expect(boards[0].held.map(\.signed) == boards[1].held.map(\.signed))
    }

    @Test("cards of expired events and from the future are not taken, and cards go when their event expires")
    func times() {
        var board = Board()
        let day: UInt64 = 86_400_000
        let expired = Self.signed(1, Self.card("expired", startsIn: -300))
        let revisedTooLate = Self.signed(2, Self.card("from the future", revisedAt: Self.now + day + 1))
        let startsTooLate = Self.signed(3, Self.card("in two years", startsIn: 2 * 366 * 24))
        let refusals = board.take([expired, revisedTooLate, startsTooLate], from: "a", here: [], at: Self.now)
        #expect(refusals == [expired.event: .expired, revisedTooLate.event: .future, startsTooLate.event: .future])
        #expect(board.isEmpty)
        let card = Self.card("tonight")
        board.take([Self.signed(4, card)], from: "a", here: [], at: Self.now)
        board.forgetExpired(at: card.expiresAtMilliseconds - 1)
        #expect(board.held.count == 1)
        board.forgetExpired(at: card.expiresAtMilliseconds)
        #expect(board.isEmpty)
    }

    @Test("a board has at most 300 cards; a source that floods it loses its own, and honest ones keep theirs")
    func flood() {
        var board = Board()
        let honest = (0..<200).map { Self.signed($0, Self.card("event \($0)", startsIn: $0 % 50)) }
        board.take(honest, from: "honest", here: [], at: Self.now)
        #expect(names(board).count == 200)
        for round in 1...3 {
            let invented = (0..<300).map { Self.signed(1_000 * round + $0, Self.card("invented")) }
            board.take(invented, from: "flood", here: [], at: Self.now + UInt64(round))
        }
        #expect(board.held.count == Board.cardCountMax)
        #expect(board.held.filter { $0.source == "honest" }.count >= 150)
        let rows = board.rows(own: [], at: Self.now)
        let inOrder = rows.filter { $0.card.name != "invented" }.map(\.card.startsAtMilliseconds)
        let running = inOrder.filter { $0 <= Self.now }
        #expect(inOrder == running.sorted() + inOrder.filter { $0 > Self.now }.sorted())
    }

    @Test("a flood that has relayed others' cards first, from many ports, does not take these with it")
    func relayingFlood() {
        var board = Board()
        let honest = (0..<20).map { Self.signed($0, Self.card("event \($0)")) }
        let pages = Set(honest.map(\.event))
        // The flood is asked first, and passes on what it has seen, among its own.
        let first = honest + (0..<200).map { Self.signed(1_000 + $0, Self.card("invented")) }
        board.take(first, from: "10.0.0.66:8000", here: [], at: Self.now)
        board.take(honest, from: "10.0.0.1:8027", here: pages, at: Self.now + 1)
        #expect(board.held.filter { $0.source == "10.0.0.1:8027" }.count == 20)
        for port in 0..<30 {
            let invented = (0..<20).map { Self.signed(2_000 + 20 * port + $0, Self.card("invented")) }
            board.take(
                invented, from: "10.0.0.66:\(port)", here: Set(invented.map(\.event)), at: Self.now + 2 + UInt64(port))
        }
        #expect(board.held.count == Board.cardCountMax)
        #expect(pages.isSubset(of: board.held.map(\.signed.event)))
        #expect(!board.lacksCards(of: "10.0.0.1:8027"))
        // The other way round the flood gains nothing by claiming the pages, too.
        board.take(honest, from: "10.0.0.66:0", here: pages, at: Self.now + 50)
        #expect(board.held.filter { $0.source == "10.0.0.1:8027" }.count == 20)
    }

    @Test("a source whose card was dropped lacks it, until it is fetched again")
    func lacking() {
        var board = Board()
        let card = Self.signed(1, Self.card("here"))
        board.take([card], from: "a", here: [card.event], at: Self.now)
        #expect(!board.lacksCards(of: "a") && !board.lacksCards(of: "b"))
        board.forget(card.event)
        #expect(board.lacksCards(of: "a"))
        board.take([card], from: "a", here: [card.event], at: Self.now)
        #expect(!board.lacksCards(of: "a"))
    }

    @Test("at the limit the card that was not seen for longest goes first")
    func oldestGoesFirst() {
        var board = Board()
        let cards = (0..<300).map { Self.signed($0, Self.card("event \($0)")) }
        for (index, card) in cards.enumerated() {
            board.take([card], from: "a", here: [], at: Self.now + UInt64(index))
        }
        // The first one's pages are seen again; another relay of the second counts for nothing.
        board.take([cards[0]], from: "a", here: [cards[0].event], at: Self.now + 1_000)
        board.take([cards[1]], from: "a", here: [], at: Self.now + 1_000)
        board.take([Self.signed(999, Self.card("one more"))], from: "a", here: [], at: Self.now + 1_001)
        let left = Set(board.held.map(\.signed.event))
        #expect(left.count == 300 && left.contains(cards[0].event) && !left.contains(cards[1].event))
    }

    @Test("a source can claim few pages, few sources count, and one that is gone reaches nothing")
    func claims() {
        var board = Board()
        let cards = (0..<100).map { Self.signed($0, Self.card("event \($0)")) }
        board.take(cards, from: "claims all", here: Set(cards.map(\.event)), at: Self.now)
        #expect(board.rows(own: [], at: Self.now).filter(\.isReachable).count == Board.pagesPerSourceMax)
        for number in 0..<100 { board.take([], from: "s\(number)", here: [cards[0].event], at: Self.now) }
        let row = board.rows(own: [], at: Self.now).first { $0.event == cards[0].event }
        #expect((row?.pages.count ?? 0) <= Board.sourceCountMax)
        board.lose("claims all")
        for number in 0..<100 { board.lose("s\(number)") }
        let left = board.rows(own: [], at: Self.now)
        #expect(left.count == 100 && left.filter(\.isReachable).isEmpty)
    }

    @Test("this node's own events are shown once, as they are; one that is no longer listed is not shown by an old card")
    func ownEvents() {
        var board = Board()
        let (listed, unlisted) = (Self.signed(1, Self.card("Old name")), Self.signed(2, Self.card("Was listed")))
        board.take([listed, unlisted], from: "a", here: [], at: Self.now)
        let own = [
            OwnEvent(eventKey: listed.eventKey, card: Self.card("New name"), signed: nil, isServed: true),
            OwnEvent(eventKey: unlisted.eventKey, card: nil, signed: nil, isServed: true),
        ]
        let rows = board.rows(own: own, at: Self.now)
        #expect(rows.map(\.card.name) == ["New name"])
        #expect(rows.first?.isOwn == true && rows.first?.isReachable == true)
    }

    @Test("a node that starts again has the cards that it kept, without the expired, and none of them is reachable")
    func restoring() {
        var board = Board()
        let (card, expired) = (Self.signed(1, Self.card("kept")), Self.signed(2, Self.card("gone", startsIn: -300)))
        board.restore(
            [card, expired].map { Board.Held($0, source: "a", seenAtMilliseconds: 5) }, at: Self.now)
        let rows = board.rows(own: [], at: Self.now)
        #expect(rows.map(\.card.name) == ["kept"])
        #expect(rows.first?.isReachable == false && rows.first?.seenAtMilliseconds == 5)
    }

    @Test("an unlisted event, a draft without a date and an expired event have no card; others tell what the charter says")
    func charters() {
        var charter = Charter(name: "Party", startsAtMilliseconds: Self.now, organizerName: "Anna")
        charter.presentation.details = String(repeating: "é", count: 2_000)
        charter.presentation.links = [EventLink(kind: .website, address: "https://example.org")]
        charter.presentation.price = Price(cents: 500, currency: "EUR")
        let card = EventCard(charter, at: Self.now)
        #expect(card?.isWellFormed == true)
        #expect(card?.organizer == "Anna" && card?.price == charter.presentation.price)
        #expect(card?.links == charter.presentation.links)
        #expect(card?.details == String(repeating: "é", count: 500))
        #expect(EventCard(charter, at: charter.expiresAtMilliseconds) == nil)
        var unlisted = charter
        unlisted.presentation.isListed = false
        #expect(EventCard(unlisted, at: Self.now) == nil)
        var undated = charter
        (undated.schedule.startsOnOpening, undated.isOpened) = (true, false)
        #expect(EventCard(undated, at: Self.now) == nil)
    }

    @Test("an unknown label is another kind of event, none is no kind")
    func categories() {
        #expect(EventCategory(label: "Wedding") == .wedding)
        #expect(EventCategory(label: "Kirmes") == .other)
        #expect(EventCategory(label: "") == nil)
        for preset in CharterPreset.allCases { #expect(EventCategory(rawValue: preset.rawValue) != nil, "\(preset)") }
    }
}
