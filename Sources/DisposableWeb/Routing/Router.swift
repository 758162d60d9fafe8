// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
package import HummingbirdCore

/// Passes each request to the handler of its path and method, behind the handler's middlewares.
package struct Router<Scope: Sendable>: Sendable {
    package typealias Handler = @concurrent @Sendable (Request, RequestContext<Scope>) async throws -> Response

    private let tree: RouteTree<[HTTPRequest.Method: Group.Route]>
    private let notFound: Handler

    /// - Parameter root: has all routes. Its own middlewares also run for requests without a route.
    package init(_ root: Group) {
        tree = root.table.tree
        notFound = root.behindMiddlewares { _, _ in throw HTTPFailure.notFound }
    }

    /// HEAD is answered as GET is, without the body (RFC 9110 §9.3.2), unless HEAD has a route of its own. A path that
    /// exists for other methods only is answered like one that does not exist.
    package func respond(to request: Request, context: RequestContext<Scope>) async throws -> Response {
        guard let (routes, values) = tree.match(RouterPath.segments(of: request.uri.path)) else {
            return try await notFound(request, context)
        }
        func respond(_ route: Group.Route) async throws -> Response {
            var context = context
            context.parameters = PathParameters(names: route.parameterNames, values: values)
            return try await route.handler(request, context)
        }
        if let route = routes[request.method] { return try await respond(route) }
        guard request.method == .head, let route = routes[.get] else { return try await notFound(request, context) }
        return try await respond(route).createHeadResponse()
    }
}
