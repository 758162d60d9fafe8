// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

extension Portal {
    /// Answers to connectivity checks (docs/venue.md). Their port serves nothing else: it leads browsers to the pages.
    public struct Captive: Equatable, Sendable {
        public static let standardPort: UInt16 = 80

        public enum Answer: Equatable, Sendable {
            /// The answer of the check's own server: phones take the network for one with Internet.
            case success
            /// A redirect to `/wifi` of this portal: phones open their sign-in window with it.
            case signIn
        }

        public var answer: Answer
        /// 0 for any free one.
        public var port: UInt16

        public init(_ answer: Answer, port: UInt16 = Captive.standardPort) {
            (self.answer, self.port) = (answer, port)
        }
    }
}

/// Answers connectivity checks, which `GuardMiddleware` would refuse for their host. They read and change nothing, so
/// another page at such a name gains nothing from them.
struct CaptiveMiddleware: RouterMiddleware {
    let answer: Portal.Captive.Answer
    let gate: ConnectionGate

    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        guard let response = response(to: request, context) else { return try await next(request, context) }
        try gate.admitRequest(from: context.addressKey)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Returns `nil` for a request that is no connectivity check.
    private func response(to request: Request, _ context: PortalContext) -> Response? {
        guard !context.isSecure, request.method == .get || request.method == .head,
            request.headers[values: .host].isEmpty,
            let host = HostName(request.head.authority?.lowercased() ?? "")
        else { return nil }
        let probes = ConnectivityProbe.probes(of: host.name)
        switch answer {
        case .success:
            return probes.first { $0.path == request.uri.path }.map(Self.success)
        case .signIn:
            // Sign-in windows and Windows' browser ask for other paths of these names, too.
            guard !probes.isEmpty, let address = IPAddress(context.channel.localAddress?.ipAddress ?? "") else {
                return nil
            }
            let origin = context.ports.plainOrigin(at: address.unmapped.description)
            return Response(status: .found, headers: [.location: "\(origin)/wifi"])
        }
    }

    private static func success(_ probe: ConnectivityProbe) -> Response {
        var headers: HTTPFields = [:]
        if probe.isMarkedOnline { headers[.networkManagerStatus] = "online" }
        let body: String
        switch probe.answer {
        case .nothing: return Response(status: .noContent, headers: headers)
        case .text(let text): (headers[.contentType], body) = ("text/plain", text)
        case .page(let page): (headers[.contentType], body) = ("text/html", page)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
}

/// Leads browsers from the port of connectivity checks to that of the pages. A browser keeps a guest by host and port:
/// at two ports one person would become two guests.
struct PagePortMiddleware: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        guard context.ports.isForChecks(context.localPort) else { return try await next(request, context) }
        guard request.method == .get || request.method == .head, let path = request.head.path, path.hasPrefix("/"),
            let host = HostName(request.head.authority ?? "")
        else { throw PortalError.notFound }
        return Response(status: .found, headers: [.location: context.ports.plainOrigin(at: host.name) + path])
    }
}

extension HTTPField.Name {
    fileprivate static let networkManagerStatus = HTTPField.Name("X-NetworkManager-Status")!
}
