// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import Foundation

/// The plain pages, which need no JavaScript.
enum SimplePages {
    static func entrance(_ texts: SimpleTexts) -> HTML {
        HTML.page(
            title: texts.entrance.enterTitle, in: texts.language,
            """
            <h1>\(texts.entrance.enterHeading)</h1>
            <form method="post" action="/enter">
            <p><label>\(texts.entrance.code)<br>
            <input name="code" required maxlength="20" autocomplete="off" autocapitalize="characters"
            spellcheck="false"></label></p>
            <p><label>\(texts.entrance.name)<br>
            <input name="name" maxlength="40" autocomplete="nickname"></label></p>
            <p><label>\(texts.entrance.returnWords)<br>
            <input name="words" maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false"></label></p>
            <p>\(texts.entrance.shared)
            <a href="\(texts.entrance.dataPage)">\(texts.entrance.dataLink)</a></p>
            <p><button class="button main wide">\(texts.entrance.enter)</button></p>
            </form>
            """)
    }

    /// The page in the sign-in window of a phone. That window closes by itself, keeps no guest, and on many phones has
    /// no chooser for photos: so the page has an address to open elsewhere, and no form.
    /// - Parameter address: that of the pages, without a scheme: browsers complete it.
    static func signIn(address: String, _ texts: SimpleTexts) -> HTML {
        HTML.page(
            title: texts.signIn.onWiFi, in: texts.language,
            """
            <h1>\(texts.signIn.onWiFi)</h1>
            <p>\(texts.signIn.scanOrOpen)</p>
            <p><strong>http://\(address)</strong></p>
            <p>\(texts.signIn.windowLimits)</p>
            <p><a href="/board">\(texts.signIn.toBoard)</a></p>
            """)
    }

    /// - Parameter words: the return words, shown this once.
    static func welcome(event: String, words: [String], path: String, _ texts: SimpleTexts) -> HTML {
        HTML.page(
            title: event, in: texts.language,
            """
            <h1>\(texts.welcome.youAreIn(event))</h1>
            <p>\(texts.welcome.writeDown)</p>
            <ol class="twelve words" lang="en">\(words.map { "<li>\($0)</li>" })</ol>
            <p><a class="button main wide" href="\(path)">\(texts.welcome.toPhotos)</a></p>
            """)
    }

    /// The page of an error: the sentence for its code, otherwise the node's own.
    static func refusal(_ error: PortalError, _ texts: SimpleTexts) -> HTML {
        HTML.page(
            title: texts.errors[error.code] ?? error.message, in: texts.language,
            """
            <h1>\(sentence(error, texts))</h1>
            <p><a href="/">\(texts.firstPage)</a> <a href="/enter">\(texts.haveCode)</a></p>
            """)
    }

    private static func sentence(_ error: PortalError, _ texts: SimpleTexts) -> String {
        if let sentence = texts.errors[error.code] { return sentence }
        let message = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
        return error.hint.map { "\(message) \($0)" } ?? message
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
        let ticket: GuestTicket?
        /// The reason why the guest does not get the ticket that it has typed.
        let ticketRefusal: PortalError?
        let consent: GuestConsent?
        /// Photos whose removal is pending.
        let leaving: Set<PhotoID>
        let sealed: SealedPhotos?
        let options: PageOptions
        let missions: [AnsweredMission]
        /// The newest comments on each photo.
        let comments: [PhotoID: CommentPage]
        /// The names of the other events to which photos belong, where galleries are joined.
        let origins: [PhotoID: String]
        let others: [OtherPages]
        /// Whether there is a page about the program for the guest's own computer.
        let isProgramOffered: Bool
        let texts: SimpleTexts

        /// Whether the guest may save photos of this author; of everybody with `nil`.
        func mayBeSaved(_ author: AuthorID?) -> Bool {
            switch options.downloads {
            case .everyone: true
            case .own: author != nil && author == guest
            case .organizers: false
            }
        }
    }

    static func gallery(_ gallery: Gallery) -> HTML {
        let texts = gallery.texts
        let older = gallery.page.next.map { next in
            let query = (gallery.isMine ? "mine=1&" : "") + "before=\(next)"
            return "<p><a href=\"\(gallery.path)simple?\(query)\">\(texts.gallery.older)</a></p>" as HTML
        }
        let (saved, save) = gallery.isMine ? ("mine", texts.gallery.saveMine) : ("all", texts.gallery.saveAll)
        let saving: HTML? =
            gallery.mayBeSaved(gallery.isMine ? gallery.guest : nil)
            ? """
            <form method="post" action="\(gallery.path)zip">
            <p><button class="button" name="\(saved)" value="1">\(save)</button></p>
            </form>
            """ : nil
        let program: HTML? =
            gallery.isProgramOffered
            ? "<p><a href=\"\(gallery.path)program\">\(texts.program.title)</a></p>" : nil
        return HTML.page(
            title: gallery.event, in: texts.language,
            theme: gallery.options.theme == .film ? "" : gallery.options.theme.word,
            """
            <h1>\(gallery.event)</h1>
            <p class="words">\(gallery.words.joined(separator: " "))</p>
            \(ticket(gallery))
            \(sending(gallery))
            \(gallery.sealed.map { later($0, texts.sealed) })
            \(missions(gallery.missions, texts))
            <p class="row"><a class="button" href="\(gallery.path)simple">\(texts.gallery.everyone)</a>
            <a class="button" href="\(gallery.path)simple?mine=1">\(texts.gallery.mine)</a></p>
            <div class="photos">\(gallery.page.photos.map { photo($0, in: gallery) })</div>
            \(older)
            \(saving)
            \(elsewhere(gallery.others, texts))
            \(program)
            """)
    }

    /// Makes the page for a form of which some files did not become photos.
    static func refusals(
        _ refusals: [(fileName: String, error: PortalError)], sentCount: Int, path: String, _ texts: SimpleTexts
    ) -> HTML {
        HTML.page(
            title: texts.refused.refusedTitle, in: texts.language,
            """
            <h1>\(texts.refused.refusedHeading)</h1>
            <p>\(texts.refused.sentOf(sentCount, sentCount + refusals.count))</p>
            <ul>\(refusals.map { "<li>\($0.fileName): \(sentence($0.error, texts))</li>" as HTML })</ul>
            <p><a href="\(path)simple?mine=1">\(texts.refused.toMine)</a></p>
            """)
    }

    /// Links for the time when this node no longer answers; the guest's words, which are valid there, are on paper.
    private static func elsewhere(_ others: [OtherPages], _ texts: SimpleTexts) -> HTML? {
        guard !others.isEmpty else { return nil }
        let links = others.compactMap { other -> HTML? in
            guard let authority = other.authorities.first else { return nil }
            return
                "<li><a href=\"http://\(authority)/enter\">\(other.name ?? texts.anotherBox)</a>, \(authority)</li>"
        }
        return """
            <h2>\(texts.gallery.elsewhere)</h2>
            <p>\(texts.gallery.elsewhereHint)</p>
            <ul>\(links)</ul>
            """
    }

    private static func missions(_ missions: [AnsweredMission], _ texts: SimpleTexts) -> HTML? {
        guard !missions.isEmpty else { return nil }
        let list = missions.map { mission -> HTML in
            let count = texts.language.count(mission.photoCount, "photo", "photos")
            return "<li>\(mission.mission.text) (\(count))</li>"
        }
        return "<h2>\(texts.gallery.missions)</h2><p>\(texts.gallery.missionsHint)</p><ul>\(list)</ul>"
    }

    private static func later(_ sealed: SealedPhotos, _ texts: SimpleTexts.Sealed) -> HTML {
        let when =
            sealed.isForOrganizers
            ? texts.onlyHost
            : sealed.organizerCount.map(texts.organizersReveal) ?? sealed.revealsAtMilliseconds.map(texts.shownFrom)
                ?? texts.hostDecides
        return "<p><strong>\(texts.inCamera(sealed.count))</strong> \(when)</p>"
    }

    /// Returns the form for a ticket if the guest has none and needs one, and why the typed one was not taken.
    private static func ticket(_ gallery: Gallery) -> HTML? {
        let texts = gallery.texts
        let problem: HTML? = gallery.ticketRefusal.map {
            "<p class=\"error\" role=\"alert\">\(sentence($0, texts))</p>"
        }
        guard let ticket = gallery.ticket, ticket.isMissing else { return problem }
        return """
            <form method="post" action="\(gallery.path)simple/ticket">
            <h2>\(texts.ticket.title)</h2>
            <p>\(ticket.lostNumber.map(texts.ticket.lost) ?? texts.ticket.missing)</p>
            \(problem)
            <p><label>\(texts.ticket.type)<br>
            <input name="ticket" required maxlength="300" autocomplete="off" autocapitalize="none"
            spellcheck="false"></label></p>
            <p><button class="button main">\(texts.ticket.use)</button></p>
            </form>
            """
    }

    private static func sending(_ gallery: Gallery) -> HTML {
        let texts = gallery.texts
        guard let status = gallery.status else {
            return "<p><a href=\"/enter\">\(texts.sending.enterFirst)</a> \(texts.sending.enterFirstHint)</p>"
        }
        let used =
            status.frameLimit.map { texts.sending.takenOf(status.usedFrameCount, Int($0)) }
            ?? texts.sending.taken(status.usedFrameCount)
        return """
            <form method="post" action="\(gallery.path)simple/photos" enctype="multipart/form-data">
            <p>\(status.name.map(texts.sending.youAre) ?? "") \(used)</p>
            \(gallery.consent.map { asking($0, texts.sending) })
            <p><label>\(texts.sending.photos)\(atOnce(gallery.options, texts.sending))<br>
            \(picker(gallery.options))</label></p>
            <p><button class="button main">\(texts.sending.send)</button></p>
            </form>
            """
    }

    /// Returns the control for files. A phone opens the camera if nothing else is offered; a computer shows its files.
    private static func picker(_ options: PageOptions) -> HTML {
        let types = "image/jpeg,image/png" + (options.videos == .off ? "" : ",video/mp4,video/quicktime")
        let several = options.photosAtOnce == 1 ? "" : " multiple"
        return options.isCameraOnly
            ? "<input type=\"file\" name=\"photo\" required capture=\"environment\" accept=\"\(types)\">"
            : "<input type=\"file\" name=\"photo\"\(several) required accept=\"\(types)\">"
    }

    /// Returns the number of photos that a guest may choose at once, where the control lets them choose several.
    private static func atOnce(_ options: PageOptions, _ texts: SimpleTexts.Sending) -> HTML? {
        guard options.photosAtOnce > 1, !options.isCameraOnly else { return nil }
        return ", \(texts.atOnce(Int(options.photosAtOnce)))"
    }

    /// Returns the checkbox without which nothing is sent, if the guest has not agreed yet.
    private static func asking(_ consent: GuestConsent, _ texts: SimpleTexts.Sending) -> HTML {
        guard !consent.isGiven else { return "" }
        let organizers: HTML? =
            consent.text.organizers.isEmpty
            ? nil
            : """
            <details open><summary>\(texts.hostAsks)</summary><p class="prose">\(consent.text.organizers)</p></details>
            """
        return """
            \(organizers)
            <p><label class="tick"><input type="checkbox" name="consent" value="\(consent.text.id.description)" required>
            <span>\(texts.agree) \(texts.statement)</span></label></p>
            """
    }

    /// Makes a page of the comments on a photo.
    static func comments(
        _ page: CommentPage, on photo: PhotoID, event: String, path: String, _ texts: SimpleTexts
    ) -> HTML {
        let earlier: HTML? = page.comments.first.flatMap { first in
            guard page.earlierCount > 0 else { return nil }
            let link = "\(path)simple/photos/\(photo)/comments?before=\(first.id)"
            return "<p><a href=\"\(link)\">\(texts.remarks.earlierComments(page.earlierCount))</a></p>"
        }
        return HTML.page(
            title: event, in: texts.language,
            """
            <h1>\(texts.remarks.comments)</h1>
            <p><a href="\(path)simple">\(texts.remarks.back)</a></p>
            \(earlier)
            \(page.comments.map { comment($0, texts) })
            """)
    }

    /// Returns the newest comments, and a link to the others.
    private static func comments(
        under photo: PhotoID, _ page: CommentPage, path: String, _ texts: SimpleTexts
    ) -> HTML? {
        let count = page.comments.count + page.earlierCount
        guard count > 0 else { return nil }
        let link = "\(path)simple/photos/\(photo)/comments"
        let all: HTML? =
            page.earlierCount > 0 ? "<p><a href=\"\(link)\">\(texts.remarks.allComments(count))</a></p>" : nil
        return """
            <details><summary>\(texts.remarks.commentCount(count))</summary>
            \(all)\(page.comments.map { comment($0, texts) })
            </details>
            """
    }

    private static func comment(_ comment: PhotoComment, _ texts: SimpleTexts) -> HTML {
        "<p class=\"prose\"><strong>\(comment.authorName ?? texts.guest)</strong> \(comment.text)</p>"
    }

    private static func photo(_ photo: AlbumPhoto, in gallery: Gallery) -> HTML {
        let texts = gallery.texts
        let link = "\(gallery.path)photos/\(photo.id)"
        let name = texts.gallery.photoBy(photo.authorName ?? texts.guest)
        let picture: HTML =
            photo.available.contains(.thumbnail)
            ? "<img src=\"\(link)/thumbnail\" alt=\"\(name)\" loading=\"lazy\" data-turn=\"\(photo.turn.degrees)\">"
            : "<span>\(name)</span>"
        let isLeaving = gallery.leaving.contains(photo.id)
        let action = isLeaving ? "keep" : "remove"
        let form: HTML? =
            photo.author == gallery.guest && gallery.isMine
            ? """
            <form method="post" action="\(gallery.path)simple/photos/\(photo.id.description)/\(action)">
            <button class="button small">\(isLeaving ? texts.gallery.keep : texts.gallery.remove)</button></form>
            """ : nil
        let mission: HTML? = photo.context.mission.map { "<br>\($0.text)" }
        let held: HTML? = if case .pending = photo.state { "<br>\(texts.gallery.pending)" } else { nil }
        let said = gallery.comments[photo.id].flatMap { comments(under: photo.id, $0, path: gallery.path, texts) }
        let origin = gallery.origins[photo.id]
        // What may not be saved at the other event has no original here.
        let isSaved =
            gallery.mayBeSaved(photo.author) && (origin == nil || photo.available.contains(.original))
        let isPlayed = isSaved || (origin == nil && photo.mediaType.isVideo)
        let shown: BlobClass = photo.available.contains(.preview) || !isPlayed ? .preview : .original
        let save: HTML? = isSaved ? "<a href=\"\(link)/original?download\">\(texts.gallery.save)</a>" : nil
        let credit = [photo.authorName, origin].compactMap(\.self).joined(separator: " · ")
        return """
            <figure><a href="\(link)/\(shown.pathName)">\(picture)</a>
            <figcaption>\(credit) \(save)\(held)\(mission)</figcaption>
            \(said)\(form)</figure>
            """
    }
}
