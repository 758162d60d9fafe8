// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The galleries that are joined with the event's (protocol/disposable-v1.md §9.28), at the desk.
///
///     GET    e/ID/twins    {event, name, twins}
///     POST   e/ID/twins    {text}, {with}, {renew} or {separate}: the same, with the agreement for the other event
struct DeskTwinRoutes: Sendable {
    let limits: PortalLimits
    let answer: @Sendable (DeskQuestion, PortalContext) async throws -> Response
    let act: @Sendable (DeskAct, PortalContext) async throws -> Response

    func add(to group: RouterGroup) {
        group.get("e/:event/twins") { _, context in try await answer(.twins(try event(context)), context) }
        group.post("e/:event/twins", use: change)
    }

    private struct ChangeMessage: Decodable {
        let text: String?
        let with: String?
        let renew: String?
        let separate: String?
    }

    private func event(_ context: PortalContext) throws(PortalError) -> DeskEvent {
        guard let event = context.parameters.get("event").flatMap({ DeskEvent($0) }) else { throw .unknownEvent }
        return event
    }

    @Sendable private func change(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(ChangeMessage.self, limits: limits)
        func named(_ text: String) throws(PortalError) -> DeskEvent {
            guard let event = DeskEvent(text) else { throw .malformed("an event is named by the start of its id") }
            return event
        }
        let change: TwinChange =
            switch (message.text, message.with, message.renew, message.separate) {
            case (let text?, nil, nil, nil): .take(text: text)
            case (nil, let event?, nil, nil): .with(try named(event))
            case (nil, nil, let event?, nil): .renew(try named(event))
            case (nil, nil, nil, let event?): .separate(try named(event))
            default: throw PortalError.malformed("one of text, with, renew and separate")
            }
        return try await act(.changeTwins(try event(context), change), context)
    }
}
