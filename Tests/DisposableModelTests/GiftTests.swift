// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Given frames: the worked examples 19.1 to 19.7 of protocol/rules.md.
@Suite struct GiftTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let cleo = signingKey(4)
    private let guest = signingKey(5)
    private let atHost = signingKey(6)
    private let atBen = signingKey(7)

    private func founded(frames: UInt32 = 3, _ change: (inout Charter) -> Void = { _ in }) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben, cleo], frames: frames, change: change)
        return story
    }

    @discardableResult
    private func give(
        _ slot: UInt64, to recipient: SigningKey, by giver: SigningKey, salt: UInt8 = 0, in story: inout Story
    ) throws -> VerifiedOperation {
        try story.say(
            .gift, by: giver, OperationID(recipient.device.bytes32), argument: slot,
            milliseconds: TestEvent.startMilliseconds + UInt64(salt))
    }

    private func frames(_ key: SigningKey, _ story: Story) throws -> UInt64? {
        try story.outcome().rollLimit(of: key.author, at: 0)
    }

    @Test("a given frame is the recipient's, and no photo of the giver has it")
    func given() throws {
        var story = try founded()
        try give(3, to: ben, by: anna, in: &story)
        let photos = try (1...4).map { try story.photo(ben, slot: $0) }
        let own = try (1...3).map { try story.photo(anna, slot: $0) }
        let state = try story.outcome()
        #expect(photos.compactMap { state.status($0) } == (1...4).map { .frame($0) })
        #expect(own.compactMap { state.status($0) } == [.frame(1), .frame(2), .waiting])
        #expect(state.rollLimit(of: anna.author, at: 0) == 3 && state.album.usedSlotCount(of: anna.author) == 3)
        #expect(state.gifts(to: ben.author) == [anna.author: 1] && state.gifts(by: anna.author) == [ben.author: 1])
        #expect(state.frames(givableBy: anna.author).isEmpty)
    }

    @Test("a gift and a photo of one frame at two nodes: the earlier in its chain has it, and the other nothing")
    func twoNodes() throws {
        var story = try founded(frames: 1)
        try story.join(atHost, sponsor: host, for: guest)
        try story.join(atBen, sponsor: ben, for: guest)
        // A photo and a name come before the gift at one node, so the claim of the photo at the other is earlier.
        try story.say(.name, by: atBen, content: .name("Gus"))
        try story.say(.name, by: atBen, content: .name("Guy"))
        let gift = try give(1, to: cleo, by: atBen, in: &story)
        let late = try story.photo(cleo, slot: 2)
        #expect(try story.outcome().status(late) == .frame(2))
        let photo = try story.photo(atHost, slot: 1)
        let state = try story.outcome()
        #expect(gift.header.sequence == 2 && state.status(photo) == .frame(1))
        #expect(state.rollLimit(of: cleo.author, at: 0) == 1 && state.status(late) == .waiting)
        // Cleo's photo keeps its place for another frame.
        #expect(state.reclaims(of: cleo.author).isEmpty)
        try give(1, to: cleo, by: anna, in: &story)
        #expect(try story.outcome().status(late) == .frame(2))
    }

    @Test("of two gifts of one frame one counts")
    func twice() throws {
        var story = try founded()
        var copy = story
        let gifts = [try give(3, to: ben, by: anna, in: &story), try give(3, to: cleo, by: anna, in: &copy)]
        story.take(gifts[1])
        let isFirst = gifts[0].id < gifts[1].id
        #expect(try frames(ben, story) == (isFirst ? 4 : 3))
        #expect(try frames(cleo, story) == (isFirst ? 3 : 4))
        try give(3, to: host, by: anna, in: &story)
        #expect(try frames(ben, story) == (isFirst ? 4 : 3))
    }

    @Test("received frames cannot be passed on, and at most as many count as the charter gives")
    func bounds() throws {
        var story = try founded()
        for slot in [1, 2, 3, 4] as [UInt64] { try give(slot, to: ben, by: anna, in: &story) }
        #expect(try frames(ben, story) == 6)
        try give(1, to: ben, by: cleo, in: &story)
        #expect(try frames(ben, story) == 6)
        for slot in [4, 5, 6, 0, 1_001] as [UInt64] { try give(slot, to: cleo, by: ben, in: &story) }
        #expect(try frames(cleo, story) == 3)
        // The giver can give frames that an organizer has added.
        try story.say(.frames, by: host, OperationID(ben.device.bytes32), argument: 1)
        #expect(try frames(cleo, story) == 4)
        try give(2, to: anna, by: anna, in: &story)
        #expect(try frames(anna, story) == 3)
    }

    @Test("a thousand gifts of frames that are not the givers' own add none, until organizers have given such a frame")
    func beyondOwn() throws {
        let givers = (100..<1_100).map { signingKey($0) }
        var story = Story(event)
        try story.found(host: host, guests: [ben] + givers, frames: 3)
        for giver in givers { try give(1_000, to: ben, by: giver, in: &story) }
        let photos = try (1...1_000).map { try story.photo(ben, slot: $0) }
        var state = event.fold(story.operations)
        #expect(photos.prefix(4).compactMap { state.status($0) } == [.frame(1), .frame(2), .frame(3), .waiting])
        #expect(photos.count { state.status($0) == .waiting } == 997)
        #expect(state.gifts(to: ben.author).isEmpty && state.giftRoom(of: ben.author) == 3)
        try story.say(.frames, by: host, OperationID(givers[7].device.bytes32), argument: 997)
        state = event.fold(story.operations.reversed())
        #expect(state.gifts(to: ben.author) == [givers[7].author: 1] && state.rollLimit(of: ben.author, at: 0) == 4)
        #expect(photos.count { state.status($0) == .waiting } == 996)
    }

    @Test("without a limit, and with frames for each day, gifts have no effect; they have one again without it")
    func off() throws {
        for (count, isDaily) in [(0, false), (3, true)] as [(UInt32, Bool)] {
            var story = try founded(frames: count) { $0.areFramesDaily = isDaily }
            try give(3, to: ben, by: anna, in: &story)
            let state = try story.outcome()
            #expect(state.rollLimit(of: ben.author, at: TestEvent.startMilliseconds) == (count == 0 ? nil : 3))
            #expect(state.gifts(to: ben.author).isEmpty && state.frames(givableBy: cleo.author).isEmpty)
            #expect(state.giftRefusal(1, to: ben.author, by: cleo.author, left: nil) == .off)
        }
        var story = try founded()
        try give(5, to: ben, by: anna, in: &story)
        #expect(try frames(ben, story) == 3)
        try story.edit(.frames, by: host) { $0.frames = 5 }
        #expect(try frames(ben, story) == 6)
    }

    @Test("a gift of a removed member that is left counts, another does not")
    func removedGiver() throws {
        var story = try founded()
        try give(3, to: ben, by: anna, in: &story)
        let photo = try story.photo(ben, slot: 4)
        try story.removeMember(anna, by: host)
        try give(2, to: ben, by: anna, in: &story)
        let state = try story.outcome()
        #expect(state.rollLimit(of: ben.author, at: 0) == 4 && state.status(photo) == .frame(4))
        #expect(state.giftRefusal(1, to: anna.author, by: ben.author, left: nil) == .unknownRecipient)
    }

    @Test("who becomes a photographer has given what it gave; a removal of the gift has no effect")
    func roles() throws {
        var story = try founded()
        let gift = try give(3, to: ben, by: anna, in: &story)
        try story.grant(.photographer, to: anna, by: host)
        try story.say(.remove, by: anna, about: gift)
        try story.say(.erase, by: host, about: gift)
        let state = try story.outcome()
        #expect(state.rollLimit(of: ben.author, at: 0) == 4)
        #expect(state.giftRefusal(1, to: ben.author, by: anna.author, left: nil) == .unlimited)
        #expect(state.giftRefusal(1, to: anna.author, by: ben.author, left: nil) == .recipientUnlimited)
    }

    @Test("a refusal says why")
    func refusals() throws {
        var story = try founded()
        try story.photo(anna, slot: 1)
        let state = try story.outcome()
        func refusal(_ count: Int, to key: SigningKey, left: Int? = nil) -> GiftRefusal? {
            state.giftRefusal(count, to: key.author, by: anna.author, left: left)
        }
        #expect(state.frames(givableBy: anna.author) == [3, 2])
        #expect(refusal(2, to: ben) == nil && refusal(2, to: ben, left: 2) == nil)
        #expect(refusal(2, to: ben, left: 3) == .changed(left: 2))
        #expect(refusal(3, to: ben) == .tooFew(left: 2))
        #expect(refusal(0, to: ben) == .wrongNumber && refusal(28, to: ben) == .wrongNumber)
        #expect(refusal(1, to: anna) == .oneself && refusal(1, to: host) == .recipientUnlimited)
        #expect(refusal(1, to: signingKey(99)) == .unknownRecipient)
        for slot in [2, 3] as [UInt64] { try give(slot, to: cleo, by: ben, in: &story) }
        let later = try story.outcome()
        #expect(later.giftRefusal(2, to: cleo.author, by: anna.author, left: nil) == .recipientFull(left: 1))
    }
}
