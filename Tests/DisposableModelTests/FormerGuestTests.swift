// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Names that were deleted by their authors (protocol/rules.md §2.6).
@Suite struct FormerGuestTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let cleo = signingKey(3)

    private func story() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [ben, cleo], frames: 9)
        return story
    }

    @Test("an author who deletes all names is a former guest, until a new name")
    func allNames() throws {
        var story = try story()
        let first = try story.say(.name, by: ben, content: .name("Benny"))
        let second = try story.say(.name, by: ben, content: .name("Ben"))
        let before = try story.outcome()
        try story.say(.remove, by: ben, about: second)
        #expect(try story.outcome().album.shownName(of: ben.author) == "Benny")
        try story.say(.remove, by: ben, about: first)
        let state = try story.outcome()
        #expect(state.album.name(of: ben.author) == nil && state.album.isFormerGuest(ben.author))
        #expect(state.album.shownName(of: ben.author) == "former guest")
        #expect(state.digest != before.digest)
        // Their bodies are to go.
        #expect(Set(state.withdrawals.keys) == [first.id, second.id])
        #expect(state.album.bodies(with: first.id) == [first.id])
        #expect(state.album.withdrawnSubject(of: second.id, second.header) == second.id)
        try story.say(.name, by: ben, content: .name("B."))
        #expect(try story.outcome().album.shownName(of: ben.author) == "B.")
    }

    @Test("who never had a name, or whose name somebody else wants away, is no former guest")
    func others() throws {
        var story = try story()
        let name = try story.say(.name, by: ben, content: .name("Ben"))
        try story.say(.remove, by: cleo, about: name)
        let state = try story.outcome()
        #expect(state.album.shownName(of: ben.author) == "Ben" && !state.album.isFormerGuest(ben.author))
        #expect(state.album.shownName(of: cleo.author) == nil && !state.album.isFormerGuest(cleo.author))
        // An organizer can have a name destroyed; that makes nobody a former guest.
        try story.say(.erase, by: host, about: name)
        #expect(try story.outcome().album.shownName(of: ben.author) == nil)
    }

    @Test("a name that another node of the guest has signed meanwhile counts, until it is deleted as well")
    func apart() throws {
        var story = try story()
        let (guest, first, second) = (signingKey(20), signingKey(21), signingKey(22))
        try story.join(first, sponsor: host, for: guest)
        try story.join(second, sponsor: cleo, for: guest)
        let one = try story.say(.name, by: first, content: .name("Gina"))
        let other = try story.say(.name, by: second, content: .name("G."))
        try story.say(.remove, by: first, about: one)
        #expect(try story.outcome().album.shownName(of: guest.author) == "G.")
        // By whichever device of theirs.
        try story.say(.remove, by: first, about: other)
        #expect(try story.outcome().album.isFormerGuest(guest.author))
    }

    @Test("the body of a name that comes after its removal says nothing")
    func lateBody() throws {
        var story = try story()
        let name = try story.say(.name, by: ben, content: .name("Ben"))
        try story.say(.remove, by: ben, about: name)
        var state = event.fold(story.operations.map { $0.id == name.id ? $0.withoutBody : $0 })
        #expect(state.digest == event.fold(story.operations).digest)
        state.apply(name)
        #expect(state.album.shownName(of: ben.author) == "former guest")
    }
}
