// SPDX-License-Identifier: Apache-2.0
package import HummingbirdCore

/// Runs around the handlers of a group of routes: it may change the request's context, answer or refuse instead of the
/// handler, or change the handler's response.
package protocol RouterMiddleware<Scope>: Sendable {
    associatedtype Scope: Sendable

    /// - Parameter next: the next middleware, or the handler.
    @concurrent func handle(
        _ request: Request, context: RequestContext<Scope>,
        next: @concurrent (Request, RequestContext<Scope>) async throws -> Response
    ) async throws -> Response
}
