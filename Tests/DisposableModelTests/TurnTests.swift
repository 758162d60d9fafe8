// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Turned photos: the worked examples 17.1 and 17.2 of protocol/rules.md.
@Suite struct TurnTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let guest = signingKey(3)
    private let atHost = signingKey(4)
    private let atBen = signingKey(5)

    private func founded() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [ben], frames: 12)
        try story.join(atHost, sponsor: host, for: guest)
        try story.join(atBen, sponsor: ben, for: guest)
        return story
    }

    private func turn(
        _ photo: VerifiedOperation, by key: SigningKey, _ argument: UInt64, after milliseconds: UInt64 = 0,
        in story: inout Story
    ) throws {
        try story.say(
            .turn, by: key, about: photo, argument: argument, milliseconds: TestEvent.startMilliseconds + milliseconds)
    }

    private func degrees(_ photo: VerifiedOperation, _ story: Story) throws -> Int {
        try story.outcome().album.turn(of: PhotoID(photo.id)).degrees
    }

    @Test("of a guest's turns at two nodes the later one counts, and the gallery digest is that of before")
    func twoNodes() throws {
        var story = try founded()
        let photo = try story.photo(atHost, slot: 1)
        let digest = try story.outcome().digest
        #expect(try degrees(photo, story) == 0)
        try turn(photo, by: atHost, 1, after: 2_000, in: &story)
        try turn(photo, by: atBen, 2, after: 1_000, in: &story)
        #expect(try degrees(photo, story) == 90)
        try turn(photo, by: atBen, 3, after: 3_000, in: &story)
        #expect(try degrees(photo, story) == 270)
        try turn(photo, by: atBen, 0, after: 3_000, in: &story)
        #expect(try degrees(photo, story) == 0)
        #expect(try story.outcome().digest == digest)
    }

    @Test("turns of others, and undefined arguments, have no effect")
    func others() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        try turn(photo, by: host, 1, in: &story)
        for argument in [4, 90, 257, 1 << 32 | 1] as [UInt64] { try turn(photo, by: ben, argument, in: &story) }
        #expect(try degrees(photo, story) == 0)
        try turn(photo, by: ben, 2, in: &story)
        #expect(try degrees(photo, story) == 180)
    }
}
