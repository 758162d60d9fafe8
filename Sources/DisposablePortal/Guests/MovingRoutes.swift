// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore

/// The routes with which a page moves to another portal when its own is gone (protocol/guest-api.md §8).
struct MovingRoutes: Sendable {
    let files: StaticFiles

    /// For pages of other nodes, so without a session.
    func add(toEvent group: RouterGroup) { group.get("api/proof", use: prove) }

    func add(inside group: RouterGroup) { group.get("prober.js", use: prober) }

    private struct ProofMessage: Encodable { let signature: String }

    /// Proves to any page that this node is here, at the requested address only: an answer relayed from here is invalid
    /// for another address.
    @Sendable private func prove(_ request: Request, _ context: PortalContext) async throws -> Response {
        guard let challenge = request.uri.queryParameters["challenge"].flatMap({ Bytes32(hex: String($0)) }) else {
            throw PortalError.malformed("the challenge is not 64 hexadecimal digits")
        }
        guard let authority = context.localAuthority, request.head.authority == authority,
            let signature = try await context.requireEvent().gallery.pageProof(challenge.bytes, at: authority)
        else { throw PortalError.notFound }
        var response = try Response.json(ProofMessage(signature: signature.bytes.hex))
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }

    /// The one script that may send requests to other origins, and only to these; it has no secret.
    @Sendable private func prober(_ request: Request, _ context: PortalContext) async throws -> Response {
        var response = try files.response("shared/prober.js", to: request)
        let others = try await context.requireEvent().gallery.otherPages()
        let origins = others.flatMap(\.authorities).map { "http://\($0)" }
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; connect-src \(origins.isEmpty ? "'none'" : origins.joined(separator: " "))"
        // A cached script may have another policy.
        response.headers[.cacheControl] = "no-store"
        response.headers[.eTag] = nil
        return response
    }
}
