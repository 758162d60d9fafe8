// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import Testing

/// Photos that organizers reveal together: the worked examples 20.1 to 20.5 of protocol/rules.md.
@Suite struct ShareTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let cleo = signingKey(4)
    private let seal: CharterSeal
    private let shares: [RevealShare]

    init() throws {
        (seal, shares) = CharterSeal.shared(try #require(ShareRule(threshold: 2)), event: TestEvent().event, seed: 7)
    }

    private func founded(_ change: (inout Charter) -> Void = { _ in }) throws -> Story {
        var story = Story(event)
        var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: TestEvent.startMilliseconds)
        (charter.reveal, charter.seal) = (.atEnd, seal)
        change(&charter)
        try story.say(.charter, by: event.eventKey, content: .charter(charter))
        try story.join(host, sponsor: event.eventKey)
        for guest in [anna, ben, cleo] { try story.join(guest, sponsor: host) }
        return story
    }

    private func release(_ index: Int, as other: Int? = nil, by key: SigningKey, in story: inout Story) throws {
        try story.say(
            .shareRelease, by: key, argument: UInt64(other ?? index), content: .shareRelease(shares[index - 1].value))
    }

    private func deal(_ index: UInt64, to key: SigningKey, by dealer: SigningKey, in story: inout Story) throws {
        try story.say(
            .share, by: dealer, OperationID(key.device.bytes32), argument: index,
            content: .share(box: [UInt8](repeating: UInt8(index), count: BlobReference.sealedKeyByteCount)))
    }

    @Test("any two of three shares open the photos, and say with which key")
    func two() throws {
        for pair in [(1, 2), (1, 3), (3, 2)] {
            var story = try founded()
            let closed = try story.outcome()
            try release(pair.0, by: host, in: &story)
            let half = try story.outcome()
            #expect(!half.isRevealed && half.revealKey == nil && half.digest == closed.digest)
            #expect(half.shareStatus?.missingCount == 1 && half.hasReleased(host.device))
            try release(pair.1, by: cleo, in: &story)
            let state = try story.outcome()
            #expect(state.isRevealed && state.isRevealedByShares && state.revealID == nil)
            #expect(state.revealKey?.publicKey.bytes32 == seal.key && state.digest != closed.digest)
            #expect(state.shareStatus?.missingCount == 0)
        }
    }

    @Test("one share alone opens nothing, however often and under whatever number it is published")
    func one() throws {
        var story = try founded()
        for index in [2, 2, 1, 3, 0, 4, 258] { try release(2, as: index, by: ben, in: &story) }
        for byte in 0..<20 as Range<UInt8> {
            try story.say(
                .shareRelease, by: ben, argument: 1,
                content: .shareRelease(Bytes32([UInt8](repeating: byte, count: 32))!))
        }
        let state = try story.outcome()
        #expect(!state.isRevealed && state.shareStatus?.released == [2])
    }

    @Test("a removed organizer's share counts, as what it is decides, and not its signer")
    func removed() throws {
        var story = try founded()
        try story.say(
            .revokeDevice, by: host, OperationID(ben.device.bytes32), content: .revocation(heads: []))
        try release(2, by: ben, in: &story)
        try release(3, by: anna, in: &story)
        #expect(try story.outcome().isRevealed)
    }

    @Test("a reveal by a node with the secret half counts as before, and ends what nodes without shares wait for")
    func reveal() throws {
        var story = try founded()
        try release(1, by: host, in: &story)
        try release(2, by: ben, in: &story)
        let secret = try #require(try story.outcome().revealKey?.disclosed)
        try story.say(.reveal, by: ben, content: .reveal(secret))
        let state = try story.outcome()
        #expect(state.isRevealed && state.revealID != nil && !state.isRevealedByShares)
    }

    @Test("shares are given by organizers only; a device may be told several, and opens those that are sealed to it")
    func deals() throws {
        var story = try founded()
        try deal(1, to: host, by: host, in: &story)
        try deal(2, to: ben, by: host, in: &story)
        try deal(3, to: cleo, by: ben, in: &story)
        try deal(4, to: anna, by: host, in: &story)
        let state = try story.outcome()
        #expect(
            Set(state.shareHolders) == [
                ShareHolder(device: host.device, index: 1), ShareHolder(device: ben.device, index: 2),
            ])
        #expect(state.shareBoxes(for: ben.device).map(\.index) == [2])
        #expect(state.shareBoxes(for: cleo.device).isEmpty && state.shareBoxes(for: anna.device).isEmpty)
        #expect(Set(state.sharesDealt(by: host.device).map(\.index)) == [1, 2, 4] && !state.isRevealed)
    }

    @Test("terms that mean nothing share nothing")
    func terms() {
        let commitments = seal.shares?.commitments ?? []
        #expect(ShareTerms(threshold: 1, commitments: commitments) == nil)
        #expect(ShareTerms(threshold: 4, commitments: commitments) == nil)
        #expect(ShareTerms(threshold: 2, commitments: commitments + commitments + commitments) == nil)
        #expect(ShareRule(threshold: 2)?.count == 3 && ShareRule(threshold: 7)?.count == 8)
        #expect(ShareRule(threshold: 8)?.count == 8 && ShareRule(threshold: 9) == nil)
        #expect(ShareRule(threshold: 1) == nil && ShareRule(threshold: 3, count: 2) == nil)
    }

    @Test("where the founder's commitment to one share is false, the true ones among all open the photos")
    func falseCommitment() throws {
        let lie = Bytes32([UInt8](repeating: 9, count: 32))!
        let terms = try #require(seal.shares)
        var commitments = terms.commitments
        commitments[0] = ShareTerms.commitment(event: event.event, index: 1, share: lie)
        var story = try founded { $0.seal.shares = ShareTerms(threshold: 2, commitments: commitments) }
        try story.say(.shareRelease, by: host, argument: 1, content: .shareRelease(lie))
        try release(2, by: ben, in: &story)
        #expect(try !story.outcome().isRevealed)
        try release(3, by: cleo, in: &story)
        #expect(try story.outcome().isRevealed)
    }

    @Test("of the founder's two charters the first decides whether shares open the photos, in any order")
    func twoCharters() throws {
        var story = try founded()
        for index in 1...3 { try release(index, by: host, in: &story) }
        let (other, _) = CharterSeal.shared(try #require(ShareRule(threshold: 2)), event: event.event, seed: 8)
        // The first charter is the one with the smaller id, so that each is it for some salt.
        var outcomes: Set<Bool> = []
        for salt in 1..<12 as Range<UInt8> {
            var both = story
            var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: TestEvent.startMilliseconds)
            (charter.reveal, charter.seal) = (.atEnd, seal)
            charter.seal.key = other.key
            try both.say(.charter, by: event.eventKey, content: .charter(charter), salt: salt)
            let state = try both.outcome()
            #expect(state.isRevealed == (state.charter?.seal == seal))
            outcomes.insert(state.isRevealed)
        }
        #expect(outcomes.count == 2)
    }

    @Test("a device has released its share although another restates it")
    func restated() throws {
        var story = try founded()
        for key in [host, ben, cleo] { try release(1, by: key, in: &story) }
        let state = try story.outcome()
        for key in [host, ben, cleo] { #expect(state.hasReleased(key.device)) }
        #expect(!state.hasReleased(anna.device) && state.shareStatus?.released == [1])
    }

    @Test("no edit changes what is shared, and none opens the photos")
    func edits() throws {
        var story = try founded()
        try story.edit(.reveal, by: host) { charter in
            charter.reveal = .now
            charter.seal.shares = nil
        }
        let state = try story.outcome()
        #expect(state.charter?.reveal == .now && state.shareTerms == seal.shares && !state.isRevealed)
    }

    @Test("random sets with shares, true and false, fold in any order as the oracle says", arguments: UInt64(0)..<60)
    func oracle(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed, count: 90, seal: seal, shares: shares)
        var random = SplitMix64(seed: seed ^ 0x5AA5)
        let oracle = Oracle(set.operations, eventKey: set.event.eventKey.verifyingKey)
        let expected = set.event.fold(batch: set.operations)
        #expect(expected.shareStatus?.released == oracle.releasedShares?.keys.sorted())
        #expect(expected.isRevealed == oracle.isRevealedByShares)
        #expect(
            Dictionary(grouping: expected.shareHolders, by: \.device).mapValues { Set($0.map(\.index)) }
                == oracle.dealtShares)
        // Votes for photos that are sealed still have no place. The slow rules take their time.
        if seed < 30 { #expect(VoteOutcome(expected) == oracle.vote) }
        // Once open, the photos stay so, whatever arrives later.
        var (state, wasRevealed) = (set.event.empty, false)
        for operation in set.operations.shuffled(using: &random) {
            state.apply(operation)
            if state.charterID == expected.charterID {
                #expect(state.isRevealed || !wasRevealed)
                wasRevealed = state.isRevealed
            }
        }
        #expect(state == expected && state.digest == expected.digest)
    }

    @Test("random sets have all of it: published, too few, false, given out, revealed")
    func variety() throws {
        var (revealed, half, false_, dealt) = (0, 0, 0, 0)
        var (placed, sealed) = (0, 0)
        for seed in 0..<60 as Range<UInt64> {
            let set = try RandomOperations(seed: seed, count: 90, seal: seal, shares: shares)
            let state = set.event.fold(batch: set.operations)
            let status = try #require(state.shareStatus)
            if state.isRevealed { revealed += 1 } else if !status.released.isEmpty { half += 1 }
            false_ += set.operations.count { $0.kind == .shareRelease } - status.released.count
            dealt += state.shareHolders.count
            guard let result = state.voteResult, result.voterCount > 0 else { continue }
            if !result.places.isEmpty { placed += 1 } else if !state.isRevealed { sealed += 1 }
        }
        #expect(revealed > 5 && half > 5 && false_ > 20 && dealt > 20, "\(revealed), \(half), \(false_), \(dealt)")
        #expect(placed > 2 && sealed > 10, "\(placed) votes with a result, \(sealed) for sealed photos")
    }
}
