// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb

extension HTML {
    /// Makes a whole page, without JavaScript.
    /// - Parameter theme: the word of the event's theme; empty for the usual colours.
    static func page(title: String, in language: Language, theme: String = "", _ content: HTML) -> HTML {
        let colours: HTML? = theme.isEmpty ? nil : " data-colours=\"\(theme)\""
        let sheet: HTML? = theme.isEmpty ? nil : "<link rel=\"stylesheet\" href=\"/shared/themes.css\">"
        return """
        <!doctype html>
        <html lang="\(language.rawValue)"\(colours)>
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/shared/style.css">
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
