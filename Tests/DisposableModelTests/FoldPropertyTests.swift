// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import Testing

/// The laws of the fold, over many random sets of honest and dishonest operations. A failure names its seed.
@Suite struct FoldPropertyTests {
    static let seeds = UInt64(0)..<50

    @Test(
        "any order, any repetition and any batching of the operations give one state and one digest", arguments: seeds)
    func orderFree(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed)
        var random = SplitMix64(seed: seed ^ 0xABCD)
        let expected = set.event.fold(set.operations)
        #expect(expected.digest != nil)
        for _ in 0..<6 {
            var operations = set.operations.shuffled(using: &random)
            operations += operations.shuffled(using: &random).prefix(20)
            operations.shuffle(using: &random)
            // Batches, each of which some node may have folded and compared before the next came.
            var state = set.event.empty
            while !operations.isEmpty {
                for operation in operations.prefix(.random(in: 1...20, using: &random)) {
                    state.apply(operation)
                    operations.removeFirst()
                }
                _ = state.digest
            }
            #expect(state == expected)
            #expect(state.digest == expected.digest)
        }
    }

    @Test(
        "batches of one, of seven and of all, and parts derived once at the end, give one state", arguments: seeds
    )
    func batches(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed, count: 120)
        var random = SplitMix64(seed: seed ^ 0xBA7C)
        let operations = set.operations.shuffled(using: &random)
        let expected = set.event.fold(set.operations)
        for size in [1, 7, operations.count] {
            var state = set.event.empty
            for start in stride(from: 0, to: operations.count, by: size) {
                state.apply(operations[start..<min(start + size, operations.count)])
            }
            #expect(state == expected)
            #expect(state.digest == expected.digest)
            #expect(state.photos == expected.photos)
        }
        var restored = set.event.empty
        for operation in operations { restored.take(operation) }
        restored.resolve()
        #expect(restored == expected)
        #expect(restored.resolutionCount <= 1)
    }

    @Test("after every operation the state is that of the operations so far in any other order", arguments: seeds)
    func incremental(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed, count: 30)
        var random = SplitMix64(seed: seed ^ 0x1234)
        let operations = set.operations.shuffled(using: &random)
        var state = set.event.empty
        for count in operations.indices {
            state.apply(operations[count])
            let fresh = set.event.fold(operations.prefix(count + 1).shuffled(using: &random))
            #expect(state == fresh)
            #expect(state.digest == fresh.digest)
        }
    }

    @Test("the random sets make every rank act, revoke and be revoked, and every status come about")
    func coverage() throws {
        var ranks: Set<Rank> = []
        var gone: Set<DeviceID> = []
        var statuses: Set<String> = []
        var (void, counting, cancelled, applied) = (0, 0, 0, 0)
        var (chained, lost, waiting) = (0, 0, 0)
        var (forks, feuds) = (0, 0)
        var (discarded, unproven) = (0, 0)
        var (turned, zoned, written, lostMessages) = (0, 0, 0, 0)
        var (given, lostGifts, byGifts) = (0, 0, 0)
        var (held, usedTwice, byTickets, byOthersUse) = (0, 0, 0, 0)
        var (ballots, closed, votes, lostVotes, tied) = (0, 0, 0, 0, 0)
        var (untimely, backdated) = (Set<Untimeliness>(), 0)
        var (pictures, placed) = (Dictionary<PictureRole, Int>(), 0)
        for seed in Self.seeds {
            let set = try RandomOperations(seed: seed, count: 120)
            let state = set.event.fold(set.operations)
            let without = set.event.fold(batch: set.operations.map(\.withoutCancels))
            for operation in set.operations {
                let (device, grantee) = (operation.header.device, operation.header.subject.bytes32)
                ranks.insert(state.membership.rank(of: operation.id, by: device))
                if state.membership.isRevoked(device) {
                    if state.membership.counts(operation.id, by: device) { counting += 1 } else { void += 1 }
                }
                guard operation.kind == .revokeDevice || operation.kind == .revokeRole else { continue }
                let isApplied = state.membership.revocations(of: grantee).contains {
                    $0.id == operation.id && $0.counts
                }
                let wasApplied = without.membership.revocations(of: grantee).contains {
                    $0.id == operation.id && $0.counts
                }
                if wasApplied, !isApplied { cancelled += 1 }
                if isApplied { applied += 1 }
            }
            let discarding = set.operations.filter { revocation in
                revocation.kind == .revokeDevice && revocation.header.argument == 1
                    && state.membership.revocations(of: revocation.header.subject.bytes32).contains {
                        $0.id == revocation.id && $0.counts
                    }
            }
            let own = set.operations.filter { operation in
                discarding.contains { $0.header.subject.bytes32 == operation.header.device.bytes32 }
                    && operation.kind?.isErasable == true
                    && !state.membership.counts(operation.id, by: operation.header.device)
            }
            discarded += own.count { state.album.withdrawal(of: $0.id) == .discarded }
            unproven += own.count { state.album.withdrawal(of: $0.id) == nil }
            forks += Dictionary(grouping: set.operations) {
                "\($0.header.device) \($0.header.set) \($0.header.previous)"
            }.values.count { $0.count > 1 && $0[0].header.sequence > 0 }
            // By organizers, of organizers.
            let expelled = set.operations.filter {
                $0.kind == .revokeDevice && state.membership.rank(of: $0.id, by: $0.header.device) == .organizer
                    && state.membership.rank(of: DeviceID($0.header.subject.bytes32)) == .organizer
            }
            feuds += expelled.count { one in
                expelled.contains {
                    $0.header.device != one.header.device && $0.header.subject.bytes32 == one.header.device.bytes32
                        && one.header.subject.bytes32 == $0.header.device.bytes32
                }
            }
            gone.formUnion(set.operations.map(\.header.device).filter(state.membership.hasLeft))
            let epochs = set.operations.filter {
                if case .epoch(.some, _)? = $0.content { true } else { false }
            }
            let counting = epochs.filter { state.membership.rank(of: $0.id, by: $0.header.device) >= .organizer }
            chained += state.epochs.chain.count
            lost += counting.count { !state.epochs.chain.contains($0.id) }
            waiting += state.waitingNodes.count
            for role in PictureRole.allCases where state.picture(role) != nil { pictures[role, default: 0] += 1 }
            turned += state.photos.count { state.album.turn(of: $0.id) != .none }
            zoned += state.photos.count { state.zone(of: $0) != nil && state.membership.node(of: $0.device) != $0.device }
            let messages = set.operations.count { $0.kind == .message }
            written += state.album.messages.count
            lostMessages += messages - state.album.messages.count
            let people = state.membership.authors
            let received = people.reduce(0) { $0 + Int(state.receivedFrames(of: $1)) }
            given += received
            lostGifts += set.operations.count { $0.kind == .gift } - received
            let withoutGifts = set.event.fold(batch: set.operations.filter { $0.kind != .gift })
            if state.photos != withoutGifts.photos { byGifts += 1 }
            held += state.tickets.count { $0.state.holder != nil }
            usedTwice += state.tickets.count { $0.state.userCount > 1 }
            if !state.tickets.isEmpty {
                let withoutUses = set.event.fold(batch: set.operations.filter { $0.kind != .ticketUse })
                if state.photos != withoutUses.photos { byTickets += 1 }
                // Without the uses that hold tickets, photos of others have frames.
                let holding = Set(state.tickets.compactMap(\.state.use))
                let withOtherUses = set.event.fold(batch: set.operations.filter { !holding.contains($0.id) })
                let isForOthers = withOtherUses.photos.contains { photo in
                    photo.status.slot != nil && !state.holdsTicket(photo.author)
                        && state.photo(photo.id)?.status == .waiting
                }
                if isForOthers { byOthersUse += 1 }
            }
            if let ballot = state.ballot {
                ballots += 1
                let inIt = set.operations.count { $0.kind == .vote && $0.header.subject == ballot.id }
                if !ballot.isOpen { lostVotes += inIt - state.voterCount }
            }
            if let result = state.voteResult {
                closed += 1
                votes += result.places.reduce(0) { $0 + $1.voteCount }
                if result.winners.count > 1 { tied += 1 }
            }
            placed += state.photos.count { state.spot(of: $0.id) != nil }
            untimely.formUnion(state.photos.compactMap(state.untimeliness))
            for photo in state.photos {
                let time = state.album.photoTime(of: photo.id)
                if time > photo.timestamp.milliseconds { backdated += 1 }
            }
            for photo in state.photos { statuses.insert("\(photo.status)".prefix { $0 != "(" }.description) }
        }
        #expect(discarded > 5 && unproven > 5, "\(discarded) discarded, \(unproven) void and not")
        #expect(ranks == Set(Rank.allCases))
        #expect(gone.count > 3)
        #expect(forks > 100 && feuds > 5, "\(forks) forks as of copies, \(feuds) organizers who put each other out")
        #expect(statuses == ["frame", "pending", "veiled", "waiting", "hidden", "removed", "erased"])
        #expect(untimely == [.early, .late])
        #expect(turned > 10)
        #expect(zoned > 10, "\(zoned) photos of guests with a zone")
        #expect(written > 50 && lostMessages > 50, "\(written) messages, \(lostMessages) that do not count")
        #expect(given > 5 && lostGifts > 100, "\(given) frames received, \(lostGifts) gifts without effect")
        #expect(byGifts > 0, "\(byGifts) sets in which a gift changes a photo")
        #expect(held > 5 && usedTwice > 5, "\(held) tickets held, \(usedTwice) used twice")
        #expect(
            byTickets > 2 && byOthersUse > 2,
            "\(byTickets) sets in which tickets decide, \(byOthersUse) in which the first use alone does")
        #expect(backdated > 20, "\(backdated) backdated")
        #expect(ballots > 20 && closed > 15, "\(ballots) votes, \(closed) of them closed")
        #expect(votes > 30 && lostVotes > 30 && tied > 5, "\(votes) votes in results, \(lostVotes) lost, \(tied) ties")
        #expect(
            PictureRole.allCases.allSatisfy { pictures[$0, default: 0] > 3 } && placed > 3, "\(pictures), \(placed)")
        #expect(chained > 10 && lost > 30 && waiting > 10)
        #expect(void > 100 && counting > 100 && cancelled > 10 && applied > 100)
    }

    @Test(
        "the fold gives the ranks, what is void, and every photo's status as the rules spell them out",
        arguments: UInt64(0)..<100)
    func oracle(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed, count: seed < 50 ? 80 : 120)
        let state = set.event.fold(set.operations)
        let oracle = Oracle(set.operations, eventKey: set.event.eventKey.verifyingKey)
        #expect(state.charter == oracle.charter)
        #expect(state.membership.devices == oracle.ranks.keys.filter { !oracle.gone.contains($0) }.sorted())
        for (device, rank) in oracle.ranks { #expect(state.membership.rank(of: device) == rank) }
        for operation in set.operations {
            let device = operation.header.device
            #expect(state.membership.counts(operation.id, by: device) == oracle.counts(operation))
            #expect(state.membership.rank(of: operation.id, by: device) == oracle.rank(ofAct: operation))
            #expect(state.membership.mayServePages(device) == oracle.pages.contains(device))
            let withdrawal = state.album.withdrawal(of: operation.id)
            #expect(state.withdrawals[operation.id] == withdrawal)
            if withdrawal == nil || withdrawal == .discarded {
                #expect((withdrawal == .discarded) == oracle.isDiscarded(operation))
            }
            let isGone = state.album.withdrawnSubject(of: operation.id, operation.header) == operation.id
            #expect(isGone == (withdrawal != nil && operation.kind?.isErasable != false))
        }
        #expect(Dictionary(uniqueKeysWithValues: state.photos.map { ($0.id, $0.status) }) == oracle.statuses)
        let moments = (state.moments?.all ?? []).map { ($0.day, $0.startsAtMilliseconds) }
        #expect(Dictionary(uniqueKeysWithValues: moments) == oracle.moments)
        let verdicts = state.photos.compactMap { photo in state.moment(of: photo.id).map { (photo.id, $0) } }
        #expect(Dictionary(uniqueKeysWithValues: verdicts) == oracle.momentsOfPhotos)
        let missions = state.photos.compactMap { photo in state.mission(of: photo.id).map { (photo.id, $0.id) } }
        #expect(Dictionary(uniqueKeysWithValues: missions) == oracle.missionsOfPhotos)
        for role in PictureRole.allCases { #expect(state.picture(role)?.id == oracle.picture(role)) }
        #expect(state.gallery.map(\.id).sorted() == oracle.gallery)
        let spots = state.photos.compactMap { photo in state.spot(of: photo.id).map { (photo.id, $0) } }
        #expect(Dictionary(uniqueKeysWithValues: spots) == oracle.spots)
        let turns = state.photos.map { ($0.id, state.album.turn(of: $0.id)) }.filter { $0.1 != .none }
        #expect(Dictionary(uniqueKeysWithValues: turns) == oracle.turns)
        let zones = state.photos.compactMap { photo in state.zone(of: photo).map { (photo.id, $0) } }
        #expect(Dictionary(uniqueKeysWithValues: zones) == oracle.zonesOfPhotos)
        #expect(state.album.messages.map(\.id) == oracle.messages)
        #expect(state.album.pageSealingSettings == oracle.pageSealingSettings)
        #expect(state.twins.map(\.event) == oracle.twins)
        let received = state.membership.authors.map { ($0, state.receivedFrames(of: $0)) }.filter { $0.1 > 0 }
        let expected = oracle.receivedFrames.filter { state.membership.authors.contains($0.key) }
        #expect(Dictionary(uniqueKeysWithValues: received) == expected)
        #expect(state.messageRecipients == oracle.messageRecipients)
        #expect(state.holdersOfTickets == oracle.tickets)
        #expect(VoteOutcome(state) == oracle.vote)
        #expect(state.epochs.chain == oracle.epochChain)
        #expect(state.insiders == oracle.insiders(of: state.epochs.current))
    }

    @Test(
        "bodies that are missing change neither digest nor photos, and late bodies bring the whole state",
        arguments: seeds)
    func missingBodies(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed)
        var random = SplitMix64(seed: seed ^ 0x5555)
        let whole = set.event.fold(set.operations)
        let partial = set.operations.map { Bool.random(using: &random) ? $0.withoutBody : $0 }
        var state = set.event.fold(partial.shuffled(using: &random))
        #expect(state.digest == whole.digest)
        #expect(state.photos == whole.photos)
        #expect(state.gallery == whole.gallery)
        for operation in set.operations.shuffled(using: &random) { state.apply(operation) }
        #expect(state == whole)
        // A body that came and is erased from the disk does not take the name away from a running node.
        for operation in partial { state.apply(operation) }
        #expect(state == whole)
    }

    @Test(
        "no guest has two visible photos in one slot, more than the roll holds, or one from beyond it", arguments: seeds
    )
    func slots(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed, count: 120)
        let state = set.event.fold(set.operations)
        let charter = try #require(state.charter)
        for (author, photos) in Dictionary(grouping: state.gallery, by: \.author) {
            let slots = photos.compactMap { photo -> UInt64? in
                if case .frame(let slot) = photo.status { slot } else { nil }
            }
            #expect(slots.count == photos.count)
            #expect(Set(slots).count == slots.count)
            #expect(slots.allSatisfy { $0 >= 1 })
            if !state.membership.isUnlimited(author), let frames = charter.framesInAll {
                let limit = frames + state.album.extraFrames(of: author) + state.receivedFrames(of: author)
                #expect(slots.count <= Int(limit))
                #expect(slots.allSatisfy { $0 <= limit })
            }
        }
    }

    @Test("taking photos back frees no slot and makes no other photo visible", arguments: seeds)
    func removalGivesNothingBack(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed, hasVeils: false)
        var state = set.event.fold(set.operations)
        let keys = Dictionary(
            uniqueKeysWithValues: (RandomOperations.everybody + RandomOperations.latecomers).map { ($0.device, $0) })
        for photo in state.gallery where !state.membership.isRevoked(photo.device) {
            let before = state
            let signer = try #require(keys[photo.device])
            state.apply(
                try set.event.operation(.remove, by: signer, sequence: 100, subject: photo.id.operationID))
            #expect(state.gallery == before.gallery.filter { $0.id != photo.id })
            #expect(
                state.album.freeSlots(of: photo.author, count: 9, limit: 9)
                    == before.album.freeSlots(of: photo.author, count: 9, limit: 9))
            #expect(state.digest != before.digest)
        }
        #expect(state.gallery.allSatisfy { state.membership.isRevoked($0.device) })
    }

    @Test("what others say about a photo changes nothing that anybody sees", arguments: seeds)
    func onlyAuthorsCount(seed: UInt64) throws {
        // Where nothing is revoked, so that leaving an operation out of a chain makes no other void.
        let set = try RandomOperations(seed: seed, hasRoles: false)
        let members = set.event.fold(set.operations).membership
        let authors = Dictionary(
            set.operations.filter { $0.kind == .photo }.map { ($0.id, members.author(of: $0.header.device)) }
        ) { first, _ in first }
        let own = set.operations.filter {
            switch $0.kind {
            case .claim, .remove, .original, .answer: authors[$0.header.subject] == members.author(of: $0.header.device)
            case .charter: $0.header.device == set.event.eventKey.device
            default: true
            }
        }
        #expect(own.count < set.operations.count)
        let state = set.event.fold(set.operations)
        let without = set.event.fold(own)
        #expect(state.photos == without.photos)
        #expect(state.gallery == without.gallery)
        #expect(state.digest == without.digest)
        for photo in state.photos {
            #expect(state.album.originals(of: photo.id) == without.album.originals(of: photo.id))
        }
    }

    @Test("five operations picked at random give one state in all their 120 orders", arguments: UInt64(0)..<20)
    func allOrdersOfRandomSubsets(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed)
        var random = SplitMix64(seed: seed)
        let operations = Array(set.operations.shuffled(using: &random).prefix(5))
        let expected = set.event.fold(operations)
        for order in permutations(operations) { #expect(set.event.fold(order) == expected) }
    }
}
