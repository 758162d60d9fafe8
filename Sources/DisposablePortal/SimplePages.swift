// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Foundation

/// The plain pages, which need no JavaScript.
enum SimplePages {
    static let entrance = HTML.page(
        title: "Disposable: enter with a code",
        """
        <h1>Enter with a code</h1>
        <form method="post" action="/enter">
        <p><label>Code from the poster<br>
        <input name="code" required maxlength="20" autocomplete="off" autocapitalize="characters"
        spellcheck="false"></label></p>
        <p><label>Your name, if you like<br>
        <input name="name" maxlength="40" autocomplete="nickname"></label></p>
        <p><label>Your twelve return words, if you were here before<br>
        <input name="words" maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false"></label></p>
        <p>What you send is shown to everybody at the event and kept on its photo boxes until the event is over and its
        time of keeping has passed. You can take your photos back until then.
        <a href="/privacy.html">What happens with my data?</a></p>
        <p><button class="button main wide">Enter</button></p>
        </form>
        """)

    /// - Parameter words: the return words, shown this once.
    static func welcome(event: String, words: [String], path: String) -> HTML {
        HTML.page(
            title: event,
            """
            <h1>You are in: \(event)</h1>
            <p>Write these words down. With them you are yourself again in another browser, and nobody can tell you them
            later:</p>
            <ol class="twelve words">\(words.map { "<li>\($0)</li>" })</ol>
            <p><a class="button main wide" href="\(path)">To the photos</a></p>
            """)
    }

    struct Gallery {
        let event: String
        let words: [String]
        /// The event's path, with a slash at both ends.
        let path: String
        let page: PhotoPage
        let isMine: Bool
        let guest: AuthorID?
        let status: GuestStatus?
        let consent: PortalConsent?
        /// Photos whose removal is pending.
        let leaving: Set<PhotoID>
        let sealed: SealedPhotos?
        /// The newest comments on each photo.
        let comments: [PhotoID: CommentPage]
        let others: [OtherPages]
    }

    static func gallery(_ gallery: Gallery) -> HTML {
        let older = gallery.page.next.map { next in
            let query = (gallery.isMine ? "mine=1&" : "") + "before=\(next.photo)"
            return "<p><a href=\"\(gallery.path)simple?\(query)\">Older photos</a></p>" as HTML
        }
        let saved = gallery.isMine ? "mine" : "all"
        return HTML.page(
            title: gallery.event,
            """
            <h1>\(gallery.event)</h1>
            <p class="words">\(gallery.words.joined(separator: " "))</p>
            \(sending(gallery))
            \(gallery.sealed.map(later))
            <p class="row"><a class="button" href="\(gallery.path)simple">Everyone</a>
            <a class="button" href="\(gallery.path)simple?mine=1">Mine</a></p>
            <div class="photos">\(gallery.page.photos.map { photo($0, in: gallery) })</div>
            \(older)
            <form method="post" action="\(gallery.path)zip">
            <p><button class="button" name="\(saved)" value="1">Save \(saved) as one file</button></p>
            </form>
            \(elsewhere(gallery.others))
            """)
    }

    /// Makes the page for a form of which some files did not become photos.
    static func refusals(_ refusals: [(fileName: String, error: PortalError)], sentCount: Int, path: String) -> HTML {
        HTML.page(
            title: "Not every photo was added",
            """
            <h1>Not every photo was taken</h1>
            <p>\(sentCount) of \(sentCount + refusals.count) are in the gallery.</p>
            <ul>\(refusals.map { "<li>\($0.fileName): \($0.error.message). \($0.error.hint ?? "")</li>" as HTML })</ul>
            <p><a href="\(path)simple?mine=1">To my photos</a></p>
            """)
    }

    /// Links for the time when this node no longer answers; the guest's words, which are valid there, are on paper.
    private static func elsewhere(_ others: [OtherPages]) -> HTML? {
        guard !others.isEmpty else { return nil }
        let links = others.compactMap { other -> HTML? in
            guard let authority = other.authorities.first else { return nil }
            return
                "<li><a href=\"http://\(authority)/enter\">\(other.name ?? "another photo box")</a>, \(authority)</li>"
        }
        return """
            <h2>If this photo box does not answer</h2>
            <p>The party continues here, with the same code and your twelve words. Keep this page open, or write an address
            down:</p>
            <ul>\(links)</ul>
            """
    }

    private static func later(_ sealed: SealedPhotos) -> HTML {
        let when =
            sealed.isForOrganizers
            ? "Only the host will see these photos, and you will see your own."
            : sealed.revealsAtMilliseconds.map {
                "Everybody sees them from \(HTTPDate.text(Date(timeIntervalSince1970: Double($0) / 1_000))) on."
            } ?? "The host decides when everybody sees them."
        return "<p><strong>\(sealed.count) photos in the camera.</strong> \(when)</p>"
    }

    private static func sending(_ gallery: Gallery) -> HTML {
        guard let status = gallery.status else {
            return "<p><a href=\"/enter\">Enter with the code</a> to add photos.</p>"
        }
        let used: HTML =
            status.frameLimit.map { "\(status.usedFrameCount) of \(Int($0)) photos taken." }
            ?? "\(status.usedFrameCount) photos taken."
        return """
            <form method="post" action="\(gallery.path)simple/photos" enctype="multipart/form-data">
            <p>\(status.name.map { "You are \($0)." as HTML }) \(used)</p>
            \(gallery.consent.map(asking))
            <p><label>Photos<br><input type="file" name="photo" multiple required
            accept="image/jpeg,image/png,video/mp4,video/quicktime"></label></p>
            <p><button class="button main">Send</button></p>
            </form>
            """
    }

    /// Returns the checkbox without which nothing is sent, if the guest has not agreed yet.
    private static func asking(_ consent: PortalConsent) -> HTML {
        guard !consent.isGiven else { return "" }
        let organizers: HTML? =
            consent.text.organizers.isEmpty
            ? nil
            : """
            <details open><summary>What the host asks</summary><p class="prose">\(consent.text.organizers)</p></details>
            """
        return """
            \(organizers)
            <p><label class="tick"><input type="checkbox" name="consent" value="\(consent.text.id.description)" required>
            <span>I agree: \(ConsentText.statement)</span></label></p>
            """
    }

    /// Makes a page of the comments on a photo.
    static func comments(_ page: CommentPage, on photo: PhotoID, event: String, path: String) -> HTML {
        let earlier: HTML? = page.comments.first.flatMap { first in
            guard page.earlierCount > 0 else { return nil }
            let link = "\(path)simple/photos/\(photo)/comments?before=\(first.id)"
            return "<p><a href=\"\(link)\">\(page.earlierCount) earlier comments</a></p>"
        }
        return HTML.page(
            title: event,
            """
            <h1>Comments</h1>
            <p><a href="\(path)simple">Back to the photos</a></p>
            \(earlier)
            \(page.comments.map(comment))
            """)
    }

    /// Returns the newest comments, and a link to the others.
    private static func comments(under photo: PhotoID, _ page: CommentPage, path: String) -> HTML? {
        let count = page.comments.count + page.earlierCount
        guard count > 0 else { return nil }
        let all: HTML? =
            page.earlierCount > 0
            ? "<p><a href=\"\(path)simple/photos/\(photo.description)/comments\">All \(count) comments</a></p>" : nil
        return """
            <details><summary>Comments: \(count)</summary>
            \(all)\(page.comments.map(comment))
            </details>
            """
    }

    private static func comment(_ comment: PortalComment) -> HTML {
        "<p class=\"prose\"><strong>\(comment.authorName ?? "a guest")</strong> \(comment.text)</p>"
    }

    private static func photo(_ photo: PortalPhoto, in gallery: Gallery) -> HTML {
        let link = "\(gallery.path)photos/\(photo.id)"
        let name = "Photo by \(photo.authorName ?? "a guest")"
        let picture: HTML =
            photo.available.contains(.thumbnail)
            ? "<img src=\"\(link)/thumbnail\" alt=\"\(name)\" loading=\"lazy\">" : "<span>\(name)</span>"
        let isLeaving = gallery.leaving.contains(photo.id)
        let action = isLeaving ? "keep" : "remove"
        let form: HTML? =
            photo.author == gallery.guest && gallery.isMine
            ? """
            <form method="post" action="\(gallery.path)simple/photos/\(photo.id.description)/\(action)">
            <button class="button small">\(isLeaving ? "Keep" : "Delete for everybody")</button></form>
            """ : nil
        let held: HTML? = if case .pending = photo.state { "<br>Waiting for approval" } else { nil }
        let said = gallery.comments[photo.id].flatMap { comments(under: photo.id, $0, path: gallery.path) }
        let shown: BlobClass = photo.available.contains(.preview) ? .preview : .original
        return """
            <figure><a href="\(link)/\(shown.pathName)">\(picture)</a>
            <figcaption>\(photo.authorName ?? "") <a href="\(link)/original?download">Save</a>\(held)</figcaption>
            \(said)\(form)</figure>
            """
    }
}
