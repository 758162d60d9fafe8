// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct MomentRouteTests {
    private static let startMilliseconds: UInt64 = 1_800_000_000_000
    private static let keys = MomentKeys(salt: Array(0..<16), event: EventID(Bytes32([UInt8](repeating: 7, count: 32))!))

    /// Two days: the moment of the first is over, and that of the second may run.
    private static func moments(isRunning: Bool) throws -> MomentsNow {
        var charter = Charter(name: "Camp", startsAtMilliseconds: startMilliseconds, durationHours: 48)
        charter.schedule.moments = MomentHours(from: 600, to: 1_320, utcOffset: 60)
        let all = try #require(Moments(charter, keys: keys)).all
        func entry(_ moment: Moment, isOver: Bool) -> MomentsNow.Entry {
            MomentsNow.Entry(
                moment: moment, link: isOver ? keys.link(of: moment.day) : nil, photoCount: 3, lateCount: 1)
        }
        return MomentsNow(
            hours: try #require(charter.schedule.moments), commitment: keys.commitment, isClockSet: true,
            running: isRunning ? entry(all[1], isOver: false) : nil, past: [entry(all[0], isOver: true)],
            milliseconds: all[1].startsAtMilliseconds + 60_000)
    }

    @Test("guests are told the moment that runs, with the remaining time, and links of those that are over only")
    func running() async throws {
        let gallery = try TestGallery()
        let moments = try Self.moments(isRunning: true)
        gallery.with { $0.moments = moments }
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let reply = try await client.get(gallery.path + "api/moment")
            let answer = try reply.object
            #expect(answer["commitment"] as? String == Self.keys.commitment.description)
            let running = try #require(answer["running"] as? [String: Any])
            #expect(running["day"] as? Int == 2)
            #expect(running["remainingMilliseconds"] as? Int == 240_000)
            let past = try #require(answer["past"] as? [[String: Any]])
            #expect(past.map { $0["day"] as? Int } == [1])
            #expect(past.first?["link"] as? String == Self.keys.link(of: 1)?.description)
            #expect((past.first?["count"] as? Int, past.first?["lateCount"] as? Int) == (3, 1))
            // Nothing from which the minute of a later day follows.
            let later = (2...MomentKeys.dayCountMax).compactMap { Self.keys.link(of: $0)?.description }
            let text = String(decoding: reply.body, as: UTF8.self)
            #expect(!later.contains { text.contains($0) })
        }
    }

    @Test("an event without moments says so")
    func none() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let answer = try await client.opening(gallery).get(gallery.path + "api/moment").object
            #expect(answer["hours"] is NSNull && answer["commitment"] is NSNull && answer["running"] is NSNull)
            #expect((answer["past"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("a stream announces the begin and the end of a moment")
    func announced() async throws {
        let gallery = try TestGallery()
        let (before, during) = (try Self.moments(isRunning: false), try Self.moments(isRunning: true))
        gallery.with { $0.moments = before }
        try await withPortal([gallery]) { _, client in
            var stream = try await client.opening(gallery).events(gallery.path + "api/updates")
            #expect(try await stream.next()?.name == "hello")
            // The portal has to look at the present state first.
            try await Task.sleep(for: .seconds(3))
            for (moments, isRunning) in [(during, true), (before, false)] {
                gallery.with { $0.moments = moments }
                let event = try #require(try await stream.next())
                #expect(event.name == "moment")
                let data = try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any]
                #expect((data?["running"] is NSNull) != isRunning)
            }
        }
    }

    @Test("the photos of a moment are listed by its day, each with its verdict")
    func photos() async throws {
        let gallery = try TestGallery()
        for (number, verdict) in [
            nil, MomentVerdict(day: 1, isLate: false), MomentVerdict(day: 1, isLate: true),
            MomentVerdict(day: 2, isLate: false),
        ].enumerated() {
            let photo = gallery.put([UInt8(number)], by: .stranger(1))
            gallery.with { state in
                let place = state.items.firstIndex { $0.photo.id == photo.id }!  // just added
                state.items[place].photo.context.moment = verdict
            }
        }
        try await withPortal([gallery]) { _, client in
            let client = try await client.opening(gallery)
            let answer = try await client.get(gallery.path + "api/photos?moment=1").object
            let photos = try #require(answer["photos"] as? [[String: Any]])
            #expect(photos.map { ($0["moment"] as? [String: Any])?["late"] as? Bool } == [true, false])
            #expect(answer["count"] as? Int == 2)
            let all = try await client.get(gallery.path + "api/photos").object["photos"] as? [[String: Any]]
            #expect(all?.last?["moment"] is NSNull)
            for query in ["moment=0", "moment=x", "moment=-1", "moment=99999999999"] {
                let refused = try await client.get(gallery.path + "api/photos?" + query)
                #expect(refused.errorCode == "malformed-request")
            }
        }
    }
}
