// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Captions, reactions, comments and notices: the rules of protocol/disposable-v1.md §9.9.
@Suite struct RemarkTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let heart = UInt64(0x2764)

    private func story() throws -> (Story, VerifiedOperation) {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 3)
        let photo = try story.photo(anna, slot: 1)
        return (story, photo)
    }

    @Test("the author's latest caption counts, an older one when that is deleted, and never one of another author")
    func captions() throws {
        var (story, photo) = try story()
        let id = PhotoID(photo.id)
        try story.say(.caption, by: anna, about: photo, content: .text("Cake"))
        let latest = try story.say(.caption, by: anna, about: photo, content: .text("The cake"))
        try story.say(.caption, by: ben, about: photo, content: .text("Ben was here"))
        let before = try story.outcome()
        #expect(before.album.caption(of: id)?.text == "The cake")
        try story.say(.remove, by: anna, about: latest)
        let after = try story.outcome()
        #expect(after.album.caption(of: id)?.text == "Cake")
        #expect(after.digest != before.digest)
        // A body that is erased changes what is shown and not the digest.
        #expect(event.fold(story.operations.map(\.withoutBody)).digest == after.digest)
        #expect(event.fold(story.operations.map(\.withoutBody)).album.caption(of: id)?.text == nil)
    }

    @Test("an emoji is there once an author however often it is put on, until its latest word takes it off")
    func reactions() throws {
        var (story, photo) = try story()
        let id = PhotoID(photo.id)
        for _ in 0..<2 { try story.say(.reaction, by: ben, about: photo, argument: heart) }
        try story.say(.reaction, by: anna, about: photo, argument: heart)
        try story.say(.reaction, by: anna, about: photo, argument: 0x1F602)
        try story.say(.reaction, by: ben, about: photo, argument: 0x41)
        #expect(
            try story.outcome().album.reactions(to: id) == [
                "\u{2764}": [anna.author, ben.author], "\u{1F602}": [anna.author],
            ])
        try story.say(.reaction, by: ben, about: photo, argument: heart + Remarks.takenOff)
        #expect(try story.outcome().album.reactions(to: id)["\u{2764}"] == [anna.author])
        try story.say(.reaction, by: ben, about: photo, argument: heart)
        #expect(try story.outcome().album.reactions(to: id)["\u{2764}"] == [anna.author, ben.author])
    }

    @Test("an author's first twenty comments on a photo count, one taken away leaves no room for another")
    func comments() throws {
        var (story, photo) = try story()
        let id = PhotoID(photo.id)
        let said = try (0..<25).map { try story.say(.comment, by: ben, about: photo, content: .text("Comment \($0)")) }
        try story.say(.comment, by: anna, about: photo, content: .text("Thanks"))
        #expect(try story.outcome().album.comments(on: id).count == 21)
        try story.say(.remove, by: ben, about: said[0])
        try story.say(.hide, by: host, about: said[1])
        try story.say(.erase, by: host, about: said[2])
        try story.say(.remove, by: anna, about: said[3])
        let left = try story.outcome().album.comments(on: id)
        #expect(
            Set(left.map(\.id))
                == Set(
                    said[3..<20].map(\.id) + [
                        story.operations.first { $0.kind == .comment && $0.header.device == anna.device }!.id
                    ]))
    }

    @Test("annotations after the removal of their author are not shown")
    func afterRevocation() throws {
        var (story, photo) = try story()
        try story.say(.comment, by: ben, about: photo, content: .text("Before"))
        try story.removeMember(ben, by: host)
        try story.say(.comment, by: ben, about: photo, content: .text("After"))
        try story.say(.reaction, by: ben, about: photo, argument: heart)
        let state = try story.outcome()
        #expect(state.album.comments(on: PhotoID(photo.id)).map(\.text) == ["Before"])
        #expect(state.album.reactions(to: PhotoID(photo.id)).isEmpty)
    }

    @Test("organizers and the event key speak to all, guests do not")
    func notices() throws {
        var (story, _) = try story()
        try story.say(.notice, by: host, content: .text("Dinner"))
        try story.say(.notice, by: event.eventKey, content: .text("Rain"))
        let wrong = try story.say(.notice, by: host, content: .text("Dinner at nine"))
        try story.say(.notice, by: anna, content: .text("Me too"))
        try story.say(.remove, by: host, about: wrong)
        #expect(Set(try story.outcome().album.notices.map(\.text)) == ["Dinner", "Rain"])
    }
}
