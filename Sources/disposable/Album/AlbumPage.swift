// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableNode
import DisposablePortal
import DisposableWeb
import Foundation

/// The page of an exported album: one file that any browser opens from disk. Without JavaScript it is a list of links;
/// the one script, named by its hash in the policy, shows the photos large.
struct AlbumPage {
    let manifest: AlbumManifest
    /// The event's four words.
    let words: [String]
    /// The path of the contact sheet, if there is one.
    let contactSheet: String?
    let language: Language

    private var texts: AlbumTexts { .of(language) }

    var html: String {
        AlbumFrame(manifest: manifest, language: language).page(
            policy: Self.policy, style: Self.style(ThemeColors(word: manifest.event.theme)),
            days: manifest.days.map(section), after: footer)
    }

    private var footer: HTML {
        """
        <footer>
        <p><a href="\(AlbumBook.fileName)">\(texts.paper.book)</a></p>
        \(contactSheet.map { "<p><a href=\"\($0)\">\(texts.paper.all)</a></p>" })
        <p>\(texts.signed)
        <code>disposable verify</code>\(texts.verified) \(texts.words) <strong>\(words.joined(separator: " "))</strong>.</p>
        </footer>
        <dialog aria-label="\(texts.photo)" data-empty="\(texts.noPreview)" data-of="\(texts.of)">
        <div class="stage"></div>
        <div class="about"></div>
        <nav><button type="button" aria-label="\(texts.previous)">&#8249;</button><span class="place"></span>
        <a class="original">\(texts.original)</a><button type="button" aria-label="\(texts.next)">&#8250;</button>
        <button type="button" aria-label="\(texts.close)">&#215;</button></nav>
        </dialog>
        <script>\(HTML(stringLiteral: Self.script))</script>

        """
    }

    /// A page opened from disk has an opaque origin: only `file:` matches the files beside it.
    private static var policy: String {
        var hash = SHA256()
        hash.update(Array(script.utf8).span)
        let digest = Data(hash.finalize().bytes).base64EncodedString()
        return "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'; "
            + "script-src 'sha256-\(digest)'"
    }

    private func section(_ day: AlbumManifest.Day) -> HTML {
        """
        <section>
        <h2>\(language.text("EEEE d MMMM yyyy", milliseconds: day.date)) <span>\(texts.photos(day.photos.count))</span></h2>
        <div class="grid">
        \(day.photos.map(tile))
        </div>
        </section>

        """
    }

    private func tile(_ photo: AlbumManifest.Photo) -> HTML {
        let author = texts.shown(photo.authorName)
        let name = photo.isVideo ? texts.videoBy(author) : texts.photoBy(author)
        let picture: HTML =
            photo.thumbnail.map { "<img src=\"\(Self.link($0))\" alt=\"\(name)\" loading=\"lazy\" class=\"turned-\(photo.turn ?? 0)\">" }
            ?? "<span class=\"none\">\(photo.isVideo ? "▶ " : "")\(photo.fileName)</span>"
        // A file that no browser shows is a link to its JPEG, with a second one to the file itself.
        let view = photo.isShownByBrowsers ? photo.file : photo.preview
        return """
            <figure><a href="\(Self.link(view ?? photo.file))" data-file="\(Self.link(photo.file))" data-view="\(Self.link(photo.isVideo ? photo.file : photo.preview ?? view ?? ""))" data-kind="\(photo.isVideo ? "video" : "image")">\(picture)</a>
            <figcaption><b>\(author)</b><time datetime="\(photo.time)">\(photo.date.map { language.text("HH:mm", milliseconds: $0) } ?? "")</time></figcaption>
            \(photo.mission.map { "<p><i>\($0)</i></p>" })\(photo.zone.map { "<p>\($0)</p>" })\(photo.caption.map { "<p>\($0)</p>" })\(reactions(photo))\(comments(photo))\(photo.isShownByBrowsers ? nil : files(photo))</figure>

            """
    }

    private func reactions(_ photo: AlbumManifest.Photo) -> HTML? {
        guard let counts = photo.reactions, !counts.isEmpty else { return nil }
        // The selector requests the coloured heart.
        let list = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key)\u{FE0F} \($0.value)" }
        return "<p class=\"reactions\">\(list.joined(separator: "  "))</p>"
    }

    private func comments(_ photo: AlbumManifest.Photo) -> HTML? {
        guard let comments = photo.comments, !comments.isEmpty else { return nil }
        let list = comments.map { comment -> HTML in "<p><b>\(texts.shown(comment.author))</b> \(comment.text)</p>" }
        return "<details><summary>\(texts.comments(comments.count))</summary>\(list)</details>"
    }

    private func files(_ photo: AlbumManifest.Photo) -> HTML {
        let type = photo.fileName.split(separator: ".").last.map { $0.uppercased() } ?? ""
        let jpeg: HTML? = photo.preview.map { "<a href=\"\(Self.link($0))\">JPEG</a> " }
        return "<p class=\"files\">\(jpeg)<a href=\"\(Self.link(photo.file))\">\(type)</a></p>"
    }

    /// Escapes file names for use in a link.
    static func link(_ path: String) -> String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":;"))
        return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    }
}
