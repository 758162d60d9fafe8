// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Departed members: the data that they leave, and their standing afterwards (protocol/rules.md §1.11).
@Suite struct LeavingTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let cleo = signingKey(3)

    private func story() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [ben, cleo], frames: 9)
        return story
    }

    @Test("who has gone is in no list, and all that it said stays, but what it took back")
    func stays() throws {
        var story = try story()
        let (first, second) = (try story.photo(ben, slot: 1), try story.photo(ben, slot: 2))
        try story.say(.name, by: ben, content: .name("Ben"))
        try story.say(.remove, by: ben, about: second)
        let before = try story.outcome()
        try story.say(.leave, by: ben)
        let state = try story.outcome()
        #expect(state.membership.hasLeft(ben.device) && !state.membership.isPresent(ben.author))
        #expect(state.membership.devices == [host.device, cleo.device].sorted())
        #expect(state.membership.nodeCount == 2 && before.membership.nodeCount == 3)
        #expect(state.status(first) == .frame(1) && state.status(second) == .removed)
        #expect(state.album.name(of: ben.author) == "Ben")
        #expect(state.digest == before.digest)
        // It is trusted on, to hand over what it leaves.
        #expect(state.membership.isMember(ben.device))
    }

    @Test("operations of a copy of the device after the leave count as before, until it is removed")
    func copy() throws {
        var story = try story()
        try story.photo(ben, slot: 1)
        try story.say(.leave, by: ben)
        let late = try story.photo(ben, slot: 2, salt: 7)
        #expect(try story.outcome().status(late) == .frame(2))
        var removed = story
        try removed.removeMember(ben, by: host)
        let more = try removed.photo(ben, slot: 3, salt: 8)
        #expect(try removed.outcome().status(late) == .frame(2))
        #expect(try removed.outcome().status(more) == nil)
    }

    @Test("a departed member serves no pages, whatever role it is given meanwhile")
    func pages() throws {
        var story = try story()
        try story.say(.leave, by: ben)
        try story.grant(.page, to: ben, by: host)
        #expect(!(try story.outcome().membership.mayServePages(ben.device)))
        try story.say(.leave, by: host)
        #expect(!(try story.outcome().membership.mayServePages(host.device)))
    }

    @Test("a leave by somebody who is not in, or with another's key as its subject, is about nobody else")
    func othersLeaves() throws {
        var story = try story()
        let stranger = signingKey(99)
        try story.say(.leave, by: stranger, OperationID(ben.device.bytes32))
        try story.say(.leave, by: cleo, OperationID(ben.device.bytes32))
        let state = try story.outcome()
        #expect(!state.membership.hasLeft(ben.device) && state.membership.hasLeft(cleo.device))
        #expect(!state.membership.hasLeft(stranger.device))
    }

    @Test("a leave that a revocation makes void is none")
    func voidLeave() throws {
        var story = try story()
        try story.removeMember(ben, by: host)
        try story.say(.leave, by: ben)
        #expect(!(try story.outcome().membership.hasLeft(ben.device)))
    }

    @Test("a guest with two nodes is there while one of its devices has not gone")
    func guests() throws {
        var story = try story()
        let (guest, first, second) = (signingKey(20), signingKey(21), signingKey(22))
        try story.join(first, sponsor: host, for: guest)
        try story.join(second, sponsor: cleo, for: guest)
        try story.say(.leave, by: first)
        #expect(try story.outcome().membership.isPresent(guest.author))
        try story.say(.leave, by: second)
        #expect(!(try story.outcome().membership.isPresent(guest.author)))
        #expect(try story.outcome().membership.isAuthor(guest.author))
    }

    @Test("a node is the last one when all others have departed or were removed; guests' keys are no nodes")
    func lastNode() throws {
        var story = try story()
        try story.join(signingKey(21), sponsor: ben, for: signingKey(20))
        #expect(try story.outcome().membership.hasOtherNodes(than: ben.device))
        try story.say(.leave, by: cleo)
        #expect(try story.outcome().membership.hasOtherNodes(than: ben.device))
        try story.say(.leave, by: host)
        #expect(!(try story.outcome().membership.hasOtherNodes(than: ben.device)))
    }
}
