// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposablePortal
import DisposableWeb

/// The parts that the pages of an exported album share: head, cover, name, host, date and counts.
struct AlbumFrame {
    let manifest: AlbumManifest
    let language: Language

    private var texts: AlbumTexts { .of(language) }

    /// Returns a page.
    /// - Parameters:
    ///   - policy: its Content-Security-Policy.
    ///   - style: its CSS.
    ///   - before: what stands above the event's name.
    ///   - days: its sections.
    ///   - after: what stands below them.
    func page(policy: String, style: String, before: HTML? = nil, days: [HTML], after: HTML? = nil) -> String {
        let event = manifest.event
        let people = Set(manifest.photos.map(\.author)).count
        let page: HTML = """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(HTML(stringLiteral: policy))">
            <title>\(event.name)</title>
            <style>\(HTML(stringLiteral: style))</style>
            </head>
            <body>
            \(before)<header>
            \(cover)<h1>\(event.name)</h1>
            <p>\(event.organizer.isEmpty ? "" : texts.with(event.organizer))\(language.text("d MMMM yyyy", milliseconds: event.startsAt))</p>
            <p>\(texts.photosBy(manifest.photos.count, people))</p>
            </header>
            <main>
            \(days)
            </main>
            \(after)</body>
            </html>

            """
        return page.text
    }

    private var cover: HTML? {
        manifest.coverPicture.map { "<img class=\"cover\" src=\"\(AlbumPage.link($0))\" alt=\"\">\n" }
    }
}
