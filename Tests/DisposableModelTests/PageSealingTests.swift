// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Page sealing: the worked examples 21.1 to 21.3 of protocol/rules.md.
@Suite struct PageSealingTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let anna = signingKey(3)

    /// Ben is an organizer.
    private func founded() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [ben, anna], frames: 3)
        try story.grant(.organizer, to: ben, by: event.eventKey)
        return story
    }

    private func isOn(_ story: Story) throws -> Bool { try !story.outcome().album.pageSealingSettings.isEmpty }

    @Test("organizers switch page sealing on and off, a participant does not")
    func switched() throws {
        var story = try founded()
        let vain = try story.say(.pageSealing, by: anna)
        #expect(try !isOn(story))
        let on = try story.say(.pageSealing, by: host)
        #expect(try isOn(story))
        try story.say(.erase, by: anna, on.id)
        #expect(try isOn(story))
        try story.say(.erase, by: ben, on.id)
        #expect(try !isOn(story))
        try story.say(.remove, by: anna, vain.id)
        #expect(try !isOn(story))
    }

    @Test("a setting that was stated meanwhile stands, as the erase does not name it")
    func meanwhile() throws {
        var story = try founded()
        let first = try story.say(.pageSealing, by: host)
        try story.say(.erase, by: host, first.id)
        let second = try story.say(.pageSealing, by: ben)
        #expect(try story.outcome().album.pageSealingSettings == [second.id])
    }

    @Test("a removed setting stands, and a hidden one: only an organizer's erase switches it off")
    func removed() throws {
        var story = try founded()
        let setting = try story.say(.pageSealing, by: ben)
        try story.grant(.moderator, to: anna, by: host)
        try story.say(.remove, by: ben, setting.id)
        try story.say(.hide, by: anna, setting.id)
        #expect(try isOn(story))
        try story.say(.erase, by: host, setting.id)
        #expect(try !isOn(story))
    }

    @Test("a setting changes neither photos nor the digest")
    func digest() throws {
        var story = try founded()
        _ = try story.photo(anna, slot: 1)
        let before = try story.outcome()
        try story.say(.pageSealing, by: host)
        let after = try story.outcome()
        #expect(after.digest == before.digest && after.gallery == before.gallery && !after.needsNewerVersion)
    }

    @Test("the kind is critical, so that nodes that do not know it serve no pages")
    func critical() { #expect(OperationKind.pageSealing.isCritical && !OperationKind.pageSealing.hasBody) }
}
