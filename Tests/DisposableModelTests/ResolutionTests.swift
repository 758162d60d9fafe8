// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Operations that members can multiply cost one step each, not an examination of everything.
@Suite("Deriving the standing") struct ResolutionTests {
    private let host = signingKey(1)
    private let mallory = signingKey(2)

    private func removed() throws -> Story {
        var story = Story(TestEvent())
        try story.found(host: host, guests: [mallory], frames: 3)
        try story.removeMember(mallory, by: host)
        return story
    }

    @Test("joins sponsored by a removed device, for guests too, do not derive the standing again")
    func joinsByRemoved() throws {
        let story = try removed()
        let event = story.event
        var state = event.fold(story.operations)
        let before = state.resolutionCount
        var joins: [VerifiedOperation] = []
        for number in 0..<200 {
            let guest = number % 2 == 0 ? signingKey(50_000 + UInt64(number) % 5) : nil
            joins.append(try event.join(signingKey(10_000 + UInt64(number)), sponsor: mallory, for: guest))
        }
        for join in joins { state.apply(join) }
        #expect(state.resolutionCount == before)
        #expect(state.membership.devices == [host.device])
        // The joins first, and the removal after them.
        let fresh = event.fold(joins + story.operations)
        #expect(state == fresh)
        #expect(state.digest == fresh.digest)
    }

    @Test("nor do joins of devices that another removed device's revocation leaves")
    func joinsByAnotherRemoved() throws {
        let (event, other) = (TestEvent(), signingKey(3))
        var story = Story(event)
        try story.found(host: host, guests: [mallory, other], frames: 3)
        let devices = (0..<20).map { signingKey(10_000 + UInt64($0)) }
        for device in devices { try story.join(device, sponsor: mallory) }
        try story.removeMember(mallory, by: host)
        try story.say(
            .revokeDevice, by: host, OperationID(other.device.bytes32), content: .revocation(heads: []))
        var state = event.fold(story.operations)
        #expect(devices.allSatisfy { state.membership.isMember($0.device) })
        let before = state.resolutionCount
        let joins = try devices.map { try event.join($0, sponsor: other) }
        for join in joins { state.apply(join) }
        #expect(state.resolutionCount == before)
        #expect(state == event.fold(joins + story.operations))
    }

    @Test("new devices of a removed guest do not derive the standing again")
    func devicesOfRemovedGuest() throws {
        let (event, guest) = (TestEvent(), signingKey(3))
        var story = Story(event)
        try story.found(host: host, guests: [], frames: 3)
        try story.join(signingKey(4), sponsor: host, for: guest)
        try story.removeMember(guest, by: host)
        var state = event.fold(story.operations)
        let before = state.resolutionCount
        let joins = try (0..<100).map { try event.join(signingKey(20_000 + $0), sponsor: host, for: guest) }
        for join in joins { state.apply(join) }
        #expect(state.resolutionCount == before)
        #expect(state == event.fold(joins.reversed() + story.operations.reversed()))
    }

    @Test("a device that becomes the sub-key of a removed node is void, and not the members that it let in before")
    func memberThatJoinsAtRemovedNode() throws {
        let (anna, ben) = (signingKey(5), signingKey(6))
        var story = Story(TestEvent())
        try story.found(host: host, guests: [mallory, anna], frames: 3)
        try story.join(ben, sponsor: anna)
        try story.photo(anna, slot: 1)
        try story.photo(ben, slot: 1)
        try story.say(
            .revokeDevice, by: host, OperationID(mallory.device.bytes32), content: .revocation(heads: []))
        #expect(try story.outcome().gallery.count == 2)
        try story.join(anna, sponsor: mallory, for: signingKey(7))
        let state = try story.outcome()
        #expect(state.gallery.map(\.device) == [ben.device])
        #expect(Set(state.membership.devices) == [host.device, ben.device])
    }

    @Test("a device that waits for its sponsor and signs at a removed node does not come in with its sponsor")
    func waitingDevice() throws {
        let (anna, ben) = (signingKey(5), signingKey(6))
        var story = Story(TestEvent())
        try story.found(host: host, guests: [mallory], frames: 3)
        try story.removeMember(mallory, by: host)
        try story.join(ben, sponsor: anna)
        try story.join(ben, sponsor: mallory, for: signingKey(7))
        try story.join(anna, sponsor: host)
        #expect(try story.outcome().membership.devices == [host, anna].map(\.device).sorted())
    }

    @Test("names, reactions and comments in falling order read as in rising order")
    func fallingOrder() throws {
        let event = TestEvent()
        let photo = try event.photo(host, 1)
        var operations = [try event.charter(), try event.join(host, sponsor: event.eventKey), photo]
        for sequence in (2..<80 as Range<UInt32>).reversed() {
            operations.append(try event.name(host, sequence, "Name \(sequence)"))
            operations.append(
                try event.operation(
                    .comment, by: host, sequence: sequence + 100, subject: photo.id,
                    content: .text("comment \(sequence)")))
        }
        let states = [event.fold(operations), event.fold(operations.reversed()), event.fold(batch: operations)]
        for state in states {
            #expect(state == states[0])
            #expect(state.album.name(of: host.author) == "Name 79")
            #expect(state.album.comments(on: PhotoID(photo.id)).count == Remarks.commentsPerPhotoMax)
        }
    }
}
