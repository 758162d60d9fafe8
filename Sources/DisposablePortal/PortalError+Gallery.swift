// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
package import DisposableWeb
internal import HTTPTypes

/// The refusal of a request (protocol/guest-api.md §7).
package typealias PortalError = HTTPFailure

extension PortalError {
    /// Makes the HTTP answer for an error that the guest can act on.
    package init(_ error: GalleryError) {
        switch error {
        case .unknownPhoto: self = .unknownPhoto
        case .unknownComment: self.init(.notFound, "unknown-comment", "there is no such comment, or it was deleted")
        case .unknownMission:
            self.init(
                .conflict, "unknown-mission", "the host no longer asks for this photo",
                hint: "Send it without the mission, or choose another one.")
        case .malformedText:
            self.init(
                .badRequest, "malformed-text", "invalid comment text",
                hint: "A text has 1 to 2,000 bytes of plain text.")
        case .tooManyComments(let limit):
            self.init(
                .conflict, "too-many-comments",
                "limit reached: at most \(limit) comments by one person on a photo")
        case .unknownMessage:
            self.init(.notFound, "unknown-message", "there is no such message of yours, or it was deleted")
        case .tooManyMessages(let limit):
            self.init(
                .conflict, "too-many-messages", "limit reached: at most \(limit) messages by one person to the organizers",
                hint: "Deleted messages count as well. Talk to the host.")
        case .notShownYet:
            self.init(.conflict, "not-shown-yet", "this photo is still sealed, and comments on it would not be sealed")
        case .noVeil(let refusal): self.init(refusal)
        case .noGift(let refusal): self.init(refusal)
        case .otherPlan:
            self.init(
                .conflict, "other-plan", "the event has another plan now, or none",
                hint: "Load the plan again, and place the photo on it.")
        case .tooFast(let seconds):
            self.init(
                .tooManyRequests, "too-fast", "rate limit exceeded: too many texts by one person",
                retryAfter: seconds)
        case .notYours: self.init(.forbidden, "not-yours", "this belongs to another guest")
        case .notHere:
            self.init(
                .notFound, "not-here", "the photo's bytes have not arrived here yet", hint: "Try again a little later.",
                retryAfter: 5)
        case .notEntered: self = .notEntered
        case .putOut:
            self.init(
                .forbidden, "put-out", "an organizer or moderator has removed you from this event",
                hint: "If that is a mistake, ask them to reinstate you.")
        case .hasLeft:
            self.init(
                .serviceUnavailable, "unavailable", "this photo box is leaving the event", retryAfter: 60)
        case .noConsent:
            self.init(
                .forbidden, "no-consent", "you have not agreed to the consent text for adding photos",
                hint: "Load the page again and read it.")
        case .otherConsentText:
            self.init(
                .conflict, "other-text", "the consent text has changed since you agreed to it",
                hint: "Load the page again and read it.")
        case .noName:
            self.init(
                .conflict, "no-name", "the host asks for a name before you add photos",
                hint: "Give a name, and send the photo again.")
        case .namesOff:
            self.init(.conflict, "names-off", "the host asks for no names at this event")
        case .cameraOnly:
            self.init(
                .conflict, "camera-only", "this event takes photos from the camera only, not from a library",
                hint: "Take the photo with the page's camera button.")
        case .notForSaving(.own):
            self.init(.forbidden, "not-for-saving", "at this event guests can save their own photos only")
        case .notForSaving:
            self.init(
                .forbidden, "not-for-saving", "at this event only the organizers save photos",
                hint: "Ask them for the album.")
        case .rollFull(let limit):
            self.init(
                .conflict, "roll-full", "your film of \(limit) photos is full",
                hint: "Deleted photos do not make room: choose those you like best before you send them.")
        case .notBegun(let start):
            self.init(
                .conflict, "not-begun",
                start.map { "the event begins at \(HTTPDate.text(milliseconds: $0))" } ?? "the event is not open yet",
                hint: "Send it again then.")
        case .over(let end):
            self.init(
                .conflict, "over",
                "the event was over at \(HTTPDate.text(milliseconds: end)): photos are no longer accepted",
                hint: "Keep the photo: the organizer can accept photos for longer.")
        case .refused(let reason): self.init(.unprocessableContent, "not-a-photo", reason)
        case .tooLarge(let limit):
            self.init(.unprocessableContent, "too-large", "the file has more than \(limit) bytes")
        case .refusedVideo(0):
            self.init(.unprocessableContent, "no-videos", "this event takes photos only, and no videos")
        case .refusedVideo(let seconds):
            self.init(
                .unprocessableContent, "video-too-long", "this event takes videos of at most \(seconds) seconds",
                hint: "Shorten the video, and send it again.")
        case .metadataLeft:
            self.init(
                .unprocessableContent, "metadata-left",
                "the place and other details could not be removed from this file, so it was not added",
                hint: "Take a screenshot of it, or save it again with another app, and send that.")
        case .malformedName: self = .malformedName
        case .unavailable(let reason):
            self.init(.serviceUnavailable, "unavailable", reason, hint: "Try again a little later.", retryAfter: 10)
        }
    }

    /// `nil` for errors that the guest cannot act on.
    package init?(refusing error: any Error) {
        switch error {
        case let error as PortalError: self = error
        case let error as GalleryError: self.init(error)
        case let error as DeskError: self.init(error)
        case FairTurnsRefusal.ofOwner(let limit):
            self = .tooMany("\(limit) photos of this guest are waiting to be added", retryAfter: 5)
        case FairTurnsRefusal.ofAddress:
            self = .tooMany("many photos of this network address are waiting to be added", retryAfter: 5)
        case is DamagedUpload:
            self.init(
                .serviceUnavailable, "unavailable", "a part of the upload was lost: ask for its offset", retryAfter: 1
            )
        default: return nil
        }
    }

    static let unknownPhoto = PortalError(.notFound, "unknown-photo", "there is no such photo, or it was deleted")
    static let notEntered = PortalError(
        .forbidden, "not-entered", "this session has no guest yet", hint: "Open the event's link again and enter.")
    static let malformedName = PortalError(
        .badRequest, "malformed-name", "this is not a valid name", hint: "A name has 1 to 40 characters on one line.")
    static let noSession = PortalError(
        .unauthorized, "no-session", "this browser has no valid session for the event",
        hint: "Scan the event's QR code again, or type its code.")
    static let notLetIn = PortalError(
        .serviceUnavailable, "unavailable", "this photo box is still being admitted to the event",
        hint: "Try again in a moment.", retryAfter: 2)
    static let unknownEvent = PortalError(
        .notFound, "unknown-event", "this photo box does not know that event", hint: "Scan the event's QR code again.")
    static let replaced = PortalError(
        .forbidden, "replaced", "this link or code was replaced by a new one",
        hint: "Ask the organizer for the new code: the printed one is no longer valid.")

    package static let unknownUpload = PortalError(.notFound, "unknown-upload", "there is no such upload")
    package static let uploadInHand = PortalError(
        .init(code: 423, reasonPhrase: "Locked"), "upload-in-use", "the upload is locked by another request",
        retryAfter: 1)
    package static let noRoom = PortalError(
        .serviceUnavailable, "disk-full", "this node's disk is almost full", hint: "Tell the host.", retryAfter: 60)

    static func tooMany(_ message: String, retryAfter: Int = 10) -> PortalError {
        PortalError(.tooManyRequests, "too-many-uploads", message, retryAfter: retryAfter)
    }
}
