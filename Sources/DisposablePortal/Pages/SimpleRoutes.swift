// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore

/// The event without JavaScript: a code, a form and a grid (protocol/guest-api.md §5).
///
/// The node acts as the guest's browser: it makes the seed, signs with it once, shows its words and forgets it.
struct SimpleRoutes: Sendable {
    let limits: PortalLimits
    let entrance: SessionRoutes
    let isProgramOffered: Bool

    func add(to router: RouterGroup) {
        router.get("enter") { request, _ in Response.page(SimplePages.entrance(request.simpleTexts)) }
        router.post("enter", use: enter)
        router.get("wifi") { request, context in
            let address = context.localAuthority ?? request.head.authority ?? ""
            return Response.page(SimplePages.signIn(address: address, request.simpleTexts))
        }
    }

    func add(toEvent group: RouterGroup) {
        group.get("simple", use: show)
        group.post("simple/ticket", use: useTicket)
        group.post("simple/photos", use: send)
        group.post("simple/photos/:id/remove", use: remove)
        group.post("simple/photos/:id/keep", use: keep)
        group.get("simple/photos/:id/comments", use: showComments)
    }

    private struct EnterForm: Decodable {
        let code: String
        let name: String?
        /// The return words of an earlier guest.
        let words: String?
    }

    @Sendable private func enter(_ request: Request, _ context: PortalContext) async throws -> Response {
        let form = try await request.form(EnterForm.self, limits: limits)
        let found = try entrance.find(code: form.code, from: context.addressKey)
        let event = found.event
        let name = try form.name.flatMap { try GuestEntry.name($0) }
        let typed = form.words?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        // Asked for here: these pages have no other place for a name.
        if name == nil, typed.isEmpty, await event.gallery.options().nameRule == .required {
            throw PortalError(Refusal.noName)
        }
        let seed = try typed.isEmpty ? Self.newSeed() : Self.seed(words: typed)
        let key = seed.signingKey(in: event.gallery.event)

        let (session, cookie) = try await entrance.openSession(of: found, context)
        let guest = AuthorID(key.verifyingKey)
        let subKey = try await event.gallery.subKey(of: guest)
        guard let challenge = await event.sessions.challenge(of: session.id) else { throw PortalError.noSession }
        let proven =
            Domain.guestProof + event.gallery.event.bytes + event.gallery.node.bytes + subKey.bytes + challenge
        let entry = GuestEntry(event: event, session: session, address: context.addressKey)
        try await entry.enter(
            guest, delegation: Delegation(to: subKey, at: event.gallery.node, event: event.gallery.event, by: key),
            proof: key.signature(for: proven), name: name)

        var response =
            typed.isEmpty
            ? Response.page(
                SimplePages.welcome(
                    event: await event.gallery.charter()?.name ?? "", words: WordList.words(at: seed.wordIndexes),
                    path: event.path + "simple", request.simpleTexts))
            : Response.redirect(to: event.path + "simple")
        response.setCookie(cookie)
        return response
    }

    private static func newSeed() -> GuestSeed {
        var bytes = [UInt8].random(count: GuestSeed.byteCount)
        return GuestSeed(SecretBytes(consuming: &bytes, in: .ordinary))!  // 16 bytes by construction
    }

    private static func seed(words: String) throws(PortalError) -> GuestSeed {
        guard let indexes = WordList.indexes(of: words), let seed = GuestSeed(wordIndexes: indexes) else {
            throw PortalError(
                .badRequest, "wrong-words", "these are not your return words",
                hint: "There are twelve; look at their order and spelling.")
        }
        return seed
    }

    // With a guest

    @Sendable private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        try await gallery(request, context)
    }

    /// - Parameter refusal: the reason why the guest does not get the ticket that it has typed.
    private func gallery(
        _ request: Request, _ context: PortalContext, refusal: PortalError? = nil
    ) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        let query = request.uri.queryParameters
        let isMine = query["mine"] == "1" && session.guest != nil
        let cursor = query["before"].flatMap { PhotoID(hex: $0) }
        let page = try await session.gallery.photos(
            before: cursor, limit: limits.answers.photoCount, by: isMine ? session.guest : nil,
            for: isMine ? session.guest : nil)
        let leaving = await session.gallery.leaving(among: page.photos.map(\.id))
        var comments: [PhotoID: CommentPage] = [:]
        for photo in page.photos where photo.commentCount > 0 {
            // A photo that was deleted a moment ago has none.
            comments[photo.id] = try? await session.gallery.comments(
                on: photo.id, before: nil, limit: limits.answers.newestCommentCountMax, for: session.guest)
        }
        var status: GuestStatus?
        var ticket: GuestTicket?
        if let guest = session.guest {
            status = try await session.gallery.guest(guest)
            ticket = try await session.gallery.ticket(of: guest)
        }
        return .page(
            SimplePages.gallery(
                SimplePages.Gallery(
                    event: await session.gallery.charter()?.name ?? "", words: event.words, path: event.path,
                    page: page,
                    isMine: isMine, guest: session.guest, status: status, ticket: ticket, ticketRefusal: refusal,
                    consent: await session.gallery.consent(of: session.guest), leaving: leaving,
                    sealed: await session.gallery.sealed(), options: await session.gallery.options(),
                    missions: await session.gallery.missions(for: session.guest),
                    comments: comments, origins: await session.gallery.origins(of: page.photos.map(\.id)),
                    others: await session.gallery.otherPages(),
                    isProgramOffered: isProgramOffered && session.guest != nil, texts: request.simpleTexts)),
            status: refusal?.status ?? .ok)
    }

    private struct TicketForm: Decodable { let ticket: String }

    @Sendable private func useTicket(_ request: Request, _ context: PortalContext) async throws -> Response {
        let event = try context.requireEvent()
        let form = try await request.form(TicketForm.self, limits: limits)
        do {
            _ = try await TicketRoutes.use(form.ticket.trimmingCharacters(in: .whitespacesAndNewlines), context)
        } catch Refusal.noTicket(let reason) {
            return try await gallery(request, context, refusal: PortalError(Refusal.noTicket(reason)))
        }
        return .redirect(to: event.path + "simple")
    }

    @Sendable private func showComments(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (event, session, photo) = (
            try context.requireEvent(), try context.requireSession(), try context.photo()
        )
        let page = try await session.gallery.comments(
            on: photo, before: try request.commentCursor(), limit: limits.answers.commentCountMax, for: session.guest)
        return .page(
            SimplePages.comments(
                page, on: photo, event: await session.gallery.charter()?.name ?? "", path: event.path,
                request.simpleTexts))
    }

    @Sendable private func send(_ request: Request, _ context: PortalContext) async throws -> Response {
        let event = try context.requireEvent()
        let (session, _) = try await context.requireActingGuest()
        var form = try await PhotoForm(for: session, store: event.uploads, from: context.addressKey) {
            await event.sessions.isOpen(session.id)
        }
        try await form.read(request.body, contentType: request.headers[.contentType] ?? "")
        let refusals = form.outcomes.compactMap { outcome -> (fileName: String, error: PortalError)? in
            guard case .failure(let error) = outcome.result else { return nil }
            return (outcome.fileName, error)
        }
        guard !refusals.isEmpty else { return .redirect(to: event.path + "simple?mine=1") }
        let sentCount = form.outcomes.count - refusals.count
        return .page(
            SimplePages.refusals(refusals, sentCount: sentCount, path: event.path, request.simpleTexts),
            status: refusals[0].error.status)
    }

    @Sendable private func remove(_ request: Request, _ context: PortalContext) async throws -> Response {
        let event = try context.requireEvent()
        _ = try await PhotoRoutes.remove(context)
        return .redirect(to: event.path + "simple?mine=1")
    }

    @Sendable private func keep(_ request: Request, _ context: PortalContext) async throws -> Response {
        let event = try context.requireEvent()
        try await PhotoRoutes.keep(context)
        return .redirect(to: event.path + "simple?mine=1")
    }
}

extension Request {
    /// The sentences in the language of the browser: a page without scripts remembers no choice.
    var simpleTexts: SimpleTexts { .of(Language(acceptLanguage: headers[.acceptLanguage])) }
}
