// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The veiled photos that only devices ask for which were let in since a time, in milliseconds since 1970 UTC.
///
///     GET    e/ID/veils    ?since=MS: {photoCount, deviceCount, photos: []}
///     POST   e/ID/veils    {since}: the same, and lifts some of them, whose ids are in photos; fewer than photoCount
///                          if there are many
struct DeskVeilRoutes: Sendable {
    let limits: PortalLimits
    let answer: @Sendable (DeskQuestion, PortalContext) async throws -> Response
    let act: @Sendable (DeskAct, PortalContext) async throws -> Response

    private struct SinceMessage: Decodable { let since: UInt64 }

    func add(to group: RouterGroup) {
        group.get("e/:event/veils") { request, context in
            guard let since = request.uri.queryParameters["since"].flatMap({ UInt64($0) }) else {
                throw PortalError.malformed("since is a time in milliseconds since 1970 UTC")
            }
            return try await answer(.veils(try event(context), admittedSince: since), context)
        }
        group.post("e/:event/veils") { request, context in
            let message = try await request.json(SinceMessage.self, limits: limits)
            return try await act(.liftAdmitted(try event(context), since: message.since), context)
        }
    }

    private func event(_ context: PortalContext) throws(PortalError) -> DeskEvent {
        guard let event = context.parameters.get("event").flatMap({ DeskEvent($0) }) else { throw .unknownEvent }
        return event
    }
}
