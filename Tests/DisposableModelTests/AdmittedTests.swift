// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Which devices are in by the word of one member alone: those that may be removed together with it.
@Suite("Devices that one member vouches for") struct AdmittedTests {
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let cleo = signingKey(3)
    private let dora = signingKey(4)
    private let emil = signingKey(5)

    private func admitted(_ state: EventState, by sponsor: SigningKey) -> Set<DeviceID> {
        Set(state.membership.devices(admittedOnlyBy: sponsor.device.bytes32, except: host.device))
    }

    @Test("they are its own and theirs, without those with another way in and what these let in")
    func tree() throws {
        var story = Story(TestEvent())
        try story.found(host: host, guests: [ben, cleo], frames: 3)
        try story.join(dora, sponsor: ben)
        try story.join(emil, sponsor: dora)
        try story.join(signingKey(6), sponsor: ben, for: signingKey(7))
        #expect(try admitted(story.outcome(), by: ben) == [dora.device, emil.device])
        #expect(try admitted(story.outcome(), by: cleo).isEmpty)
        // A second way in, by way of somebody else.
        var other = story
        try other.join(dora, sponsor: cleo)
        #expect(try admitted(other.outcome(), by: ben).isEmpty)
        // Ways in that end at the member itself are none.
        var circle = story
        try circle.join(dora, sponsor: emil)
        #expect(try admitted(circle.outcome(), by: ben) == [dora.device, emil.device])
    }

    @Test("an organizer's grant vouches for a device and those that it let in; its end does so no more")
    func role() throws {
        var story = Story(TestEvent())
        try story.found(host: host, guests: [ben], frames: 3)
        try story.join(dora, sponsor: ben)
        try story.join(emil, sponsor: dora)
        try story.grant(.moderator, to: dora, by: host)
        #expect(try admitted(story.outcome(), by: ben).isEmpty)
        #expect(try admitted(story.outcome(), by: dora) == [emil.device])
        try story.revoke(.moderator, of: dora, by: host)
        #expect(try admitted(story.outcome(), by: ben) == [dora.device, emil.device])
        try story.grant(.page, to: emil, by: host)
        #expect(try admitted(story.outcome(), by: ben) == [dora.device])
    }

    @Test("who was removed is still one of them, and vouches for nobody")
    func removed() throws {
        var story = Story(TestEvent())
        try story.found(host: host, guests: [ben], frames: 3)
        try story.join(dora, sponsor: ben)
        try story.join(emil, sponsor: dora)
        try story.removeMember(dora, by: host)
        #expect(try admitted(story.outcome(), by: ben) == [dora.device, emil.device])
        try story.removeMember(ben, by: host)
        #expect(try admitted(story.outcome(), by: ben) == [dora.device, emil.device])
    }

    @Test("they are those to which no path of joins leads without it", arguments: UInt64(0)..<60)
    func paths(seed: UInt64) throws {
        // Without revocations every join is left, and every rank comes with a join.
        let set = try RandomOperations(seed: seed, hasRoles: false)
        let membership = set.event.fold(set.operations).membership
        let joins = set.operations.compactMap { operation -> (device: DeviceID, sponsor: DeviceID)? in
            guard case .join(let admission, _)? = operation.content else { return nil }
            return (operation.header.device, admission.sponsor)
        }
        let devices = Set(joins.map(\.device))
        for node in devices {
            var reached: Set<DeviceID> = [set.event.eventKey.device]
            for _ in joins {
                for join in joins where join.device != node && reached.contains(join.sponsor) {
                    reached.insert(join.device)
                }
            }
            let expected = devices.filter {
                $0 != node && membership.mayAuthor($0) && !reached.contains($0) && !membership.isSubKey($0)
            }
            let found = membership.devices(admittedOnlyBy: node.bytes32, except: set.event.eventKey.device)
            #expect(Set(found) == expected)
        }
    }

    @Test("heads for several are the heads for each, in whatever order operations came", arguments: UInt64(0)..<60)
    func headsOfSeveral(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed, count: 90)
        var random = SplitMix64(seed: seed)
        let membership = set.event.fold(set.operations.shuffled(using: &random)).membership
        let grantees = Set(set.operations.map(\.header.device)).sorted().map(\.bytes32)
        let heads = membership.heads(leaving: grantees)
        #expect(heads == grantees.map { membership.heads(leaving: $0) })
        #expect(heads == set.event.fold(set.operations).membership.heads(leaving: grantees))
        #expect(heads.contains { $0.count > 1 })
    }
}
