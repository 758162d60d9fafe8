// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The browsers that follow this node, from the desk: walls, and the number of all. Nothing is stored, and no other
/// node is told.
///
///     POST   e/ID/wall     {act, photo?}: next, back, pause, resume, code, or show with a photo's id
///     GET    e/ID/phones   {count, now}: addresses with an open page, other than the one that asks; this machine's clock
struct DeskWallRoutes: Sendable {
    let events: EventTable
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.post("e/:event/wall", use: tell)
        group.get("e/:event/phones") { _, context in
            let streams = try event(context).updates.streams
            return try Response.json(
                PhonesMessage(count: streams.addressCount(except: context.addressKey), now: Milliseconds.now))
        }
    }

    private struct PhonesMessage: Encodable {
        let count: Int
        let now: UInt64
    }

    private func event(_ context: PortalContext) throws(PortalError) -> PortalEvent {
        guard let name = context.parameters.get("event").flatMap({ DeskEvent($0) }), let event = events[name.text]
        else { throw .unknownEvent }
        return event
    }

    private struct ActMessage: Decodable {
        let act: String
        let photo: String?
    }

    @Sendable private func tell(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(ActMessage.self, limits: limits)
        let event = try event(context)
        guard let act = WallAct(rawValue: message.act) else {
            let words = WallAct.allCases.map(\.rawValue).joined(separator: ", ")
            throw PortalError.malformed("act is one of \(words)")
        }
        let photo = message.photo.flatMap { PhotoID(hex: $0) }
        guard (act == .show) == (photo != nil), (message.photo == nil) == (photo == nil) else {
            throw PortalError.malformed("photo is the id of a photo, and goes with show")
        }
        guard await event.updates.tellWalls(act, photo) else {
            throw PortalError(.tooManyRequests, "too-fast", "the walls were asked too often", retryAfter: 1)
        }
        return Response(status: .noContent)
    }
}
