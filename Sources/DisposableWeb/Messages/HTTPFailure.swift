// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The refusal of a request: a code for programs, a message and a hint for people.
package struct HTTPFailure: Error, Equatable, Sendable {
    package let status: HTTPResponse.Status
    package let code: String
    package let message: String
    package var hint: String?
    /// Seconds after which the same request may succeed.
    package var retryAfter: Int?
    /// The exact reason for a page that words it in its own language, and the values of that sentence.
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

extension HTTPFailure {
    package static let notFound = HTTPFailure(.notFound, "not-found", "there is nothing here")
    package static func malformed(_ message: String) -> HTTPFailure {
        HTTPFailure(.badRequest, "malformed-request", message)
    }

    /// - Parameter wait: the time until a token of a rate.
    package static func tooManyRequests(after wait: Duration) -> HTTPFailure {
        HTTPFailure(
            .tooManyRequests, "too-many-requests", "rate limit exceeded: too many requests from this address",
            hint: "Wait a moment, then try again.", retryAfter: wait.retrySeconds)
    }
}

extension Duration {
    /// The value of `Retry-After`: whole seconds, at least 1.
    package var retrySeconds: Int { max(1, Int((self / .seconds(1)).rounded(.up))) }
}
