// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Highlights: the worked example 13.3 of protocol/rules.md.
@Suite struct HighlightTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    @Test("a star of an organizer makes a highlight until it is taken off, and one of a guest says nothing")
    func stars() throws {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 12)
        try story.grant(.organizer, to: anna, by: event.eventKey)
        let photo = try story.photo(ben, slot: 1)
        let other = try story.photo(ben, slot: 2)
        let id = PhotoID(photo.id)
        func star(_ key: SigningKey, _ photo: VerifiedOperation, isOn: Bool = true) throws {
            try story.say(
                .reaction, by: key, about: photo,
                argument: UInt64(Remarks.highlight.value) + (isOn ? 0 : Remarks.takenOff))
        }
        try star(host, photo)
        try star(anna, photo)
        try star(ben, other)
        #expect(try story.outcome().album.highlighters(of: id) == [host.author, anna.author])
        try star(anna, photo, isOn: false)
        let state = try story.outcome()
        #expect(state.album.highlighters(of: id) == [host.author])
        #expect(state.album.isHighlight(id))
        #expect(!state.album.isHighlight(PhotoID(other.id)))
        // It is no emoji that people see.
        #expect(state.album.reactions(to: id).isEmpty && state.album.reactions(to: PhotoID(other.id)).isEmpty)
        try star(host, photo, isOn: false)
        #expect(try !story.outcome().album.isHighlight(id))
    }

    @Test("what a former organizer has highlighted stays as far as the revocation leaves it")
    func formerOrganizer() throws {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 12)
        try story.grant(.organizer, to: anna, by: event.eventKey)
        let photo = try story.photo(ben, slot: 1)
        try story.say(.reaction, by: anna, about: photo, argument: UInt64(Remarks.highlight.value))
        try story.revoke(.organizer, of: anna, by: event.eventKey)
        #expect(try story.outcome().album.isHighlight(PhotoID(photo.id)))
        let later = try story.photo(ben, slot: 2)
        try story.say(.reaction, by: anna, about: later, argument: UInt64(Remarks.highlight.value))
        #expect(try !story.outcome().album.isHighlight(PhotoID(later.id)))
    }
}
