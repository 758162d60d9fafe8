// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The stream of changes for the desk. It has no position: after a lost connection the page reloads everything.
struct DeskUpdateRoutes: Sendable {
    let desk: any Desk
    let door: DeskDoor
    let events: EventTable
    /// The limit of changes at once; beyond it the page reloads everything.
    private static let photosAtOnceMax = 64

    func add(to group: RouterGroup) { group.get("e/:event/updates", use: stream) }

    private struct RemovedMessage: Encodable { let id: String }

    @Sendable private func stream(_ request: Request, _ context: PortalContext) async throws -> Response {
        guard let name = context.parameters.get("event").flatMap({ DeskEvent($0) }),
            let session = context.desk?.session, let event = try await events.served(name.text)
        else { throw PortalError.unknownEvent }
        let place = try event.updates.streams.place(for: session, of: session, context, isDesk: true)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await send(to: &writer, from: event.updates, of: name, session, place)
                    try await writer.finish(nil)
                } onInboundClosed: {
                    place.content.close()
                }
            })
    }

    @concurrent private func send(
        to writer: inout any ResponseBodyWriter, from hub: UpdateHub, of event: DeskEvent, _ session: Bytes32,
        _ place: StreamPlaces.Place
    ) async throws {
        var sent = await hub.newest
        let first = await hub.batch(since: sent)
        var (beatCount, messagesCount) = (first.beatCount, first.messagesCount)
        try await writer.write(ByteBuffer(string: try ServerSentEvent("hello", data: NoContent()).text))
        for await _ in place.content.bell {
            guard door.isOpen(session) else { return }
            let batch = await hub.batch(since: sent)
            var text = ""
            switch batch.since {
            case .entries(let entries) where entries.count <= Self.photosAtOnceMax:
                for entry in entries { text += try await self.text(of: entry.change, in: event) }
            case .reset, .entries: text = try ServerSentEvent("reset", data: NoContent()).text
            }
            sent = batch.newest
            if batch.messagesCount != messagesCount {
                messagesCount = batch.messagesCount
                text += try ServerSentEvent("messages", data: NoContent()).text
            }
            if batch.beatCount != beatCount {
                beatCount = batch.beatCount
                text += try ServerSentEvent("beat", data: NoContent()).text
            }
            if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
        }
    }

    // A photo that guests no longer see may be hidden only, so the desk is asked in each case.
    private func text(of change: UpdateLog.Change, in event: DeskEvent) async throws -> String {
        switch change {
        case .event: return try ServerSentEvent("event", data: NoContent()).text
        // The desk shows photos that are part of the event, and has no moments.
        case .moment, .early, .gone, .wall: return ""
        case .photo(let id, _, _), .removed(let id):
            do {
                return try ServerSentEvent("photo", data: try await desk.answer(.photo(event, id))).text
            } catch is DeskError {
                return try ServerSentEvent("removed", data: RemovedMessage(id: id.description)).text
            }
        }
    }
}
