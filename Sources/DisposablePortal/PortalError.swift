// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The refusal of a request (protocol/guest-api.md §7): a code for programs, a message and a hint for people.
package struct PortalError: Error, Equatable, Sendable {
    package let status: HTTPResponse.Status
    package let code: String
    package let message: String
    package var hint: String?
    /// Seconds after which the same request may succeed.
    package var retryAfter: Int?
    /// The exact reason for the desk's page, which words it in its own language, and the values of that sentence.
    package var reason: String?
    package var about: [String] = []
    /// Additional headers of the answer.
    package var headers: HTTPFields

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, hint: String? = nil, retryAfter: Int? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.retryAfter = retryAfter
        self.headers = headers
    }
}
