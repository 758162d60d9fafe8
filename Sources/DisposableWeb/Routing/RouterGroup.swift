// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
internal import HummingbirdCore

extension Router {
    /// Routes below one path, whose handlers run behind the same middlewares.
    ///
    ///     let root = Router<Scope>.Group()
    ///     let event = root.group("e/:event").add(middleware: EventMiddleware(events: events))
    ///     event.get("photos/:id") { request, context in ... }
    ///     let router = Router(root)
    package final class Group {
        /// A handler behind its middlewares.
        struct Route: Sendable {
            let parameterNames: [String]
            let handler: Handler
        }

        /// The routes of every group below the same root.
        final class Table {
            var tree = RouteTree<[HTTPRequest.Method: Route]>()
        }

        private let path: RouterPath
        private var middlewares: [any RouterMiddleware<Scope>]
        let table: Table

        private init(path: RouterPath, middlewares: [any RouterMiddleware<Scope>], table: Table) {
            self.path = path
            self.middlewares = middlewares
            self.table = table
        }

        /// Creates the root of all routes.
        package convenience init() { self.init(path: "", middlewares: [], table: Table()) }

        /// Returns a group below this one, behind the middlewares that this one has now.
        package func group(_ path: RouterPath = "") -> Group {
            Group(path: self.path + path, middlewares: middlewares, table: table)
        }

        /// Adds a middleware to the routes that are added from now on. The first middleware added runs first.
        @discardableResult package func add(middleware: any RouterMiddleware<Scope>) -> Group {
            middlewares.append(middleware)
            return self
        }

        /// - Precondition: no other handler has the same path and method.
        package func on(_ path: RouterPath, method: HTTPRequest.Method, use handler: @escaping Handler) {
            let path = self.path + path
            let route = Route(parameterNames: path.parameterNames, handler: behindMiddlewares(handler))
            table.tree.update(path) { routes in
                precondition(routes?[method] == nil, "\(method) \(path.segments) has two handlers")
                routes = routes ?? [:]
                routes?[method] = route
            }
        }

        package func get(_ path: RouterPath = "", use handler: @escaping Handler) {
            on(path, method: .get, use: handler)
        }
        package func head(_ path: RouterPath = "", use handler: @escaping Handler) {
            on(path, method: .head, use: handler)
        }
        package func post(_ path: RouterPath = "", use handler: @escaping Handler) {
            on(path, method: .post, use: handler)
        }
        package func put(_ path: RouterPath = "", use handler: @escaping Handler) {
            on(path, method: .put, use: handler)
        }
        package func patch(_ path: RouterPath = "", use handler: @escaping Handler) {
            on(path, method: .patch, use: handler)
        }
        package func delete(_ path: RouterPath = "", use handler: @escaping Handler) {
            on(path, method: .delete, use: handler)
        }

        func behindMiddlewares(_ handler: @escaping Handler) -> Handler {
            middlewares.reversed().reduce(handler) { next, middleware in
                { request, context in try await middleware.handle(request, context: context, next: next) }
            }
        }
    }
}
