// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposablePortal

/// Cards that are each for one person.
extension Poster {
    /// The cards of one A4 page, A7 each.
    static let ticketsPerSheet = 8

    /// Returns pages of cards to cut, in the order of the tickets, each with a code of its own.
    func sheets(of tickets: [TicketInfo]) throws -> [Sheet] {
        try stride(from: 0, to: tickets.count, by: Self.ticketsPerSheet).map { start in
            let page = tickets[start..<min(start + Self.ticketsPerSheet, tickets.count)]
            var (drawing, codes) = ("", [String]())
            for (place, ticket) in page.enumerated() {
                let card = card(of: ticket)
                drawing += SVG.group(
                    x: Double(place % 2) * 105, y: Double(place / 2) * 74.25, scale: 0.5,
                    card.landscape(try Drawings(card)))
                codes += card.codes
            }
            drawing +=
                "<path d=\"M105 0v297M0 74.25h210M0 148.5h210M0 222.75h210\" stroke=\"#999\" "
                + "stroke-width=\"0.2\" stroke-dasharray=\"1 2\"/>"
            return Sheet(svg: SVG.page(width: 210, height: 297, drawing), codes: codes)
        }
    }

    private func card(of ticket: TicketInfo) -> Poster {
        var card = self
        card.hostLine = texts.ticket(ticket.number)
        card.ticket = ticket.ticket
        if let secret = ticket.ticket { card.link += "~" + secret }
        return card
    }
}
