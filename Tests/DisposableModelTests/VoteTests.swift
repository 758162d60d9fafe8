// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The photo of the night: the worked examples 20.1 to 20.7 of protocol/rules.md, and what is sealed.
@Suite struct VoteTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let cleo = signingKey(4)
    private let dan = signingKey(5)
    private let eve = signingKey(6)

    /// The photos of Anna, Ben, Cleo and Dan.
    private struct Photos {
        let a: VerifiedOperation
        let b: VerifiedOperation
        let c: VerifiedOperation
        let d: VerifiedOperation
    }

    private func founded() throws -> (Story, Photos) {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben, cleo, dan], frames: 12)
        let photos = Photos(
            a: try story.photo(anna, slot: 1), b: try story.photo(ben, slot: 1), c: try story.photo(cleo, slot: 1),
            d: try story.photo(dan, slot: 1))
        return (story, photos)
    }

    private func secret(_ byte: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    private func bytes(_ byte: UInt8) -> Bytes32 { Bytes32([UInt8](repeating: byte, count: 32))! }

    @discardableResult
    private func open(
        _ number: UInt8 = 1, by key: SigningKey, after milliseconds: UInt64 = 0, in story: inout Story
    ) throws -> VerifiedOperation {
        let organizers = event.fold(story.operations).messageRecipients
        let ballot = try #require(SealedBallot(secret: secret(number), organizers: organizers, seed: secret(99)))
        return try story.say(
            .ballot, by: key, content: .ballot(ballot), milliseconds: TestEvent.startMilliseconds + milliseconds)
    }

    /// - Parameter sealed: a vote of somebody else, which is copied.
    @discardableResult
    private func vote(
        for photo: VerifiedOperation?, by key: SigningKey, in ballot: VerifiedOperation, secret number: UInt8 = 1,
        after milliseconds: UInt64 = 0, copying sealed: VerifiedOperation? = nil, _ story: inout Story
    ) throws -> VerifiedOperation {
        let ephemeral = AgreementKey(scalar: secret(UInt8(truncatingIfNeeded: story.operations.count)))
        let own = try #require(
            SealedVote(
                for: photo.map { PhotoID($0.id) }, by: key.device,
                key: AgreementKey(scalar: secret(number)).publicKey, ephemeral: ephemeral))
        return try story.say(
            .vote, by: key, about: ballot, content: sealed?.content ?? .vote(own),
            milliseconds: TestEvent.startMilliseconds + milliseconds)
    }

    @discardableResult
    private func close(
        _ ballot: VerifiedOperation, by key: SigningKey, _ number: UInt8 = 1, after milliseconds: UInt64 = 0,
        in story: inout Story
    ) throws -> VerifiedOperation {
        try story.say(
            .closing, by: key, about: ballot, content: .closing(bytes(number)),
            milliseconds: TestEvent.startMilliseconds + milliseconds)
    }

    /// The result in the form of ids and numbers; `nil` while the vote is open.
    private func places(_ state: EventState) -> [PhotoID: Int]? {
        state.voteResult.map { Dictionary(uniqueKeysWithValues: $0.places.map { ($0.photo.id, $0.voteCount) }) }
    }

    private func winners(_ state: EventState) -> Set<PhotoID> { Set((state.voteResult?.winners ?? []).map(\.photo.id)) }

    @Test("the last vote of each person counts, but not for a photo of one's own")
    func counted() throws {
        var (story, photos) = try founded()
        let digest = try story.outcome().digest
        #expect(try story.outcome().ballot == nil)
        let ballot = try open(by: host, in: &story)
        try vote(for: photos.a, by: ben, in: ballot, &story)
        try vote(for: photos.c, by: ben, in: ballot, &story)
        try vote(for: photos.c, by: dan, in: ballot, &story)
        try vote(for: photos.c, by: cleo, in: ballot, &story)
        try vote(for: nil, by: anna, in: ballot, &story)
        var state = try story.outcome()
        #expect(state.ballot?.isOpen == true && state.voterCount == 4 && state.voteResult == nil)
        #expect(state.hasVoted(ben.author) && !state.hasVoted(host.author))
        try close(ballot, by: host, in: &story)
        state = try story.outcome()
        #expect(places(state) == [PhotoID(photos.c.id): 2] && state.voteResult?.voterCount == 4)
        #expect(state.ballot?.isOpen == false)
        #expect(state.digest == digest, "the vote is not in the digest")
    }

    @Test("a vote from before the closing counts when it arrives, one from after it does not")
    func late() throws {
        var (story, photos) = try founded()
        let ballot = try open(by: host, in: &story)
        try vote(for: photos.b, by: dan, in: ballot, after: 2_000, &story)
        try close(ballot, by: host, after: 3_000, in: &story)
        #expect(places(try story.outcome()) == [PhotoID(photos.b.id): 1])
        let early = try vote(for: photos.a, by: ben, in: ballot, after: 1_000, &story)
        let late = try vote(for: photos.b, by: cleo, in: ballot, after: 3_001, &story)
        let state = try story.outcome()
        #expect(winners(state) == [PhotoID(photos.a.id), PhotoID(photos.b.id)] && state.voterCount == 2)
        #expect(state.isCounted(early.id) && !state.isCounted(late.id))
        #expect(state.voteResult?.places.map(\.voteCount) == [1, 1])
    }

    @Test("of two votes the later one is the event's")
    func two() throws {
        var (story, photos) = try founded()
        try story.join(eve, sponsor: event.eventKey)
        let first = try open(by: host, in: &story)
        let second = try open(2, by: eve, after: 60_000, in: &story)
        try vote(for: photos.b, by: anna, in: first, &story)
        try vote(for: photos.a, by: ben, in: second, secret: 2, after: 61_000, &story)
        try close(first, by: host, after: 62_000, in: &story)
        var state = try story.outcome()
        #expect(state.ballot?.id == second.id && state.ballot?.isOpen == true)
        #expect(!state.hasVoted(anna.author) && state.hasVoted(ben.author))
        try close(second, by: eve, 2, after: 63_000, in: &story)
        state = try story.outcome()
        #expect(places(state) == [PhotoID(photos.a.id): 1])
        #expect(state.ballot?.closedAtMilliseconds == TestEvent.startMilliseconds + 63_000)
    }

    @Test("a photo that is taken away or hidden does not win")
    func takenAway() throws {
        var (story, photos) = try founded()
        let (a, b, c) = (PhotoID(photos.a.id), PhotoID(photos.b.id), PhotoID(photos.c.id))
        let ballot = try open(by: host, in: &story)
        let extra = (10..<13).map { signingKey($0) }
        for key in extra { try story.join(key, sponsor: host) }
        for key in extra { try vote(for: photos.a, by: key, in: ballot, &story) }
        for key in [cleo, dan] { try vote(for: photos.b, by: key, in: ballot, &story) }
        for key in [anna, ben] { try vote(for: photos.c, by: key, in: ballot, &story) }
        try close(ballot, by: host, in: &story)
        #expect(winners(try story.outcome()) == [a])
        try story.say(.remove, by: anna, about: photos.a)
        #expect(winners(try story.outcome()) == [b, c])
        let hide = try story.say(.hide, by: host, about: photos.b)
        #expect(winners(try story.outcome()) == [c])
        try story.say(.unhide, by: host, about: photos.b, content: .unhide(hides: [hide.id]))
        #expect(winners(try story.outcome()) == [b, c])
        try story.say(.erase, by: host, about: photos.b)
        try story.say(.erase, by: host, about: photos.c)
        let state = try story.outcome()
        #expect(places(state) == [:] && winners(state).isEmpty)
    }

    @Test("a vote that follows something later than the closing is late")
    func backdated() throws {
        var (story, photos) = try founded()
        let ballot = try open(by: host, in: &story)
        try close(ballot, by: host, after: 5_000, in: &story)
        try vote(for: photos.a, by: dan, in: ballot, after: 1_000, &story)
        try story.say(
            .caption, by: anna, about: photos.a, content: .text("The cake"),
            milliseconds: TestEvent.startMilliseconds + 6_000)
        try vote(for: photos.b, by: anna, in: ballot, after: 1_000, &story)
        #expect(places(try story.outcome()) == [PhotoID(photos.a.id): 1])
    }

    @Test("a copied vote is for no photo, and a removed voter has none")
    func copied() throws {
        var (story, photos) = try founded()
        let ballot = try open(by: host, in: &story)
        let vote = try self.vote(for: photos.a, by: ben, in: ballot, &story)
        try self.vote(for: nil, by: cleo, in: ballot, copying: vote, &story)
        let heads = story.operations.filter { $0.header.device == dan.device }.map(\.id)
        try self.vote(for: photos.b, by: dan, in: ballot, &story)
        try story.say(
            .revokeDevice, by: host, OperationID(dan.device.bytes32), content: .revocation(heads: heads))
        try close(ballot, by: host, in: &story)
        let state = try story.outcome()
        #expect(places(state) == [PhotoID(photos.a.id): 1] && state.voterCount == 2)
    }

    @Test("a former organizer cannot close a vote, and neither can a false secret")
    func formerOrganizer() throws {
        var (story, photos) = try founded()
        try story.grant(.organizer, to: cleo, by: event.eventKey)
        let ballot = try open(by: host, in: &story)
        try vote(for: photos.a, by: ben, in: ballot, &story)
        try story.revoke(.organizer, of: cleo, by: event.eventKey)
        try close(ballot, by: cleo, in: &story)
        try close(ballot, by: dan, in: &story)
        try close(ballot, by: host, 7, in: &story)
        #expect(try story.outcome().ballot?.isOpen == true)
        try close(ballot, by: host, in: &story)
        #expect(places(try story.outcome()) == [PhotoID(photos.a.id): 1])
    }

    @Test("the secret of a vote is for the organizers of then, and makes the key")
    func secrets() throws {
        var (story, _) = try founded()
        try open(by: host, in: &story)
        let sealed = try #require(event.fold(story.operations).ballot?.sealed)
        #expect(sealed.secret(for: host) == bytes(1) && sealed.secret(for: event.eventKey) == bytes(1))
        #expect(sealed.secret(for: cleo) == nil)
        let other = try #require(
            SealedBallot(key: AgreementKey(scalar: secret(2)).publicKey, seals: sealed.seals))
        #expect(other.secret(for: host) == nil, "the box has the secret of another key")
        #expect(SealedBallot(key: sealed.key, seals: []) == nil)
        #expect(SealedVote(box: [UInt8](repeating: 1, count: 111)) == nil)
    }

    @Test("of a device the first sixty-four votes and sixteen ballots count")
    func limits() throws {
        var (story, photos) = try founded()
        let ballot = try open(by: host, in: &story)
        for _ in 0..<63 { try vote(for: photos.b, by: anna, in: ballot, &story) }
        let last = try vote(for: photos.c, by: anna, in: ballot, &story)
        try vote(for: photos.d, by: anna, in: ballot, &story)
        try close(ballot, by: host, in: &story)
        let state = event.fold(story.operations.reversed())
        #expect(state == event.fold(batch: story.operations))
        #expect(places(state) == [PhotoID(photos.c.id): 1] && state.isCounted(last.id))
        var latest = ballot
        for number in 1...15 { latest = try open(by: host, after: UInt64(number), in: &story) }
        try open(by: host, after: 1_000, in: &story)
        #expect(event.fold(batch: story.operations).ballot?.id == latest.id)
    }

    @Test("the votes of a closed ballot are charged where they are counted again, and nothing where they are not")
    func charges() throws {
        var (story, photos) = try founded()
        let ballot = try open(by: host, in: &story)
        var last = ballot
        for _ in 0..<16 { last = try vote(for: photos.b, by: anna, in: ballot, &story) }
        // No ballot at all.
        let invented = try vote(for: photos.b, by: dan, in: photos.a, &story)
        let start = TestEvent.startMilliseconds
        func caption(by key: SigningKey, after milliseconds: UInt64) throws -> VerifiedOperation {
            try story.say(
                .caption, by: key, about: photos.d, content: .text("The cake"), milliseconds: start + milliseconds)
        }
        let honest = try caption(by: cleo, after: 1_000)
        _ = try caption(by: ben, after: 6_000)
        let backdated = try caption(by: ben, after: 1_000)
        try story.join(eve, sponsor: host)
        let join = try #require(story.operations.last)
        let before = event.fold(story.operations).album
        let closing = try close(ballot, by: host, after: 7_000, in: &story)
        let state = try story.outcome()
        func added(by operation: VerifiedOperation) -> Int {
            state.album.consequenceCount(of: operation.header) - before.consequenceCount(of: operation.header)
        }
        #expect(state.album.consequenceCount(of: last.header) == 2)
        #expect(state.album.consequenceCount(of: invented.header) == 0)
        #expect(before.consequenceCount(of: join.header) == 0 && added(by: join) == 2)
        #expect(added(by: closing) == 2 && added(by: ballot) == 2)
        #expect(before.consequenceCount(of: backdated.header) > 0 && added(by: backdated) == 2)
        #expect(state.album.consequenceCount(of: honest.header) == 0)
        #expect(places(state) == [PhotoID(photos.b.id): 1] && state.voterCount == 1)
    }

    @Test("a remove, an erase and a hide of a vote have no effect")
    func forGood() throws {
        var (story, photos) = try founded()
        let ballot = try open(by: host, in: &story)
        let vote = try self.vote(for: photos.a, by: ben, in: ballot, &story)
        let closing = try close(ballot, by: host, in: &story)
        for operation in [ballot, vote, closing] {
            try story.say(.erase, by: host, about: operation)
            try story.say(.hide, by: host, about: operation)
        }
        try story.say(.remove, by: ben, about: vote)
        let state = try story.outcome()
        #expect(places(state) == [PhotoID(photos.a.id): 1])
        #expect(state.album.withdrawnSubject(of: vote.id, vote.header) == nil)
    }
}
