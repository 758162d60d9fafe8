// SPDX-License-Identifier: Apache-2.0
package import DisposableWeb
internal import HTTPTypes

/// The refusal of a request (protocol/guest-api.md §7).
package typealias PortalError = HTTPFailure

extension PortalError {
    static let noSession = PortalError(
        .unauthorized, "no-session", "this browser has no valid session for the event",
        hint: "Scan the event's QR code again, or type its code.")
    static let sessionEnded = PortalError(
        .unauthorized, "session-ended", "another phone of this guest has ended this session",
        hint: "Scan the event's QR code again, or type its code.")
    static let wrongCode = PortalError(
        .forbidden, "wrong-code", "this code is for no event of this photo box",
        hint: "The code has eight letters and digits, as on the poster.")
    static let wallCodeNeeded = PortalError(
        .forbidden, "wall-code-needed", "new guests need the code that the wall shows now",
        hint: "Type the code on the wall in place of the poster's.")
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
    static func tooLarge(limit: UInt64) -> PortalError {
        PortalError(.contentTooLarge, "too-large", "the file has more than \(limit) bytes")
    }
    static func tooManyAtOnce(limit: UInt32) -> PortalError {
        PortalError(
            .contentTooLarge, "too-many-at-once", "the organizers let guests send at most \(limit) photos at once",
            hint: "Send the others afterwards.")
    }
    package static let noRoom = PortalError(
        .serviceUnavailable, "disk-full", "this node's disk is almost full", hint: "Tell the host.", retryAfter: 60)

    static func tooMany(_ message: String, retryAfter: Int = 10) -> PortalError {
        PortalError(.tooManyRequests, "too-many-uploads", message, retryAfter: retryAfter)
    }
}
