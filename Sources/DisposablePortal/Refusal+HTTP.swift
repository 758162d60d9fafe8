// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
package import DisposableWeb
package import HTTPTypes

extension Refusal.Code {
    /// The HTTP status of a refused request (protocol/guest-api.md).
    package var status: HTTPResponse.Status {
        switch self {
        case .malformedText, .malformedName: .badRequest
        case .notEntered, .removed, .notYours, .rank, .noConsent, .notForSaving, .ticketNeeded: .forbidden
        case .unknownPhoto, .unknownComment, .unknownMessage, .notHere, .noSuchTicket: .notFound
        case .rollFull, .notBegun, .over, .noChange, .promised, .tooManyEdits, .unknownMission, .noRevealKey, .noSecret,
            .tooManyComments, .tooManyNotices, .tooManyMessages, .otherPlan, .notShown, .veilsOff, .ownPhoto,
            .veilLifted, .tooManyVeils, .giftsOff, .noRecipient, .recipientFull, .wrongNumber, .tooFewFrames,
            .framesChanged, .ticketUsed, .ticketCancelled, .hasTicket, .tooManyTickets, .sealFirst, .sealingOff,
            .noVoteOpen, .voteOpen, .tooManyVotes, .noVoteSecret, .otherText, .notShownYet, .noName, .namesOff,
            .cameraOnly:
            .conflict
        case .notAPhoto, .noVideos, .videoTooLong, .metadataLeft: .unprocessableContent
        case .tooFast: .tooManyRequests
        case .leaving, .unavailable, .rebuilt: .serviceUnavailable
        }
    }
}

extension PortalError {
    package init(_ refusal: Refusal) {
        self.init(
            refusal.code.status, refusal.code.rawValue, refusal.message(time: HTTPDate.text),
            hint: refusal.hint.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." },
            retryAfter: refusal.retryAfter)
    }
}

extension Refusal {
    /// Seconds after which the same request may succeed.
    fileprivate var retryAfter: Int? {
        switch self {
        case .tooFast(let seconds), .tooManyGuests(let seconds): seconds
        case .notHere: 5
        case .malformed, .notStored, .unavailable: 10
        case .hasLeft, .notReconciled: 60
        default: nil
        }
    }
}
