// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Synchronization
import Testing

@Suite struct BoardRouteTests {
    private static let now = UInt64(Date().timeIntervalSince1970 * 1_000)

    private struct TestBoard: BoardSource {
        let own: [OwnEvent]
        func rows() async -> [BoardRow] { Board().rows(own: own, at: now) }
        func cards() async -> (bytes: [UInt8], tag: String) { (Array(#"{"cards":[]}"#.utf8), "\"one\"") }
    }

    private static func event(_ number: UInt8, _ card: EventCard) -> OwnEvent {
        var seed = [UInt8](repeating: number, count: 32)
        let key = SigningKey(seed: SecretBytes(consuming: &seed)).verifyingKey
        return OwnEvent(eventKey: key, card: card, signed: nil, isServed: number == 1)
    }

    private static func card(_ name: String, place: String = "", category: String = "") -> EventCard {
        var card = EventCard(
            name: name, startsAtMilliseconds: 1_900_000_000_000, endsAtMilliseconds: 1_900_003_600_000,
            expiresAtMilliseconds: 1_900_100_000_000, revisedAtMilliseconds: 1_800_000_000_000)
        (card.place, card.category) = (place, category)
        return card
    }

    private func withBoard(
        _ own: [OwnEvent], _ body: @escaping @Sendable (HTTPClient) async throws -> Void
    ) async throws {
        let configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
        try await withPortal(configuration, board: TestBoard(own: own), { [] }) { _, client in try await body(client) }
    }

    private func names(_ reply: Reply) throws -> [String] {
        try (reply.object["events"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    @Test("anybody lists the events, by words and by kind, and learns no more than the organizer has said")
    func list() async throws {
        let own = [
            Self.event(1, Self.card("Fête", place: "Lyon", category: "party")),
            Self.event(2, Self.card("Market", place: "Dole", category: "Kirmes")),
        ]
        try await withBoard(own) { client in
            #expect(try names(await client.get("/api/board")) == ["Fête", "Market"])
            #expect(try names(await client.get("/api/board?q=fete%20lyon")) == ["Fête"])
            #expect(try names(await client.get("/api/board?category=other")) == ["Market"])
            #expect(try names(await client.get("/api/board?q=lyon&category=other")) == [])
            let object = try await client.get("/api/board?q=dole").object
            #expect(object["count"] as? Int == 2)
            #expect(object["categories"] as? [String: Int] == ["party": 1, "other": 1])
            let row = try #require((object["events"] as? [[String: Any]])?.first)
            #expect(row["label"] as? String == "Kirmes" && row["organizer"] is NSNull)
            #expect(row["phase"] as? String == "upcoming" && row["isReachable"] as? Bool == false)
        }
    }

    @Test("an event has the numbers of its last hour, or none, and the most popular comes first if that is asked for")
    func popular() async throws {
        func card(_ name: String, photos: Int, people: Int) -> EventCard {
            var card = Self.card(name)
            card.revisedAtMilliseconds = Self.now
            card.activity = RecentActivity(photos: photos, people: people)
            return card
        }
        let own = [
            Self.event(1, card("Ball", photos: 0, people: 0)), Self.event(2, card("Market", photos: 400, people: 3)),
            Self.event(3, card("Fête", photos: 61, people: 12)),
        ]
        try await withBoard(own) { client in
            #expect(try names(await client.get("/api/board?sort=near")) == ["Ball", "Fête", "Market"])
            #expect(try names(await client.get("/api/board?sort=popular")) == ["Fête", "Market", "Ball"])
            let rows = try await client.get("/api/board").object["events"] as? [[String: Any]] ?? []
            #expect(rows.first?["recent"] is NSNull)
            #expect(rows.dropFirst().first?["recent"] as? [String: Int] == ["photos": 50, "people": 10])
            let unknown = try await client.get("/api/board?sort=best")
            #expect(unknown.status == 400 && unknown.text.contains("popular"))
        }
    }

    @Test("a search that is too long and an unknown kind are refused with the reason")
    func badQueries() async throws {
        try await withBoard([]) { client in
            let long = try await client.get("/api/board?q=" + String(repeating: "a", count: 201))
            #expect(long.status == 400 && long.errorCode == "malformed-request")
            let unknown = try await client.get("/api/board?category=weding")
            #expect(unknown.status == 400 && unknown.text.contains("wedding"))
            for path in ["/api/board/zz", "/api/board/" + String(repeating: "0", count: 64), "/api/board/.ics"] {
                #expect(try await client.get(path).status == 404)
            }
        }
    }

    @Test("one event has its details, its words, and the way to its page if it can be reached")
    func details() async throws {
        var card = Self.card("Fête")
        (card.details, card.contact, card.registration) = ("Line", "anna@example.org", "732829320")
        card.price = Price(cents: 0, currency: "EUR")
        card.links = [EventLink(kind: .x, address: "https://example.org")]
        let event = Self.event(1, card)
        try await withBoard([event]) { client in
            let object = try await client.get("/api/board/\(event.event)").object
            #expect(object["details"] as? String == "Line" && object["registration"] as? String == "732829320")
            #expect(object["pages"] as? [String] == ["/e/\(event.event.short)/"])
            #expect((object["links"] as? [[String: String]]) == [["kind": "x", "address": "https://example.org"]])
            let row = try #require(object["event"] as? [String: Any])
            #expect(row["words"] as? [String] == (try FingerprintWords.words(of: event.eventKey)))
        }
    }

    @Test("the list has the position of an event in thousandths of a degree, and the file for calendars in degrees")
    func position() async throws {
        var card = Self.card("Fête")
        card.position = EventPosition(latitude: 47_243, longitude: -6_022)
        let (event, other) = (Self.event(1, card), Self.event(2, Self.card("Elsewhere")))
        try await withBoard([event, other]) { client in
            let rows = try #require(try await client.get("/api/board").object["events"] as? [[String: Any]])
            let row = try #require(rows.first { $0["name"] as? String == "Fête" })
            #expect(row["position"] as? [String: Int] == ["latitude": 47_243, "longitude": -6_022])
            #expect(rows.first { $0["name"] as? String == "Elsewhere" }?["position"] is NSNull)
            #expect(try await client.get("/api/board/\(event.event).ics").text.contains("GEO:47.243;-6.022\r\n"))
            #expect(try await !client.get("/api/board/\(other.event).ics").text.contains("GEO"))
        }
    }

    @Test("the outline of the world is a drawing of at most 60 kB, which the page loads when it is asked for")
    func outline() async throws {
        try await withBoard([]) { client in
            let reply = try await client.get("/board/world.svg")
            #expect(reply.status == 200 && reply["content-type"]?.hasPrefix("image/svg+xml") == true)
            #expect(reply.text.utf8.count <= 60_000 && reply.text.hasPrefix("<svg "))
            #expect(try await !client.get("/board").text.contains("world.svg"))
        }
    }

    @Test("many who look at one event have its words computed once, and those of several one after the other")
    func wordsOnce() async {
        let counts = Mutex((running: 0, most: 0, all: 0))
        let words = BoardWords { key in
            counts.withLock { counts in
                counts.running += 1
                counts.all += 1
                counts.most = max(counts.most, counts.running)
            }
            Thread.sleep(forTimeInterval: 0.02)
            counts.withLock { $0.running -= 1 }
            return [key.description]
        }
        let keys = (1...3).map { Self.event($0, Self.card("Fête")).eventKey }
        await withTaskGroup(of: [String]?.self) { group in
            for number in 0..<60 { group.addTask { await words.words(of: keys[number % 3]) } }
            for await found in group { #expect(found.map { [keys[0], keys[1], keys[2]].map(\.description).contains($0[0]) } == true) }
        }
        let (most, all) = counts.withLock { ($0.most, $0.all) }
        #expect(most == 1 && all == 3, "\(all) computed, \(most) at once")
    }

    @Test("words of more and more invented events are computed at a limited rate, and known ones stay")
    func wordsOfMany() async {
        let count = Mutex(0)
        let words = BoardWords(rate: .init(burst: 2, perSecond: 0.0001)) { key in
            count.withLock { $0 += 1 }
            return [key.description]
        }
        let keys = (1...5).map { Self.event($0, Self.card("Fête")).eventKey }
        var found: [[String]?] = []
        for key in keys + keys.prefix(2) { found.append(await words.words(of: key)) }
        #expect(found.map { $0 != nil } == [true, true, false, false, false, true, true])
        #expect(count.withLock { $0 } == 2)
    }

    @Test("the file for calendars has the event in RFC 5545's form, and no text leaves its line")
    func calendarFile() async throws {
        var card = Self.card("A, B; C\\D", place: String(repeating: "é", count: 80))
        card.details = "one\nBEGIN:VALARM\ntwo"
        let (event, place) = (Self.event(1, card), card.place)
        try await withBoard([event]) { client in
            let reply = try await client.get("/api/board/\(event.event).ics")
            #expect(reply["content-type"] == "text/calendar; charset=utf-8")
            let lines = reply.text.components(separatedBy: "\r\n")
            #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\n") })
            #expect(!lines.contains { $0.hasPrefix("BEGIN:VALARM") })
            let whole = reply.text.replacing("\r\n ", with: "")
            for line in [
                "SUMMARY:A\\, B\\; C\\\\D", "DTSTART:20300317T174640Z", "DTEND:20300317T184640Z",
                "LOCATION:" + place, "DESCRIPTION:one\\nBEGIN:VALARM\\ntwo", "UID:\(event.event)@disposable",
            ] { #expect(whole.contains(line + "\r\n"), "\(line)") }
        }
    }

    @Test("other nodes get the cards once, and 304 while nothing has changed")
    func cards() async throws {
        try await withBoard([]) { client in
            let reply = try await client.get("/api/cards")
            #expect(reply.status == 200 && reply.text == #"{"cards":[]}"#)
            var again = client
            again.headers["If-None-Match"] = reply["etag"] ?? ""
            #expect(try await again.get("/api/cards").status == 304)
        }
    }

    @Test("the page of the board is at /board, and says so to those without scripts")
    func page() async throws {
        try await withBoard([]) { client in
            let reply = try await client.get("/board")
            #expect(reply.status == 200 && reply.text.contains("<noscript>"))
            #expect(try await client.get("/board/board.js").status == 200)
        }
    }
}
