// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// Changes, as a stream of server-sent events or for polling (protocol/guest-api.md §6).
struct UpdateRoutes: Sendable {
    private static let entriesAWrite = 64

    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/updates", use: stream)
        group.get("api/changes", use: changes)
    }

    private struct IDMessage: Encodable { let id: String }

    @Sendable private func stream(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        let last = request.headers[.lastEventID] ?? request.uri.queryParameters["last"].map(String.init)
        let place = try event.updates.streams.place(for: session.id, of: session.owner, context)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await Self.send(to: &writer, since: last, from: event, session, place)
                    try await writer.finish(nil)
                } onInboundClosed: {
                    place.content.close()
                }
            })
    }

    @concurrent private static func send(
        to writer: inout any ResponseBodyWriter, since last: String?, from event: PortalEvent, _ session: GuestSession,
        _ place: StreamPlaces.Place
    ) async throws {
        let hub = event.updates
        var sent: UInt64
        if let last, let number = await hub.number(in: last) {
            sent = number
        } else {
            sent = await hub.newest
            let id = await hub.id(sent)
            let first =
                try last == nil
                ? ServerSentEvent("hello", id: id, data: IDMessage(id: id))
                : ServerSentEvent("reset", id: id, data: NoContent())
            try await writer.write(ByteBuffer(string: first.text))
        }
        var beatCount = await hub.batch(since: sent).beatCount
        for await _ in place.content.bell {
            // The guest may have entered since, or left.
            guard let viewer = await event.viewer(of: session) else { return }
            let batch = await hub.batch(since: sent)
            switch batch.since {
            case .reset:
                let id = await hub.id(batch.newest)
                try await writer.write(ByteBuffer(string: try ServerSentEvent("reset", id: id, data: NoContent()).text))
            case .entries(let entries):
                for start in stride(from: 0, to: entries.count, by: entriesAWrite) {
                    var text = ""
                    for entry in entries[start..<min(start + entriesAWrite, entries.count)] {
                        let id = await hub.id(entry.number)
                        text += try await ChangeMessage(entry.change, for: viewer, in: event).event(id: id).text
                    }
                    try await writer.write(ByteBuffer(string: text))
                }
            }
            sent = batch.newest
            if batch.beatCount != beatCount {
                beatCount = batch.beatCount
                try await writer.write(ByteBuffer(string: try ServerSentEvent("beat", data: NoContent()).text))
            }
        }
    }

    private struct ChangesMessage: Encodable {
        let id: String
        let reset: Bool
        let changes: [ChangeMessage]
    }

    @Sendable private func changes(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        let hub = event.updates
        let newest = await hub.newest
        guard let since = request.uri.queryParameters["since"] else {
            return try .json(ChangesMessage(id: await hub.id(newest), reset: false, changes: []))
        }
        guard let number = await hub.number(in: since), case .entries(let all) = await hub.batch(since: number).since
        else {
            return try .json(ChangesMessage(id: await hub.id(newest), reset: true, changes: []))
        }
        let entries = all.prefix(limits.updates.pageCount)
        var changes: [ChangeMessage] = []
        for entry in entries { changes.append(await ChangeMessage(entry.change, for: session.guest, in: event)) }
        let id = await hub.id(entries.last?.number ?? number)
        return try .json(ChangesMessage(id: id, reset: false, changes: changes))
    }
}

/// One change as one guest may see it.
private enum ChangeMessage: Encodable, Sendable {
    case photo(PhotoMessage)
    case removed(PhotoID)
    case event
    case moment(MomentsMessage)
    case early(EarlyMessage)
    case gone(GoneMessage)
    case wall(WallMessage)

    init(_ change: UpdateLog.Change, for viewer: AuthorID?, in event: PortalEvent) async {
        let gallery = event.gallery
        switch change {
        case .photo(let id, let photo?, let isOfTwin):
            let origin = await gallery.origins(of: [id])[id]
            // The galleries were separated since, which may be told later than this.
            guard origin != nil || !isOfTwin else {
                self = .removed(id)
                return
            }
            // The author sees a veiled photo as it is.
            let own = photo.isVeiled && photo.author == viewer ? try? await gallery.photo(id, for: viewer) : nil
            self = .photo(PhotoMessage(own ?? photo, for: viewer, event: origin))
        case .photo(let id, nil, _):
            // Not everybody sees it; its author may. For all others it is as if it were withdrawn.
            if let viewer, let photo = try? await gallery.photo(id, for: viewer), photo.author == viewer {
                self = .photo(PhotoMessage(photo, for: viewer))
            } else {
                self = .removed(id)
            }
        case .removed(let id): self = .removed(id)
        case .event: self = .event
        case .moment: self = .moment(MomentsMessage(await gallery.moments()))
        case .early(let id):
            // It may have ended since.
            if let preview = event.uploads.previews[id],
                let message = await EarlyMessage(preview, for: viewer, in: gallery)
            {
                self = .early(message)
            } else {
                self = .gone(GoneMessage(id: id.description, photo: OrNull(nil)))
            }
        case .gone(let id, let photo):
            self = .gone(GoneMessage(id: id.description, photo: OrNull(photo?.description)))
        case .wall(let act, let id):
            // Guests hear it, too: of a photo that they do not see, they hear nothing.
            var shown: AlbumPhoto?
            if let id { shown = try? await gallery.photo(id, for: nil) }
            self = .wall(WallMessage(act: act.rawValue, photo: OrNull(shown?.id.description)))
        }
    }

    struct GoneMessage: Encodable, Sendable {
        let id: String
        let photo: OrNull<String>
    }

    struct WallMessage: Encodable, Sendable {
        let act: String
        let photo: OrNull<String>
    }

    private struct RemovedMessage: Encodable { let id: String }

    private var name: String {
        switch self {
        case .photo: "photo"
        case .removed: "removed"
        case .event: "event"
        case .moment: "moment"
        case .early: "early"
        case .gone: "gone"
        case .wall: "wall"
        }
    }

    private var data: any Encodable {
        switch self {
        case .photo(let photo): photo
        case .removed(let id): RemovedMessage(id: id.description)
        case .event: NoContent()
        case .moment(let message): message
        case .early(let message): message
        case .gone(let message): message
        case .wall(let message): message
        }
    }

    func event(id: String) throws -> ServerSentEvent { try ServerSentEvent(name, id: id, data: data) }

    private enum CodingKeys: CodingKey { case event, data }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .event)
        try container.encode(data, forKey: .data)
    }
}

extension HTTPField.Name {
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
