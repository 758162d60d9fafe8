// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposablePortal

/// The printed invitation for guests: the same content as a poster, as cards and as tents for tables. Millimetres.
struct Poster {
    /// The content of the gallery's code.
    let link: String
    let texts: PrintTexts
    let colors: ThemeColors
    /// The last one of each shape is used.
    let templates: [PrintTemplate]
    /// The content of every place of a template.
    var contents: [String: String?]

    /// A drawing, with the contents of its codes.
    struct Sheet {
        let svg: String
        let codes: [String]
    }

    /// Returns everything for a printer with A4 paper: a poster, four A6 cards to cut, a tent to fold.
    func sheets() throws -> [Sheet] {
        let (poster, card, tent) = try (drawing(isUpright: true), smallPoster(), drawing(isUpright: false))
        let cards = [(0.0, 0.0), (105, 0), (0, 148.5), (105, 148.5)].map { x, y in
            SVG.group(x: x, y: y, scale: 0.5, card.svg)
        }
        let cuts = Self.line("M105 0v297M0 148.5h210", dashes: 1)
        let sides = SVG.group(x: 210, y: 148.5, rotation: 180, tent.svg) + SVG.group(x: 0, y: 148.5, tent.svg)
        return [
            Self.page(poster.svg, codes: poster.codes),
            Self.page(cards.joined() + cuts, codes: cards.flatMap { _ in card.codes }),
            Self.page(sides + Self.line("M0 148.5h210", dashes: 3), codes: tent.codes + tent.codes),
        ]
    }

    /// Returns a single card, A6, for a message.
    func card() throws -> Sheet {
        let card = try smallPoster()
        return Self.page(SVG.group(x: 0, y: 0, scale: 0.5, card.svg), width: 105, height: 148.5, codes: card.codes)
    }

    static func page(_ content: String, width: Double = 210, height: Double = 297, codes: [String]) -> Sheet {
        let page = """
            <svg xmlns="http://www.w3.org/2000/svg" font-family="DejaVu Sans, Noto Sans, sans-serif" \
            width="\(width)mm" height="\(height)mm" viewBox="0 0 \(width) \(height)">\
            <rect width="\(width)" height="\(height)" fill="#fff"/>\(content)</svg>
            """
        return Sheet(svg: page, codes: codes)
    }

    /// Returns a line to cut or fold.
    private static func line(_ path: String, dashes: Int) -> String {
        "<path d=\"\(path)\" stroke=\"#999\" stroke-width=\"0.2\" stroke-dasharray=\"\(dashes) 2\"/>"
    }

    private func drawing(isUpright: Bool) throws -> Sheet {
        try templates.last { $0.isUpright == isUpright }!.filled(contents, colors)
    }

    /// Returns the poster without the second code, for a card: cameras would not read it in half the size.
    private func smallPoster() throws -> Sheet {
        var small = self
        small.contents["second-code"] = .some(nil)
        return try small.drawing(isUpright: true)
    }

    // Tickets

    /// The cards of one A4 page, A7 each.
    static let ticketsPerSheet = 8

    /// Returns pages of cards to cut, in the order of the tickets, each with a code of its own.
    func sheets(of tickets: [TicketInfo]) throws -> [Sheet] {
        try stride(from: 0, to: tickets.count, by: Self.ticketsPerSheet).map { start in
            let cards = try tickets[start..<min(start + Self.ticketsPerSheet, tickets.count)].map(card)
            let places = cards.enumerated().map { place, card in
                SVG.group(x: Double(place % 2) * 105, y: Double(place / 2) * 74.25, scale: 0.5, card.svg)
            }
            let cuts = Self.line("M105 0v297M0 74.25h210M0 148.5h210M0 222.75h210", dashes: 1)
            return Self.page(places.joined() + cuts, codes: cards.flatMap(\.codes))
        }
    }

    private func card(of ticket: TicketInfo) throws -> Sheet {
        var card = self
        card.contents["host"] = texts.ticket(ticket.number)
        if let secret = ticket.ticket {
            card.contents["ticket"] = secret
            card.contents["ticket-label"] = texts.typeTicket
            card.contents["gallery-code"] = "\(link)~\(secret)"
        }
        return try card.drawing(isUpright: false)
    }
}
