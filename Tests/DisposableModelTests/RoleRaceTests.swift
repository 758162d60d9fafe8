// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Giving and taking roles, each race in every order in which its operations can arrive: the worked examples of
/// protocol/rules.md.
@Suite struct RoleRaceTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let cleo = signingKey(4)

    /// An event whose host has admitted Anna, Ben and Cleo, who all sign operations at the ends of their chains.
    private func story() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben, cleo], frames: 3)
        return story
    }

    @Test("a moderator acts from the grant on, and what was done before it counts as well: there is no clock")
    func grant() throws {
        var story = try story()
        let photo = try story.photo(anna, slot: 1)
        let hide = try story.say(.hide, by: ben, about: photo)
        #expect(try story.outcome().status(photo) == .frame(1))
        try story.grant(.moderator, to: ben, by: host)
        #expect(try story.outcome().status(photo) == .hidden)
        #expect(try story.outcome().membership.rank(of: ben.device) == .moderator)
        #expect(try story.outcome().album.hides(of: PhotoID(photo.id)) == [hide.id])
    }

    @Test("who has no rank grants nothing, and an organizer makes no organizer")
    func grantsWithoutRank() throws {
        var story = try story()
        try story.grant(.moderator, to: cleo, by: anna)
        try story.grant(.organizer, to: ben, by: host)
        let state = try story.outcome()
        #expect(state.membership.rank(of: cleo.device) == .participant)
        #expect(state.membership.rank(of: ben.device) == .participant)
        try story.grant(.organizer, to: ben, by: event.eventKey)
        #expect(try story.outcome().membership.rank(of: ben.device) == .organizer)
    }

    @Test("operations before a removal stay, those afterwards are void, in any order of arrival")
    func actingAfterRevocation() throws {
        var story = try story()
        let before = try story.photo(ben, slot: 1)
        let revocation = try story.removeMember(ben, by: host)
        let after = try story.photo(ben, slot: 2)
        let state = try story.outcome()
        #expect(state.status(before) == .frame(1))
        #expect(state.status(after) == nil)
        #expect(!state.membership.isMember(ben.device))
        #expect(state.membership.isRevoked(ben.device))
        // Still part of the sets, which must not depend on who heard of the revocation first.
        #expect(state.membership.mayAuthor(ben.device))
        #expect(state.membership.revocations(of: ben.device.bytes32).map(\.id) == [revocation.id])
    }

    @Test("an operation is void until the chain between it and the head that proves it is here")
    func unprovenAncestry() throws {
        var story = try story()
        let photo = try story.photo(ben, slot: 1)
        let link = try story.say(.name, by: ben, content: .name("Ben"))
        try story.photo(ben, slot: 2)
        try story.removeMember(ben, by: host)
        let all = story.operations
        let state = event.fold(all.filter { $0.id != link.id })
        #expect(state.status(photo) == nil)
        #expect(event.fold(all).status(photo) == .frame(1))
        var late = state
        late.apply(link)
        #expect(late == event.fold(all))
    }

    @Test("a fork beside the head is void: a thief who goes on from an earlier place gains nothing")
    func forkBesideTheHead() throws {
        var story = try story()
        let photo = try story.photo(ben, slot: 1)
        let stolen = story
        try story.removeMember(ben, by: host)
        var thief = stolen
        thief.rewind(ben, by: 2)
        let forged = try thief.photo(ben, slot: 2, salt: 9)
        let state = event.fold(story.operations + thief.operations)
        #expect(state.status(photo) == .frame(1))
        #expect(state.status(forged) == nil)
        #expect(event.fold(thief.operations.reversed() + story.operations) == state)
    }

    @Test("two organizers who put each other out both stay, and both revocations are there to be seen")
    func twoOrganizers() throws {
        var story = try story()
        try story.grant(.organizer, to: anna, by: event.eventKey)
        try story.grant(.organizer, to: ben, by: event.eventKey)
        try story.removeMember(anna, by: ben)
        try story.removeMember(ben, by: anna)
        let state = try story.outcome()
        for device in [anna.device, ben.device] {
            #expect(state.membership.rank(of: device) == .organizer)
            #expect(state.membership.revocations(of: device.bytes32).map(\.counts) == [false])
        }
        // The event key decides; then the other's word counts, as it was said with a rank that stays.
        try story.revoke(.organizer, of: anna, by: event.eventKey)
        let decided = try story.outcome()
        #expect(decided.membership.rank(of: anna.device) == nil)
        #expect(decided.membership.rank(of: ben.device) == .organizer)
    }

    @Test("what an organizer did before losing the rank counts on, what it does later does not")
    func actsOfAFormerOrganizer() throws {
        var story = try story()
        try story.grant(.organizer, to: anna, by: event.eventKey)
        let photos = [try story.photo(cleo, slot: 1), try story.photo(cleo, slot: 2)]
        try story.say(.erase, by: anna, about: photos[0])
        try story.grant(.moderator, to: ben, by: anna)
        try story.revoke(.organizer, of: anna, by: event.eventKey)
        try story.say(.erase, by: anna, about: photos[1])
        try story.grant(.moderator, to: cleo, by: anna)
        let state = try story.outcome()
        #expect(state.status(photos[0]) == .erased)
        #expect(state.status(photos[1]) == .frame(2))
        #expect(state.membership.rank(of: ben.device) == .moderator)
        #expect(state.membership.rank(of: cleo.device) == .participant)
        #expect(state.membership.rank(of: anna.device) == .participant)
    }

    @Test("a revocation that takes everything takes the moderators that the organizer appointed later, too")
    func chainOfGrants() throws {
        var story = try story()
        try story.grant(.organizer, to: anna, by: event.eventKey)
        try story.revoke(.organizer, of: anna, by: event.eventKey)
        try story.grant(.moderator, to: ben, by: anna)
        let photo = try story.photo(cleo, slot: 1)
        try story.say(.hide, by: ben, about: photo)
        try story.removeMember(cleo, by: ben)
        let state = try story.outcome()
        #expect(state.status(photo) == .frame(1))
        #expect(state.membership.isMember(cleo.device))
    }

    @Test("a grant that names the revocation brings everything back, one that does not name it brings nothing")
    func cancelling() throws {
        var story = try story()
        try story.grant(.moderator, to: ben, by: host)
        let revocation = try story.revoke(.moderator, of: ben, by: host)
        let photo = try story.photo(cleo, slot: 1)
        try story.say(.hide, by: ben, about: photo)
        try story.grant(.moderator, to: ben, by: host)
        #expect(try story.outcome().status(photo) == .frame(1))
        #expect(try story.outcome().membership.rank(of: ben.device) == .participant)
        try story.grant(.moderator, to: ben, by: host, cancels: [revocation])
        #expect(try story.outcome().status(photo) == .hidden)
        #expect(try story.outcome().membership.rank(of: ben.device) == .moderator)
    }

    @Test("an organizer cancels no revocation of the event key's, and a moderator none of an organizer's")
    func cancellingTakesRank() throws {
        var story = try story()
        try story.grant(.moderator, to: anna, by: host)
        let byHost = try story.removeMember(cleo, by: host)
        let byKey = try story.removeMember(ben, by: event.eventKey)
        try story.grant(.participant, to: cleo, by: anna, cancels: [byHost])
        try story.grant(.participant, to: ben, by: host, cancels: [byKey])
        let state = try story.outcome()
        #expect(!state.membership.isMember(cleo.device))
        #expect(!state.membership.isMember(ben.device))
        try story.grant(.participant, to: ben, by: event.eventKey, cancels: [byKey])
        try story.grant(.participant, to: cleo, by: host, cancels: [byHost])
        #expect(try story.outcome().membership.devices == [host, anna, ben, cleo].map(\.device).sorted())
    }

    @Test("a moderator puts a participant out, but no other moderator and no organizer")
    func moderatorsRevocations() throws {
        var story = try story()
        for moderator in [anna, ben] { try story.grant(.moderator, to: moderator, by: host) }
        for target in [ben, host, cleo] { try story.removeMember(target, by: anna) }
        let state = try story.outcome()
        #expect(state.membership.devices == [host, anna, ben].map(\.device).sorted())
    }

    @Test("the later of two revocations by one device counts, so more heads may be named when they are found")
    func laterRevocation() throws {
        var story = try story()
        let early = story
        let photo = try story.photo(ben, slot: 1)
        var host = early
        let first = try host.removeMember(ben, by: self.host)
        story.take(first)
        #expect(try story.outcome().status(photo) == nil)
        try story.removeMember(ben, by: self.host)
        #expect(try story.outcome().status(photo) == .frame(1))
    }

    @Test("a device that a revoked one admitted stays if the revocation names its join, or joins again elsewhere")
    func sponsoredByARevokedDevice() throws {
        var story = try story()
        let (dora, emil) = (signingKey(5), signingKey(6))
        try story.join(dora, sponsor: ben)
        try story.removeMember(ben, by: host)
        // Made with the stolen key.
        try story.join(emil, sponsor: ben)
        var state = try story.outcome()
        #expect(state.membership.isMember(dora.device))
        #expect(!state.membership.isMember(emil.device))
        #expect(state.membership.mayAuthor(emil.device))
        try story.join(emil, sponsor: cleo)
        state = try story.outcome()
        #expect(state.membership.isMember(emil.device))
    }

    @Test("a sub-key of a node that was cut off admits no more devices, and those that it admitted before stay")
    func subKeyOfCutNodeSponsors() throws {
        for isRemoved in [false, true] {
            var story = try story()
            let (guest, subKey) = (signingKey(7), signingKey(8))
            let (dora, emil) = (signingKey(5), signingKey(6))
            try story.grant(.page, to: ben, by: host)
            try story.join(subKey, sponsor: ben, for: guest)
            try story.join(dora, sponsor: subKey)
            let photo = try story.photo(dora, slot: 1)
            if isRemoved { try story.removeMember(ben, by: host) } else { try story.revoke(.page, of: ben, by: host) }
            // Made with the node's stolen keys.
            try story.join(emil, sponsor: subKey)
            let forged = try story.photo(emil, slot: 1)
            let state = try story.outcome()
            #expect(state.membership.isMember(dora.device))
            #expect(state.status(photo) == .frame(1))
            #expect(!state.membership.isMember(emil.device))
            #expect(state.status(forged) == nil)
            #expect(state.membership.mayAuthor(emil.device))
        }
    }

    @Test("a sub-key of a removed guest admits no more devices")
    func subKeyOfRemovedGuestSponsors() throws {
        var story = try story()
        let (guest, subKey, emil) = (signingKey(7), signingKey(8), signingKey(6))
        try story.join(subKey, sponsor: host, for: guest)
        try story.removeMember(guest, by: host)
        try story.join(emil, sponsor: subKey)
        #expect(try !story.outcome().membership.isMember(emil.device))
    }

    @Test("the heads of a removal name the joins that sub-keys of the removed node sponsored")
    func headsOfSubKeys() throws {
        var story = try story()
        let (guest, subKey, dora) = (signingKey(7), signingKey(8), signingKey(5))
        try story.join(subKey, sponsor: ben, for: guest)
        try story.join(dora, sponsor: subKey)
        let join = try #require(story.operations.last)
        #expect(try story.outcome().membership.heads(leaving: ben.device.bytes32).contains(join.id))
    }

    @Test("a member that signs for a guest of a removed node voids only its own photos")
    func hostages() throws {
        for isGuestRemoved in [false, true] {
            var story = try story()
            let (guest, dora, late) = (signingKey(7), signingKey(5), signingKey(6))
            try story.join(dora, sponsor: cleo)
            let photo = try story.photo(dora, slot: 1)
            let own = try story.photo(cleo, slot: 1)
            // Cleo conspires with Ben: she becomes a sub-key of what was removed before.
            try story.join(signingKey(8), sponsor: ben, for: guest)
            let removed = isGuestRemoved ? guest : ben
            let named = isGuestRemoved ? signingKey(8) : ben
            let head = try #require(story.operations.first { $0.header.device == named.device })
            try story.say(
                .revokeDevice, by: host, OperationID(removed.device.bytes32), content: .revocation(heads: [head.id]))
            try story.join(cleo, sponsor: isGuestRemoved ? anna : ben, for: guest)
            try story.join(late, sponsor: dora)
            let state = try story.outcome()
            #expect(state.membership.isMember(dora.device), "\(isGuestRemoved)")
            #expect(state.membership.isMember(late.device), "\(isGuestRemoved)")
            #expect(state.status(photo) == .frame(1), "\(isGuestRemoved)")
            #expect(state.status(own) == nil)
            #expect(!state.membership.isMember(cleo.device))
        }
    }

    @Test("cutting a node off from serving pages voids what its sub-keys say afterwards, removals included")
    func cutPageNode() throws {
        var story = try story()
        let (guest, subKey) = (signingKey(7), signingKey(8))
        try story.grant(.page, to: ben, by: host)
        try story.join(subKey, sponsor: ben, for: guest)
        let photo = try story.photo(subKey, slot: 1)
        let later = signingKey(9)
        try story.revoke(.page, of: ben, by: host)
        try story.say(.remove, by: subKey, about: photo)
        try story.join(later, sponsor: ben, for: guest)
        let forged = try story.photo(later, slot: 2)
        let state = try story.outcome()
        #expect(state.status(photo) == .frame(1))
        #expect(state.photo(PhotoID(photo.id))?.author == guest.author)
        #expect(state.status(forged) == nil)
        #expect(!state.membership.mayServePages(ben.device))
        #expect(state.membership.isMember(ben.device))
        #expect(!state.membership.isMember(subKey.device))
        // The guest goes on at another node, and takes its photo back there.
        let other = signingKey(10)
        try story.join(other, sponsor: host, for: guest)
        try story.say(.remove, by: other, about: photo)
        #expect(try story.outcome().status(photo) == .removed)
    }

    @Test("a removed member can still delete its own photos")
    func removalAfterRevocation() throws {
        var story = try story()
        let photo = try story.photo(ben, slot: 1)
        try story.removeMember(ben, by: host)
        try story.say(.remove, by: ben, about: photo)
        #expect(try story.outcome().status(photo) == .removed)
    }

    @Test("a page guest is removed by its own key, at all of its present and future nodes")
    func pageGuest() throws {
        var story = try story()
        let (guest, first, second) = (signingKey(7), signingKey(8), signingKey(9))
        try story.join(first, sponsor: host, for: guest)
        let before = try story.photo(first, slot: 1)
        try story.removeMember(guest, by: host, devices: [first])
        let after = try story.photo(first, slot: 2)
        try story.join(second, sponsor: ben, for: guest)
        let elsewhere = try story.photo(second, slot: 3)
        let state = try story.outcome()
        #expect(state.status(before) == .frame(1))
        #expect(state.status(after) == nil)
        #expect(state.status(elsewhere) == nil)
        #expect(!state.membership.isAuthor(guest.author))
    }

    @Test("a key that signs for a guest has no rank, whatever it is granted")
    func subKeysHaveNoRank() throws {
        var story = try story()
        let (guest, subKey) = (signingKey(7), signingKey(8))
        try story.join(subKey, sponsor: host, for: guest)
        try story.grant(.organizer, to: subKey, by: event.eventKey)
        try story.grant(.moderator, to: subKey, by: host)
        #expect(try story.outcome().membership.rank(of: subKey.device) == .participant)
    }

    @Test("a photographer has no limit, and loses that with the role; the photos beyond it wait")
    func photographer() throws {
        var story = try story()
        let photo = try story.photo(anna, slot: 10)
        #expect(try story.outcome().status(photo) == .waiting)
        try story.grant(.photographer, to: anna, by: host)
        #expect(try story.outcome().status(photo) == .frame(10))
        try story.revoke(.photographer, of: anna, by: host)
        #expect(try story.outcome().status(photo) == .waiting)
    }
}
