// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import HummingbirdCore

/// The map of this node's pages at the desk.
///
///     GET    e/ID/map           {map: {plan, isShown, positions, zooms?, attribution?}}; {} if there is none
///     POST   e/ID/map           {points: [{x, y, position}, …]}: two points of the plan, in pixels, and their places
///                               or {isWorld: true}: the outline of the world becomes the plan
///     PUT    e/ID/map/file      the bytes of an MBTiles or PMTiles file
///     DELETE e/ID/map
///
/// Each command answers as GET does.
struct DeskMapRoutes: Sendable {
    let events: EventTable
    let limits: PortalLimits
    /// Answers a question that is permitted from where the request comes.
    let answer: @Sendable (DeskQuestion, PortalContext) async throws -> Response
    /// Performs a command that is permitted from where the request comes.
    let act: @Sendable (DeskAct, PortalContext) async throws -> Response
    /// Throws if the command is not permitted from where the request comes.
    let admit: @Sendable (PortalContext) throws -> Void
    let form: @Sendable (Request) async throws -> DeskForm

    func add(to group: RouterGroup) {
        group.get("e/:event/map") { _, context in try await answer(.map(try event(context)), context) }
        group.post("e/:event/map") { request, context in
            try await act(.setMap(try event(context), try await form(request)), context)
        }
        group.delete("e/:event/map") { _, context in try await act(.removeMap(try event(context)), context) }
        group.put("e/:event/map/file", use: upload)
    }

    @Sendable private func upload(_ request: Request, _ context: PortalContext) async throws -> Response {
        try admit(context)
        let event = try event(context)
        let upload = DeskUpload(
            events: events, byteCountMax: limits.bodies.mapByteCountMax, hint: "Export a smaller area, or fewer zooms.")
        return try await upload.receiving(request, for: event) { path in
            try await act(.addMap(event, path: path), context)
        }
    }

    private func event(_ context: PortalContext) throws(PortalError) -> DeskEvent {
        guard let event = context.parameters.get("event").flatMap({ DeskEvent($0) }) else { throw .unknownEvent }
        return event
    }
}
