// SPDX-License-Identifier: Apache-2.0

/// Text of a page. Interpolated values are escaped, unless they are HTML themselves, so that names cannot contain
/// scripts.
///
/// Attributes must be in double quotes.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
    package let text: String

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        package init(literalCapacity: Int, interpolationCount: Int) {}
        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
        package mutating func appendInterpolation(_ list: [HTML]) { for html in list { text += html.text } }
        package mutating func appendInterpolation(_ number: Int) { text += String(number) }
        package mutating func appendInterpolation(_ value: String) {
            for scalar in value.unicodeScalars {
                switch scalar {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&quot;"
                case "'": text += "&#39;"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
    }

    package init(stringLiteral value: String) { text = value }
    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Makes a whole page, without JavaScript.
    /// - Parameter theme: the word of the event's theme; empty for the usual colours.
    static func page(title: String, in language: Language, theme: String = "", _ content: HTML) -> HTML {
        let colours: HTML? = theme.isEmpty ? nil : " data-colours=\"\(theme)\""
        let sheet: HTML? = theme.isEmpty ? nil : "<link rel=\"stylesheet\" href=\"/themes.css\">"
        return """
        <!doctype html>
        <html lang="\(language.rawValue)"\(colours)>
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/style.css">
        \(sheet)
        </head>
        <body class="simple">
        <main>
        \(content)
        </main>
        </body>
        </html>

        """
    }
}
