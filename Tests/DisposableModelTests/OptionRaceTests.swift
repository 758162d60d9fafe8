// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The options of organizers: the worked examples of protocol/rules.md §13.
@Suite struct OptionRaceTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    private func story() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 12)
        try story.grant(.organizer, to: anna, by: event.eventKey)
        return story
    }

    @Test("a photo that was added while nobody knew of an option stays")
    func photosStay() throws {
        var story = try story()
        let photo = try story.photo(ben, slot: 1)
        try story.edit(.nameRule, by: host) { $0.options.nameRule = .required }
        try story.edit(.videos, by: host) { $0.options.videos = .off }
        try story.edit(.isCameraOnly, by: host) { $0.options.isCameraOnly = true }
        try story.edit(.photosAtOnce, by: host) { $0.options.photosAtOnce = 1 }
        let late = try story.photo(ben, slot: 2)
        let state = try story.outcome()
        #expect(state.status(photo) == .frame(1))
        #expect(state.status(late) == .frame(2))
        #expect(state.charter?.options.nameRule == .required)
        #expect(state.charter?.options.videos == .off)
        #expect(state.charter?.options.photosAtOnce == 1)
    }

    @Test("options of an open event are edited in any direction, and two edits at once have one outcome")
    func edits() throws {
        var story = try story()
        let first = [try #require(story.operations.first).id]
        try story.edit(.downloads, by: anna, follows: first) { $0.options.downloads = .organizers }
        #expect(try story.outcome().charter?.options.downloads == .organizers)
        try story.edit(.downloads, by: event.eventKey, follows: first) { $0.options.downloads = .own }
        #expect(try story.outcome().charter?.options.downloads == .own)
        try story.edit(.downloads, by: anna) { $0.options.downloads = .everyone }
        #expect(try story.outcome().charter?.options.downloads == .everyone)
    }

    @Test("an event without options has the digest that it had before there were any")
    func digest() throws {
        var story = try story()
        let before = try story.outcome().digest
        try story.edit(.theme, by: host) { $0.options.theme = .sea }
        #expect(try story.outcome().digest != before)
        try story.edit(.theme, by: host) { $0.options.theme = .film }
        #expect(try story.outcome().digest == before)
    }

    @Test("numbers out of range are refused, and a later theme is kept and shown as the first")
    func ranges() {
        var charter = Charter(name: "Party", startsAtMilliseconds: 0)
        charter.options.themeNumber = 200
        #expect(charter.isWellFormed)
        #expect(charter.options.theme == .film)
        charter.options.themeNumber = 256
        #expect(!charter.isWellFormed)
        charter.options = PageOptions()
        charter.options.videos = .seconds(3_600)
        #expect(charter.isWellFormed)
        charter.options.videos = .seconds(3_601)
        #expect(charter.problems.map(\.field) == [.videos])
        charter.options = PageOptions()
        charter.options.photosAtOnce = 500
        #expect(charter.isAcceptable)
        charter.options.photosAtOnce = 501
        #expect(charter.isWellFormed, "nodes of the first release keep every number")
        #expect(charter.problems.map(\.field) == [.photosAtOnce])
    }

    @Test("every option has a word, from which it is read", arguments: EventTheme.allCases)
    func words(theme: EventTheme) {
        #expect(EventTheme(word: theme.word) == theme)
        for rule in NameRule.allCases { #expect(NameRule(word: rule.word) == rule) }
        for rule in DownloadRule.allCases { #expect(DownloadRule(word: rule.word) == rule) }
        for rule in [VideoRule.on, .off, .seconds(1), .seconds(90)] {
            #expect(VideoRule(word: rule.word) == rule)
            #expect(VideoRule(number: rule.number) == rule)
        }
        for word in ["0", "-1", "60s", "", "always"] { #expect(VideoRule(word: word) == nil) }
    }
}
