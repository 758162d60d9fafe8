// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableNode
import DisposablePortal
import Foundation

/// The page of an exported album: one file that any browser opens from disk, without scripts.
struct AlbumPage {
    let manifest: AlbumManifest
    /// The event's words.
    let words: [String]
    /// Of the contact sheet, where there is one.
    let contactSheet: String?

    var html: String {
        let event = manifest.event
        let people = Set(manifest.photos.map(\.author)).count
        let page: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
            <title>\(event.name)</title>
            <style>\(HTML(stringLiteral: Self.style))</style>
            </head>
            <body>
            <header>
            <h1>\(event.name)</h1>
            <p>\(event.organizer.isEmpty ? "" : "With \(event.organizer), ")\(Self.days(of: event))</p>
            <p>\(Show.count(manifest.photos.count, "photo")) by \(people == 1 ? "1 person" : "\(people) people")</p>
            </header>
            <main>
            \(manifest.photos.map(tile))
            </main>
            <footer>
            \(contactSheet.map { "<p><a href=\"\($0)\">All photos on paper</a></p>" })
            <p>Every photo here is signed by who took it, and the whole by who saved it.
            <code>disposable verify</code>, with this folder, checks that nothing was altered or taken away. The words of
            this event: <strong>\(words.joined(separator: " "))</strong>.</p>
            </footer>
            </body>
            </html>

            """
        return page.text
    }

    private func tile(_ photo: AlbumManifest.Photo) -> HTML {
        let name = "Photo by \(photo.authorName)"
        let time = Self.time(photo.takenAt ?? photo.addedAt)
        let picture: HTML =
            photo.thumbnail.map { "<img src=\"\(Self.link($0))\" alt=\"\(name)\" loading=\"lazy\">" }
            ?? "<span class=\"none\">\(photo.file.split(separator: "/").last.map(String.init) ?? "")</span>"
        return """
            <figure><a href="\(Self.link(photo.file))">\(picture)</a><figcaption><b>\(photo.authorName)</b> \(time)</figcaption></figure>

            """
    }

    /// Names of files may hold what means something in a link.
    private static func link(_ path: String) -> String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":;"))
        return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    }

    private static func days(of event: AlbumManifest.Event) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_GB")
        formatter.dateFormat = "d MMMM yyyy"
        return formatter.string(from: Date(timeIntervalSince1970: Double(event.startsAt) / 1000))
    }

    private static func time(_ text: String) -> String {
        guard let date = try? Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
        else {
            return ""
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_GB")
        formatter.dateFormat = "d MMM, HH:mm"
        return formatter.string(from: date)
    }

    private static let style = """
        :root { color-scheme: light dark; --paper: #fff8ea; --ink: #1f1712; --faint: #6b5a4e; --film: #1f1712 }
        @media (prefers-color-scheme: dark) { :root { --paper: #140e0a; --ink: #fff3e2; --faint: #b9a899; --film: #000 } }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
        header { background: #ffc233; color: #1f1712; border-bottom: .4rem solid #c4361b; padding: 1.5rem clamp(1rem, 4vw, 3rem) }
        h1 { margin: 0; font-size: clamp(1.6rem, 5vw, 3rem); line-height: 1.15; overflow-wrap: anywhere } header p { margin: .3rem 0 0 }
        main { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .6rem; padding: 1rem clamp(.6rem, 4vw, 3rem) }
        figure { margin: 0; background: var(--film); border-radius: .5rem; padding: .4rem } figure a { display: block }
        img, .none { display: block; width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: .2rem; color: #fff; overflow-wrap: anywhere }
        figcaption { color: #fff3e2; font-size: .8rem; padding: .3rem .1rem 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
        footer { color: var(--faint); padding: 1rem clamp(1rem, 4vw, 3rem) 3rem; max-width: 45rem } a { color: inherit }
        """
}
