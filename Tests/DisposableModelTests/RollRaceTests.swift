// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// More frames, and claiming again what lost its slot: the worked examples of protocol/rules.md §3.
@Suite struct RollRaceTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    private func story(frames: UInt32 = 3) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: frames)
        return story
    }

    private func give(_ count: UInt64, to key: SigningKey, by giver: SigningKey, in story: inout Story) throws {
        try story.say(.frames, by: giver, OperationID(key.device.bytes32), argument: count)
    }

    @Test("frames that organizers give add up, and those that others give count for nothing")
    func extraFrames() throws {
        var story = try story()
        let photos = try (1...6).map { try story.photo(anna, slot: $0) }
        try give(1, to: anna, by: host, in: &story)
        try give(1, to: anna, by: host, in: &story)
        try give(50, to: anna, by: ben, in: &story)
        try give(50, to: anna, by: anna, in: &story)
        try give(1_001, to: anna, by: host, in: &story)
        let state = try story.outcome()
        #expect(state.rollLimit(of: anna.author, at: 0) == 5)
        #expect(state.rollLimit(of: ben.author, at: 0) == 3)
        #expect(photos.compactMap { state.status($0) } == (1...5).map { .frame($0) } + [.waiting])
    }

    @Test("frames given by an organizer who lost the rank before count no more")
    func extraFramesByAFormerOrganizer() throws {
        var story = try story()
        try story.grant(.organizer, to: ben, by: event.eventKey)
        try give(2, to: anna, by: ben, in: &story)
        try story.revoke(.organizer, of: ben, by: event.eventKey)
        try give(3, to: anna, by: ben, in: &story)
        #expect(try story.outcome().rollLimit(of: anna.author, at: 0) == 5)
    }

    @Test("who lost a slot to a copy of its own key claims a free one, the same wherever it is worked out")
    func reclaim() throws {
        var story = try story(frames: 4)
        try story.photo(anna, slot: 1)
        var copy = story
        let photos = [try story.photo(anna, slot: 2, salt: 1), try copy.photo(anna, slot: 2, salt: 2)]
        for operation in copy.operations.suffix(2) { story.take(operation) }
        let state = try story.outcome()
        let reclaims = state.album.reclaims(of: anna.author) { _, _ in 4 }
        #expect(reclaims.count == 1)
        let loser = try #require(photos.first { state.status($0) == .waiting })
        #expect(reclaims.first.map { $0.photo } == PhotoID(loser.id))
        #expect(reclaims.first.map { $0.slot } == 3)
        try story.say(.claim, by: anna, about: loser, argument: 3)
        let claimed = try story.outcome()
        #expect(photos.allSatisfy { if case .frame? = claimed.status($0) { true } else { false } })
        #expect(claimed.album.reclaims(of: anna.author) { _, _ in 4 }.isEmpty)
    }

    @Test("a photo without a claim is still being added, and nobody claims for it")
    func unclaimed() throws {
        var story = try story()
        try story.say(.photo, by: anna, content: try event.photo(anna, 0).content!)
        #expect(try story.outcome().album.reclaims(of: anna.author) { _, _ in 3 }.isEmpty)
    }

    @Test("a loser waits while the roll is full, and claims once an organizer gives more frames")
    func reclaimWhenTheRollGrows() throws {
        var story = try story(frames: 1)
        var copy = story
        try story.photo(anna, slot: 1, salt: 1)
        try copy.photo(anna, slot: 1, salt: 2)
        for operation in copy.operations.suffix(2) { story.take(operation) }
        #expect(try story.outcome().album.reclaims(of: anna.author) { _, _ in 1 }.isEmpty)
        try give(1, to: anna, by: host, in: &story)
        let state = try story.outcome()
        #expect(state.reclaims(of: anna.author).map(\.slot) == [2])
    }

    @Test("a photo that was taken away is not claimed again")
    func removedLoser() throws {
        var story = try story()
        var copy = story
        let photos = [try story.photo(anna, slot: 1, salt: 1), try copy.photo(anna, slot: 1, salt: 2)]
        for operation in copy.operations.suffix(2) { story.take(operation) }
        for photo in photos { try story.say(.remove, by: anna, about: photo) }
        #expect(try story.outcome().album.reclaims(of: anna.author) { _, _ in 3 }.isEmpty)
    }
}
