// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The times within which photos count: the worked examples of protocol/rules.md §11.
@Suite struct ScheduleRaceTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    /// Open from the start for five hours, as the examples say, with photos until the end.
    private func story(_ change: (inout Charter) -> Void = { _ in }) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 12) { charter in
            charter.schedule.durationHours = 5
            charter.schedule.lateness = Lateness(minutes: 0)
            change(&charter)
        }
        try story.grant(.organizer, to: anna, by: event.eventKey)
        return story
    }

    private func time(_ hours: UInt64, _ minutes: UInt64 = 0) -> UInt64 {
        TestEvent.startMilliseconds + hours * 3_600_000 + minutes * 60_000
    }

    @Test("a photo's time counts and not that of its arrival, with ten minutes for clocks and transfers")
    func aroundTheEnd() throws {
        var story = try story()
        let early = try story.photo(ben, slot: 1, milliseconds: time(0) - 600_001)
        let photos = try [(4, 59), (5, 5), (5, 10)].enumerated().map { slot, time in
            try story.photo(ben, slot: UInt64(slot) + 2, milliseconds: self.time(time.0, time.1))
        }
        let late = try story.photo(ben, slot: 5, milliseconds: time(5, 10) + 1)
        let state = try story.outcome()
        #expect(photos.map { state.status($0) } == [.frame(2), .frame(3), .frame(4)])
        #expect([early, late].map { state.status($0) } == [.waiting, .waiting])
        #expect(state.photo(PhotoID(early.id)).flatMap(state.untimeliness) == .early)
        #expect(state.photo(PhotoID(late.id)).flatMap(state.untimeliness) == .late)
        // Their claims hold their frames, so nothing is to be claimed again.
        #expect(state.reclaims(of: ben.author).isEmpty)
    }

    @Test("the photos of organizers and photographers count at any time")
    func unlimited() throws {
        var story = try story()
        try story.grant(.photographer, to: ben, by: host)
        let photos = [
            try story.photo(ben, slot: 1, milliseconds: time(30)),
            try story.photo(host, slot: 1, milliseconds: time(30)),
        ]
        let state = try story.outcome()
        #expect(photos.map { state.status($0) } == [.frame(1), .frame(1)])
        try story.revoke(.photographer, of: ben, by: host)
        #expect(try story.outcome().status(photos[0]) == .waiting)
    }

    @Test("an end that is changed while somebody is away, and more time for late photos")
    func changedEnd() throws {
        var story = try story()
        let first = [try #require(story.operations.first).id]
        let photo = try story.photo(ben, slot: 1, milliseconds: time(4, 30))
        #expect(try story.outcome().status(photo) == .frame(1))
        try story.edit(.durationHours, by: host, follows: first) { $0.schedule.durationHours = 4 }
        #expect(try story.outcome().status(photo) == .waiting)
        try story.edit(.lateness, by: anna, follows: first) { $0.schedule.lateness = Lateness(minutes: 60) }
        #expect(try story.outcome().status(photo) == .frame(1))
        try story.edit(.lateness, by: host) { $0.schedule.lateness = Lateness(minutes: 0) }
        #expect(try story.outcome().status(photo) == .waiting)
        try story.edit(.lateness, by: host) { $0.schedule.lateness = nil }
        #expect(try story.outcome().status(photo) == .frame(1))
    }

    @Test("an event is deleted by the edits of its end that are signed after it, and by no clock")
    func deleted() throws {
        var story = try story { $0.schedule.retentionHours = 48 }
        let now = time(3)
        var edited = try #require(try story.outcome().charter)
        #expect(!edited.isDeleted)
        edited.delete(at: now)
        #expect(edited.expiresAtMilliseconds <= now)
        let fields = try #require(try story.outcome().charter).differences(from: edited)
        #expect(fields == [.durationHours, .retentionHours, .isClosed])
        for field in fields {
            try story.edit(field, by: anna, milliseconds: now) { $0.take(field, from: edited) }
            #expect(try story.outcome().charter?.isDeleted == (field != .durationHours))
        }
        let charter = try #require(try story.outcome().charter)
        #expect(charter.isDeleted && charter.phase(at: now, isRevealed: false) == .expired)
        // Nobody can keep the photos for longer: retention begins at the earliest end that guests were told.
        try story.edit(.durationHours, by: host, milliseconds: now + 1) { $0.schedule.durationHours = 100 }
        try story.edit(.retentionHours, by: host, milliseconds: now + 1) { $0.schedule.retentionHours = 100 }
        #expect(try story.outcome().charter?.isDeleted == true)
    }

    @Test("a draft, and an event that begins later, can be deleted, too", arguments: [true, false])
    func deletedBefore(isDraft: Bool) throws {
        var charter = Charter(name: "Party", startsAtMilliseconds: time(100))
        (charter.isOpened, charter.schedule.startsOnOpening) = (!isDraft, isDraft)
        charter.delete(at: time(1))
        #expect(charter.isWellFormed && charter.expiresAtMilliseconds <= time(1))
    }

    @Test("an event that is closed is over at the time of that edit, and one that is opened again at its end")
    func closed() throws {
        var story = try story()
        let photos = [
            try story.photo(ben, slot: 1, milliseconds: time(1, 50)),
            try story.photo(ben, slot: 2, milliseconds: time(3)),
        ]
        try story.edit(.isClosed, by: host, milliseconds: time(2)) { $0.isClosed = true }
        let closed = try story.outcome()
        #expect(closed.charter?.overAtMilliseconds == time(2))
        #expect(photos.map { closed.status($0) } == [.frame(1), .waiting])
        try story.edit(.isClosed, by: anna, milliseconds: time(3, 30)) { $0.isClosed = false }
        let open = try story.outcome()
        #expect(open.charter?.overAtMilliseconds == time(5))
        #expect(photos.map { open.status($0) } == [.frame(1), .frame(2)])
    }

    @Test("a photo is no earlier than what it follows in its chain, whenever that comes")
    func backdated() throws {
        var story = try story()
        try story.say(.name, by: ben, content: .name("Ben"), milliseconds: time(5, 40))
        let name = try #require(story.operations.last)
        let photo = try story.photo(ben, slot: 1, milliseconds: time(4))
        let state = try story.outcome()
        #expect(state.status(photo) == .waiting)
        #expect(state.album.photoTime(of: PhotoID(photo.id)) == time(5, 40))
        #expect(event.fold(story.operations.filter { $0.id != name.id }).status(photo) == .frame(1))
    }

    @Test("photos of a draft wait, and those of before the opening do after it")
    func draft() throws {
        var story = try story { ($0.isOpened, $0.schedule.startsOnOpening) = (false, true) }
        let trial = try story.photo(ben, slot: 1, milliseconds: time(1))
        let draft = try story.outcome()
        #expect(draft.status(trial) == .waiting)
        #expect(draft.charter?.phase(at: time(24 * 300), isRevealed: true) == .draft)
        #expect(draft.charter?.phase(at: time(24 * 380), isRevealed: true) == .expired)
        let follows = draft.follows(.startsAt)
        for field in [CharterField.startsAt, .startsOnOpening, .isOpened] {
            try story.edit(field, by: host, follows: follows, milliseconds: time(72)) { value in
                value.schedule.startsAtMilliseconds = time(72)
                (value.schedule.startsOnOpening, value.isOpened) = (false, true)
            }
        }
        let photo = try story.photo(ben, slot: 2, milliseconds: time(73))
        let open = try story.outcome()
        #expect([trial, photo].map { open.status($0) } == [.waiting, .frame(2)])
        #expect(open.charter?.endsAtMilliseconds == time(77))
        #expect(open.charter?.phase(at: time(75), isRevealed: true) == .open)
    }

    @Test("each day adds its frames, and what is left of one remains")
    func frames() throws {
        var story = try story { ($0.schedule.durationHours, $0.frames, $0.areFramesDaily) = (49, 2, true) }
        let hours: [UInt64] = [1, 2, 3, 24, 25, 47, 48, 49]
        let photos = try hours.enumerated().map {
            try story.photo(ben, slot: UInt64($0) + 1, milliseconds: time($1))
        }
        let state = try story.outcome()
        #expect(
            photos.map { state.status($0) } == [
                .frame(1), .frame(2), .waiting, .frame(4), .waiting, .waiting, .waiting, .waiting,
            ])
        #expect([0, 23, 24, 48, 500].map { state.rollLimit(of: ben.author, at: time($0)) } == [2, 2, 4, 6, 6])
        #expect(state.charter?.framesInAll == 6)
        // An open event keeps the promise.
        try story.edit(.areFramesDaily, by: host) { $0.areFramesDaily = false }
        #expect(try story.outcome().charter?.areFramesDaily == true)
    }

    @Test("a photo that lost its frame claims one that its own day has")
    func reclaimOfADay() throws {
        var story = try story { ($0.schedule.durationHours, $0.frames, $0.areFramesDaily) = (48, 2, true) }
        try story.photo(ben, slot: 1, milliseconds: time(1))
        var copy = story
        try story.photo(ben, slot: 2, salt: 1, milliseconds: time(2))
        try copy.photo(ben, slot: 2, salt: 2, milliseconds: time(2))
        for operation in copy.operations.suffix(2) { story.take(operation) }
        // No frame is left on the first day, and those of the second are not for it.
        #expect(try story.outcome().reclaims(of: ben.author).isEmpty)
        try story.edit(.frames, by: host) { $0.frames = 3 }
        #expect(try story.outcome().reclaims(of: ben.author).map(\.slot) == [3])
    }

    @Test("older nodes agree with an event that uses none of it")
    func digestOfBefore() throws {
        let plain = try story { $0.schedule.lateness = nil }
        var edited = plain
        try edited.edit(.lateness, by: host) { $0.schedule.lateness = Lateness(minutes: 5) }
        let with = try edited.outcome().digest
        try edited.edit(.lateness, by: host) { $0.schedule.lateness = nil }
        #expect(try edited.outcome().digest == plain.outcome().digest)
        #expect(try with != plain.outcome().digest)
    }
}
