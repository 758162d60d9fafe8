// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes

/// Why a request is refused, in the words of protocol/guest-api.md §7: a code for programs, a message and a hint for people.
struct PortalError: Error, Equatable, Sendable {
    let status: HTTPResponse.Status
    let code: String
    let message: String
    var hint: String?
    /// Seconds after which the same request may succeed.
    var retryAfter: Int?

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String, hint: String? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.retryAfter = retryAfter
    }

    init(_ error: GalleryError) {
        self =
            switch error {
            case .unknownPhoto: .unknownPhoto
            case .notYours: PortalError(.forbidden, "not-yours", "this photo is somebody else's")
            case .notHere:
                PortalError(
                    .notFound, "not-here", "this photo box has not fetched that yet", hint: "Try again a little later.",
                    retryAfter: 5)
            case .notEntered: .notEntered
            case .rollFull(let limit):
                PortalError(.conflict, "roll-full", "all \(limit) photos of this roll are taken")
            case .refused(let reason): PortalError(.unprocessableContent, "not-a-photo", reason)
            case .malformedName: .malformedName
            case .unavailable(let reason):
                PortalError(.serviceUnavailable, "unavailable", reason, hint: "Try again a little later.", retryAfter: 10)
            }
    }

    static let unknownPhoto = PortalError(.notFound, "unknown-photo", "there is no such photo, or it was taken back")
    static let notEntered = PortalError(
        .forbidden, "not-entered", "this needs a guest", hint: "Open the event's link again and enter first.")
    static let malformedName = PortalError(
        .badRequest, "malformed-name", "this cannot be a name", hint: "A name has 1 to 40 characters on one line.")
    static let noSession = PortalError(
        .unauthorized, "no-session", "this browser has not opened the event, or too long ago",
        hint: "Scan the event's QR code again, or type its code.")
    static let unknownEvent = PortalError(
        .notFound, "unknown-event", "this photo box does not know that event", hint: "Scan the event's QR code again.")
    static let notFound = PortalError(.notFound, "not-found", "there is nothing here")
    static func malformed(_ message: String) -> PortalError { PortalError(.badRequest, "malformed-request", message) }
}
