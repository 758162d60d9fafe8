// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal
import Synchronization

/// Asks about tickets and returns those that the node answers with.
func askForTickets(
    _ request: TicketRequest, in event: EventOptions, _ common: CommonOptions
) async throws -> [TicketInfo] {
    let tickets = Mutex<[TicketInfo]>([])
    try await ask(.tickets(event: event.event, request), common) { reply in
        if case .ticket(let ticket) = reply { tickets.withLock { $0.append(ticket) } }
    }
    return tickets.withLock(\.self)
}

struct InviteTicketsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tickets", abstract: "List the tickets of the event, print unused ones again, or cancel one.",
        discussion: """
            For organizers. `disposable invite --tickets 150` makes tickets. A ticket that was used twice is marked: \
            the second person has no frames, and an organizer decides, with `disposable event frames NAME +27` or \
            another ticket.
            """)

    @Option(help: ArgumentHelp("Cancel the ticket with this number or key, for good.", valueName: "number"))
    var cancel: String?

    @OptionGroup var printing: TicketPrinting
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard cancel == nil || printing.cards == nil else {
            throw ValidationError("--cancel cancels one ticket, and --cards prints: choose one")
        }
        guard printing.cards != nil || printing.template.isEmpty else {
            throw ValidationError("--template needs --cards")
        }
    }

    func run() async throws {
        let tickets = try await askForTickets(cancel.map(TicketRequest.cancel) ?? .list, in: event, common)
        if printing.cards != nil {
            let unused = tickets.filter { $0.state == "unused" && $0.ticket != nil }
            guard !unused.isEmpty else {
                throw Failure("no unused ticket was made on this machine", exitCode: 3)
            }
            guard let plan = try await printing.plan(event, common) else { return }
            return try await printing.print(unused, by: plan, common)
        }
        guard !tickets.isEmpty else {
            throw Failure("the event has no tickets", hint: "`disposable invite --tickets 150` makes some", exitCode: 3)
        }
        for ticket in tickets {
            common.console.json("ticket", ticket)
            common.console.result(Self.line(ticket))
        }
    }

    private static func line(_ ticket: TicketInfo) -> String {
        let number = "\(ticket.number)"
        return switch ticket.state {
        case "used": "\(number)  used by \(ticket.holder ?? "")"
        case "usedTwice":
            "\(number)  used twice: \(ticket.users.joined(separator: ", ")); \(ticket.holder ?? "nobody") has it"
        default: "\(number)  \(ticket.state)"
        }
    }
}

/// The output of tickets: as cards, or as links; and the drawings of what is printed.
struct TicketPrinting: ParsableArguments {
    @Option(
        help: ArgumentHelp("Print the tickets as cards to cut, eight on an A4 page.", valueName: "file.pdf"))
    var cards: String?

    @Option(
        help: ArgumentHelp("An own drawing: upright for posters, wide for tents and tickets.", valueName: "file.svg"))
    var template: [String] = []

    func validate() throws {
        if let cards, !cards.lowercased().hasSuffix(".pdf") {
            throw ValidationError("cards are a PDF: name a file that ends in .pdf")
        }
    }

    private struct Link: Encodable {
        let number: UInt64
        let link: String
    }

    private struct Printed: Encodable {
        let file: String
        let pages: Int
        let tickets: Int
    }

    /// The print of every card, with the address of the pages.
    struct Plan {
        let poster: Poster
        let pages: PageAddress
    }

    /// Returns the plan; throws if the address of the pages is not known, before any ticket is made.
    func plan(_ event: EventOptions, _ common: CommonOptions, paper: Paper = Paper()) async throws -> Plan? {
        let answer = Mutex<InvitationInfo?>(nil)
        try await ask(.invite(event: event.event, isPrinted: true), common) { reply in
            if case .invitation(let info) = reply { answer.withLock { $0 = info } }
        }
        guard let info = answer.withLock(\.self) else { return nil }
        let pages = try Poster.pages(of: info, wanted: paper.address, in: common.folder)
        return Plan(
            poster: try Poster(
                info, pages: pages, wifi: paper.wifi, language: paper.language ?? .ofTerminal, templates: template),
            pages: pages)
    }

    /// Writes cards, or one link a line.
    func print(_ tickets: [TicketInfo], by plan: Plan, _ common: CommonOptions) async throws {
        guard let cards else {
            for ticket in tickets {
                guard let secret = ticket.ticket else { continue }
                let link = Link(number: ticket.number, link: "\(plan.poster.link)~\(secret)")
                common.console.json("ticket", link)
                common.console.result(link.link)
            }
            return
        }
        let sheets = try plan.poster.sheets(of: tickets)
        try await Printer.print(sheets, to: cards)
        common.console.json("printed", Printed(file: cards, pages: sheets.count, tickets: tickets.count))
        common.console.result("\(cards): \(Show.count(tickets.count, "ticket")), every code verified")
        if !plan.pages.isSecure { try common.folder.plan(pages: plan.pages.address) }
    }

    /// The particulars of a print.
    struct Paper {
        var address: String?
        var wifi: WiFiNetwork?
        var language: Language?
    }
}

struct TicketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticket", abstract: "Use a ticket, to get frames at an event that asks for one.",
        discussion: "A ticket is for one person, and valid once. Guests scan its code instead.")

    @Argument(help: "The link of the card, or the text of the ticket.")
    var ticket: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Used: Encodable { let number: UInt64 }

    func run() async throws {
        let console = common.console
        try await ask(.tickets(event: event.event, .use(ticket)), common) { reply in
            guard case .usedTicket(let number) = reply else { return }
            console.json("usedTicket", Used(number: number))
            console.result("you have ticket \(number)")
        }
    }
}
