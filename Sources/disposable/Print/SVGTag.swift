// SPDX-License-Identifier: Apache-2.0

/// A tag of a drawing (SVG 1.1).
struct SVGTag {
    let name: String
    /// The values as they stand in the file, escaped.
    var attributes: [String: String]
    let isClosing: Bool
    /// The text before the tag, with comments.
    let before: Substring
    let source: Substring
    /// The index of the tag that closes the element; its own for an empty element.
    var end: Int

    /// Returns a property of the element's style, otherwise the attribute of that name.
    func property(_ name: String) -> String? {
        let style = (attributes["style"] ?? "").filter { !$0.isWhitespace }.split(separator: ";")
        return style.last { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) } ?? attributes[name]
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
        let list = attributes.sorted { $0.key < $1.key }
        return list.reduce("<\(name)") { $0 + " \($1.key)=\"\($1.value.replacing("\"", with: "&quot;"))\"" } + ">"
    }
}

extension PrintTemplate {
    /// Returns the tags of a file. Throws `Failure` for text that is not well-formed.
    func readTags() throws -> [SVGTag] {
        let token =
            #/
            <!--.*?--> | <\?.*?\?> | <!\[CDATA\[.*?\]\]> | <!DOCTYPE[^<>\[]*>
            | <(\/?) ([\w:.\-]+) ((?: \s+ [\w:.\-]+ \s*=\s* (?: "[^"<]*" | '[^'<]*' ))*) \s* (\/?) > | <
            /#
        var (tags, open, read) = ([SVGTag](), [Int](), text.startIndex)
        for match in text.matches(of: token.dotMatchesNewlines().matchingSemantics(.unicodeScalar)) {
            guard match.0 != "<" else {
                let rest = text[match.range.lowerBound...].prefix(20)
                throw mistake("\"\(rest.prefix { !$0.isNewline })\" begins no tag", at: match.0)
            }
            guard let name = match.2 else { continue }
            let pairs = (match.3 ?? "").matches(of: /([\w:.\-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/)
                .map { (String($0.1), String($0.2 ?? $0.3 ?? "")) }
            let tag = SVGTag(
                name: String(name), attributes: Dictionary(pairs) { $1 }, isClosing: match.1 == "/",
                before: text[read..<match.range.lowerBound], source: match.0, end: tags.count)
            if tag.isClosing {
                guard let opened = open.popLast(), tags[opened].name == tag.name else {
                    throw mistake("</\(name)> closes no element that is open", at: tag.source)
                }
                tags[opened].end = tags.count
            } else if match.4 != "/" {
                open.append(tags.count)
            }
            tags.append(tag)
            read = match.range.upperBound
        }
        if let left = open.last { throw mistake("<\(tags[left].name)> is not closed", at: tags[left].source) }
        return tags
    }
}
