// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore

/// Runs around the handlers of a group of routes: it may change the request's context, answer or refuse instead of the
/// handler, or change the handler's response.
protocol RouterMiddleware: Sendable {
    /// - Parameter next: the next middleware, or the handler.
    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response
}
