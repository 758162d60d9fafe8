// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Tickets: the worked examples 20.1 to 20.5 of protocol/rules.md.
@Suite struct TicketTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)
    private let cleo = signingKey(4)
    private let ticket = signingKey(90)
    private let other = signingKey(91)

    private func founded(frames: UInt32 = 2) throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [anna, ben, cleo], frames: frames) { $0.options.needsTickets = true }
        let keys = [ticket, other].map { TicketKey($0.verifyingKey) }
        try story.say(.tickets, by: host, argument: 17, content: .tickets(keys))
        return story
    }

    @discardableResult
    private func use(
        _ ticket: SigningKey, by key: SigningKey, salt: UInt8 = 0, in story: inout Story
    ) throws -> VerifiedOperation {
        let proof = TicketProof(of: key.author, event: event.event, by: ticket)
        return try story.say(
            .ticketUse, by: key, OperationID(ticket.verifyingKey.bytes32), content: .ticketUse(proof), salt: salt)
    }

    private func confirm(_ use: VerifiedOperation, by key: SigningKey, in story: inout Story) throws -> OperationID {
        try story.say(.ticketRuling, by: key, about: use, argument: TicketRuling.confirm.rawValue).id
    }

    private func holder(_ state: EventState) -> AuthorID? {
        state.ticket(TicketKey(ticket.verifyingKey))?.holder
    }

    @Test("one ticket on both sides of a cut: one of the two has it, and the other's photos wait for an organizer")
    func bothSides() throws {
        var story = try founded()
        let uses = [try use(ticket, by: anna, in: &story), try use(ticket, by: ben, in: &story)]
        let (winner, loser) = uses[0].id < uses[1].id ? (anna, ben) : (ben, anna)
        let shown = try story.photo(winner, slot: 1)
        let waiting = try story.photo(loser, slot: 1)
        var state = try story.outcome()
        #expect(holder(state) == winner.author && state.lacksTicket(loser.author) && !state.lacksTicket(winner.author))
        #expect(state.status(shown) == .frame(1) && state.status(waiting) == .waiting)
        #expect(state.ticket(TicketKey(ticket.verifyingKey))?.userCount == 2)
        #expect(state.users(of: TicketKey(ticket.verifyingKey)) == [anna.author, ben.author].sorted())
        #expect(state.ticketRefusal(TicketKey(ticket.verifyingKey), for: cleo.author) == .used(number: 17))
        try story.say(.frames, by: host, OperationID(loser.device.bytes32), argument: 2)
        state = try story.outcome()
        #expect(state.status(waiting) == .frame(1) && state.rollLimit(of: loser.author, at: 0) == 2)
    }

    @Test("a confirmed use holds the ticket, whatever id somebody finds for another one")
    func patience() throws {
        var story = try founded()
        try story.say(.lift, by: anna)
        let first = try use(ticket, by: anna, in: &story)
        #expect(try holder(story.outcome()) == anna.author)
        try use(ticket, by: cleo, in: &story)
        // Cleo's chain is shorter.
        #expect(try holder(story.outcome()) == cleo.author)
        _ = try confirm(first, by: cleo, in: &story)
        #expect(try holder(story.outcome()) == cleo.author)
        _ = try confirm(first, by: host, in: &story)
        let state = try story.outcome()
        #expect(holder(state) == anna.author && state.unconfirmedUses.isEmpty)
    }

    @Test("of two confirmations one counts, on every node")
    func twoConfirmations() throws {
        var story = try founded()
        let dora = signingKey(5)
        try story.join(dora, sponsor: event.eventKey)
        let (hers, his) = (try use(ticket, by: anna, in: &story), try use(ticket, by: ben, in: &story))
        let (first, second) = (try confirm(hers, by: host, in: &story), try confirm(his, by: dora, in: &story))
        #expect(try holder(story.outcome()) == (first < second ? anna.author : ben.author))
    }

    @Test("a ticket stays used when its holder is removed, if the use was confirmed; otherwise the next one has it")
    func removedHolder() throws {
        for isConfirmed in [true, false] {
            var story = try founded()
            let hers = try use(ticket, by: anna, in: &story)
            if isConfirmed { _ = try confirm(hers, by: host, in: &story) }
            try story.say(
                .revokeDevice, by: host, OperationID(anna.device.bytes32), argument: Membership.discardArgument,
                content: .revocation(heads: []))
            try use(ticket, by: ben, in: &story)
            #expect(try holder(story.outcome()) == (isConfirmed ? anna.author : ben.author))
        }
    }

    @Test("frames of somebody without a ticket are not received, until there is one")
    func gifts() throws {
        var story = try founded()
        try use(other, by: ben, in: &story)
        try story.say(.gift, by: anna, OperationID(ben.device.bytes32), argument: 2)
        var state = try story.outcome()
        #expect(state.rollLimit(of: ben.author, at: 0) == 2 && state.frames(givableBy: anna.author).isEmpty)
        try use(ticket, by: anna, in: &story)
        state = try story.outcome()
        #expect(state.rollLimit(of: ben.author, at: 0) == 3 && state.gifts(to: ben.author) == [anna.author: 1])
        try story.say(
            .ticketRuling, by: host, OperationID(ticket.verifyingKey.bytes32), argument: TicketRuling.cancel.rawValue)
        state = try story.outcome()
        #expect(state.rollLimit(of: ben.author, at: 0) == 2 && state.lacksTicket(anna.author))
        #expect(
            state.ticketRefusal(TicketKey(ticket.verifyingKey), for: anna.author) == .cancelled(number: 17))
    }

    @Test("tickets that no organizer has listed are none, and organizers need none")
    func unlisted() throws {
        var story = try founded()
        let unlisted = signingKey(92)
        try story.say(.tickets, by: cleo, argument: 1, content: .tickets([TicketKey(unlisted.verifyingKey)]))
        try use(unlisted, by: cleo, in: &story)
        let photo = try story.photo(host, slot: 9)
        let state = try story.outcome()
        #expect(state.lacksTicket(cleo.author) && state.rollLimit(of: cleo.author, at: 0) == 0)
        #expect(state.ticketRefusal(TicketKey(unlisted.verifyingKey), for: cleo.author) == .unknown)
        #expect(!state.lacksTicket(host.author) && state.status(photo) == .frame(9))
    }

    @Test("lists and rulings of a member change nothing until it is an organizer; then the earlier ones do, too")
    func ranks() throws {
        var story = try founded()
        let theirs = (0..<3).map { TicketKey(signingKey(93 + $0).verifyingKey) }
        try story.say(.tickets, by: cleo, argument: 40, content: .tickets(theirs))
        let hers = try use(ticket, by: anna, in: &story)
        _ = try confirm(hers, by: cleo, in: &story)
        var state = try story.outcome()
        #expect(state.tickets.map(\.state.number) == [17, 18] && state.unconfirmedUses == [hers.id])
        try story.grant(.organizer, to: cleo, by: event.eventKey)
        state = try story.outcome()
        #expect(state.tickets.map(\.state.number) == [17, 18, 40, 41, 42] && state.unconfirmedUses.isEmpty)
        let last = TicketKey(signingKey(96).verifyingKey)
        try story.say(.tickets, by: cleo, argument: 43, content: .tickets([last]))
        try story.say(.ticketRuling, by: cleo, OperationID(last.bytes32), argument: TicketRuling.cancel.rawValue)
        state = try story.outcome()
        #expect(state.ticket(last)?.number == 43 && state.ticket(last)?.isCancelled == true)
        #expect(holder(state) == anna.author)
    }

    @Test("new tickets have the first free numbers, whatever numbers others have listed")
    func numbers() throws {
        func own(_ number: UInt64) -> TicketKey { TicketKey(signingKey(1_000 + number).verifyingKey) }
        var story = try founded()
        let theirs = (0..<2).map { TicketKey(signingKey(93 + $0).verifyingKey) }
        try story.say(.tickets, by: host, argument: .max, content: .tickets(theirs))
        try story.say(.tickets, by: host, argument: UInt64(EventState.ticketsMax), content: .tickets([own(1)]))
        let state = try story.outcome()
        let new = try #require(state.newTickets(3, key: own))
        #expect(new.first == 2 && new.keys == (2...4).map { own($0) })
        // Tickets 17 and 18 are listed already.
        #expect(state.newTickets(20, key: own)?.first == 19)
        for count in [Int.min, 0, EventState.ticketsMax, .max] { #expect(state.newTickets(count, key: own) == nil) }
    }

    @Test("a device with another author costs the more, the more uses its tickets have")
    func costOfJoins() throws {
        var story = try founded()
        try use(ticket, by: anna, in: &story)
        let join = try #require(story.operations.first { $0.kind == .join && $0.header.device == anna.device }).header
        let before = try story.outcome().album.consequenceCount(of: join)
        for salt in UInt8(0)..<16 { try use(ticket, by: ben, salt: salt, in: &story) }
        #expect(try story.outcome().album.consequenceCount(of: join) == before + 2)
    }

    @Test("a card's text is its secret, and nothing else is")
    func secrets() throws {
        let parent = SecretBytes(copying: [UInt8](repeating: 7, count: 32).span)
        let first = TicketSecret(number: 1, from: parent, event: event.event)
        let again = try #require(TicketSecret(text: first.text))
        #expect(again.signingKey(in: event.event).verifyingKey == first.signingKey(in: event.event).verifyingKey)
        #expect(TicketSecret(number: 2, from: parent, event: event.event).text != first.text)
        #expect(first.text.utf8.count == TicketSecret.characterCount)
        for text in ["", String(first.text.dropLast()), first.text + "A", String(repeating: "!", count: 22)] {
            #expect(TicketSecret(text: text) == nil)
        }
    }
}
