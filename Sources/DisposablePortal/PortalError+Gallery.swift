// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes

extension PortalError {
    /// What a guest can do something about, as it is said over HTTP.
    package init(_ error: GalleryError) {
        switch error {
        case .unknownPhoto: self = .unknownPhoto
        case .unknownComment: self.init(.notFound, "unknown-comment", "there is no such comment, or it was taken back")
        case .malformedText:
            self.init(
                .badRequest, "malformed-text", "this cannot be said",
                hint: "A comment has 1 to 2,000 bytes of plain text.")
        case .tooManyComments(let limit):
            self.init(
                .conflict, "too-many-comments",
                "you have said \(limit) things about this photo, which is all that is shown")
        case .notShownYet:
            self.init(.conflict, "not-shown-yet", "this photo is shown later, and words about it would be seen before")
        case .tooFast(let seconds):
            self.init(
                .tooManyRequests, "too-fast", "that is more than one person says in so short a time",
                retryAfter: seconds)
        case .notYours: self.init(.forbidden, "not-yours", "that is somebody else's")
        case .notHere:
            self.init(
                .notFound, "not-here", "the photo's bytes have not arrived here yet", hint: "Try again a little later.",
                retryAfter: 5)
        case .notEntered: self = .notEntered
        case .putOut:
            self.init(
                .forbidden, "put-out", "an organizer or moderator has put you out of this event",
                hint: "If that is a mistake, ask them to take you in again.")
        case .hasLeft:
            self.init(
                .serviceUnavailable, "unavailable", "this photo box is leaving the event", retryAfter: 60)
        case .noConsent:
            self.init(
                .forbidden, "no-consent", "you have not agreed to what is asked of those who add photos",
                hint: "Load the page again and read it.")
        case .otherConsentText:
            self.init(
                .conflict, "other-text", "the text is another one now than the one you agreed to",
                hint: "Load the page again and read it.")
        case .rollFull(let limit):
            self.init(
                .conflict, "roll-full", "your roll of \(limit) photos is full",
                hint: "Photos that you take back make no room: choose those you like best before you send them.")
        case .refused(let reason): self.init(.unprocessableContent, "not-a-photo", reason)
        case .metadataLeft:
            self.init(
                .unprocessableContent, "metadata-left",
                "the place and other details could not be removed from this file, so it was not added",
                hint: "Take a screenshot of it, or save it anew with another app, and send that.")
        case .malformedName: self = .malformedName
        case .unavailable(let reason):
            self.init(.serviceUnavailable, "unavailable", reason, hint: "Try again a little later.", retryAfter: 10)
        }
    }

    /// `nil` for what the guest can do nothing about.
    package init?(refusing error: any Error) {
        switch error {
        case let error as PortalError: self = error
        case let error as GalleryError: self.init(error)
        case let error as DeskError: self.init(error)
        case is DamagedUpload:
            self.init(
                .serviceUnavailable, "unavailable", "a part of the upload was lost: ask where it goes on", retryAfter: 1
            )
        default: return nil
        }
    }

    static let unknownPhoto = PortalError(.notFound, "unknown-photo", "there is no such photo, or it was taken back")
    static let notEntered = PortalError(
        .forbidden, "not-entered", "say who you are first", hint: "Open the event's link again and enter.")
    static let malformedName = PortalError(
        .badRequest, "malformed-name", "this cannot be a name", hint: "A name has 1 to 40 characters on one line.")
    static let noSession = PortalError(
        .unauthorized, "no-session", "this browser has not opened the event, or too long ago",
        hint: "Scan the event's QR code again, or type its code.")
    static let notLetIn = PortalError(
        .serviceUnavailable, "unavailable", "this photo box is still being let into the event",
        hint: "Try again in a moment.", retryAfter: 2)
    static let unknownEvent = PortalError(
        .notFound, "unknown-event", "this photo box does not know that event", hint: "Scan the event's QR code again.")
    static let replaced = PortalError(
        .forbidden, "replaced", "this link or code was replaced by a new one",
        hint: "Ask the organizer for the new code: the one on this paper lets nobody in any more.")
    static let notFound = PortalError(.notFound, "not-found", "there is nothing here")
    static func malformed(_ message: String) -> PortalError { PortalError(.badRequest, "malformed-request", message) }

    package static let unknownUpload = PortalError(.notFound, "unknown-upload", "there is no such upload")
    package static let uploadInHand = PortalError(
        .init(code: 423, reasonPhrase: "Locked"), "upload-in-use", "another request has the upload in hand",
        retryAfter: 1)
    package static let noRoom = PortalError(
        .serviceUnavailable, "disk-full", "this node's disk is almost full", hint: "tell the host", retryAfter: 60)

    static func tooMany(_ message: String, retryAfter: Int = 10) -> PortalError {
        PortalError(.tooManyRequests, "too-many-uploads", message, retryAfter: retryAfter)
    }
}
