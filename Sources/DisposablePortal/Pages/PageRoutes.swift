// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import Foundation
internal import HummingbirdCore

/// The files of the pages: the first page at `/` and at each event's path, the wall at `/wall`, the page that takes a
/// guest over from another node at `/takeover`, the board of events at `/board`, everything else by its name.
struct PageRoutes: Sendable {
    let files: StaticFiles

    func add(to router: RouterGroup) {
        for path: RouterPath in ["/", "/index.html"] { router.get(path) { request, _ in try first(request) } }
        router.get("/takeover") { request, _ in
            try files.response("guest/takeover.html", to: request, openerPolicy: "unsafe-none")
        }
        router.get("/wall") { request, _ in try files.response("wall/index.html", to: request) }
        router.get("/board") { request, _ in
            guard request.uri.path == "/board" else { return Response.redirect(to: "/board", type: .permanent) }
            return try files.response("board/index.html", to: request)
        }
        for name in files.names { router.get(RouterPath(name)) { request, _ in try files.response(name, to: request) } }
    }

    // The page of an event is the same file, which loads the data of the event.
    func add(toEvent group: RouterGroup) {
        group.get { request, context in
            let path = try context.requireEvent().path
            // Addresses on the page are relative to the event's path, which ends with a slash.
            guard request.uri.path == path else { return Response.redirect(to: path, type: .permanent) }
            return try first(request)
        }
    }

    // The page keeps a reference to the window to which it transfers its photos (protocol/guest-api.md §8).
    private func first(_ request: Request) throws -> Response {
        try files.response("guest/index.html", to: request, openerPolicy: "same-origin-allow-popups")
    }
}
