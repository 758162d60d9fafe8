// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Adds every answer's headers, and makes an answer of every error: JSON for programs, a page for people. Counts the
/// request.
struct AnswerMiddleware: RouterMiddleware {
    let tally: RequestTally

    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        let beganAt = ContinuousClock.now
        defer { tally.record(ContinuousClock.now - beganAt, of: RequestKind(path: request.head.path ?? "")) }
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            let failure = Self.portalError(error)
            tally.note(failure)
            if failure.code == "broken" {
                context.logger.debug("request failed", metadata: ["path": "\(request.uri.path)", "reason": "\(error)"])
            }
            response = Self.response(to: failure, pageTexts: Self.prefersPage(request) ? request.simpleTexts : nil)
            if request.method == .head { response = response.createHeadResponse() }
        }
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.pagePolicy
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        response.headers[.xContentTypeOptions] = "nosniff"
        // Not `no-referrer`: browsers then send forms with `Origin: null`, which looks like a foreign one.
        response.headers[.referrerPolicy] = "same-origin"
        if response.headers[.crossOriginOpenerPolicy] == nil {
            response.headers[.crossOriginOpenerPolicy] = "same-origin"
        }
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        return response
    }

    static let pagePolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; \
        connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """

    private static func portalError(_ error: any Error) -> PortalError {
        if let refusal = PortalError(refusing: error) { return refusal }
        return switch error {
        case let error as FileError where error.isDiskFull: .noRoom
        default:
            PortalError(
                .internalServerError, "broken", "something went wrong in this photo box",
                hint: "Try again a little later.")
        }
    }

    /// Whether a browser opens an address: it then prefers HTML, and does not in requests of scripts.
    private static func prefersPage(_ request: Request) -> Bool {
        guard let accept = request.headers[.accept], let html = accept.range(of: "text/html") else { return false }
        guard let json = accept.range(of: "application/json") else { return true }
        return html.lowerBound < json.lowerBound
    }

    private struct ErrorBody: Encodable {
        struct Content: Encodable {
            let code: String
            let message: String
            let hint: String?
            let reason: String?
            let about: [String]?
        }
        let error: Content
    }

    /// - Parameter pageTexts: the sentences of a page for a person; `nil` for JSON.
    static func response(to error: PortalError, pageTexts: SimpleTexts?) -> Response {
        var response: Response
        if let pageTexts {
            response = .page(SimplePages.refusal(error, pageTexts), status: error.status)
        } else {
            let body = ErrorBody(
                error: .init(
                    code: error.code, message: error.message, hint: error.hint, reason: error.reason,
                    about: error.about.isEmpty ? nil : error.about))
            response = (try? .json(body, status: error.status)) ?? Response(status: error.status)
        }
        response.headers.append(contentsOf: error.headers)
        // An answer to HEAD has no body.
        response.headers[.disposableError] = error.code
        if let retryAfter = error.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }
}

/// Accepts requests to this address, from its own pages, within the rate limit (protocol/guest-api.md §7).
struct GuardMiddleware: RouterMiddleware {
    let gate: ConnectionGate
    /// The machine's mDNS name, in lower case.
    let localName: String

    init(gate: ConnectionGate) {
        self.gate = gate
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        localName = (host.split(separator: ".").first.map(String.init) ?? host).lowercased() + ".local"
    }

    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        try gate.admitRequest(from: context.addressKey)
        guard request.head.path?.hasPrefix("/") == true || request.method == .options else {
            throw PortalError.malformed("the address must begin with a slash")
        }
        let host = try host(of: request, context)
        if ![.get, .head, .options].contains(request.method) {
            try checkOrigin(of: request, is: context.origin(of: host))
        }
        return try await next(request, context)
    }

    /// Refuses names that another DNS server may resolve to this machine: pages at such a name would share this origin.
    private func host(of request: Request, _ context: PortalContext) throws(PortalError) -> String {
        let error = PortalError(
            .misdirectedRequest, "wrong-host", "this photo box does not have that name",
            hint: "Open the address on the poster.")
        guard let authority = request.head.authority?.lowercased(), request.headers[values: .host].isEmpty else {
            throw error
        }
        guard let host = HostName(authority) else { throw error }
        let isOwn = host.isAddress || host.name == "localhost" || host.name == localName
        guard isOwn || context.isSecure && context.ports.isCertified(host.name) else { throw error }
        return authority
    }

    private func checkOrigin(of request: Request, is origin: String) throws(PortalError) {
        let origins = request.headers[values: .origin]
        let sites = request.headers[values: .secFetchSite]
        guard origins.allSatisfy({ $0.lowercased() == origin }),
            sites.allSatisfy({ ["same-origin", "none"].contains($0) })
        else {
            throw PortalError(
                .forbidden, "foreign-origin", "this request came from another page than this photo box",
                hint: "Open the event's link again.")
        }
    }
}

/// Finds the event of the path, and the session of the cookie or bearer.
struct EventMiddleware: RouterMiddleware {
    let events: EventTable

    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        guard let name = context.parameters.get("event"), let event = events[name] else {
            throw PortalError.unknownEvent
        }
        var context = context
        context.event = event
        if let field = request.headers[.authorization] {
            let parts = field.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "bearer" {
                context.session = await event.sessions.session(parts[1])
            }
        } else if let cookie = request.cookies[event.cookieName(port: context.localPort)] {
            context.session = await event.sessions.session(cookie.value)
        }
        return try await next(request, context)
    }
}

/// For all routes except the event's first page. A session that another phone of the guest has ended is none.
struct SessionMiddleware: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        guard try !context.requireSession().opening.isEnded else { throw PortalError.sessionEnded }
        return try await next(request, context)
    }
}

/// For all that a session does not see until it has shown the wall's code, where the organizers ask for it.
struct InsideMiddleware: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        let (event, session) = (try context.requireEvent(), try context.requireSession())
        guard await !event.isOutside(session) else { throw PortalError.wallCodeNeeded }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    static let host = HTTPField.Name("Host")!
}
