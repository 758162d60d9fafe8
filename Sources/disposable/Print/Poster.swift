// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposablePortal

/// The printed invitation for guests: the same content as a poster, as cards and as tents for tables. Millimetres.
struct Poster {
    static let ink = "#1f1712"
    static let faint = "#6b5a4e"

    let title: String
    /// "Anna invites you to take photos."
    var hostLine: String
    /// The date; nil if it is not shown.
    let dateLine: String?
    /// The content of the gallery's code.
    var link: String
    /// For people who type: an address, then a code.
    let address: String
    let code: String
    let words: [String]
    let wifi: WiFiNetwork?
    let texts: PrintTexts
    var colors = ThemeColors(.film)
    /// The event's cover, a JPEG as base64.
    var cover: String?
    /// The text of a ticket, for people who type it.
    var ticket: String?
    /// The pages of another node, for when this one does not answer.
    var second: SecondNode?

    struct SecondNode {
        let address: String
        let link: String
    }

    /// A page, with the contents of its codes.
    struct Sheet {
        let svg: String
        let codes: [String]
    }

    /// Returns everything for a printer with A4 paper: a poster, four A6 cards to cut, a tent to fold.
    func sheets() throws -> [Sheet] {
        let drawings = try Drawings(self)
        let (width, height) = (210.0, 297.0)
        let portrait = portrait(drawings)
        let card = portraitOfCard(drawings)
        let landscape = landscape(drawings)
        let cards = [(0.0, 0.0), (105, 0), (0, 148.5), (105, 148.5)].map { x, y in
            SVG.group(x: x, y: y, scale: 0.5, card)
        }
        let cuts = "<path d=\"M105 0v297M0 148.5h210\" stroke=\"#999\" stroke-width=\"0.2\" stroke-dasharray=\"1 2\"/>"
        let fold = "<path d=\"M0 148.5h210\" stroke=\"#999\" stroke-width=\"0.2\" stroke-dasharray=\"3 2\"/>"
        return [
            Sheet(svg: SVG.page(width: width, height: height, portrait), codes: allCodes),
            Sheet(
                svg: SVG.page(width: width, height: height, cards.joined() + cuts),
                codes: Array(repeating: codes, count: 4).flatMap(\.self)),
            Sheet(
                svg: SVG.page(
                    width: width, height: height,
                    SVG.group(x: width, y: 148.5, rotation: 180, landscape) + SVG.group(x: 0, y: 148.5, landscape)
                        + fold),
                codes: allCodes + allCodes),
        ]
    }

    /// Returns a single card, A6, for a message.
    func card() throws -> Sheet {
        let card = portraitOfCard(try Drawings(self))
        return Sheet(svg: SVG.page(width: 105, height: 148.5, SVG.group(x: 0, y: 0, scale: 0.5, card)), codes: codes)
    }

    /// The contents of the codes on a card, which has no room for another node's.
    var codes: [String] { [wifi?.text, link].compactMap(\.self) }
    private var allCodes: [String] { codes + [second?.link].compactMap(\.self) }

    struct Drawings {
        let gallery: QRCode
        let wifi: QRCode?
        var second: QRCode?

        init(_ poster: Poster) throws {
            func code(_ text: String) throws -> QRCode {
                guard let code = QRCode(text) else {
                    throw Failure("a text of \(text.utf8.count) bytes does not fit into a QR code")
                }
                return code
            }
            gallery = try code(poster.link)
            wifi = try poster.wifi.map { try code($0.text) }
            second = try poster.second.map { try code($0.link) }
        }
    }

    // 210 x 297

    private func portrait(_ drawings: Drawings) -> String {
        var page = SVG.rectangle(x: 0, y: 0, width: 210, height: 98, fill: colors.bright)
        page += SVG.rectangle(x: 0, y: 98, width: 210, height: 4, fill: colors.stripe)
        page += SVG.group(x: 16, y: 13, scale: 1.1, camera)
        if let cover { page += SVG.photo(cover, x: 126, y: 11, width: 70, height: 76) }
        let width = cover == nil ? 178.0 : 104
        let name = SVG.text(
            FittedText(title, width: width, sizeMax: 19, lineCountMax: 2), x: 16, y: 32, isBold: true)
        page += name.drawing
        let host = SVG.text(FittedText(hostLine, width: width, sizeMax: 8, lineCountMax: 1), x: 16, y: 35 + name.height)
        page += host.drawing
        if let dateLine {
            let size = FittedText(dateLine, width: width, sizeMax: 6.5, lineCountMax: 1).size
            page += SVG.text(dateLine, x: 16, y: 35 + name.height + host.height + 7, size: size)
        }

        if let wifi, let code = drawings.wifi {
            page += step(1, texts.joinWiFi, code, x: 14, y: 110, side: 84)
            page += details(of: wifi, x: 14, y: 216, width: 86)
            page += step(2, texts.scan, drawings.gallery, x: 112, y: 110, side: 84)
            page += typed(x: 112, y: 216, width: drawings.second == nil ? 86 : 52, second: second)
            page += otherwise(drawings.second, x: 168, y: 215, side: 32)
        } else {
            page += step(nil, texts.scan, drawings.gallery, x: 59, y: 105, side: 92)
            page += SVG.text(texts.onWiFi, x: 105, y: 218, size: 5.5, align: .centre)
            page += typed(x: 66, y: second == nil ? 224 : 222, width: 86, second: second)
            page += otherwise(drawings.second, x: 164, y: 222, side: 29)
        }
        page += foot(x: 105, y: 268, width: 182)
        return page
    }

    /// Returns the same for a card, whose small codes cameras would not read: another node has an address only.
    private func portraitOfCard(_ drawings: Drawings) -> String {
        var drawings = drawings
        drawings.second = nil
        return portrait(drawings)
    }

    // 210 x 148.5

    func landscape(_ drawings: Drawings) -> String {
        var page = SVG.rectangle(x: 0, y: 0, width: 210, height: 40, fill: colors.bright)
        page += SVG.rectangle(x: 0, y: 40, width: 210, height: 2, fill: colors.stripe)
        page += SVG.group(x: 12, y: 10, scale: 1, camera)
        let name = SVG.text(FittedText(title, width: 160, sizeMax: 11, lineCountMax: 2), x: 40, y: 4, isBold: true)
        page += name.drawing
        page +=
            SVG.text(FittedText(hostLine, width: 160, sizeMax: 6, lineCountMax: 1), x: 40, y: 5.5 + name.height).drawing
        if let wifi, let code = drawings.wifi {
            page += step(1, texts.joinWiFi, code, x: 8, y: 46, side: 54)
            page += details(of: wifi, x: 63, y: 58, width: 42, size: 4)
            page += step(2, texts.scan, drawings.gallery, x: 106, y: 46, side: 54)
            page += typed(x: 161, y: 58, width: 45, size: 4)
            page += otherwise(drawings.second, x: 172, y: 87, side: 22)
        } else {
            page += step(nil, texts.scan, drawings.gallery, x: 36, y: 45, side: 58)
            page += typed(x: 108, y: 62, width: 80)
            page += otherwise(drawings.second, x: 168, y: 86, side: 23)
        }
        page += foot(x: 105, y: 122, width: 190)
        return page
    }

    /// Returns a heading with its number, and the code below.
    private func step(_ number: Int?, _ heading: String, _ code: QRCode, x: Double, y: Double, side: Double) -> String {
        let size = side / 11
        var drawing = ""
        if let number {
            drawing +=
                "<circle cx=\"\(x + size * 0.75)\" cy=\"\(y + size * 0.7)\" r=\"\(size * 0.75)\" fill=\"\(Self.ink)\"/>"
            drawing += SVG.text(
                "\(number)", x: x + size * 0.75, y: y + size * 1.06, size: size, isBold: true, fill: colors.bright,
                align: .centre)
            let fitted = FittedText(heading, width: side - size * 1.9, sizeMax: size * 0.92, lineCountMax: 1)
            drawing += SVG.text(heading, x: x + size * 1.9, y: y + size * 1.06, size: fitted.size, isBold: true)
        } else {
            let fitted = FittedText(heading, width: side, sizeMax: size, lineCountMax: 1)
            drawing += SVG.text(
                heading, x: x + side / 2, y: y + size * 1.06, size: fitted.size, isBold: true, align: .centre)
        }
        return drawing + SVG.code(code, x: x, y: y + size * 1.7, side: side)
    }

    private func details(of wifi: WiFiNetwork, x: Double, y: Double, width: Double, size: Double = 4.6) -> String {
        let name = SVG.text(
            FittedText(wifi.name, width: width, sizeMax: size * 1.5, lineCountMax: 2), x: x, y: y + size * 1.4,
            isBold: true)
        var drawing = SVG.text(texts.wifi, x: x, y: y + size, size: size, fill: Self.faint) + name.drawing
        let below = y + size * 1.6 + name.height
        guard let password = wifi.password else {
            return drawing + SVG.text(texts.noPassword, x: x, y: below + size, size: size, fill: Self.faint)
        }
        drawing += SVG.text(texts.password, x: x, y: below + size, size: size, fill: Self.faint)
        drawing +=
            SVG.text(
                FittedText(password, width: width, sizeMax: size * 1.5, lineCountMax: 3), x: x, y: below + size * 1.4,
                isBold: true
            ).drawing
        return drawing
    }

    /// Returns the address and code for people whose camera does not read codes.
    /// - Parameter second: another node, in a last line.
    private func typed(
        x: Double, y: Double, width: Double, size: Double = 4.6, second: SecondNode? = nil
    ) -> String {
        let address = SVG.text(
            FittedText(self.address, width: width, sizeMax: size * 1.7, lineCountMax: 1), x: x, y: y + size * 1.4,
            isBold: true)
        let below = y + size * 1.8 + address.height
        return SVG.text(texts.typeAddress, x: x, y: y + size, size: size, fill: Self.faint) + address.drawing
            + SVG.text(texts.typeCode, x: x, y: below + size, size: size, fill: Self.faint)
            + SVG.text(code, x: x, y: below + size * 2.8, size: size * 1.6, isBold: true, isMonospaced: true)
            + (ticket.map { ticket in
                SVG.text(texts.typeTicket, x: x, y: below + size * 4.4, size: size, fill: Self.faint)
                    + SVG.text(
                        ticket, x: x, y: below + size * 5.8, size: width / 14, isBold: true, isMonospaced: true)
            } ?? "")
            + (second.map { second in
                let line = "\(texts.otherwise) \(second.address)"
                let fitted = FittedText(line, width: width, sizeMax: size, lineCountMax: 1)
                return SVG.text(line, x: x, y: below + size * 4.2, size: fitted.size)
            } ?? "")
    }

    /// Returns the code of another node below its heading; nothing without a code.
    private func otherwise(_ code: QRCode?, x: Double, y: Double, side: Double) -> String {
        guard let code else { return "" }
        let heading = FittedText(texts.otherwise, width: side + 6, sizeMax: 4, lineCountMax: 1)
        return SVG.text(
            texts.otherwise, x: x + side / 2, y: y + 4, size: heading.size, isBold: true, align: .centre)
            + SVG.code(code, x: x, y: y + 5.5, side: side)
    }

    private func foot(x: Double, y: Double, width: Double) -> String {
        let words = self.words.joined(separator: "  ·  ")
        return "<path d=\"M\(x - width / 2) \(y - 6)h\(width)\" stroke=\"\(Self.faint)\" stroke-width=\"0.3\"/>"
            + SVG.text(texts.stayConnected, x: x, y: y + 2.5, size: 5, isBold: true, align: .centre)
            + SVG.text(texts.wordsFollow, x: x, y: y + 10, size: 4.4, fill: Self.faint, align: .centre)
            + SVG.text(words, x: x, y: y + 18, size: 6, isBold: true, align: .centre)
    }

    /// 22 x 15
    private var camera: String {
        SVG.rectangle(x: 3, y: 0, width: 6, height: 4, radius: 1, fill: Self.ink)
            + SVG.rectangle(x: 0, y: 2.5, width: 22, height: 12.5, radius: 2, fill: Self.ink)
            + SVG.rectangle(x: 0, y: 11, width: 22, height: 4, radius: 2, fill: colors.stripe)
            + "<circle cx=\"11\" cy=\"8.5\" r=\"4.6\" fill=\"#fff8ea\"/><circle cx=\"11\" cy=\"8.5\" r=\"3.1\" fill=\"#4a3a30\"/>"
            + SVG.rectangle(x: 16, y: 4.2, width: 4, height: 2.4, radius: 0.6, fill: "#fff8ea")
    }
}
