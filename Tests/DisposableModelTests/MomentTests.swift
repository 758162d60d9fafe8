// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The moments of an event: the worked example of protocol/rules.md §12, and the proofs.
@Suite struct MomentTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private static let minute: UInt64 = 60_000
    private static let day: UInt64 = 86_400_000

    private func story(hours: UInt32 = 72, _ change: (inout Charter) -> Void = { _ in }) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 12) { charter in
            charter.schedule.durationHours = hours
            charter.schedule.moments = MomentHours(from: 600, to: 1_320)
            change(&charter)
        }
        return story
    }

    private func minuteOfDay(_ moment: Moment, offset: Int = 0) -> Int {
        (Int(moment.startsAtMilliseconds / Self.minute) + offset + 1_440) % 1_440
    }

    @Test("each day of the event has one moment at a whole minute within the hours")
    func days() throws {
        let moments = try #require(try story().outcome().moments)
        #expect(moments.all.map(\.day) == [1, 2, 3])
        for moment in moments.all {
            let start = TestEvent.startMilliseconds + UInt64(moment.day - 1) * Self.day
            #expect((start..<start + Self.day).contains(moment.startsAtMilliseconds))
            #expect(moment.endsAtMilliseconds <= start + Self.day)
            #expect(moment.startsAtMilliseconds.isMultiple(of: Self.minute))
            #expect((600..<1_320).contains(minuteOfDay(moment)))
        }
        // The minutes of the days are not related to each other.
        #expect(Set(moments.all.map { minuteOfDay($0) }).count > 1)
    }

    @Test("hours past midnight, and those of another zone, are kept")
    func hours() throws {
        let night = try #require(
            try story { $0.schedule.moments = MomentHours(from: 1_320, to: 120, utcOffset: 330) }.outcome().moments)
        #expect(night.all.count == 3)
        for moment in night.all {
            let minute = minuteOfDay(moment, offset: 330)
            #expect(minute >= 1_320 || minute < 120)
        }
        let minute = UInt32(TestEvent.startMilliseconds / Self.minute % 1_440) + 30
        let only = try #require(
            try story(hours: 5) { $0.schedule.moments = MomentHours(from: minute, to: minute + 1) }.outcome().moments)
        #expect(only.all.map(\.startsAtMilliseconds) == [TestEvent.startMilliseconds + 30 * Self.minute])
    }

    @Test("an event without hours, a draft, and a day without a minute within the hours have no moment")
    func none() throws {
        #expect(try story { $0.schedule.moments = nil }.outcome().moments == nil)
        #expect(try story { $0.isOpened = false }.outcome().moments == nil)
        // The event of one hour has four minutes of these hours, and a moment takes five.
        let minute = UInt32(TestEvent.startMilliseconds / Self.minute % 1_440)
        let short = try story(hours: 1) { $0.schedule.moments = MomentHours(from: minute + 56, to: minute + 60) }
        #expect(try #require(try short.outcome().moments).all.isEmpty)
    }

    @Test("photos within the five minutes belong to the moment, those of the next minute as late ones, others not at all")
    func verdicts() throws {
        var story = try story()
        let moment = try #require(try story.outcome().moments?.all.first)
        let (start, end) = (moment.startsAtMilliseconds, moment.endsAtMilliseconds)
        let times = [start - 1, start, end - 1, end, end + 59_999, end + 60_000]
        let photos = try times.enumerated().map { slot, time in
            try story.photo(ben, slot: UInt64(slot) + 1, milliseconds: time)
        }
        let state = try story.outcome()
        let verdicts = photos.map { state.moment(of: PhotoID($0.id)) }
        #expect(verdicts.map { $0?.isLate } == [nil, false, false, true, true, nil])
        #expect(verdicts.compactMap { $0?.day } == [1, 1, 1, 1])
        // A moment decides about nothing else.
        #expect(photos.allSatisfy { if case .frame = state.status($0) { true } else { false } })
    }

    @Test("a photo cannot be dated back into a moment behind another operation of its device")
    func backdated() throws {
        var story = try story()
        let moment = try #require(try story.outcome().moments?.all.first)
        try story.say(.name, by: ben, content: .name("Ben"), milliseconds: moment.endsAtMilliseconds + 3_600_000)
        let photo = try story.photo(ben, slot: 1, milliseconds: moment.startsAtMilliseconds)
        #expect(try story.outcome().moment(of: PhotoID(photo.id)) == nil)
    }

    @Test("a moment after the event was closed does not take place, and one before it does")
    func closed() throws {
        var story = try story()
        let all = try #require(try story.outcome().moments?.all)
        try story.edit(.isClosed, by: host, milliseconds: all[1].startsAtMilliseconds + 1) { $0.isClosed = true }
        #expect(try story.outcome().moments?.all == Array(all.prefix(2)))
    }

    @Test("a link proves its moment against the commitment, and says nothing of later ones")
    func proofs() throws {
        let keys = MomentKeys(salt: Array(0..<16), event: event.event)
        for day in 1...MomentKeys.dayCountMax {
            var link = try #require(keys.link(of: day))
            for _ in 0..<day {
                let parent = SecretBytes(copying: link.bytes.span, in: .ordinary)
                let next = KeyDerivation.key(
                    from: parent, context: "disposable/1 moment link", input: event.event.bytes)
                link = try #require(Bytes32(next.withSpan { span in (0..<span.count).map { span[$0] } }))
            }
            #expect(link == keys.commitment)
        }
        #expect(keys.link(of: 0) == nil && keys.link(of: 31) == nil)
        let other = MomentKeys(salt: Array(1..<17), event: event.event)
        #expect(other.commitment != keys.commitment)
    }

    @Test("the minutes of many events are spread over the hours")
    func spread() {
        var hours: [Int: Int] = [:]
        var charter = Charter(name: "Camp", startsAtMilliseconds: TestEvent.startMilliseconds, durationHours: 720)
        charter.schedule.moments = MomentHours(from: 600, to: 1_320)
        for number in 0..<UInt8(40) {
            let keys = MomentKeys(salt: Array(repeating: number, count: 16), event: event.event)
            for moment in Moments(charter, keys: keys)?.all ?? [] { hours[minuteOfDay(moment) / 60, default: 0] += 1 }
        }
        // 1,200 moments in twelve hours: about a hundred in each.
        #expect(Set(hours.keys) == Set(10..<22))
        #expect(hours.values.allSatisfy { (60...150).contains($0) })
    }

    @Test("hours that do not exist are refused", arguments: [
        MomentHours(from: 1_440, to: 10), MomentHours(from: 0, to: 0), MomentHours(from: 0, to: 1_441),
        MomentHours(from: 5, to: 5), MomentHours(from: 0, to: 5, utcOffset: 841),
        MomentHours(from: 0, to: 5, utcOffset: -841),
    ])
    func malformed(hours: MomentHours) {
        var charter = Charter(name: "Party", startsAtMilliseconds: TestEvent.startMilliseconds)
        charter.schedule.moments = hours
        #expect(!charter.isWellFormed)
    }

    @Test("a clock from before the event, or that contradicts the corroborated time, is not set")
    func clocks() {
        let hour: UInt64 = 3_600_000
        #expect(Moments.isClockSet(10 * hour, foundedAt: 9 * hour, corroborated: nil))
        #expect(Moments.isClockSet(10 * hour, foundedAt: 9 * hour, corroborated: 10 * hour + 600_000))
        #expect(!Moments.isClockSet(10 * hour, foundedAt: 9 * hour, corroborated: 10 * hour + 600_001))
        #expect(!Moments.isClockSet(10 * hour, foundedAt: 9 * hour, corroborated: 9 * hour))
        #expect(!Moments.isClockSet(8 * hour, foundedAt: 9 * hour, corroborated: nil))
        #expect(!Moments.isClockSet(10 * hour, foundedAt: nil, corroborated: nil))
    }

    @Test("an organizer who changes the hours changes the moments of all days, the same on every node")
    func edited() throws {
        var story = try story()
        let before = try #require(try story.outcome().moments?.all)
        try story.edit(.moments, by: host) { $0.schedule.moments = MomentHours(from: 0, to: 60) }
        let after = try #require(try story.outcome().moments?.all)
        #expect(after.count == 3 && after != before)
        try story.edit(.moments, by: host) { $0.schedule.moments = nil }
        #expect(try story.outcome().moments == nil)
    }
}
