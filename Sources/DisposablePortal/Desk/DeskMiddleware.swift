// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// Finds the session of the desk's cookie, and refuses requests of other origins: cookies ignore ports, so any page at
/// this host's name would send ours.
struct DeskMiddleware: RouterMiddleware {
    let door: DeskDoor
    let isFromHere: @Sendable (_ remote: String?, _ local: String?) -> Bool

    static func cookieName(_ context: PortalContext) -> String { "disposable-desk-\(context.localPort)" }

    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers[values: .secFetchSite].allSatisfy({ ["same-origin", "none"].contains($0) }) else {
            throw PortalError(
                .forbidden, "foreign-origin", "this request came from another page than the desk",
                hint: "Open the desk by its own address.")
        }
        var context = context
        let cookie = request.cookies[Self.cookieName(context)]
        context.desk = DeskVisit(
            session: cookie.flatMap { door.session($0.value) },
            isHere: isFromHere(context.remoteAddress?.ipAddress, context.channel.localAddress?.ipAddress))
        return try await next(request, context)
    }
}

/// For all routes except the exchange of the key.
struct DeskSessionMiddleware: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        guard context.desk?.session != nil else {
            throw PortalError(
                .unauthorized, "no-session", "this browser has not opened the desk, or the node was restarted",
                hint: "Type `disposable desk` in a terminal on this machine: it prints a new address.")
        }
        return try await next(request, context)
    }
}
