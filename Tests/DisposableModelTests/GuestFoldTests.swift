// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Guests without a node: their key speaks through the sub-keys that nodes hold for them.
@Suite struct GuestFoldTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let other = signingKey(2)
    private let guest = signingKey(3)
    /// The guest's at the host's node and at the other one.
    private let first = signingKey(4)
    private let second = signingKey(5)

    private func setting(frames: UInt32 = 3) throws -> [VerifiedOperation] {
        [
            try event.charter(frames: frames), try event.join(host, sponsor: event.eventKey),
            try event.join(other, sponsor: host),
        ]
    }
    private func joins() throws -> [VerifiedOperation] {
        [try event.join(first, sponsor: host, for: guest), try event.join(second, sponsor: other, for: guest)]
    }

    /// Folds `said` in all orders between and around the joins, which must all give one state.
    private func outcome(_ said: [VerifiedOperation]) throws -> EventState {
        let setting = try setting()
        let expected = event.fold(try setting + joins() + said)
        for order in permutations(try joins() + said) {
            #expect(event.fold(setting + order) == expected)
            #expect(event.fold(order + setting.reversed()) == expected)
        }
        return expected
    }

    @Test("a device that comes in again and again concerns nobody, whatever somebody without a rank has granted it")
    func furtherJoins() throws {
        let grant = try event.operation(
            .grant, by: other, sequence: 1, subject: OperationID(first.device.bytes32),
            argument: UInt64(Role.moderator.rawValue), content: .grant(cancels: [], revealKey: []))
        let photo = try event.photo(first, 5)
        let claim = try event.claim(first, 6, photo: photo, slot: 1)
        var state = event.fold(try setting() + [grant, photo, claim])
        let entering = state.apply(try event.join(first, sponsor: host, for: guest))
        #expect(entering.authors.contains(guest.author))
        #expect(!entering.isOfRanks)
        for sequence in 1..<5 as Range<UInt32> {
            let further = state.apply(try event.join(first, sponsor: host, sequence: sequence, for: guest))
            #expect(further.authors.isEmpty)
            #expect(!further.isOfRanks)
        }
        #expect(state.gallery.map(\.author) == [guest.author])
        #expect(
            try state
                == event.fold(
                    (1..<5).map { try event.join(first, sponsor: host, sequence: $0, for: guest) }
                        + setting() + [try event.join(first, sponsor: host, for: guest), claim, photo, grant]))
    }

    @Test("what a guest adds through two nodes is one author's, in one roll")
    func oneRoll() throws {
        let photos = [try event.photo(first, 0), try event.photo(second, 0)]
        let claims = [
            try event.claim(first, 1, photo: photos[0], slot: 1), try event.claim(second, 1, photo: photos[1], slot: 2),
        ]
        let state = try outcome(photos + claims)
        #expect(state.gallery.map(\.author) == [guest.author, guest.author])
        #expect(Set(state.gallery.map(\.device)) == [first.device, second.device])
        #expect(state.album.usedSlotCount(of: guest.author) == 2)
        #expect(state.rollLimit(of: guest.author, at: 0) == 3)
        #expect(state.album.usedSlotCount(of: first.author) == 0)
    }

    @Test("two nodes that were apart give a guest one slot twice: one photo has it, the other is claimed again later")
    func apart() throws {
        let photos = [try event.photo(first, 0), try event.photo(second, 0)]
        let claims = try zip([first, second], photos).map { try event.claim($0, 1, photo: $1, slot: 1) }
        let state = try outcome(photos + claims)
        let winner = claims[0].id < claims[1].id ? 0 : 1
        #expect(state.status(photos[winner]) == .frame(1))
        #expect(state.status(photos[1 - winner]) == .waiting)
        // Whichever node the guest is at now claims a free slot for it.
        var later = state
        later.apply(try event.claim(first, 2, photo: photos[1 - winner], slot: 2))
        #expect(later.status(photos[1 - winner]) == .frame(2))
        #expect(later.status(photos[winner]) == .frame(1))
    }

    @Test("a guest takes back at one node what it added at another, and nobody else can")
    func removal() throws {
        let photo = try event.photo(first, 0)
        let claim = try event.claim(first, 1, photo: photo, slot: 1)
        let strange = try event.remove(other, 1, photo: photo)
        #expect(try outcome([photo, claim, strange]).status(photo) == .frame(1))
        #expect(try outcome([photo, claim, try event.remove(second, 1, photo: photo)]).status(photo) == .removed)
    }

    @Test("of the names a guest gave at two nodes the later one counts")
    func names() throws {
        let old = try event.operation(
            .name, by: first, sequence: 5, content: .name("Cleo"), milliseconds: TestEvent.startMilliseconds)
        let new = try event.operation(
            .name, by: second, sequence: 0, content: .name("Chloe"), milliseconds: TestEvent.startMilliseconds + 1)
        let state = try outcome([old, new])
        #expect(state.album.name(of: guest.author) == "Chloe")
        #expect(state.digest == event.fold(try setting() + joins() + [new]).digest)
    }

    @Test("a sub-key that two guests delegated to is the one's with the smaller key, whatever was heard first")
    func twoGuests() throws {
        let rival = signingKey(6)
        let rivalJoin = try event.join(first, sponsor: host, sequence: 1, for: rival)
        let photo = try event.photo(first, 0)
        let state = try outcome([photo, try event.claim(first, 1, photo: photo, slot: 1), rivalJoin])
        #expect(state.gallery.map(\.author) == [min(guest.author, rival.author)])
    }

    @Test("a delegation through a node that is no member counts for nothing until it is one")
    func strangersDelegation() throws {
        let stranger = signingKey(7)
        let photo = try event.photo(first, 0)
        let said =
            try setting() + [
                try event.join(first, sponsor: host), try event.join(first, sponsor: stranger, sequence: 1, for: guest),
                photo,
            ]
        #expect(event.fold(said).photo(PhotoID(photo.id))?.author == first.author)
        let entered = try said + [event.join(stranger, sponsor: host)]
        #expect(event.fold(entered).photo(PhotoID(photo.id))?.author == guest.author)
        #expect(event.fold(entered.reversed()) == event.fold(entered))
    }
}
