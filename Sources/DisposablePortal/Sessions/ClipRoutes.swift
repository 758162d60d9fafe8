// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import HummingbirdCore

/// `/clip/CODE`, a short address for links and tags (protocol/guest-api.md §1): it leads to the page of an event, or
/// to the first page with a code. No code is compared here, so nobody learns whether one is right.
struct ClipRoutes: Sendable {
    func add(to router: RouterGroup) {
        router.get("clip/:code") { _, context in
            guard let address = ClipAddress.target(of: context.parameters.get("code") ?? "") else {
                throw PortalError.notFound
            }
            return Response.redirect(to: address)
        }
    }
}

package enum ClipAddress {
    /// Returns the address of the page: `/e/1a2b3c4d/` for the first eight digits of an event's id, in lower case, and
    /// `/#K7QM-3XPD` for a guests' code. `nil` for anything else.
    package static func target(of code: String) -> String? {
        if code.wholeMatch(of: /[0-9a-f]{8}/) != nil { return "/e/\(code)/" }
        guard code.wholeMatch(of: /[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}/) != nil else { return nil }
        let canonical = PortalCode.canonical(code)
        // Crockford's base 32 has no U.
        guard !canonical.contains("U") else { return nil }
        return "/#\(canonical.prefix(4))-\(canonical.suffix(4))"
    }
}
