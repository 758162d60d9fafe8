// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

/// Critical operations by organizers, of kinds that this version does not know (disposable-v1.md §9.13).
@Suite struct NewerVersionTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let thief = signingKey(4)

    private func story() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben], frames: 3)
        try story.photo(ben, slot: 1)
        return story
    }

    @Test(
        "an organizer's makes a node say that it needs a newer version, in either set, and there is no digest",
        arguments: [OperationSet.authority, .content])
    func organizer(set: OperationSet) throws {
        var story = try story()
        let before = try story.outcome()
        try story.say(later: 200, by: host, set: set)
        let state = try story.outcome()
        #expect(state.needsNewerVersion && state.digest == nil)
        // What it knows it shows on.
        #expect(state.gallery == before.gallery && state.membership.devices == before.membership.devices)
    }

    @Test("the event key's does, too")
    func eventKey() throws {
        var story = try story()
        try story.say(later: 63, by: event.eventKey, set: .authority)
        #expect(try story.outcome().needsNewerVersion)
    }

    @Test("one by a participant, a moderator or a device without a join changes nothing")
    func others() throws {
        var story = try story()
        try story.grant(.moderator, to: anna, by: host)
        let before = try story.outcome()
        for key in [anna, ben, thief] { try story.say(later: 200, by: key, set: .content) }
        let state = try story.outcome()
        #expect(!state.needsNewerVersion && state.digest == before.digest && state.digest != nil)
    }

    @Test("without the flag nobody's does, and a known kind with the flag is what it is without")
    func uncritical() throws {
        var story = try story()
        try story.say(later: 200, by: host, set: .authority, flags: [])
        try story.say(later: OperationKind.remove.rawValue, by: host, set: .authority)
        #expect(try !story.outcome().needsNewerVersion)
    }

    @Test("what an organizer stated before losing the role counts, what came after does not, until the role is back")
    func revoked() throws {
        var story = try story()
        try story.grant(.organizer, to: anna, by: event.eventKey)
        let revocation = try story.revoke(.organizer, of: anna, by: event.eventKey)
        try story.say(later: 200, by: anna, set: .authority)
        #expect(try !story.outcome().needsNewerVersion)
        try story.grant(.organizer, to: anna, by: event.eventKey, cancels: [revocation])
        #expect(try story.outcome().needsNewerVersion)
        try story.revoke(.organizer, of: anna, by: event.eventKey)
        #expect(try story.outcome().needsNewerVersion)
    }
}

extension Story {
    /// Signs an operation of a later version.
    mutating func say(
        later kind: UInt8, by key: SigningKey, set: OperationSet, flags: OperationHeader.Flags = .critical
    ) throws {
        let last = operations.last { $0.header.device == key.device && $0.header.set == set }
        let header = OperationHeader(
            kind: kind, flags: set == .authority ? flags.union(.authority) : flags, event: event.event,
            device: key.device, sequence: last.map { $0.header.sequence + 1 } ?? 0, previous: last?.id ?? .none,
            timestamp: HybridTimestamp(milliseconds: TestEvent.startMilliseconds, counter: 0), subject: .none,
            argument: 0, bodyHash: .zero, bodyByteCount: 0)
        take(
            try UncheckedOperation(
                headerBytes: header.bytes, signature: key.signature(for: header.signedBytes), body: nil
            ).verified(event: event.event))
    }
}
