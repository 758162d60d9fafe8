// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Founding and editing an event, each race in many orders: the worked examples of protocol/rules.md §4.
@Suite struct CharterRaceTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    /// An event of 27 frames whose host is an organizer, with Anna one by a grant, and Ben a guest.
    private func story(isOpened: Bool = true) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 27, isOpened: isOpened)
        try story.grant(.organizer, to: anna, by: event.eventKey)
        return story
    }

    @Test("an organizer's edit changes one field, a guest's nothing, and the reveal key stays what it was")
    func edit() throws {
        var story = try story()
        try story.edit(.name, by: host) { $0.name = "Anna & Ben & Cleo" }
        try story.edit(.place, by: anna) {
            $0.presentation.place = "Barn"
            // Not what the edit is about: not looked at.
            $0.name = "Nobody"
            $0.revealKey = Bytes32([UInt8](repeating: 7, count: 32))!
        }
        try story.edit(.name, by: ben) { $0.name = "Ben's" }
        let charter = try #require(try story.outcome().charter)
        #expect(charter.name == "Anna & Ben & Cleo")
        #expect(charter.presentation.place == "Barn")
        #expect(charter.frames == 27)
        #expect(charter.revealKey == .zero)
    }

    @Test("of edits made apart the event key's counts, then the smaller id; one that knows both replaces both")
    func concurrentNames() throws {
        let base = try story()
        var (left, right, key) = (base, base, base)
        let edits = [
            try left.edit(.name, by: host) { $0.name = "Left" }, try right.edit(.name, by: anna) { $0.name = "Right" },
        ]
        var both = base
        for edit in edits { both.take(edit) }
        #expect(try both.outcome().charter?.name == (edits[0].id < edits[1].id ? "Left" : "Right"))
        let decided = try key.edit(.name, by: event.eventKey) { $0.name = "Key" }
        both.take(decided)
        #expect(try both.outcome().charter?.name == "Key")
        #expect(try both.outcome().follows(.name).count == 4)  // and the charter, for being opened
        try both.edit(.name, by: anna) { $0.name = "Agreed" }
        #expect(try both.outcome().charter?.name == "Agreed")
    }

    @Test("edits of different fields made apart both count")
    func differentFields() throws {
        let base = try story()
        var other = base
        var story = base
        try story.edit(.name, by: host) { $0.name = "Party" }
        story.take(try other.edit(.durationHours, by: anna) { $0.schedule.durationHours = 12 })
        let charter = try #require(try story.outcome().charter)
        #expect((charter.name, charter.schedule.durationHours) == ("Party", 12))
    }

    @Test("of frames edited apart the most count, of retention the shortest")
    func concurrentFrames() throws {
        let base = try story(isOpened: false)
        var other = base
        var story = base
        try story.edit(.frames, by: host) { $0.frames = 12 }
        try story.edit(.retentionHours, by: host) { $0.schedule.retentionHours = 24 }
        story.take(try other.edit(.frames, by: anna) { $0.frames = 24 })
        story.take(try other.edit(.retentionHours, by: anna) { $0.schedule.retentionHours = 48 })
        let charter = try #require(try story.outcome().charter)
        #expect((charter.frames, charter.schedule.retentionHours) == (24, 24))
    }

    @Test("once opened, frames are not lowered, retention is not lengthened, and it stays opened")
    func opened() throws {
        var story = try story(isOpened: false)
        try story.edit(.frames, by: host) { $0.frames = 12 }
        try story.edit(.isOpened, by: host) { $0.isOpened = true }
        try story.edit(.frames, by: host) { $0.frames = 6 }
        try story.edit(.retentionHours, by: anna) { $0.schedule.retentionHours = 500 }
        try story.edit(.isOpened, by: event.eventKey) { $0.isOpened = false }
        let charter = try #require(try story.outcome().charter)
        #expect((charter.frames, charter.schedule.retentionHours, charter.isOpened) == (12, 192, true))
        try story.edit(.frames, by: host) { $0.frames = 24 }
        try story.edit(.retentionHours, by: anna) { $0.schedule.retentionHours = 24 }
        let better = try #require(try story.outcome().charter)
        #expect((better.frames, better.schedule.retentionHours) == (24, 24))
        try story.edit(.frames, by: host) { $0.frames = 0 }
        try story.edit(.frames, by: host) { $0.frames = 1_000 }
        #expect(try story.outcome().charter?.frames == 0)
    }

    /// Hours from the start of the event until its photos are forgotten.
    private func hoursKept(_ charter: Charter) -> UInt64 {
        (charter.expiresAtMilliseconds - TestEvent.startMilliseconds) / 3_600_000
    }

    @Test("an opened event can last longer or begin later, and its photos are kept no longer for it")
    func promisedEnd() throws {
        var story = try story(isOpened: false)
        try story.edit(.durationHours, by: host) { $0.schedule.durationHours = 24 }
        try story.edit(.isOpened, by: host) { $0.isOpened = true }
        try story.edit(.durationHours, by: anna) { $0.schedule.durationHours = 48 }
        let longer = try #require(try story.outcome().charter)
        #expect((longer.schedule.durationHours, hoursKept(longer)) == (48, 24 + 192))
        try story.edit(.startsAt, by: anna) { $0.schedule.startsAtMilliseconds += 3_600_000 }
        // Nor by small steps.
        try story.edit(.durationHours, by: host) { $0.schedule.durationHours = 47 }
        #expect(hoursKept(try #require(try story.outcome().charter)) == 24 + 192)
        // What was shortened once stays promised, as with the time of keeping itself.
        try story.edit(.durationHours, by: host) { $0.schedule.durationHours = 12 }
        try story.edit(.durationHours, by: host) { $0.schedule.durationHours = 24 }
        let last = try #require(try story.outcome().charter)
        #expect((last.schedule.durationHours, hoursKept(last)) == (24, 12 + 192))
        try story.edit(.retentionHours, by: host) { $0.schedule.retentionHours = 100 }
        #expect(hoursKept(try #require(try story.outcome().charter)) == 12 + 100)
    }

    @Test("a longer duration and a shorter one, said apart in an opened event: kept as the shorter one says")
    func concurrentDuration() throws {
        var story = try story()
        var apart = story
        try story.edit(.durationHours, by: host) { $0.schedule.durationHours = 300 }
        story.take(try apart.edit(.durationHours, by: anna) { $0.schedule.durationHours = 100 })
        #expect(hoursKept(try #require(try story.outcome().charter)) == 100 + 192)
    }

    @Test("an edit made in the draft, before its author heard of the opening, counts whenever it comes")
    func editApartFromOpening() throws {
        var story = try story(isOpened: false)
        var apart = story
        try story.edit(.isOpened, by: host) { $0.isOpened = true }
        story.take(try apart.edit(.frames, by: anna) { $0.frames = 12 })
        #expect(try story.outcome().charter?.frames == 12)
        // Who follows both is bound by both.
        try story.edit(.frames, by: anna) { $0.frames = 6 }
        #expect(try story.outcome().charter?.frames == 12)
    }

    @Test("an edit that was not in the guests' favour does not shield one that follows it alone")
    func noWayAround() throws {
        var story = try story()
        let lowered = try story.edit(.frames, by: host) { $0.frames = 2 }
        try story.edit(.frames, by: host, follows: [lowered.id]) { $0.frames = 3 }
        #expect(try story.outcome().charter?.frames == 27)
        try story.edit(.frames, by: host, follows: [lowered.id]) { $0.frames = 30 }
        #expect(try story.outcome().charter?.frames == 30)
    }

    @Test("an edit that follows what is not here waits for it")
    func unknownAncestor() throws {
        var story = try story()
        let first = try story.edit(.name, by: host) { $0.name = "First" }
        try story.edit(.name, by: host) { $0.name = "Second" }
        let state = event.fold(story.operations.filter { $0.id != first.id })
        #expect(state.charter?.name == "Anna & Ben")
        #expect(event.fold(story.operations).charter?.name == "Second")
    }

    @Test("what an organizer edited before losing the role stays, what it edits later does not count")
    func formerOrganizer() throws {
        var story = try story()
        try story.edit(.place, by: anna) { $0.presentation.place = "Barn" }
        try story.revoke(.organizer, of: anna, by: event.eventKey)
        try story.edit(.place, by: anna) { $0.presentation.place = "Cellar" }
        try story.edit(.name, by: host) { $0.name = "Party" }
        let charter = try #require(try story.outcome().charter)
        #expect((charter.presentation.place, charter.name) == ("Barn", "Party"))
    }

    @Test("with two first charters, edits that follow the one that does not count have no say")
    func twoFoundings() throws {
        var story = try story()
        var charters = [story.operations[0]]
        let second = try event.operation(
            .charter, by: event.eventKey, sequence: 0,
            content: .charter(Charter(name: "Again", startsAtMilliseconds: TestEvent.startMilliseconds)))
        charters.append(second)
        story.take(second)
        let winner = charters[0].id < charters[1].id ? 0 : 1
        for (index, charter) in charters.enumerated() {
            try story.edit(.name, by: host, follows: [charter.id]) { $0.name = "Edit \(index)" }
        }
        #expect(try story.outcome().charter?.name == "Edit \(winner)")
    }

    @Test("of one organizer's edits the first 256 count, and a flood of them is folded")
    func flood() throws {
        var story = try story()
        for index in 0..<260 {
            try story.edit(.place, by: host, follows: [story.operations[0].id]) {
                $0.presentation.place = "Place \(index)"
            }
        }
        let state = event.fold(story.operations)
        #expect(state.follows(.place).count == 256 + 1)
        #expect(event.fold(story.operations.reversed()) == state)
    }
}

@Suite struct CharterFieldTests {
    private var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: 1_800_000_000_000, durationHours: 24)
    private let hour: UInt64 = 3_600_000

    @Test("an event goes from draft to open, closed, revealed and expired as time passes")
    func phases() {
        let start = charter.schedule.startsAtMilliseconds
        #expect(charter.phase(at: start - 1, isRevealed: false) == .draft)
        #expect(charter.phase(at: start, isRevealed: true) == .open)
        #expect(charter.phase(at: start + 24 * hour - 1, isRevealed: false) == .open)
        #expect(charter.phase(at: start + 24 * hour, isRevealed: false) == .closed)
        #expect(charter.phase(at: start + 24 * hour, isRevealed: true) == .revealed)
        #expect(charter.phase(at: start + 216 * hour - 1, isRevealed: true) == .revealed)
        #expect(charter.phase(at: start + 216 * hour, isRevealed: true) == .expired)
        var draft = charter
        draft.isOpened = false
        #expect(draft.phase(at: start + hour, isRevealed: false) == .draft)
        var closed = charter
        closed.isClosed = true
        #expect(closed.phase(at: start + hour, isRevealed: false) == .closed)
        #expect(EventPhase.draft < .open && EventPhase.closed < .revealed && EventPhase.revealed < .expired)
    }

    @Test("there is a time to count down to only where a time reveals")
    func countdown() {
        var charter = charter
        #expect(charter.revealsAtMilliseconds == nil)
        charter.reveal = .atEnd
        #expect(charter.revealsAtMilliseconds == charter.endsAtMilliseconds)
        charter.reveal = .at(charter.schedule.startsAtMilliseconds + 5)
        #expect(charter.revealsAtMilliseconds == charter.schedule.startsAtMilliseconds + 5)
        for rule in [RevealRule.byHost, .never] {
            charter.reveal = rule
            #expect(charter.revealsAtMilliseconds == nil)
        }
    }

    @Test(
        "SIREN and SIRET numbers are checked by their last digit, those of the post by the sum of all",
        arguments: [
            ("732829320", true), ("732829321", false), ("73282932000074", true), ("73282932000075", false),
            ("356000000", true), ("35600000049837", true), ("35600000049838", false), ("", false), ("73282932", false),
            ("7328293200007", false), ("73282932000074a", false), ("７３２８２９３２０", false),
        ])
    func registration(digits: String, isValid: Bool) {
        #expect(BusinessRegistration.isValid(digits) == isValid)
    }

    @Test("a number is taken as people write it")
    func registrationDigits() {
        #expect(BusinessRegistration.digits(of: "732 829 320 00074") == "73282932000074")
        #expect(BusinessRegistration.digits(of: "732.829.320") == "732829320")
    }

    @Test(
        "a link is a web address without anything that could run or break out of a page",
        arguments: [
            ("https://example.org/a?b=c#d", true), ("http://example.org", true), ("https://", false),
            ("javascript:alert(1)", false), ("HTTPS://example.org", false), ("https://a b", false),
            ("https://a\"onload=b", false), ("https://é.fr", false), ("data:text/html,x", false),
            ("https://" + String(repeating: "a", count: 200), false),
        ])
    func links(address: String, isWellFormed: Bool) {
        #expect(EventLink(kind: .website, address: address).isWellFormed == isWellFormed)
    }

    @Test("creating an event reports every invalid field, in words, in the order of the fields")
    func problems() {
        var charter = charter
        #expect(charter.problems.isEmpty)
        charter.name = ""
        charter.presentation.details = String(repeating: "a", count: 2_001)
        charter.schedule.durationHours = 721
        charter.frames = 1_001
        charter.reveal = .at(charter.schedule.startsAtMilliseconds - 1)
        charter.presentation.price = Price(cents: 500, currency: "eur")
        charter.presentation.links = [EventLink(kind: .x, address: "x.com")]
        charter.organizer.registration = "123456789"
        charter.organizer.consentText = "a\u{0}b"
        let problems = charter.problems
        #expect(
            problems.map(\.field) == [
                .name, .details, .durationHours, .frames, .reveal, .price, .links, .registration, .consentText,
            ])
        #expect(problems.allSatisfy { !$0.description.isEmpty && !$0.description.hasSuffix(".") })
        #expect(problems[2].description == "the event lasts 1 to 720 hours (30 days)")
    }

    @Test("every preset founds an event", arguments: CharterPreset.allCases)
    func presets(preset: CharterPreset) {
        let charter = preset.charter(name: "Anna & Ben", startsAtMilliseconds: 1_800_000_000_000)
        #expect(charter.problems.isEmpty)
        #expect(charter.presentation.category == preset.rawValue)
    }

    @Test("every field is taken over alone, and two charters differ in what was taken over")
    func fields() {
        var other = CharterPreset.camp.charter(name: "Camp", startsAtMilliseconds: 1_900_000_000_000)
        other.presentation.details = "Two lines\nof text"
        other.presentation.place = "Barn"
        other.presentation.position = EventPosition(latitude: 47_243, longitude: 6_022)
        other.presentation.price = Price(cents: 0, currency: "EUR")
        other.presentation.links = [EventLink(kind: .website, address: "https://example.org")]
        other.organizer.registration = "732829320"
        other.organizer.contact = "06 12"
        other.organizer.consentText = "We show photos"
        other.organizer.name = "Olga"
        other.schedule.retentionHours = 100
        other.isOpened = false
        other.isClosed = true
        other.schedule.lateness = Lateness(minutes: 120)
        (other.areFramesDaily, other.schedule.startsOnOpening) = (true, true)
        (other.options.nameRule, other.options.isCameraOnly, other.options.downloads) = (.required, true, .own)
        (other.options.videos, other.options.theme) = (.seconds(60), .sea)
        (other.options.needsTickets, other.options.needsWallCode, other.options.photosAtOnce) = (true, true, 5)
        other.schedule.moments = MomentHours(from: 600, to: 1_320)
        other.missions = [Mission(id: 7, text: "the first dance")]
        other.zones[signingKey(1).device] = "Kitchen"
        #expect(other.problems.isEmpty)
        // All differ but one that a preset leaves.
        #expect(Set(charter.differences(from: other)) == Set(CharterField.allCases))
        for field in CharterField.allCases {
            var taken = charter
            taken.take(field, from: other)
            #expect(taken.differences(from: charter) == [field])
        }
    }
}
