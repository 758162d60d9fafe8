// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

/// Missions and the photos that answer them: the worked examples 14 of protocol/rules.md.
@Suite struct MissionTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private static let dance = Mission(id: 70, text: "the first dance")
    private static let table = Mission(id: 3_000_000_000, text: "your table")

    private func story(_ missions: [Mission] = [dance, table]) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 12) { $0.missions = missions }
        try story.grant(.organizer, to: anna, by: event.eventKey)
        return story
    }

    private func mission(_ story: Story, _ photo: VerifiedOperation) throws -> Mission? {
        try story.outcome().mission(of: PhotoID(photo.id))
    }

    @Test("a photo answers the mission that its author chose last, until the author withdraws it")
    func lastWriter() throws {
        var story = try story()
        let photo = try story.photo(ben, slot: 1)
        #expect(try mission(story, photo) == nil)
        try story.say(.answer, by: ben, about: photo, argument: 70)
        #expect(try mission(story, photo) == Self.dance)
        try story.say(.answer, by: ben, about: photo, argument: 3_000_000_000)
        #expect(try mission(story, photo) == Self.table)
        try story.say(.answer, by: ben, about: photo, argument: 3_000_000_000 + Mission.withdrawn)
        #expect(try mission(story, photo) == nil)
        try story.say(.answer, by: ben, about: photo, argument: 70)
        #expect(try mission(story, photo) == Self.dance)
    }

    @Test("answers of others, and arguments that are no mission's, say nothing: example 14.2")
    func others() throws {
        var story = try story()
        let photo = try story.photo(ben, slot: 1)
        let before = try story.outcome().digest
        for key in [anna, host, event.eventKey] { try story.say(.answer, by: key, about: photo, argument: 70) }
        for argument in [0, Mission.withdrawn, 2 * Mission.withdrawn + 70, .max, 71] as [UInt64] {
            try story.say(.answer, by: ben, about: photo, argument: argument)
        }
        #expect(try mission(story, photo) == nil)
        #expect(try story.outcome().digest == before)
    }

    @Test("an answer to nothing does not hide the one before it, and one to an unlisted mission does")
    func later() throws {
        var story = try story()
        let photo = try story.photo(ben, slot: 1)
        try story.say(.answer, by: ben, about: photo, argument: 70)
        try story.say(.answer, by: ben, about: photo, argument: 0)
        #expect(try mission(story, photo) == Self.dance)
        try story.say(.answer, by: ben, about: photo, argument: 71)
        #expect(try mission(story, photo) == nil)
    }

    @Test("of one guest's answers at two nodes the later one counts, whichever arrives first: example 14.1")
    func twoNodes() throws {
        var story = try story()
        let (guest, here, there) = (signingKey(20), signingKey(21), signingKey(22))
        try story.join(here, sponsor: host, for: guest)
        try story.join(there, sponsor: anna, for: guest)
        let photo = try story.photo(here, slot: 1)
        let start = TestEvent.startMilliseconds
        try story.say(.answer, by: there, about: photo, argument: 70, milliseconds: start + 2_000)
        try story.say(.answer, by: here, about: photo, argument: 3_000_000_000, milliseconds: start + 1_000)
        #expect(try mission(story, photo) == Self.dance)
        try story.say(
            .answer, by: here, about: photo, argument: 3_000_000_000 + Mission.withdrawn, milliseconds: start + 3_000)
        #expect(try mission(story, photo) == nil)
    }

    @Test("of two lists made at once one counts, and no photo answers a mission of the other: example 14.3")
    func twoLists() throws {
        var story = try story([])
        let first = [try #require(story.operations.first).id]
        let (mine, hers) = (Mission(id: 5, text: "the cake"), Mission(id: 9, text: "the dog"))
        try story.edit(.missions, by: anna, follows: first) { $0.missions = [hers] }
        let photo = try story.photo(ben, slot: 1)
        try story.say(.answer, by: ben, about: photo, argument: 9)
        #expect(try mission(story, photo) == hers)
        try story.edit(.missions, by: event.eventKey, follows: first) { $0.missions = [mine] }
        #expect(try mission(story, photo) == nil)
        // Reworded and moved, it is still the mission that the photo answers.
        let reworded = Mission(id: 9, text: "the old dog")
        try story.edit(.missions, by: anna) { $0.missions = [mine, reworded] }
        #expect(try mission(story, photo) == reworded)
    }

    @Test("an answer that is removed, hidden or void does not count, and the one before it does")
    func takenAway() throws {
        var story = try story()
        let photo = try story.photo(ben, slot: 1)
        try story.say(.answer, by: ben, about: photo, argument: 70)
        let second = try story.say(.answer, by: ben, about: photo, argument: 3_000_000_000)
        try story.say(.hide, by: anna, about: second)
        #expect(try mission(story, photo) == Self.dance)
        try story.removeMember(ben, by: host)
        try story.say(.answer, by: ben, about: photo, argument: 3_000_000_000)
        #expect(try mission(story, photo) == Self.dance)
    }

    @Test("the digest has the mission of each photo, and an event without missions has the digest of before")
    func digest() throws {
        var story = try story([])
        let photo = try story.photo(ben, slot: 1)
        let before = try story.outcome().digest
        try story.say(.answer, by: ben, about: photo, argument: 70)
        #expect(try story.outcome().digest == before)
        try story.edit(.missions, by: host) { $0.missions = [Self.dance, Self.table] }
        let answered = try story.outcome().digest
        try story.say(.answer, by: ben, about: photo, argument: 3_000_000_000)
        #expect(try story.outcome().digest != answered)
        try story.edit(.missions, by: host) { $0.missions = [] }
        #expect(try story.outcome().digest == before)
    }

    @Test(
        "a list has at most twenty missions of one line each, and no id twice",
        arguments: [
            [Mission(id: 0, text: "the cake")], [Mission(id: 1, text: "the cake"), Mission(id: 1, text: "the dog")],
            [Mission(id: 1, text: "")], [Mission(id: 1, text: "the\ncake")],
            [Mission(id: 1, text: String(repeating: "a", count: 161))],
            (1...21).map { Mission(id: $0, text: "mission \($0)") },
        ])
    func malformed(missions: [Mission]) {
        var charter = Charter(name: "Party", startsAtMilliseconds: TestEvent.startMilliseconds)
        charter.missions = missions
        #expect(!charter.isWellFormed(.missions))
        #expect(charter.problems.map(\.field) == [.missions])
    }

    @Test("a person may enter eighty characters, and other nodes accept more")
    func length() {
        var charter = Charter(name: "Party", startsAtMilliseconds: TestEvent.startMilliseconds)
        charter.missions = [Mission(id: 1, text: String(repeating: "é", count: 80))]
        #expect(charter.problems.isEmpty)
        charter.missions = [Mission(id: 1, text: String(repeating: "é", count: 81))]
        #expect(charter.isWellFormed(.missions) && charter.problems.map(\.field) == [.missions])
    }

    @Test("the longest list fits into an edit, and is read as it was written")
    func coding() throws {
        var charter = Charter(name: "Party", startsAtMilliseconds: TestEvent.startMilliseconds)
        charter.missions = (1...20).map { Mission(id: .max - $0, text: String(repeating: "é", count: 160)) }
        let edit = try event.operation(
            .edit, by: host, sequence: 0, argument: UInt64(CharterField.missions.rawValue),
            content: .edit(.missions, charter, follows: [OperationID(event.event.bytes32)]))
        guard case .edit(.missions, let value, _)? = edit.content else {
            Issue.record("\(edit)")
            return
        }
        #expect(value.missions == charter.missions)
    }
}
