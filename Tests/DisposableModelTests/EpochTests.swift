// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Which secret is the event's, and who has it.
@Suite("Epochs") struct EpochTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let second = signingKey(2)
    private let anna = signingKey(3)
    private let ben = signingKey(4)

    private func secret(_ number: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: number, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    /// Two organizers and two participants.
    private func story() throws -> Story {
        var story = Story(event)
        try story.say(.charter, by: event.eventKey, content: .charter(Charter(name: "Party", startsAtMilliseconds: 0)))
        try story.join(host, sponsor: event.eventKey)
        try story.join(second, sponsor: event.eventKey)
        for guest in [anna, ben] { try story.join(guest, sponsor: host) }
        return story
    }

    @discardableResult private func rotate(
        _ story: inout Story, by key: SigningKey, after parent: OperationID = .none, _ number: UInt8,
        to keys: [SigningKey]
    ) throws -> OperationID {
        let seals = try keys.map { try SealedSecret(of: secret(number), for: $0.device, seed: secret(number ^ 0xFF)) }
        let commitment = Epoch.commitment(to: secret(number), parent: parent, event: event.event)
        return try story.say(
            .epoch, by: key, parent, content: .epoch(commitment: commitment, seals: seals)
        ).id
    }

    @discardableResult private func admit(
        _ story: inout Story, by key: SigningKey, to epoch: OperationID, _ number: UInt8, _ newcomer: SigningKey
    ) throws -> OperationID {
        let seal = try SealedSecret(of: secret(number), for: newcomer.device, seed: secret(77))
        return try story.say(
            .epoch, by: key, epoch, argument: 1, content: .epoch(commitment: nil, seals: [seal])
        ).id
    }

    @Test("an organizer's new secret is the event's, and a participant's is nothing")
    func rank() throws {
        var story = try story()
        #expect(try story.outcome().epochs.current == .none)
        try rotate(&story, by: anna, 1, to: [anna])
        #expect(try story.outcome().epochs.chain.isEmpty)
        let epoch = try rotate(&story, by: host, 2, to: [host, second, anna])
        let state = try story.outcome()
        #expect(state.epochs.chain == [epoch])
        #expect(state.insideNodes == [host, second, anna].map(\.device).sorted())
        #expect(state.waitingNodes == [ben.device])
        let after = try rotate(&story, by: event.eventKey, after: epoch, 3, to: [host])
        #expect(try story.outcome().epochs.chain == [epoch, after])
    }

    @Test("of two rotations while apart the smaller id counts, and what follows the other one counts no more")
    func race() throws {
        var story = try story()
        let left = try rotate(&story, by: host, 1, to: [host, second, anna, ben])
        let right = try rotate(&story, by: second, 2, to: [host, second, anna, ben])
        let (winner, loser) = (min(left, right), max(left, right))
        #expect(try story.outcome().epochs.chain == [winner])
        let further = try rotate(&story, by: host, after: loser, 3, to: [host])
        #expect(try story.outcome().epochs.chain == [winner], "not even where more has followed it")
        let next = try rotate(&story, by: second, after: winner, 4, to: [host])
        let state = try story.outcome()
        #expect(state.epochs.chain == [winner, next])
        #expect(!state.epochs.chain.contains(further))
    }

    @Test(
        "removing an organizer without knowledge of its rotation voids the rotation and restores the earlier secret"
    )
    func undone() throws {
        var story = try story()
        let before = story
        try rotate(&story, by: second, 1, to: [host, second])
        // The event key has not heard of it, so it leaves the join alone.
        let join = try before.outcome().membership.heads(leaving: second.device.bytes32)
        try story.say(
            .revokeDevice, by: event.eventKey, OperationID(second.device.bytes32), content: .revocation(heads: join))
        #expect(try story.outcome().epochs.current == .none)
    }

    @Test("a rotation that became void still leads to what an organizer has built on it")
    func builtOn() throws {
        var story = try story()
        let before = story
        let first = try rotate(&story, by: second, 1, to: [host, second])
        let next = try rotate(&story, by: host, after: first, 2, to: [host])
        let join = try before.outcome().membership.heads(leaving: second.device.bytes32)
        try story.say(
            .revokeDevice, by: event.eventKey, OperationID(second.device.bytes32), content: .revocation(heads: join))
        #expect(try story.outcome().epochs.chain == [first, next])
    }

    @Test("who comes in under the new secret has it, by the word of one who has it alone")
    func sponsor() throws {
        var story = try story()
        let (cleo, dora, eve) = (signingKey(5), signingKey(6), signingKey(7))
        let epoch = try rotate(&story, by: host, 1, to: [host, second, anna])
        func join(_ key: SigningKey, _ sponsor: SigningKey, under epoch: OperationID) throws {
            let admission = Admission(of: key.device, to: event.event, under: epoch, by: sponsor)
            try story.say(.join, by: key, content: .join(admission, nil))
        }
        try join(cleo, anna, under: epoch)
        try join(dora, cleo, under: epoch)
        try join(eve, ben, under: epoch)
        var state = try story.outcome()
        #expect(Set(state.insideNodes) == Set([host, second, anna, cleo, dora].map(\.device)))
        #expect(Set(state.waitingNodes) == [ben.device, eve.device], "a device that an outsider admits stays outside")
        try join(eve, anna, under: .none)
        #expect(try story.outcome().waitingNodes.contains(eve.device), "nor under the old secret")
        try admit(&story, by: anna, to: epoch, 1, ben)
        #expect(try story.outcome().waitingNodes.contains(ben.device))
        try admit(&story, by: second, to: epoch, 1, ben)
        state = try story.outcome()
        #expect(state.waitingNodes.isEmpty, "with the sponsor, the device that it admitted is inside")
    }

    @Test("a removed node that has the secret is named, so that the secret is rotated once more")
    func outcast() throws {
        var story = try story()
        try rotate(&story, by: host, 1, to: [host, second, anna, ben])
        #expect(try story.outcome().outcastsWithSecret.isEmpty)
        let heads = try story.outcome().membership.heads(leaving: ben.device.bytes32)
        try story.say(
            .revokeDevice, by: host, OperationID(ben.device.bytes32), content: .revocation(heads: heads))
        let state = try story.outcome()
        #expect(state.outcastsWithSecret == [ben.device])
        #expect(!state.insideNodes.contains(ben.device), "the next secret is not for it")
        try rotate(&story, by: host, after: state.epochs.current, 2, to: [host, second, anna])
        #expect(try story.outcome().outcastsWithSecret.isEmpty)
    }

    @Test("a box opens for its device alone, and a secret is the epoch's or it is not")
    func boxes() throws {
        var story = try story()
        let epoch = try rotate(&story, by: host, 9, to: [host, anna])
        let state = try story.outcome()
        let boxes = state.epochs.seals(for: anna.device)
        #expect(boxes.count == 1 && boxes[0].epoch == epoch)
        let opened = try SealedBox.open(boxes[0].box, with: anna.agreementKey)
        #expect(state.epochs.isSecret(opened, of: epoch, event: event.event))
        #expect(state.epochs.epoch(of: opened, event: event.event) == epoch)
        #expect(!state.epochs.isSecret(secret(8), of: epoch, event: event.event))
        #expect(state.epochs.epoch(of: secret(8), event: event.event) == nil)
        #expect(throws: CryptoError.authenticationFailed) { try SealedBox.open(boxes[0].box, with: host.agreementKey) }
        #expect(state.epochs.seals(for: ben.device).isEmpty)
    }

    @Test("one device replaces the secret a hundred times, in whatever order that comes")
    func hundredRotations() throws {
        var story = try story()
        var latest = OperationID.none
        var chain: [OperationID] = []
        for number in 0..<100 {
            latest = try rotate(&story, by: host, after: latest, UInt8(number), to: [host])
            chain.append(latest)
        }
        #expect(try story.outcome().epochs.chain == chain)
    }

    @Test("what shows the way to the current epoch has no boxes that were added to earlier ones")
    func proof() throws {
        var story = try story()
        let first = try rotate(&story, by: host, after: .none, 1, to: [host])
        let early = try story.say(
            .epoch, by: host, first, argument: 1, content: .epoch(commitment: nil, seals: []), salt: 1)
        let second = try rotate(&story, by: host, after: first, 2, to: [host])
        let late = try story.say(
            .epoch, by: host, second, argument: 1, content: .epoch(commitment: nil, seals: []), salt: 2)
        let proof = try story.outcome().epochs.proof
        #expect(proof.operations == [first, second, late.id].sorted() && !proof.operations.contains(early.id))
        #expect(proof.signers == [host.device])
    }
}
