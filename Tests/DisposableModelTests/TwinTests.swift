// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Joined galleries: the worked examples 24.1 to 24.6 of protocol/rules.md.
@Suite struct TwinTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let anna = signingKey(3)
    /// The event keys of other events.
    private let others = (10...15 as ClosedRange<UInt64>).map(signingKey)

    /// Ben is an organizer.
    private func founded() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [ben, anna], frames: 3)
        try story.grant(.organizer, to: ben, by: event.eventKey)
        return story
    }

    private func agreement(of key: SigningKey, with other: EventID? = nil) -> TwinAgreement {
        TwinAgreement(of: key.verifyingKey, with: other ?? event.event, by: key)
    }

    @discardableResult
    private func twin(
        _ story: inout Story, _ agreement: TwinAgreement, by key: SigningKey, about subject: EventID? = nil,
        name: String = "The other party", milliseconds: UInt64 = TestEvent.startMilliseconds
    ) throws -> VerifiedOperation {
        try story.say(
            .twinning, by: key, OperationID((subject ?? agreement.event).bytes32),
            content: .twinning(.test(agreement, name: name)), milliseconds: milliseconds)
    }

    private func twins(_ story: Story) throws -> [EventID] { try story.outcome().twins.map(\.event) }

    @Test("organizers join the gallery with another one, and separate it; a participant, a remove and a hide do not")
    func joined() throws {
        var story = try founded()
        let other = agreement(of: others[0])
        try twin(&story, other, by: anna)
        #expect(try twins(story).isEmpty)
        let twinning = try twin(&story, other, by: host)
        #expect(try twins(story) == [other.event])
        try story.say(.remove, by: host, twinning.id)
        try story.say(.hide, by: ben, twinning.id)
        try story.say(.erase, by: anna, twinning.id)
        #expect(try twins(story) == [other.event])
        #expect(try !story.outcome().hasEndedTwin(other.event))
        try story.say(.erase, by: ben, twinning.id)
        #expect(try twins(story).isEmpty)
        #expect(try story.outcome().hasEndedTwin(other.event))
    }

    @Test("a renewal that was stated meanwhile stands, as the erase does not name it")
    func renewed() throws {
        var story = try founded()
        let other = agreement(of: others[0])
        let first = try twin(&story, other, by: host)
        try story.say(.erase, by: host, first.id)
        let second = try twin(&story, other, by: ben, name: "A party")
        try story.say(.erase, by: ben, first.id)
        let state = try story.outcome()
        #expect(state.twins.map(\.operations) == [[second.id]] && state.twins.first?.name == "A party")
        try story.say(.erase, by: host, second.id)
        #expect(try twins(story).isEmpty)
    }

    @Test("an agreement is that of an organizer of the other event, for this event")
    func agreements() throws {
        var story = try founded()
        let other = TestEvent(seed: 7)
        let (olga, guest) = (signingKey(20), signingKey(21))
        func granted(
            _ role: Role, to key: SigningKey, by signer: SigningKey, in place: TestEvent
        ) throws -> TwinAgreement.Organizer {
            let grant = try place.operation(
                .grant, by: signer, sequence: 1, subject: OperationID(key.device.bytes32),
                argument: UInt64(role.rawValue), content: .grant(cancels: []))
            return TwinAgreement.Organizer(header: grant.header, signature: grant.signature)
        }
        func signed(_ organizer: TwinAgreement.Organizer, by key: SigningKey) -> TwinAgreement {
            TwinAgreement(of: other.eventKey.verifyingKey, organizer: organizer, with: event.event, by: key)
        }
        // For a third event, by a moderator, by a stranger beside somebody's grant, with false grants.
        let (theirs, ours) = (other.eventKey, event)
        try twin(&story, agreement(of: theirs, with: EventID(key: others[0].verifyingKey)), by: host)
        try twin(&story, signed(granted(.moderator, to: guest, by: theirs, in: other), by: guest), by: host)
        try twin(&story, signed(granted(.organizer, to: olga, by: theirs, in: other), by: guest), by: host)
        try twin(&story, signed(granted(.organizer, to: guest, by: guest, in: other), by: guest), by: host)
        try twin(&story, signed(granted(.organizer, to: guest, by: theirs, in: ours), by: guest), by: host)
        // About another event than the agreement is of, and about the own one.
        try twin(&story, agreement(of: theirs), by: host, about: EventID(key: others[1].verifyingKey))
        try twin(&story, agreement(of: event.eventKey), by: host)
        #expect(try twins(story).isEmpty)
        try twin(&story, signed(granted(.organizer, to: olga, by: theirs, in: other), by: olga), by: host)
        #expect(try twins(story) == [other.event])
    }

    @Test("the agreement in 252 bytes of a grant is the same, and other bytes are none")
    func grantBytes() throws {
        let grant = try event.operation(
            .grant, by: event.eventKey, sequence: 1, subject: OperationID(ben.device.bytes32), argument: 3,
            content: .grant(cancels: []))
        let organizer = TwinAgreement.Organizer(header: grant.header, signature: grant.signature)
        #expect(organizer.bytes.count == 252 && TwinAgreement.Organizer(organizer.bytes) == organizer)
        #expect(organizer.device == ben.device)
        #expect(TwinAgreement.Organizer(Array(organizer.bytes.dropLast())) == nil)
        #expect(TwinAgreement.Organizer([9] + organizer.bytes.dropFirst()) == nil)
    }

    @Test("a former organizer's twinning counts as far as the revocation leaves it", arguments: [true, false])
    func former(isLeft: Bool) throws {
        var story = try founded()
        let twinning = try twin(&story, agreement(of: others[0]), by: ben)
        try story.say(
            .revokeRole, by: event.eventKey, OperationID(ben.device.bytes32), argument: UInt64(Role.organizer.rawValue),
            content: .revocation(heads: isLeft ? [twinning.id] : []))
        #expect(try twins(story).isEmpty == !isLeft)
    }

    @Test("an event has four twins, those that were named first")
    func four() throws {
        var story = try founded()
        let agreements = others.map { agreement(of: $0) }
        let start = TestEvent.startMilliseconds
        let first = try twin(&story, agreements[0], by: host, milliseconds: start)
        for number in 1...3 {
            try twin(&story, agreements[number], by: host, milliseconds: start + UInt64(10 * number))
        }
        try twin(&story, agreements[4], by: ben, milliseconds: start + 25)
        #expect(try twins(story) == [0, 1, 2, 4].map { agreements[$0].event })
        // It takes a place later, so it has not ended.
        #expect(try !story.outcome().hasEndedTwin(agreements[3].event))
        try story.say(.erase, by: host, first.id, milliseconds: start + 100)
        #expect(try twins(story) == [1, 2, 4, 3].map { agreements[$0].event })
        #expect(try story.outcome().hasEndedTwin(agreements[0].event))
    }

    @Test("of a device the first 64 twinnings are looked at")
    func sixtyFive() throws {
        var story = try founded()
        let (first, second) = (agreement(of: others[0]), agreement(of: others[1]))
        for number in 0..<Twin.perDeviceMax { try twin(&story, first, by: host, name: "Party \(number)") }
        try twin(&story, second, by: host)
        let state = try story.outcome()
        #expect(state.twins.map(\.event) == [first.event])
        #expect(state.twins.first?.operations.count == 64 && state.twins.first?.secrets.count == 8)
        #expect(state.twinningCount(by: host.device) == 64)
        try twin(&story, second, by: ben)
        #expect(try twins(story) == [first.event, second.event])
    }

    @Test("a twinning whose body comes later counts from then on")
    func lateBody() throws {
        var story = try founded()
        let other = agreement(of: others[0])
        let twinning = try twin(&story, other, by: host)
        let whole = try story.outcome()
        var state = event.fold(story.operations.map { $0.id == twinning.id ? $0.withoutBody : $0 })
        #expect(state.twins.isEmpty && state.isTwinning(twinning.id) && state.digest == whole.digest)
        state.apply(twinning)
        #expect(state == whole && state.twins.map(\.event) == [other.event])
    }

    @Test("a twinning changes neither photos nor the digest")
    func digest() throws {
        var story = try founded()
        _ = try story.photo(anna, slot: 1)
        let before = try story.outcome()
        try twin(&story, agreement(of: others[0]), by: host)
        let after = try story.outcome()
        #expect(after.digest == before.digest && after.gallery == before.gallery && !after.needsNewerVersion)
        #expect(!OperationKind.twinning.isCritical)
    }

    @Test("a twin's secret opens with the event secret under which it is sealed, for that twin only")
    func secrets() throws {
        func secret(_ byte: UInt8) -> SecretBytes {
            var bytes = [UInt8](repeating: byte, count: 32)
            return SecretBytes(consuming: &bytes)
        }
        let twin = EventID(key: others[0].verifyingKey)
        let nonce = try #require(Bytes32([UInt8](repeating: 3, count: 32)))
        let sealed = TwinSecret(of: secret(1), twin: twin, under: secret(2), epoch: .none, nonce: nonce)
        #expect(sealed.box.count == TwinSecret.boxByteCount)
        #expect(sealed.opened(with: secret(2), twin: twin)?.isEqual(to: secret(1)) == true)
        #expect(sealed.opened(with: secret(4), twin: twin) == nil)
        #expect(sealed.opened(with: secret(2), twin: event.event) == nil)
        #expect(TwinSecret(epoch: .none, nonce: nonce, box: Array(sealed.box.dropLast())) == nil)
    }

    @Test("photos of two events have one order, in which those of each keep theirs")
    func order() throws {
        let start = TestEvent.startMilliseconds
        let states = try [(event, [30, 10, 20]), (TestEvent(seed: 7), [25, 5, 35])].map { event, times in
            var story = Story(event)
            try story.found(host: host, guests: [anna], frames: 3)
            for (index, time) in times.enumerated() {
                _ = try story.photo(
                    anna, slot: UInt64(index + 1), salt: UInt8(index + 1), milliseconds: start + UInt64(time))
            }
            return try story.outcome()
        }
        let places = states.flatMap { state in state.gallery.map { state.displayPlace(of: $0) } }.sorted()
        #expect(places.map(\.milliseconds) == [5, 10, 20, 25, 30, 35].map { start + $0 })
        for state in states {
            let own = state.gallery.map(\.id)
            #expect(places.map(\.id).filter(own.contains) == own)
        }
    }
}
