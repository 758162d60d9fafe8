// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import HTTPTypes

/// An answer of the desk.
struct DeskAnswer: Encodable {
    let value: any Encodable & Sendable
    init(_ value: any Encodable & Sendable) { self.value = value }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension PortalError {
    /// Makes the HTTP answer for an error that the person at the desk can act on.
    package init(_ error: DeskError) {
        let (status, code): (HTTPResponse.Status, String) =
            switch error.kind {
            case .malformed: (.badRequest, "malformed-request")
            case .unacceptable: (.unprocessableContent, "unacceptable")
            case .refused: (.conflict, "refused")
            case .unconfirmed: (.conflict, "unconfirmed")
            case .notFound: (.notFound, "not-found")
            case .unavailable: (.serviceUnavailable, "unavailable")
            }
        self.init(status, code, error.message, hint: error.hint, retryAfter: error.kind == .unavailable ? 5 : nil)
        reason = error.reason
        about = error.about
    }
}
