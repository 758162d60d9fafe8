// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The organizer's desk: its page at `/desk`, and its API below `/desk/api/`.
///
///     POST   session            {key}: a cookie for a key that is valid once; {here}
///     GET    session            {here};                 DELETE: ends it
///     GET    events             {events, presets}
///     POST   events             creates one: {name, preset?, organizer?, isDraft?, parameters?}; {event}
///     GET    e/ID/overview      counts, hours, disk, nodes, problems
///     GET    e/ID/settings      the present charter;    POST: the changes; {fields}
///     POST   e/ID/reveal        {isConfirmed}
///     POST   e/ID/deletion      {name}: the event's, typed by a person; deletes it on every node
///     POST   e/ID/archive       {isOn}: the list of events has it last, on this node
///     POST   e/ID/key           {words}: the event key, to keep on paper
///     GET    e/ID/people        ?named= &offset= &limit=;       POST {act: frames|zone|grant|revoke, member, count?, zone?, role?, isConfirmed?}
///     POST   e/ID/wall          {act, photo?}: to the walls;  GET e/ID/phones: {count} (`DeskWallRoutes`)
///     POST   e/ID/notice        {text}: to all guests
///     GET    e/ID/messages      those to the organizers, newest first: {messages, count};  DELETE e/ID/messages/ID
///     GET    e/ID/vote          the vote for the photo of the night;  POST {isOpen}: opens or closes one
///     GET    e/ID/twins         joined galleries;       POST joins and separates them (`DeskTwinRoutes`)
///     POST   e/ID/remarks/ID    {hidden}: a comment or a notice
///     GET    e/ID/photos        ?which=all|shown|hidden|favourites|pending|veiled &by=AUTHOR &before= &limit=; {photos, next, count}
///     GET    e/ID/photos/PHOTO  one of them;            POST {hidden?, favourite?, approved?, lifted?}: as it is then
///     PUT    e/ID/files         a file that becomes a photo of the node's person (`DeskAddingRoutes`)
///     DELETE e/ID/photos/PHOTO  for everybody;          GET e/ID/photos/PHOTO/copies: the nodes with it, or without
///     POST   e/ID/approve       {photos}: ids of 1 to 100 that wait for approval; {photos}: those that were approved
///     GET    e/ID/veils         ?since=MS: {photoCount, deviceCount}; POST {since}: lifts them (`DeskVeilRoutes`)
///     POST   e/ID/highlights    {isOn}: shows the marked photos to guests as highlights; {count}: all highlights
///     GET    e/ID/pictures      {cover, plan}; POST e/ID/pictures/ROLE, PUT e/ID/pictures/ROLE/file: the cover and the plan (`DeskPictureRoutes`); e/ID/map (`DeskMapRoutes`)
///     GET    e/ID/photos/PHOTO/comments
///     GET    e/ID/photos/PHOTO/thumbnail|preview|original;  GET e/ID/zip: a selection; e/ID/album (`DeskSavingRoutes`)
///     GET    e/ID/invitation, e/ID/invitation/node, e/ID/code.svg, e/ID/code.png
///     GET    e/ID/tickets       {tickets};              POST {count}: makes more;  DELETE e/ID/tickets/KEY: cancels one
///     POST   e/ID/poster, e/ID/card, e/ID/cards   {address?, secondAddress?, wifi?, wifiPassword?, wifiHidden?,
///                                                  language?}: a PDF
///     GET    e/ID/updates       server-sent events: photo, removed, event, messages, reset, beat
///
/// Errors are those of protocol/guest-api.md §7. From other addresses than this machine's some requests get 403,
/// `not-here`.
struct DeskRoutes: Sendable {
    static let path = "/desk/api"

    let desk: any Desk
    let door: DeskDoor
    let events: EventTable
    let gate: Gate
    let files: StaticFiles
    let limits: PortalLimits
    let isFromHere: @Sendable (_ remote: String?, _ local: String?) -> Bool

    func add(to router: RouterGroup) {
        router.get("desk") { request, _ in
            guard request.uri.path == "/desk" else { return Response.redirect(to: "/desk", type: .permanent) }
            return try files.response("desk/index.html", to: request)
        }
        let outside = router.group("desk/api").add(middleware: DeskMiddleware(door: door, isFromHere: isFromHere))
        outside.post("session", use: open)
        let inside = outside.group().add(middleware: DeskSessionMiddleware())
        inside.get("session") { _, context in try Response.json(OpenedMessage(here: context.desk?.isHere == true)) }
        inside.delete("session", use: close)
        inside.get("events") { _, context in try await answer(.events, context) }
        inside.post("events") { request, context in
            let known = events.all.count
            let answer = try await act(.create(try await form(request)), context)
            // The code is shown next; guests that scan it at once must find the pages, which start within two seconds.
            for _ in 0..<30 where events.all.count == known { try await Task.sleep(for: .milliseconds(100)) }
            return answer
        }
        inside.get("e/:event/overview") { _, context in try await answer(.overview(try event(context)), context) }
        inside.get("e/:event/pictures") { _, context in try await answer(.pictures(try event(context)), context) }
        inside.get("e/:event/settings") { _, context in try await answer(.settings(try event(context)), context) }
        inside.post("e/:event/settings") { request, context in
            try await act(.edit(try event(context), try await form(request)), context)
        }
        inside.post("e/:event/reveal", use: reveal)
        inside.post("e/:event/deletion", use: delete)
        inside.post("e/:event/archive") { request, context in
            let message = try await request.json(ArchiveMessage.self, limits: limits)
            return try await act(.archive(try event(context), isOn: message.isOn), context)
        }
        inside.post("e/:event/key") { _, context in try await act(.backUpKey(try event(context)), context) }
        inside.get("e/:event/people", use: people)
        inside.post("e/:event/people", use: rule)
        inside.get("e/:event/people/:member/removal") { _, context in
            let member = context.parameters.get("member") ?? ""
            return try await answer(.removal(try event(context), member: member), context)
        }
        inside.get("e/:event/photos", use: photos)
        inside.get("e/:event/photos/:id") { _, context in
            try await answer(.photo(try event(context), try photo(context)), context)
        }
        inside.post("e/:event/photos/:id", use: mark)
        inside.delete("e/:event/photos/:id") { _, context in
            try await act(.erase(try event(context), try photo(context)), context)
        }
        inside.get("e/:event/photos/:id/copies") { _, context in
            try await answer(.copies(try event(context), try photo(context)), context)
        }
        inside.get("e/:event/photos/:id/comments") { _, context in
            try await answer(.comments(try event(context), try photo(context)), context)
        }
        inside.post("e/:event/approve", use: approve)
        inside.post("e/:event/highlights", use: shareFavourites)
        DeskAddingRoutes(
            events: events, limits: limits, act: act, admit: { try admit(DeskAct.isPhotoForEverywhere, $0) }
        ).add(to: inside)
        DeskPictureRoutes(
            events: events, limits: limits, act: act,
            admit: { try admit(DeskAct.isPictureForEverywhere, $0) }
        ).add(to: inside)
        DeskMapRoutes(
            events: events, limits: limits, answer: answer, act: act,
            admit: { try admit(DeskAct.isPictureForEverywhere, $0) }, form: form
        ).add(to: inside)
        DeskVeilRoutes(limits: limits, answer: answer, act: act).add(to: inside)
        DeskWallRoutes(events: events, limits: limits).add(to: inside)
        DeskTwinRoutes(limits: limits, answer: answer, act: act).add(to: inside)
        inside.post("e/:event/notice", use: notice)
        inside.post("e/:event/remarks/:id", use: hideRemark)
        inside.get("e/:event/messages") { _, context in try await answer(.messages(try event(context)), context) }
        inside.delete("e/:event/messages/:id") { _, context in
            guard let id = context.parameters.get("id").flatMap({ OperationID(hex: $0) }) else {
                throw PortalError(Refusal.unknownMessage(context.parameters.get("id") ?? ""))
            }
            return try await act(.eraseMessage(try event(context), id), context)
        }
        inside.get("e/:event/vote") { _, context in try await answer(.vote(try event(context)), context) }
        inside.post("e/:event/vote") { request, context in
            let message = try await request.json(VoteMessage.self, limits: limits)
            return try await act(.setVote(try event(context), isOpen: message.isOpen), context)
        }
        for blobClass in BlobClass.allCases {
            inside.get("e/:event/photos/:id/\(blobClass.pathName)") { request, context in
                let id = try photo(context)
                let bytes = try await desk.bytes(blobClass, of: id, in: try event(context))
                return try await PhotoAnswer.answer(to: request, bytes, blobClass, of: id) {
                    "\(id.short).\(bytes.mediaType.pathExtension)"
                }
            }
        }
        inside.get("e/:event/invitation") { _, context in try await answer(.invitation(try event(context)), context) }
        inside.get("e/:event/invitation/node") { _, context in
            try await answer(.nodeInvitation(try event(context)), context)
        }
        for format in [DeskFile.Format.svg, .png] {
            inside.get("e/:event/code.\(format)") { request, context in
                try await file(.code(try event(context), format), request, context)
            }
        }
        inside.get("e/:event/tickets") { _, context in try await answer(.tickets(try event(context)), context) }
        inside.post("e/:event/tickets") { request, context in
            let message = try await request.json(TicketCountMessage.self, limits: limits)
            return try await act(.makeTickets(try event(context), count: message.count), context)
        }
        inside.delete("e/:event/tickets/:id") { _, context in
            guard let ticket = context.parameters.get("id").flatMap({ TicketKey(hex: $0) }) else {
                throw PortalError(Refusal.noTicket(.unknown))
            }
            return try await act(.cancelTicket(try event(context), ticket), context)
        }
        for paper in [DeskFile.Paper.poster, .card, .cards] {
            inside.post("e/:event/\(paper)") { request, context in
                try await file(.paper(try event(context), paper, try await form(request)), request, context)
            }
        }
        DeskSavingRoutes(
            desk: desk, events: events, answer: answer, act: act,
            admit: { try admit(DeskAct.isAlbumForEverywhere, $0) }, form: form
        ).add(to: inside)
        DeskUpdateRoutes(desk: desk, door: door, events: events).add(to: inside)
    }

    // Opening and ending sessions

    private struct TicketCountMessage: Decodable { let count: Int }
    private struct OpenMessage: Decodable { let key: String }
    private struct OpenedMessage: Encodable { let here: Bool }
    private struct ArchiveMessage: Decodable { let isOn: Bool }
    private struct VoteMessage: Decodable { let isOpen: Bool }

    @Sendable private func open(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(OpenMessage.self, limits: limits)
        // A key of 256 bits cannot be guessed, so wrong keys delay nobody, above all not the organizer.
        guard await desk.use(key: message.key) else {
            throw PortalError(
                .forbidden, "wrong-key", "this key has been used or has expired",
                hint: "Type `disposable desk` in a terminal on this machine: it prints a new address.")
        }
        var response = try Response.json(OpenedMessage(here: context.desk?.isHere == true))
        response.setCookie(
            Cookie(
                name: DeskMiddleware.cookieName(context), value: door.open(), path: Self.path, httpOnly: true,
                sameSite: .strict, isSecure: context.isSecure))
        return response
    }

    @Sendable private func close(_ request: Request, _ context: PortalContext) async throws -> Response {
        if let session = context.desk?.session {
            door.end(session)
            for event in events.all { event.updates.streams.close(session: session) }
        }
        return Response(status: .noContent)
    }

    // Queries and commands

    private func answer(_ question: DeskQuestion, _ context: PortalContext) async throws -> Response {
        try admit(question.isForEverywhere, context)
        return try .json(DeskAnswer(try await desk.answer(question)))
    }

    private func act(_ act: DeskAct, _ context: PortalContext) async throws -> Response {
        try admit(act.isForEverywhere, context)
        return try .json(DeskAnswer(try await desk.perform(act)))
    }

    private func file(_ file: DeskFile, _ request: Request, _ context: PortalContext) async throws -> Response {
        try admit(file.isForEverywhere, context)
        let made = try await desk.file(file)
        var headers: HTTPFields = [.contentType: made.mediaType, .contentSecurityPolicy: PhotoAnswer.policy]
        if request.method == .post || request.uri.queryParameters.has("download") {
            headers[.contentDisposition] = SavedName.attachment(made.name)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: made.bytes)))
    }

    private func admit(_ isForEverywhere: Bool, _ context: PortalContext) throws(PortalError) {
        guard isForEverywhere || context.desk?.isHere == true else {
            throw PortalError(
                .forbidden, "not-here", "from another device the desk can only view, hide and mark photos",
                hint: "Do this on the machine that runs the event, where no one can intercept it.")
        }
    }

    // Parsing of requests

    private func event(_ context: PortalContext) throws(PortalError) -> DeskEvent {
        guard let event = context.parameters.get("event").flatMap({ DeskEvent($0) }) else { throw .unknownEvent }
        return event
    }

    private func photo(_ context: PortalContext) throws(PortalError) -> PhotoID {
        try context.photo()
    }

    private func form(_ request: Request) async throws -> DeskForm {
        DeskForm(bytes: try await request.bytes(limits: limits))
    }

    private func number(
        _ name: String, in request: Request, _ range: ClosedRange<Int>, orElse standard: Int
    ) throws(PortalError) -> Int {
        guard let text = request.uri.queryParameters[Substring(name)] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw .malformed("\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    @Sendable private func people(_ request: Request, _ context: PortalContext) async throws -> Response {
        let offset = try number("offset", in: request, 0...1_000_000, orElse: 0)
        let limit = try number("limit", in: request, 1...DeskQuestion.limitMax, orElse: 50)
        let named = request.uri.queryParameters["named"].map(String.init) ?? ""
        return try await answer(.people(try event(context), named: named, offset: offset, limit: limit), context)
    }

    @Sendable private func photos(_ request: Request, _ context: PortalContext) async throws -> Response {
        let query = request.uri.queryParameters
        guard let which = DeskPhotos(rawValue: query["which"].map(String.init) ?? "all") else {
            let words = DeskPhotos.allCases.map(\.rawValue).joined(separator: ", ")
            throw PortalError.malformed("which is one of \(words)")
        }
        let before = try query["before"].map { text in
            guard let id = PhotoID(hex: text) else { throw PortalError.malformed("before is a photo's id") }
            return id
        }
        let author = try query["by"].map { text in
            guard let author = AuthorID(hex: text) else { throw PortalError.malformed("by is an author's key") }
            return author
        }
        let limit = try number("limit", in: request, 1...DeskQuestion.limitMax, orElse: 48)
        return try await answer(
            .photos(try event(context), which: which, by: author, before: before, limit: limit), context)
    }

    private struct MarkMessage: Decodable {
        let hidden: Bool?
        let favourite: Bool?
        let approved: Bool?
        let lifted: Bool?
    }

    @Sendable private func mark(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(MarkMessage.self, limits: limits)
        let (event, photo) = (try event(context), try photo(context))
        switch (message.hidden, message.favourite, message.approved, message.lifted) {
        case (nil, nil, nil, let isOn?): _ = try await act(.lift(event, photo, isOn: isOn), context)
        case (nil, nil, let isApproved?, nil):
            _ = try await act(isApproved ? .approve(event, [photo]) : .unapprove(event, photo), context)
        case (let isHidden?, nil, nil, nil):
            _ = try await act(isHidden ? .hide(event, photo) : .unhide(event, photo), context)
        case (nil, let isOn?, nil, nil): _ = try await act(.favourite(event, photo, isOn: isOn), context)
        default: throw PortalError.malformed("one of hidden, favourite, approved and lifted is needed, true or false")
        }
        return try await answer(.photo(event, photo), context)
    }

    private struct HighlightsMessage: Decodable { let isOn: Bool }

    @Sendable private func shareFavourites(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(HighlightsMessage.self, limits: limits)
        return try await act(.shareFavourites(try event(context), isOn: message.isOn), context)
    }

    private struct ApproveMessage: Decodable { let photos: [String] }

    @Sendable private func approve(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(ApproveMessage.self, limits: limits)
        let photos = message.photos.compactMap { PhotoID(hex: $0) }
        guard photos.count == message.photos.count, (1...DeskQuestion.limitMax).contains(photos.count) else {
            throw PortalError.malformed("photos are the ids of 1 to \(DeskQuestion.limitMax) photos")
        }
        return try await act(.approve(try event(context), photos), context)
    }

    private struct NoticeMessage: Decodable { let text: String }

    @Sendable private func notice(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(NoticeMessage.self, limits: limits)
        return try await act(.notice(try event(context), text: message.text), context)
    }

    private struct HideMessage: Decodable { let hidden: Bool }

    @Sendable private func hideRemark(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(HideMessage.self, limits: limits)
        guard let id = context.parameters.get("id").flatMap({ OperationID(hex: $0) }) else {
            throw PortalError(Refusal.unknownComment(context.parameters.get("id") ?? ""))
        }
        return try await act(.hideRemark(try event(context), id, isHidden: message.hidden), context)
    }

    private struct RevealMessage: Decodable { let isConfirmed: Bool }

    @Sendable private func reveal(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(RevealMessage.self, limits: limits)
        return try await act(.reveal(try event(context), isConfirmed: message.isConfirmed), context)
    }

    private struct DeletionMessage: Decodable { let name: String }

    @Sendable private func delete(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(DeletionMessage.self, limits: limits)
        return try await act(.delete(try event(context), name: message.name), context)
    }

    private struct RuleMessage: Decodable {
        let act: String
        let member: String
        let count: UInt64?
        /// Empty for none.
        let zone: String?
        let role: String?
        /// For a removal: also all members that only this member admitted.
        let withAdmitted: Bool?
        /// For a revocation: also if others lose something.
        let isConfirmed: Bool?
    }

    @Sendable private func rule(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(RuleMessage.self, limits: limits)
        let event = try event(context)
        switch (message.act, message.count, message.role) {
        case ("frames", let count?, _):
            return try await act(.frames(event, member: message.member, count: count), context)
        case ("zone", _, _):
            guard let zone = message.zone else { throw PortalError.malformed("a zone has a name, or an empty one") }
            return try await act(.zone(event, member: message.member, name: zone), context)
        case ("grant", _, let role?): return try await act(.grant(event, role: role, member: message.member), context)
        case ("revoke", _, let role?):
            return try await act(
                .revoke(
                    event, role: role, member: message.member, withAdmitted: message.withAdmitted ?? false,
                    isConfirmed: message.isConfirmed ?? false), context)
        default: throw PortalError.malformed("act is frames with a count, zone, or grant or revoke with a role")
        }
    }
}
