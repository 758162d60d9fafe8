// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableValues
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The exchange of a token or code for a session, and the data about it (protocol/guest-api.md §2).
struct SessionRoutes: Sendable {
    let limits: PortalLimits
    let events: EventTable
    let gate: Gate

    func add(to router: RouterGroup) { router.post("api/session", use: open) }

    func add(toEvent group: RouterGroup) {
        group.get("api/me", use: me)
        group.delete("api/session", use: end)
    }

    /// For sessions that have shown the wall's code, where it is asked for.
    func add(inside group: RouterGroup) { group.get("api/about", use: about) }

    private struct OpenMessage: Decodable {
        let token: String?
        let code: String?
    }
    /// The event that a token or code opens, and the rights of the session.
    struct Found: Sendable {
        let event: PortalEvent
        /// Nil for the guests' link and code.
        var opening: SessionOpening?
        /// The one-time code that is used up by now.
        var use: Handovers.Use?
    }
    private struct OpenedMessage: Encodable {
        let path: String
        /// Left out unless the code was a guest's one-time code.
        let handover: Bool?
    }

    @Sendable private func open(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(OpenMessage.self, limits: limits)
        let found: Found
        if let token = message.token {
            found = try find(token: token, from: context.addressKey)
        } else if let code = message.code {
            found = try find(code: code, from: context.addressKey, orHandover: true)
        } else {
            throw PortalError.malformed("a token or a code is needed")
        }
        let event = found.event
        var response = try Response.json(OpenedMessage(path: event.path, handover: found.use != nil ? true : nil))
        let opened = try await openSession(of: found, context)
        if let use = found.use, !event.handovers.enter(opened.session.id, by: use) {
            // The first phone has withdrawn the code while the session was written.
            try await event.sessions.end(opened.session.id)
            throw PortalError.wrongCode
        }
        response.setCookie(opened.cookie)
        return response
    }

    /// Opens a session with its cookie. Throws 429 if the address opens too many.
    func openSession(
        of found: Found, _ context: PortalContext
    ) async throws -> (session: GuestSession, cookie: Cookie) {
        // A one-time code is used up only for a session that was admitted.
        if found.use == nil { try gate.admitSession(from: context.addressKey) }
        let event = found.event
        let expiresAt = await event.expiry()
        let opened = try await event.sessions.open(
            from: context.addressKey, expiresAt: expiresAt, opening: found.opening)
        try await event.forget(opened.replaced)
        return (opened.session, cookie(opened.text, of: event, expiresAt: expiresAt, context))
    }

    private func cookie(
        _ text: String, of event: PortalEvent, expiresAt: UInt64, _ context: PortalContext
    ) -> Cookie {
        let seconds = (expiresAt - min(expiresAt, Milliseconds.now)) / 1000
        return Cookie(
            name: event.cookieName(port: context.localPort), value: text, maxAge: Int(seconds), path: event.path,
            httpOnly: true, sameSite: .strict, isSecure: context.isSecure)
    }

    /// Finds the event of a token: of the guests' link, of the wall's link, of the QR code that the wall shows, or of a
    /// guest's one-time code, which this call uses up (§22). A token of 128 bits cannot be guessed, so wrong ones delay
    /// nobody, and are not counted.
    private func find(token: String, from address: String) throws(PortalError) -> Found {
        if var bytes = Base64URL.bytes(token, count: GuestLink.tokenByteCount) {
            if let found = try findHandover(.token(bytes), from: address) { return found }
            let token = SecretBytes(consuming: &bytes, in: .ordinary)
            if let event = events.all.first(where: { $0.gallery.portalToken.isEqual(to: token) }) {
                return Found(event: event)
            }
            if let event = events.all.first(where: { $0.gallery.wallCode.token.isEqual(to: token) }) {
                return Found(event: event, opening: SessionOpening(.wall, mark: event.gallery.wallCode.mark))
            }
            let now = Milliseconds.now
            if let event = events.all.first(where: { event in
                event.gallery.wallCode.passes(validAt: now).contains { $0.isEqual(to: token) }
            }) {
                return Found(event: event, opening: SessionOpening(.wallCode))
            }
            if events.all.contains(where: { $0.gallery.replacedTokens.contains { $0.isEqual(to: token) } }) {
                throw PortalError.replaced
            }
        }
        throw PortalError(
            .forbidden, "wrong-token", "this link is for no event of this photo box",
            hint: "Scan the event's QR code again, or type its code.")
    }

    /// Returns the event of a typed code, and how a session that it opens begins: case, spaces and hyphens are ignored
    /// (§1).
    /// - Parameter orHandover: whether it may be a guest's one-time code, which this call uses up (§22).
    func find(
        code: String, from address: String, orHandover: Bool = false
    ) throws(PortalError) -> Found {
        try gate.admitCode(from: address)
        let typed = Array(PortalCode.canonical(code).utf8)
        if let event = events.all.first(where: { Array($0.gallery.portalCode.utf8).isEqualInConstantTime(to: typed) }) {
            return Found(event: event)
        }
        // Valid also where it is not asked for: a wall that still shows it leads in after the option was switched off.
        let now = Milliseconds.now
        if let event = events.all.first(where: { event in
            event.gallery.wallCode.codes(validAt: now).contains { Array($0.utf8).isEqualInConstantTime(to: typed) }
        }) {
            return Found(event: event, opening: SessionOpening(.wallCode))
        }
        if orHandover, let found = try findHandover(.code(typed), from: address) { return found }
        let isReplaced = events.all.contains { event in
            event.gallery.replacedCodes.contains { Array($0.utf8).isEqualInConstantTime(to: typed) }
        }
        if isReplaced { throw PortalError.replaced }
        gate.noteWrongCode(from: address)
        throw PortalError.wrongCode
    }

    /// Uses up the one-time code with this key. Throws 429, and leaves the code as it is, if the address opens too many
    /// sessions.
    private func findHandover(_ key: Handovers.Key, from address: String) throws(PortalError) -> Found? {
        let used = try events.handovers.use(key) { () throws(PortalError) in try gate.admitSession(from: address) }
        guard let used, let event = events[used.event.short] else { return nil }
        return Found(event: event, opening: .handover(by: used.guest, at: Milliseconds.now), use: used)
    }

    @Sendable private func me(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        var response = try Response.json(
            try await Self.me(of: session, in: event, at: Place(request.head.authority ?? "", context)))
        // If the event was prolonged, its sessions are, too.
        let expiresAt = await event.expiry()
        if let cookie = request.cookies[event.cookieName(port: context.localPort)],
            try await event.sessions.extend(session.id, to: expiresAt)
        {
            response.setCookie(self.cookie(String(cookie.value), of: event, expiresAt: expiresAt, context))
        }
        return response
    }

    @Sendable private func about(_ request: Request, _ context: PortalContext) async throws -> Response {
        let event = try context.requireEvent()
        _ = try context.requireSession()
        guard let charter = await event.gallery.charter() else { throw PortalError.notLetIn }
        return try Response.json(AboutMessage(charter))
    }

    /// The origin of a page, and the other one of the same node.
    struct Place: Sendable {
        let origin: String
        let secure: MeMessage.Secure?

        init(_ host: String, _ context: PortalContext) {
            let address = context.localAuthority.flatMap { HostName($0)?.name }
            secure = context.ports.origins(at: host, isSecure: context.isSecure, address: address)
            origin = context.origin(of: host)
        }

        /// The origin for others: over HTTPS only if that begins without a warning.
        var shown: String { secure.map { $0.isTrusted ? origin : $0.plainOrigin } ?? origin }
    }

    static func me(of session: GuestSession, in event: PortalEvent, at place: Place) async throws -> MeMessage {
        let gallery = event.gallery
        guard let charter = await gallery.charter(), let consent = await gallery.consent(of: session.guest) else {
            throw PortalError.notLetIn
        }
        guard let challenge = await event.sessions.challenge(of: session.id) else { throw PortalError.noSession }
        var guest: MeMessage.Guest?
        if let id = session.guest {
            let status = try await gallery.guest(id)
            guest = MeMessage.Guest(
                id: id.description, name: OrNull(status.name), framesUsed: status.usedFrameCount,
                frames: OrNull(status.frameLimit))
        }
        let isOutside = await event.isOutside(session)
        let token = gallery.portalToken.withSpan { span in Base64URL.text((0..<span.count).map { span[$0] }) }
        let shown = MeMessage.Event(
            heading: .init(
                id: gallery.event.description, name: charter.name, organizer: charter.organizer.name,
                words: event.words),
            schedule: .init(charter),
            rules: .init(charter, veils: await gallery.areVeilsOn(), isOutside: isOutside),
            contents: await contents(of: gallery, isOutside: isOutside))
        var vote: MeMessage.Vote?
        if !isOutside { vote = await gallery.voteState().map(MeMessage.Vote.init) }
        return MeMessage(
            event: shown, vote: OrNull(vote),
            node: gallery.node.description, challenge: challenge.hex, consent: MeMessage.Consent(consent),
            guest: OrNull(guest), link: "\(place.shown)/#\(token)", code: gallery.portalCode,
            secure: OrNull(place.secure), isOutside: isOutside,
            wall: OrNull(
                session.opening.shows(gallery.wallCode)
                    ? MeMessage.Wall(gallery.wallCode, isShown: charter.options.needsWallCode) : nil),
            others: await gallery.otherPages().map { other in
                MeMessage.Other(
                    node: other.node.description, name: OrNull(other.name),
                    origins: other.authorities.map { "http://\($0)" })
            })
    }

    /// - Parameter isOutside: whether the session has to show the wall's code first; then it sees nothing.
    private static func contents(of gallery: any Gallery, isOutside: Bool) async -> MeMessage.Event.Contents {
        guard !isOutside else { return .none }
        let sealed = await gallery.sealed().map { sealed in
            MeMessage.Sealed(
                count: sealed.count, revealsAt: OrNull(sealed.revealsAtMilliseconds),
                forOrganizers: sealed.isForOrganizers, organizerCount: sealed.organizerCount,
                pageKey: OrNull(sealed.pageKey?.description))
        }
        let notice = await gallery.notice().map {
            MeMessage.Notice(id: $0.id.description, text: $0.text, saidAt: $0.saidAtMilliseconds)
        }
        let pictures = await gallery.pictures()
        return MeMessage.Event.Contents(
            sealed: OrNull(sealed), notice: OrNull(notice), highlightCount: await gallery.highlightCount(),
            cover: OrNull(pictures.cover.map(PictureMessage.init)),
            plan: OrNull(pictures.plan.map(PictureMessage.init)))
    }

    @Sendable private func end(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        try await event.sessions.end(session.id)
        if let guest = session.guest { try await event.closeHandover(of: guest, askedBy: session.id) }
        try await event.forget([session.id])
        var response = Response(status: .noContent)
        response.setCookie(
            Cookie(
                name: event.cookieName(port: context.localPort), value: "", maxAge: 0, path: event.path, httpOnly: true,
                sameSite: .strict, isSecure: context.isSecure))
        return response
    }
}

/// The code to type: eight characters of Crockford's base 32 (§1).
package enum PortalCode {
    /// Returns the code as the node has it: in upper case, without spaces and hyphens, and with digits for similar
    /// letters.
    package static func canonical(_ typed: String) -> String {
        String(
            typed.prefix(64).uppercased().compactMap { character -> Character? in
                switch character {
                case " ", "-", "\u{2010}"..."\u{2015}", "\u{A0}": nil
                case "O": "0"
                case "I", "L": "1"
                default: character
                }
            })
    }
}
