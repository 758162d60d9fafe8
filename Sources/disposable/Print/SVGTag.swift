// SPDX-License-Identifier: Apache-2.0

/// A tag of a drawing (SVG 1.1).
struct SVGTag {
    let name: String
    /// The values as they stand in the file, escaped.
    var attributes: [String: String]
    let isClosing: Bool
    let isEmpty: Bool
    /// The text before the tag, with comments.
    let before: Substring
    let source: Substring
    /// The index of the tag that closes the element; its own for an empty element.
    var end: Int

    /// Returns a property of the element's style, otherwise the attribute of that name.
    func property(_ name: String) -> String? {
        let style = (attributes["style"] ?? "").split(separator: ";").map { $0.split(separator: ":", maxSplits: 1) }
        let words = style.map { $0.map { $0.filter { !$0.isWhitespace } } }
        return words.last { $0.count == 2 && $0[0] == name }?[1] ?? attributes[name]
    }

    /// Returns the tag with other attributes; declarations of style are added.
    func with(_ other: [String: String]) -> Self {
        var tag = self
        tag.attributes.merge(other) { $1 }
        tag.attributes["style"] = [attributes, other].compactMap { $0["style"] }.joined(separator: ";")
        return tag
    }

    /// Returns the text of an opening tag with these attributes.
    func opening(_ name: String) -> String {
        let list = attributes.sorted { $0.key < $1.key }.map {
            " \($0.key)=\"\($0.value.replacing("\"", with: "&quot;"))\""
        }
        return "<\(name)\(list.joined())>"
    }
}

extension PrintTemplate {
    /// Returns the tags of a file. Throws `Failure` for text that is not well-formed.
    func readTags() throws -> [SVGTag] {
        let token = #/
            <!--.*?--> | <\?.*?\?> | <!\[CDATA\[.*?\]\]> | <!DOCTYPE[^<>\[]*>
            | <(\/?) ([\w:.\-]+) ((?: \s+ [\w:.\-]+ \s*=\s* (?: "[^"<]*" | '[^'<]*' ))*) \s* (\/?) >
            /#
            .dotMatchesNewlines().matchingSemantics(.unicodeScalar)
        var (tags, open, read, taken) = ([SVGTag](), [Int](), text.startIndex, text.startIndex)
        func checkGap(to end: String.Index) throws {
            guard let stray = text[read..<end].firstIndex(of: "<") else { return }
            throw mistake("\"\(text[stray...].prefix(20))\" begins no tag", at: text[stray...])
        }
        for match in text.matches(of: token) {
            try checkGap(to: match.range.lowerBound)
            read = match.range.upperBound
            guard let name = match.2 else { continue }
            let pairs = (match.3 ?? "").matches(of: /([\w:.\-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/)
                .map { (String($0.1), String($0.2 ?? $0.3 ?? "")) }
            let tag = SVGTag(
                name: String(name), attributes: Dictionary(pairs) { $1 }, isClosing: match.1 == "/",
                isEmpty: match.4 == "/", before: text[taken..<match.range.lowerBound], source: match.0, end: tags.count)
            if tag.isClosing {
                guard let opened = open.popLast(), tags[opened].name == tag.name else {
                    throw mistake("</\(name)> closes no element that is open", at: tag.source)
                }
                tags[opened].end = tags.count
            } else if !tag.isEmpty {
                open.append(tags.count)
            }
            tags.append(tag)
            taken = read
        }
        try checkGap(to: text.endIndex)
        if let left = open.last { throw mistake("<\(tags[left].name)> is not closed", at: tags[left].source) }
        return tags
    }
}
