// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposablePortal
import DisposableWeb

/// A second page of an exported album, for paper: two photos on a sheet of A4, each with its caption and its comments.
/// A browser prints it or saves it as a PDF, with its fonts and the bytes of the previews as they are.
struct AlbumBook {
    static let fileName = "book.html"

    let manifest: AlbumManifest
    let language: Language

    private var texts: AlbumTexts { .of(language) }

    var html: String {
        AlbumFrame(manifest: manifest, language: language).page(
            policy: "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'",
            style: Self.style(ThemeColors(word: manifest.event.theme)),
            before: "<p class=\"hint\">\(texts.paper.printing)</p>\n", days: manifest.days.map(section))
    }

    private func section(_ day: AlbumManifest.Day) -> HTML {
        """
        <section>
        <h2>\(language.text("EEEE d MMMM yyyy", milliseconds: day.date))</h2>
        \(day.photos.map(figure))
        </section>

        """
    }

    private func figure(_ photo: AlbumManifest.Photo) -> HTML {
        let author = texts.shown(photo.authorName)
        let name = photo.isVideo ? texts.videoBy(author) : texts.photoBy(author)
        let picture: HTML =
            (photo.preview ?? photo.thumbnail).map {
                "<img src=\"\(AlbumPage.link($0))\" alt=\"\(name)\" class=\"turned-\(photo.turn ?? 0)\">"
            } ?? "<span>\(photo.fileName)</span>"
        let time = photo.date.map { language.text("HH:mm", milliseconds: $0) } ?? ""
        return """
            <figure><div class="picture">\(picture)</div>
            <figcaption><b>\(name)</b> <time datetime="\(photo.time)">\(time)</time></figcaption>
            \(photo.mission.map { "<p><i>\($0)</i></p>" })\(photo.zone.map { "<p>\($0)</p>" })\(photo.caption.map { "<p class=\"caption\">\($0)</p>" })\(comments(photo))</figure>

            """
    }

    private func comments(_ photo: AlbumManifest.Photo) -> HTML? {
        guard let comments = photo.comments, !comments.isEmpty else { return nil }
        let list = comments.map { comment -> HTML in "<p><b>\(texts.shown(comment.author))</b> \(comment.text)</p>\n" }
        return "<div class=\"comments\">\(list)</div>"
    }

    /// On white, since paper is. A day begins a sheet; text is never apart from its photo.
    private static func style(_ colors: ThemeColors) -> String {
        """
        @page { size: A4; margin: 12mm }
        :root { color-scheme: light } * { box-sizing: border-box }
        body { margin: 0 auto; max-width: 186mm; background: #fff; color: #1f1712; font: 11pt/1.35 system-ui, sans-serif; overflow-wrap: anywhere }
        .hint { background: \(colors.bright); padding: 3mm; margin: 3mm 0 }
        header { padding: 12mm 0; border-bottom: 2mm solid \(colors.stripe); text-align: center }
        header img { display: block; width: 100%; max-height: 150mm; object-fit: contain; margin-bottom: 10mm }
        h1 { font-size: 34pt; line-height: 1.1; margin: 0 } header p { margin: 3mm 0 0 } h2 { font-size: 14pt; margin: 0 0 3mm }
        section { break-before: page; margin-top: 8mm } h2 { break-after: avoid }
        figure { break-inside: avoid; margin: 0; padding-bottom: 5mm } figure p { margin: 1mm 0 0; white-space: pre-line }
        .picture { container-type: size; height: 100mm; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); place-items: center }
        .picture img { width: 100%; height: 100%; object-fit: contain }
        .turned-90 { transform: rotate(90deg) } .turned-180 { transform: rotate(180deg) } .turned-270 { transform: rotate(270deg) }
        .picture > .turned-90, .picture > .turned-270 { width: 100cqh; height: 100cqw }
        figcaption { margin-top: 1.5mm; font-size: 9pt; color: #6b5a4e } .caption { font-size: 12pt } .comments { font-size: 9pt }
        @media print { .hint { display: none } section { margin-top: 0 } body { max-width: none } }
        """
    }
}
