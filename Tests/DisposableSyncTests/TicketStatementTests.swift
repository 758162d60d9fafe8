// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// The operations about tickets that a node signs, and those that it refuses, with the reason.
@Suite struct TicketStatementTests {
    private let office: Office
    private let tickets: [SigningKey]

    init() throws {
        office = try Office(frames: 2, needsTickets: true)
        var random = SplitMix64(seed: 77)
        tickets = (0..<3).map { _ in SigningKey(seed: random.secret()) }
    }

    private func key(_ place: Int) -> TicketKey { TicketKey(tickets[place].verifyingKey) }

    private func list(first: UInt64 = 1) -> Office.Outcome {
        office.say(.listTickets((0..<3).map(key), first: first, salt: office.salt))
    }

    private func use(
        _ place: Int, by key: SigningKey? = nil, before others: [Statement] = []
    ) -> Office.Outcome {
        let author = key.map { AuthorID($0.verifyingKey) } ?? office.guest
        let proof = TicketProof(of: author, event: office.founding.id, by: tickets[place])
        let body = OperationBody.encode(.ticketUse(proof), salt: office.salt)
        return office.say(.useTicket(self.key(place), body: body), by: key ?? office.member, before: others)
    }

    @Test("a guest adds photos once it has used a ticket, which the organizer's node confirms by itself")
    func used() throws {
        #expect(use(0) == .refused(.noTicket(.unknown)))
        #expect(list() == .stated([.tickets]))
        #expect(office.state.rollLimit(of: office.guest, at: 0) == 0)
        #expect(use(0) == .stated([.ticketUse]))
        #expect(office.state.ticket(key(0))?.holder == office.guest)
        #expect(office.state.rollLimit(of: office.guest, at: 0) == 2)
        // The same again changes nothing, and another ticket stays unused.
        #expect(use(0) == .stated([]))
        #expect(use(1) == .refused(.noTicket(.another)))
        _ = try office.photo(by: office.member)
        #expect(office.stored.count { $0.kind == .ticketRuling } == 1)
        #expect(office.state.unconfirmedUses.isEmpty)
    }

    @Test("the organizer's node confirms a use before what guests had it say meanwhile")
    func busy() {
        #expect(list() == .stated([.tickets]))
        let names = (0..<4).map { Statement.name(body: OperationBody.encode(.name("Ben \($0)"), salt: office.salt)) }
        #expect(use(0, before: names) == .stated([.ticketUse]))
        #expect(office.stored.suffix(6).map(\.kind) == [.ticketUse, .ticketRuling, .name, .name, .name, .name])
        #expect(office.state.unconfirmedUses.isEmpty)
    }

    @Test("a cancelled ticket is refused, and only organizers list and cancel")
    func cancelled() throws {
        #expect(list() == .stated([.tickets]))
        #expect(office.say(.rule(.cancelTicket(key(1)), salt: office.salt)) == .stated([.ticketRuling]))
        #expect(use(1) == .refused(.noTicket(.cancelled(number: 2))))
        #expect(office.say(.rule(.cancelTicket(key(1)), salt: office.salt)) == .refused(.nothingToDo))
        #expect(
            office.say(.rule(.cancelTicket(key(0)), salt: office.salt), by: office.member)
                == .refused(.rankTooLow(needed: .organizer)))
        #expect(
            office.say(.listTickets([key(0)], first: 9, salt: office.salt), by: office.member)
                == .refused(.rankTooLow(needed: .organizer)))
        for first in [0, UInt64(EventState.ticketsMax), .max] {
            #expect(list(first: first) == .refused(.noTicket(.number)))
        }
    }
}
