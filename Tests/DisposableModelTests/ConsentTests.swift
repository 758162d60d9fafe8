// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The consents to each text: protocol/disposable-v1.md §9.12.
@Suite struct ConsentTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    private func story() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 3)
        return story
    }

    private func agree(_ story: inout Story, _ key: SigningKey, to text: String) throws {
        try story.say(.consent, by: key, ConsentText(organizers: text).id)
    }

    @Test("a consent is to one text: another text needs another consent, a restored text is still agreed to")
    func versions() throws {
        var story = try story()
        try agree(&story, anna, to: "")
        #expect(try story.outcome().hasConsented(anna.author))
        #expect(try !story.outcome().hasConsented(ben.author))
        try story.edit(.consentText, by: host) { $0.organizer.consentText = "No photos" }
        try agree(&story, ben, to: "No photos")
        let changed = try story.outcome()
        #expect((changed.hasConsented(anna.author), changed.hasConsented(ben.author)) == (false, true))
        #expect(changed.album.consentCount(to: ConsentText(organizers: "No photos").id) == 1)
        try story.edit(.consentText, by: host) { $0.organizer.consentText = "" }
        #expect(try story.outcome().hasConsented(anna.author))
    }

    @Test(
        "a consent to the old text by somebody who has not heard of the new one is none to the new one, and voids nothing"
    )
    func race() throws {
        var story = try story()
        try story.edit(.consentText, by: host) { $0.organizer.consentText = "No photos" }
        try agree(&story, anna, to: "")
        let photo = try story.photo(anna, slot: 1)
        let state = try story.outcome()
        #expect(!state.hasConsented(anna.author))
        #expect(state.album.hasConsented(anna.author, to: ConsentText(organizers: "").id))
        #expect(state.photo(PhotoID(photo.id))?.status == .frame(1))
    }

    @Test("a guest's consent at one node counts at all nodes, that of a removed guest does not")
    func authors() throws {
        var story = try story()
        let (guest, atAnna, atBen) = (signingKey(9), signingKey(10), signingKey(11))
        try story.join(atAnna, sponsor: anna, for: guest)
        try story.join(atBen, sponsor: ben, for: guest)
        try agree(&story, atBen, to: "")
        #expect(try story.outcome().hasConsented(guest.author))
        try story.removeMember(anna, by: host)
        try agree(&story, anna, to: "")
        let state = try story.outcome()
        #expect(!state.hasConsented(anna.author))
        #expect(state.album.consentCount(to: ConsentText(organizers: "").id) == 1)
    }

    @Test("who has left is not counted, and consents are no part of what all galleries must agree on")
    func count() throws {
        var story = try story()
        let before = try story.outcome()
        try agree(&story, anna, to: "")
        try story.say(.leave, by: anna)
        let state = try story.outcome()
        #expect(state.hasConsented(anna.author))
        #expect(state.album.consentCount(to: ConsentText(organizers: "").id) == 0)
        #expect(state.digest == before.digest)
    }
}
