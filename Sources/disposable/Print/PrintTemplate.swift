// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposablePortal
import Foundation

/// A drawing with samples that a print replaces: elements that have the name of a place as their id, also with a number
/// ("title", "title-2"). A group "with-title" is printed if the place has content, "without-title" if it has none.
///
/// The content of "cover" is a JPEG as base64, of a name that ends in "-code" that of a QR code, of others a text.
struct PrintTemplate {
    /// The places without which people do not come in, or cannot compare the words.
    private static let needed = [
        "gallery-code", "address", "code", "words", "wifi-code", "wifi-name", "password", "second-code", "ticket",
    ]

    let path: String
    let text: String
    private var tags: [SVGTag] = []
    /// Whether it is for posters and cards, not for tents and tickets.
    private(set) var isUpright = true

    /// Throws `Failure` for a file that is no drawing, or needs other files.
    init(_ path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= 4_000_000,
            let text = String(data: bytes, encoding: .utf8)
        else { throw Failure("\(path) is no file of at most 4 MB in UTF-8", hint: Self.advice) }
        self.path = path
        self.text = text
        tags = try readTags()
        let box = (tags.first?.attributes["viewBox"] ?? "").split { " ,".contains($0) }.compactMap { Double($0) }
        guard let root = tags.first, root.name == "svg", root.end == tags.count - 1, box.count == 4 else {
            throw Failure("\(path) is no drawing: it has no <svg> with a viewBox", hint: Self.advice)
        }
        isUpright = box[3] > box[2]
        for tag in tags where tag.name == "image" {
            let link = tag.attributes["href"] ?? tag.attributes["xlink:href"] ?? ""
            guard link.hasPrefix("data:") else { throw mistake("embed the picture \"\(link)\"", at: tag.source) }
        }
    }

    private static let advice = "start with /print/poster.svg or /print/ticket.svg of a node's pages"

    func mistake(_ message: String, at place: Substring) -> Failure {
        let line = text[..<place.startIndex].count(where: \.isNewline) + 1
        return Failure("\(path), line \(line): \(message)", hint: Self.advice)
    }

    /// Returns the drawing in millimetres.
    /// - Parameter contents: of every place; an element whose place has none is left out.
    /// Throws `Failure` for a place that is missing, or is on an element of another kind.
    func filled(_ contents: [String: String?], _ colors: ThemeColors) throws -> Poster.Sheet {
        var (drawing, codes, places, index) = ("", [String](), Set<String>(), 1)
        // The distance by which texts are moved down, in each of the open groups.
        var shifts = [0.0]
        while index < tags.count - 1 {
            let tag = tags[index]
            let id = tag.attributes["id"]?.replacing(/(-[0-9]+)+$/, with: "") ?? ""
            drawing += tag.before
            if let content = contents[id] {
                if let content {
                    places.insert(id)
                    if id.hasSuffix("-code") { codes.append(content) }
                    drawing += try element(index, of: id, with: content, movedBy: &shifts[shifts.count - 1])
                }
                index = tag.end
            } else if try isPrinted(tag, id, contents) {
                drawing += tag.source
                if tag.isClosing { shifts.removeLast() } else if tag.end > index { shifts.append(0) }
            } else {
                index = tag.end
            }
            index += 1
        }
        for place in Self.needed where contents[place, default: nil] != nil && !places.contains(place) {
            throw Failure("\(path) prints no element with the id \"\(place)\"", hint: Self.advice)
        }
        let root = tags[0].with(["width": "210", "height": isUpright ? "297" : "148.5"]).opening("svg")
        // An editor may hide one of two groups.
        let style = """
            <style>[id^=with-],[id^=without-]{display:inline!important}\
            .bright{fill:\(colors.bright)}.stripe{fill:\(colors.stripe)}</style>
            """
        return Poster.Sheet(svg: "\(root)\(drawing)\(tags[tags.count - 1].before)\(style)</svg>", codes: codes)
    }

    private func isPrinted(_ tag: SVGTag, _ id: String, _ contents: [String: String?]) throws -> Bool {
        guard let dash = id.firstIndex(of: "-"), ["with", "without"].contains(id[..<dash]) else { return true }
        guard tag.name == "g", let content = contents[String(id[dash...].dropFirst())] else {
            let places = contents.keys.sorted().joined(separator: ", ")
            throw mistake("\"\(id)\" is no group of one of the places \(places)", at: tag.source)
        }
        return (content == nil) == id.hasPrefix("without")
    }

    private func element(
        _ index: Int, of place: String, with content: String, movedBy shift: inout Double
    ) throws -> String {
        let tag = tags[index]
        let kinds = place == "cover" ? ["rect", "image"] : place.hasSuffix("-code") ? ["rect"] : ["text"]
        guard kinds.contains(tag.name) else {
            throw mistake("\"\(place)\" is a <\(tag.name)>, not a <\(kinds[0])>", at: tag.source)
        }
        if place == "cover" {
            let fit = ["href": "data:image/jpeg;base64,\(content)", "preserveAspectRatio": "xMidYMid slice"]
            return tag.with(fit).opening("image") + "</image>"
        }
        guard tag.name == "rect" else { return try lines(of: content, index, movedBy: &shift) }
        guard let code = QRCode(content) else {
            throw Failure("a text of \(content.utf8.count) bytes does not fit into a QR code")
        }
        let (width, height) = (try length("width", of: tag), try length("height", of: tag))
        let side = min(width, height)
        let drawing = SVG.group(
            x: try length("x", of: tag) + (width - side) / 2, y: try length("y", of: tag) + (height - side) / 2,
            scale: side / Double(code.size + 2 * QRCode.quietZone),
            "<path d=\"\(code.shape)\" style=\"fill:#000;stroke:none\"/>")
        return "\(tag.opening("rect"))</rect><g transform=\"\(tag.attributes["transform"] ?? "")\">\(drawing)</g>"
    }

    /// Returns a text that fits into its width and number of lines. Following texts move by what it is higher than one
    /// line.
    private func lines(of text: String, _ index: Int, movedBy shift: inout Double) throws -> String {
        // Editors also write positions and fonts into the first line.
        let inner = tags[index + 1]
        let tag = inner.name == "tspan" && !inner.isClosing ? tags[index].with(inner.attributes) : tags[index]
        let (x, y) = (try length("x", of: tag, orElse: 0), try length("y", of: tag, orElse: 0))
        let size = try length("font-size", of: tag)
        let count = tag.attributes["data-lines"].flatMap { Int($0) } ?? 1
        let fitted = FittedText(
            text, width: try length("inline-size", of: tag, orElse: .infinity), sizeMax: size, lineCountMax: count)
        let first = y + shift - (count > 1 ? 0.95 * (size - fitted.size) : 0)
        let lines = fitted.lines.enumerated().map { number, line in
            "<tspan x=\"\(x)\" y=\"\(first + 1.18 * fitted.size * Double(number))\">\(SVG.escaped(line))</tspan>"
        }
        if count > 1 { shift += 1.18 * (fitted.size * Double(lines.count) - size) }
        return tag.with(["style": "font-size:\(fitted.size)px"]).opening("text") + lines.joined() + "</text>"
    }

    /// Returns a length in the unit of the drawing.
    private func length(_ name: String, of tag: SVGTag, orElse other: Double? = nil) throws -> Double {
        let text = tag.property(name)
        let number = text.map { Double($0.hasSuffix("px") ? String($0.dropLast(2)) : $0) } ?? other
        guard let number, number > 0 || "xy".contains(name) else {
            throw mistake("\"\(tag.attributes["id"] ?? "")\" needs a number, no unit, as its \(name)", at: tag.source)
        }
        return number
    }
}
