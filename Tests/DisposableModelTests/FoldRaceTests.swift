// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// One race a test, run in every order in which its operations can arrive.
@Suite struct FoldRaceTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    /// Folds `operations` in all their orders and returns the one state that all must give.
    private func outcome(
        _ operations: [VerifiedOperation], sourceLocation: SourceLocation = #_sourceLocation
    ) -> EventState {
        precondition(operations.count <= 6, "\(operations.count)! orders are too many")
        let expected = event.fold(operations)
        let orders = permutations(operations)
        #expect(Set(orders.map { $0.map(\.id) }).count == orders.count, sourceLocation: sourceLocation)
        for order in orders where event.fold(order) != expected {
            Issue.record(
                "another state in the order \(order.map { "\($0.header.kind) \($0.id.short)" })",
                sourceLocation: sourceLocation)
        }
        return expected
    }

    /// Anna is in by the event key itself, so she has no limit.
    private func setting(frames: UInt32 = 3) throws -> [VerifiedOperation] {
        [try event.charter(frames: frames), try event.join(anna, sponsor: event.eventKey)]
    }

    /// A guest who was let in by the organizer, so that the roll's limit applies.
    private func guest(frames: UInt32) throws -> [VerifiedOperation] {
        [
            try event.charter(frames: frames), try event.join(host, sponsor: event.eventKey),
            try event.join(anna, sponsor: host),
        ]
    }

    @Test("of two photos that claim one slot the one claimed earlier in the chain is visible and the other waits")
    func twoPhotosOneSlot() throws {
        let photos = [try event.photo(anna, 0), try event.photo(anna, 2)]
        let claims = [
            try event.claim(anna, 1, photo: photos[0], slot: 1), try event.claim(anna, 3, photo: photos[1], slot: 1),
        ]
        let state = outcome(try setting() + photos + claims)
        let winner = 0  // the claim with the lower sequence number
        #expect(state.status(photos[winner]) == .frame(1))
        #expect(state.status(photos[1 - winner]) == .waiting)
        #expect(state.gallery.map(\.id) == [PhotoID(photos[winner].id)])
    }

    @Test("of two claims to one slot at one place in the chain, as a cloned device makes, the smaller id wins")
    func clonesClaimOneSlot() throws {
        let photos = [try event.photo(anna, 0), try event.photo(anna, 2)]
        let claims = try photos.map { try event.claim(anna, 1, photo: $0, slot: 1) }
        let state = outcome(try setting() + photos + claims)
        let winner = claims[0].id < claims[1].id ? 0 : 1
        #expect(state.status(photos[winner]) == .frame(1))
        #expect(state.status(photos[1 - winner]) == .waiting)
    }

    @Test("a photo that lost its slot gets a free one by a later claim, and the winner stays where it is")
    func reclaim() throws {
        let photos = [try event.photo(anna, 0), try event.photo(anna, 2)]
        let claims = [
            try event.claim(anna, 1, photo: photos[0], slot: 1), try event.claim(anna, 3, photo: photos[1], slot: 1),
        ]
        let loser = 1  // the claim with the higher sequence number
        var state = event.fold(try setting() + photos + claims)
        let free = try #require(state.album.freeSlots(of: anna.author, count: 1, limit: 3).first)
        #expect(free == 2)
        let again = try event.claim(anna, 4, photo: photos[loser], slot: free)
        state.apply(again)
        #expect(state.status(photos[loser]) == .frame(2))
        #expect(state.status(photos[1 - loser]) == .frame(1))
        // Without the charter there are six operations: all orders, the charter last.
        var late = outcome([try event.join(anna, sponsor: event.eventKey)] + photos + claims + [again])
        late.apply(try event.charter())
        #expect(late == state)
    }

    @Test("a photo that claims another slot stays where it is, and the photo that waited there goes on waiting")
    func nothingMoves() throws {
        let photos = [try event.photo(anna, 0), try event.photo(anna, 1)]
        let claims = [
            try event.claim(anna, 2, photo: photos[0], slot: 1), try event.claim(anna, 3, photo: photos[1], slot: 1),
        ]
        let winner = 0  // the claim with the lower sequence number
        let move = try event.claim(anna, 4, photo: photos[winner], slot: 3)
        var state = outcome([try event.join(anna, sponsor: event.eventKey)] + photos + claims + [move])
        // While there is no charter there is no roll, an organizer's either.
        #expect(state.status(photos[winner]) == .waiting)
        state.apply(try event.charter())
        #expect(state.status(photos[winner]) == .frame(1))
        #expect(state.status(photos[1 - winner]) == .waiting)
        #expect(state.album.freeSlots(of: anna.author, count: 1, limit: nil) == [2])
    }

    @Test("a photo that is removed and then claimed beyond the roll gives its frame to nobody")
    func removalAndMoveFreeNothing() throws {
        let photos = [try event.photo(anna, 0), try event.photo(anna, 1)]
        let first = try event.claim(anna, 2, photo: photos[0], slot: 1)
        let remove = try event.operation(.remove, by: anna, sequence: 1, subject: photos[0].id)
        let away = try event.claim(anna, 3, photo: photos[0], slot: 1_000)
        let second = try event.claim(anna, 4, photo: photos[1], slot: 1)
        let state = event.fold(try setting() + photos + [second, away, remove, first])
        #expect(state == event.fold(try setting() + photos + [first, remove, away, second]))
        #expect(state.status(photos[0]) == .removed)
        #expect(state.status(photos[1]) == .waiting)
    }

    @Test("a photo that holds two slots has the lower one and uses both")
    func twoClaims() throws {
        let photo = try event.photo(anna, 0)
        let claims = [try event.claim(anna, 1, photo: photo, slot: 2), try event.claim(anna, 1, photo: photo, slot: 1)]
        let state = outcome(try setting() + [photo] + claims)
        #expect(state.status(photo) == .frame(1))
        #expect(state.album.freeSlots(of: anna.author, count: 1, limit: nil) == [3])
    }

    @Test("two photos with one sequence number are two photos")
    func forkedPhotos() throws {
        let photos = [try event.photo(anna, 0, salt: 1), try event.photo(anna, 0, salt: 2)]
        let claims = [
            try event.claim(anna, 1, photo: photos[0], slot: 1), try event.claim(anna, 1, photo: photos[1], slot: 2),
        ]
        let state = outcome(try setting() + photos + claims)
        #expect(state.status(photos[0]) == .frame(1))
        #expect(state.status(photos[1]) == .frame(2))
    }

    @Test("a claim to slot 0 is no claim")
    func slotZero() throws {
        let photo = try event.photo(anna, 0)
        let none = try event.claim(anna, 2, photo: photo, slot: 0)
        #expect(outcome(try setting() + [photo, none]).status(photo) == .waiting)
        let claim = try event.claim(anna, 1, photo: photo, slot: 2)
        #expect(outcome(try setting() + [photo, none, claim]).status(photo) == .frame(2))
    }

    @Test("the last slot of the roll is visible and the first beyond it is not")
    func beyondTheRoll() throws {
        let photo = try event.photo(anna, 0)
        let last = try event.claim(anna, 1, photo: photo, slot: 3)
        let beyond = try event.claim(anna, 1, photo: photo, slot: 4)
        let huge = try event.claim(anna, 1, photo: photo, slot: .max)
        #expect(outcome(try guest(frames: 3) + [photo, last]).status(photo) == .frame(3))
        #expect(outcome(try guest(frames: 3) + [photo, beyond]).status(photo) == .waiting)
        #expect(outcome(try guest(frames: 3) + [photo, huge]).status(photo) == .waiting)
        #expect(outcome(try guest(frames: 0) + [photo, huge]).status(photo) == .frame(.max))
        #expect(outcome(try setting() + [photo, beyond]).status(photo) == .frame(4))  // an organizer's device
    }

    @Test("a claim of somebody else's photo takes no slot and shows nothing")
    func foreignClaim() throws {
        let photo = try event.photo(anna, 0)
        let foreign = try event.claim(ben, 5, photo: photo, slot: 1)
        let operations = try setting() + [try event.join(ben, sponsor: anna), photo, foreign]
        let state = outcome(operations)
        #expect(state.status(photo) == .waiting)
        #expect(state.album.freeSlots(of: ben.author, count: 1, limit: nil) == [1])
        let own = try event.claim(anna, 1, photo: photo, slot: 2)
        #expect(outcome(operations + [own]).status(photo) == .frame(2))
    }

    @Test("a remove that comes before its photo hides the photo, and a stranger's remove does not")
    func removeBeforePhoto() throws {
        let photo = try event.photo(anna, 0)
        let claim = try event.claim(anna, 1, photo: photo, slot: 1)
        let foreign = try event.remove(ben, 0, photo: photo)
        let visible = outcome(try setting() + [photo, claim, foreign])
        #expect(visible.status(photo) == .frame(1))
        #expect(!visible.album.isRemoved(PhotoID(photo.id), by: anna.author))
        let remove = try event.remove(anna, 1, photo: photo)
        let removed = outcome(try setting() + [photo, claim, foreign, remove])
        #expect(removed.status(photo) == .removed)
        #expect(removed.gallery.isEmpty)
        #expect(event.fold([remove]).album.isRemoved(PhotoID(photo.id), by: anna.author))
    }

    @Test("a removed photo's slot stays used: the photo that claimed it too goes on waiting")
    func removedPhotoKeepsItsSlot() throws {
        let photos = [try event.photo(anna, 0), try event.photo(anna, 1)]
        let claims = [
            try event.claim(anna, 2, photo: photos[0], slot: 1), try event.claim(anna, 3, photo: photos[1], slot: 1),
        ]
        let winner = 0  // the claim with the lower sequence number
        let remove = try event.remove(anna, 1, photo: photos[winner])
        let state = outcome([try event.join(anna, sponsor: event.eventKey)] + photos + claims + [remove])
        #expect(state.status(photos[winner]) == .removed)
        #expect(state.status(photos[1 - winner]) == .waiting)
        #expect(state.album.freeSlots(of: anna.author, count: 2, limit: 3) == [2, 3])
        #expect(state.album.usedSlotCount(of: anna.author) == 1)
    }

    @Test("a photo whose author is not in waits for the join and then appears")
    func photoBeforeJoin() throws {
        let photo = try event.photo(anna, 0)
        let claim = try event.claim(anna, 1, photo: photo, slot: 1)
        var state = outcome([try event.charter(), photo, claim])
        #expect(state.photos.isEmpty)
        #expect(state.photo(PhotoID(photo.id)) == nil)
        let before = state.digest
        state.apply(try event.join(anna, sponsor: event.eventKey))
        #expect(state.status(photo) == .frame(1))
        #expect(state.digest != before)
    }

    @Test("without a charter there is no digest and a guest's roll has no slots")
    func noCharter() throws {
        let photo = try event.photo(anna, 0)
        let state = outcome([
            try event.join(host, sponsor: event.eventKey), try event.join(anna, sponsor: host), photo,
            try event.claim(anna, 1, photo: photo, slot: 1),
        ])
        #expect(state.digest == nil)
        #expect(state.charter == nil)
        #expect(state.status(photo) == .waiting)
    }

    @Test("of two charters by the event key the smaller id counts, and a guest's charter never does")
    func charters() throws {
        let charters = [try event.charter(frames: 1, salt: 1), try event.charter(frames: 2, salt: 2)]
        let forged = (0..<UInt8(3)).compactMap { try? event.charter(frames: 0, by: anna, salt: $0) }
        let state = outcome([try event.join(anna, sponsor: event.eventKey)] + charters + forged)
        #expect(state.charter?.frames == (charters[0].id < charters[1].id ? 1 : 2))
        #expect(event.fold(forged).charter == nil)
    }

    @Test("a chain of sponsors that arrives in any order lets everybody in, as participants")
    func sponsorChain() throws {
        let keys = (10..<16).map { signingKey(UInt64($0)) }
        var joins = [try event.join(keys[0], sponsor: event.eventKey)]
        for index in 1..<keys.count { joins.append(try event.join(keys[index], sponsor: keys[index - 1])) }
        let state = outcome(joins)
        #expect(state.membership.count == keys.count)
        #expect(state.membership.rank(of: keys[0].device) == .organizer)
        for key in keys.dropFirst() { #expect(state.membership.rank(of: key.device) == .participant) }
    }

    @Test("a circle of sponsors lets nobody in, and all of them once one is let in from outside")
    func sponsorCircle() throws {
        let keys = (20..<23).map { signingKey(UInt64($0)) }
        var joins = [try event.join(keys[0], sponsor: keys[0])]
        for index in keys.indices {
            joins.append(try event.join(keys[index], sponsor: keys[(index + 1) % 3], sequence: 1))
        }
        #expect(outcome(joins).membership.count == 0)
        let state = outcome(joins + [try event.join(keys[1], sponsor: event.eventKey)])
        #expect(state.membership.devices == keys.map(\.device).sorted())
        #expect(state.membership.rank(of: keys[1].device) == .organizer)
    }

    @Test("a join whose sponsor is never a member counts for nothing")
    func unknownSponsor() throws {
        let state = outcome(try setting() + [try event.join(ben, sponsor: host), try event.photo(ben, 0)])
        #expect(!state.membership.isMember(ben.device))
        #expect(!state.membership.mayAuthor(ben.device))
        #expect(state.photos.isEmpty)
        #expect(state.membership.mayAuthor(event.eventKey.device))
        #expect(!state.membership.isMember(event.eventKey.device))
    }

    @Test("a device that a guest and the event key both let in is an organizer's")
    func twoJoins() throws {
        let state = outcome([
            try event.join(anna, sponsor: event.eventKey), try event.join(ben, sponsor: anna),
            try event.join(ben, sponsor: event.eventKey, sequence: 1), try event.charter(frames: 1),
        ])
        #expect(state.membership.rank(of: ben.device) == .organizer)
        #expect(state.rollLimit(of: ben.author, at: 0) == nil)
    }

    @Test("of a device's names the latest counts, of two with one sequence number the smaller id")
    func names() throws {
        let names = [try event.name(anna, 1, "Anna"), try event.name(anna, 2, "Annie"), try event.name(anna, 2, "Ann")]
        let state = outcome(try setting() + names)
        #expect(state.album.name(of: anna.author) == (names[1].id < names[2].id ? "Annie" : "Ann"))
        #expect(state.album.name(of: ben.author) == nil)
    }

    @Test("a name without its body hides the older name and shows the text when the body comes")
    func lateName() throws {
        let old = try event.name(anna, 1, "Anna")
        let new = try event.name(anna, 2, "Annie")
        var state = outcome(try setting() + [old, new.withoutBody])
        #expect(state.album.name(of: anna.author) == nil)
        let digest = state.digest
        state.apply(new)
        #expect(state.album.name(of: anna.author) == "Annie")
        #expect(state.digest == digest)
    }

    @Test("the name of a device that is not in does not enter the digest until it is")
    func strangersName() throws {
        let name = try event.name(ben, 0, "Ben")
        var state = event.fold(try setting())
        let digest = state.digest
        state.apply(name)
        #expect(state.digest == digest)
        state.apply(try event.join(ben, sponsor: anna))
        #expect(state.digest != digest)
    }

    @Test("originals of the author are alternates, smallest id first, and others' are none")
    func originals() throws {
        let photo = try event.photo(anna, 0)
        let own = [try event.original(anna, 1, photo: photo), try event.original(anna, 2, photo: photo)]
        let foreign = try event.original(ben, 1, photo: photo)
        let state = outcome(try setting() + [photo, foreign] + own)
        #expect(state.album.originals(of: PhotoID(photo.id)) == own.map(\.id).sorted())
        #expect(event.fold([own[0]]).album.originals(of: PhotoID(photo.id)).isEmpty)
    }

    @Test("an operation of a later version changes nothing here")
    func unknownKind() throws {
        let state = event.fold(try setting())
        let header = OperationHeader(
            kind: 200, flags: [], event: event.event, device: anna.device, sequence: 0, previous: .none,
            timestamp: HybridTimestamp(packed: 1), subject: .none, argument: 0, bodyHash: .zero, bodyByteCount: 0)
        let unknown = VerifiedOperation(
            id: header.id, header: header, signature: anna.signature(for: header.signedBytes), body: [],
            content: OperationContent.none)
        var after = state
        after.apply(unknown)
        #expect(after.photos == state.photos)
        #expect(after.membership.devices == state.membership.devices)
        #expect(after.digest == state.digest)
    }

    @Test("the digest tells apart events that differ by one visible fact")
    func digestTellsApart() throws {
        let photo = try event.photo(anna, 0)
        let base = try setting() + [photo]
        let claim = try event.claim(anna, 1, photo: photo, slot: 1)
        let variants = [
            base, base + [claim], base + [try event.claim(anna, 1, photo: photo, slot: 2)],
            base + [claim, try event.remove(anna, 1, photo: photo)], base + [claim, try event.name(anna, 2, "Anna")],
            base + [claim, try event.name(anna, 2, "Annie")], base + [claim, try event.photo(anna, 2)],
            [try event.charter(salt: 9)] + base.dropFirst() + [claim],
        ]
        #expect(Set(variants.map { event.fold($0).digest }).count == variants.count)
    }

    @Test("the gallery is in order of time pulled into the event's days, then counter, device, sequence and id")
    func galleryOrder() throws {
        let day: UInt64 = 86_400_000
        let start = TestEvent.startMilliseconds
        let end = start + 192 * 3_600_000
        let keys = [anna, ben].sorted { $0.device < $1.device }
        // In the order expected. The first two are pulled to the day before the start, the last two to the day after
        // the end.
        let expected = [
            try event.photo(keys[0], 0, milliseconds: start - 3 * day, counter: 1),
            try event.photo(keys[0], 1, milliseconds: 5, counter: 2),
            try event.photo(keys[0], 2, milliseconds: start),
            try event.photo(keys[0], 3, milliseconds: start),
            try event.photo(keys[1], 0, milliseconds: start),
            try event.photo(keys[0], 4, milliseconds: start, counter: 1),
            try event.photo(keys[1], 1, milliseconds: end + day, counter: 3),
            try event.photo(keys[0], 5, milliseconds: HybridTimestamp.millisecondsMax, counter: 4),
        ]
        var operations = [
            try event.charter(frames: 9), try event.join(keys[0], sponsor: event.eventKey),
            try event.join(keys[1], sponsor: event.eventKey),
        ]
        for (index, photo) in expected.enumerated() {
            let author = keys.first { $0.device == photo.header.device }!
            operations.append(photo)
            operations.append(try event.claim(author, UInt32(index + 20), photo: photo, slot: UInt64(index + 1)))
        }
        #expect(event.fold(operations.reversed()).gallery.map(\.id) == expected.map { PhotoID($0.id) })
    }
}
