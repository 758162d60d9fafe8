// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// A removal that has destroyed what it does not leave (protocol/disposable-v1.md §9.5, R-33).
@Suite("Removals with everything") struct DiscardTests {
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let cleo = signingKey(3)
    private let dora = signingKey(4)
    private let guest = signingKey(50)
    private let subKey = signingKey(51)

    private func begin() throws -> Story {
        var story = Story(TestEvent())
        try story.found(host: host, guests: [ben, cleo], frames: 3)
        return story
    }

    /// As a command states it.
    @discardableResult
    private func remove(_ key: SigningKey, everything: Bool = true, _ story: inout Story) throws -> VerifiedOperation {
        let membership = story.event.fold(story.operations).membership
        let heads = membership.heads(leaving: [key.device.bytes32], isDiscarding: everything)[0]
        return try story.say(
            .revokeDevice, by: host, OperationID(key.device.bytes32),
            argument: everything ? Membership.discardArgument : 0, content: .revocation(heads: heads))
    }

    private func discarded(_ state: EventState) -> Set<OperationID> {
        Set(state.withdrawals.filter { $0.value == .discarded }.keys)
    }

    @Test("photos, words and originals of the device are discarded; what it let in, and what others say, is not")
    func everything() throws {
        var story = try begin()
        try story.join(dora, sponsor: ben)
        try story.join(subKey, sponsor: ben, for: guest)
        let (own, others) = (try story.photo(ben, slot: 1), try story.photo(dora, slot: 1))
        let guests = try story.photo(subKey, slot: 1)
        let original = try story.say(
            .original, by: ben, about: own, content: try story.event.original(ben, 0, photo: own).content!)
        let name = try story.say(.name, by: ben, content: .name("Ben"))
        let comment = try story.say(.comment, by: ben, about: others, content: .text("ha"))
        let reply = try story.say(.comment, by: cleo, about: own, content: .text("no"))
        #expect(try discarded(story.outcome()).isEmpty)
        try remove(ben, &story)
        let late = try story.say(.name, by: ben, content: .name("Benny"))
        let state = try story.outcome()
        #expect(discarded(state) == [own.id, original.id, name.id, comment.id, late.id])
        #expect(state.status(own) == nil)
        #expect(state.status(others) == .frame(1) && state.status(guests) == .frame(1))
        #expect(state.membership.isMember(dora.device))
        // What is said about a photo goes with it.
        #expect(state.album.withdrawnSubject(of: reply.id, reply.header) == own.id)
        #expect(state.album.bodies(with: own.id).contains(reply.id))
        #expect(state.album.withdrawnSubject(of: late.id, late.header) == late.id)
    }

    @Test("a grant that names the removal ends it, and so does a later removal by the same device that leaves all")
    func end() throws {
        var story = try begin()
        let photo = try story.photo(ben, slot: 1)
        let removal = try remove(ben, &story)
        #expect(try discarded(story.outcome()) == [photo.id])
        var granted = story
        try granted.grant(.participant, to: ben, by: host, cancels: [removal])
        #expect(try discarded(granted.outcome()).isEmpty)
        #expect(try granted.outcome().status(photo) == .frame(1))
        try remove(ben, everything: false, &story)
        #expect(try discarded(story.outcome()).isEmpty)
        #expect(try story.outcome().status(photo) == .frame(1))
        #expect(try !story.outcome().membership.isMember(ben.device))
    }

    @Test("a removal by too low a rank discards nothing, nor does a role that is taken away with the argument")
    func powerless() throws {
        var story = try begin()
        try story.photo(ben, slot: 1)
        try story.grant(.photographer, to: ben, by: host)
        try story.say(
            .revokeDevice, by: cleo, OperationID(ben.device.bytes32), argument: 1, content: .revocation(heads: []))
        try story.say(
            .revokeRole, by: host, OperationID(ben.device.bytes32), argument: UInt64(Role.photographer.rawValue),
            content: .revocation(heads: []))
        #expect(try discarded(story.outcome()).isEmpty)
    }

    @Test("of a guest that is removed the sub-keys' words are discarded, those of sub-keys that come later too")
    func guests() throws {
        var story = try begin()
        try story.join(subKey, sponsor: ben, for: guest)
        let photo = try story.photo(subKey, slot: 1)
        let own = try story.photo(ben, slot: 1)
        try remove(guest, &story)
        #expect(try discarded(story.outcome()) == [photo.id])
        let (later, early) = (signingKey(52), signingKey(53))
        // One whose join counts for nothing has stated something before it turns out to be the guest's.
        try story.join(early, sponsor: dora)
        let name = try story.say(.name, by: early, content: .name("Eve"))
        try story.join(early, sponsor: cleo, for: guest)
        try story.join(later, sponsor: cleo, for: guest)
        let second = try story.photo(later, slot: 1)
        try story.join(dora, sponsor: cleo)
        let state = try story.outcome()
        #expect(discarded(state) == [photo.id, second.id, name.id])
        #expect(state.status(own) == .frame(1))
    }

    @Test("what is void until its proof comes is not discarded, and is once the proof shows that it is not left")
    func proof() throws {
        var story = try begin()
        let photo = try story.photo(ben, slot: 1)
        let link = try story.say(.name, by: ben, content: .name("Ben"))
        let last = try story.photo(ben, slot: 2)
        let late = try story.say(.name, by: ben, content: .name("Benny"))
        let heads = [last.id] + story.operations.filter { $0.kind == .join && $0.header.device == ben.device }.map(\.id)
        try story.say(
            .revokeDevice, by: host, OperationID(ben.device.bytes32), argument: 1, content: .revocation(heads: heads))
        let whole = try story.outcome()
        #expect(discarded(whole) == [late.id])
        #expect(whole.status(photo) == .frame(1) && whole.status(last) == .waiting, "the claim after it is void")
        for missing in [link, last] {
            let without = story.event.fold(story.operations.filter { $0.id != missing.id })
            #expect(discarded(without).isEmpty)
            #expect(without.status(photo) == nil)
            var after = without
            after.apply(missing)
            #expect(after == whole)
        }
    }

    @Test("a join that follows what nobody has keeps nothing of its device from being discarded")
    func madeUpJoin() throws {
        var story = Story(TestEvent())
        try story.found(host: host, guests: [cleo], frames: 3)
        story.take(try story.event.join(ben, sponsor: host, sequence: 7))
        try story.join(dora, sponsor: ben)
        let (own, others) = (try story.photo(ben, slot: 1), try story.photo(dora, slot: 1))
        try remove(ben, &story)
        let state = try story.outcome()
        #expect(discarded(state) == [own.id])
        #expect(state.status(others) == .frame(1) && state.membership.isMember(dora.device))
    }
}
