// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The numbers of an event's last hour, and the order of a board by them (disposable-v1.md §5.1).
@Suite struct RecentActivityTests {
    private static let minute: UInt64 = 60_000
    private static let hour: UInt64 = 3_600_000
    private static let heart = UInt64(0x2764)

    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let cleo = signingKey(4)
    private let dan = signingKey(5)
    private let eve = signingKey(6)
    private let fay = signingKey(7)

    /// So many minutes after the event's start.
    private func time(_ minutes: UInt64) -> UInt64 { TestEvent.startMilliseconds + minutes * Self.minute }

    private func story(change: (inout Charter) -> Void = { _ in }) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben, cleo, dan, eve, fay], frames: 12, change: change)
        return story
    }

    @Test(
        "numbers are rounded down, to a hundred thousand at most",
        arguments: [
            (-1, 0), (0, 0), (1, 1), (2, 2), (4, 2), (5, 5), (9, 5), (10, 10), (19, 10), (20, 20), (49, 20), (50, 50),
            (99, 50), (100, 100), (999, 500), (1_000, 1_000), (99_999, 50_000), (100_000, 100_000), (Int.max, 100_000),
        ] as [(Int, UInt32)])
    func rounding(number: Int, rounded: UInt32) { #expect(RecentActivity.rounded(number) == rounded) }

    @Test("photos of the hour before count, with the people who added them, put an emoji or wrote a comment")
    func counting() throws {
        var story = try story()
        let old = try story.photo(anna, slot: 1, milliseconds: time(59))
        for slot: UInt64 in 2...5 { try story.photo(anna, slot: slot, milliseconds: time(60 + slot)) }
        try story.say(.reaction, by: cleo, about: old, argument: Self.heart, milliseconds: time(90))
        try story.say(.comment, by: dan, about: old, content: .text("Cake"), milliseconds: time(119))
        try story.say(.reaction, by: eve, about: old, argument: 0x1F602, milliseconds: time(60))
        try story.say(.comment, by: fay, about: old, content: .text("Hello"), milliseconds: time(60))
        // One person counts once. Earlier emoji do not count, nor those that were removed again.
        try story.say(.comment, by: dan, about: old, content: .text("More cake"), milliseconds: time(119))
        try story.say(.reaction, by: host, about: old, argument: Self.heart, milliseconds: time(59))
        try story.say(.reaction, by: ben, about: old, argument: Self.heart, milliseconds: time(100))
        try story.say(
            .reaction, by: ben, about: old, argument: Self.heart + Remarks.takenOff, milliseconds: time(101))
        // This one is for the next hour.
        try story.photo(ben, slot: 1, milliseconds: time(120))
        let state = try story.outcome()
        #expect(state.activity(before: time(120)) == RecentActivity(photos: 4, people: 5))
        // A minute later two people have left the hour, and one has come.
        #expect(state.activity(before: time(121)) == RecentActivity(photos: 5, people: 4))
        #expect(state.activity(before: time(59)) == .none)
        #expect(state.activity(before: time(500)) == .none)
        #expect(state.activity(before: 0) == .none)
    }

    @Test("sealed photos count; those that wait for approval, are hidden or deleted do not")
    func keptBack() throws {
        var sealed = try self.story { charter in
            (charter.reveal, charter.revealKey) = (.atEnd, Bytes32([UInt8](repeating: 7, count: 32))!)
        }
        try sealed.photo(anna, slot: 1, milliseconds: time(10))
        let state = try sealed.outcome()
        #expect(!state.isRevealed && state.activity(before: time(20)) == RecentActivity(photos: 1, people: 1))

        var story = try story()
        try story.approval(.all, by: host)
        let waiting = try story.photo(anna, slot: 1, milliseconds: time(10))
        try story.say(.reaction, by: ben, about: waiting, argument: Self.heart, milliseconds: time(11))
        #expect(try story.outcome().activity(before: time(20)) == .none)
        try story.approve([waiting], by: host)
        #expect(try story.outcome().activity(before: time(20)) == RecentActivity(photos: 1, people: 2))
        try story.say(.hide, by: host, about: waiting, milliseconds: time(12))
        #expect(try story.outcome().activity(before: time(20)) == .none)
        let deleted = try story.photo(host, slot: 1, milliseconds: time(13))
        #expect(try story.outcome().activity(before: time(20)) == RecentActivity(photos: 1, people: 1))
        try story.say(.remove, by: host, about: deleted, milliseconds: time(14))
        #expect(try story.outcome().activity(before: time(20)) == .none)
    }

    private func card(_ name: String, photos: Int, people: Int, revisedAt: UInt64 = BoardTests.now) -> EventCard {
        var card = BoardTests.card(name, revisedAt: revisedAt)
        card.activity = RecentActivity(photos: photos, people: people)
        return card
    }

    @Test("a count is shown for an hour, and one of a clock that is more than an hour ahead not at all")
    func age() {
        let card = card("Fête", photos: 5, people: 2)
        let written = card.revisedAtMilliseconds
        for time in [written - Self.hour, written, written + Self.hour] {
            #expect(card.activity(at: time) == card.activity)
        }
        for time in [0, written - Self.hour - 1, written + Self.hour + 1] { #expect(card.activity(at: time) == .none) }
    }

    @Test("the events with the most people come first, then by photos, then as on the board; old counts are none")
    func popular() {
        var board = Board()
        let cards = [
            card("quiet", photos: 0, people: 0), card("one with a memory card", photos: 500, people: 1),
            card("many", photos: 20, people: 20), card("as many, more photos", photos: 100, people: 20),
            card("an hour ago", photos: 1_000, people: 100, revisedAt: BoardTests.now - Self.hour - 1),
        ]
        let signed = cards.enumerated().map { BoardTests.signed($0.offset + 1, $0.element) }
        board.take(signed, from: "10.0.0.1:8027", here: [signed[0].event], at: BoardTests.now)
        let rows = board.rows(own: [], at: BoardTests.now)
        #expect(rows.sorted(.near) == rows)
        #expect(
            rows.sorted(.popular).map(\.card.name) == [
                "as many, more photos", "many", "one with a memory card", "quiet", "an hour ago",
            ])
        let later = board.rows(own: [], at: BoardTests.now + Self.hour + 1)
        #expect(later.allSatisfy { $0.activity == .none } && later.sorted(.popular) == later)
    }
}
