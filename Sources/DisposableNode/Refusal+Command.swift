// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

extension Refusal.Code {
    /// The exit code of a refused command: 1 failed, 2 usage, 3 nothing to do or not found.
    public var exitCode: Int32 {
        switch self {
        case .malformedText, .malformedName: 2
        case .unknownPhoto, .noChange, .unknownMission, .unknownComment, .unknownMessage, .noSuchTicket: 3
        case .notEntered, .removed, .leaving, .unavailable, .rollFull, .notBegun, .over, .notYours, .rank, .promised,
            .tooManyEdits, .noRevealKey, .noSecret, .tooManyComments, .tooManyNotices, .tooManyMessages, .otherPlan,
            .notShown, .veilsOff, .ownPhoto, .veilLifted, .tooManyVeils, .giftsOff, .noRecipient, .recipientFull,
            .wrongNumber, .tooFewFrames, .framesChanged, .ticketNeeded, .ticketUsed, .ticketCancelled, .hasTicket,
            .tooManyTickets, .sealFirst, .sealingOff, .noVoteOpen, .voteOpen, .tooManyVotes, .noVoteSecret, .otherText,
            .tooFast, .rebuilt, .notShownYet, .noConsent, .notAPhoto, .noVideos, .videoTooLong, .metadataLeft, .noName,
            .namesOff, .cameraOnly, .notForSaving, .notHere:
            1
        }
    }
}

extension Refusal {
    /// The command that helps, in place of the hint for every device; `nil` if there is none.
    var commandHint: String? {
        switch self {
        case .notAdmitted: "connect it once to a node of the event: `disposable run` on both, or `--peer HOST:PORT`"
        case .removed: "ask an organizer to reinstate you: `disposable role grant participant NAME`"
        case .hasLeft: "`disposable leave` completes it; `join --again` joins the event again"
        case .notReconciled:
            "otherwise it might fork its chain of operations: `disposable run` here and on another node"
        case .notBegun(nil): "an organizer opens it: `disposable event open`"
        case .notBegun:
            "if that is not so, compare this machine's clock; an organizer can change the start: "
                + "`disposable event edit --starts TIME`"
        case .over:
            "an organizer can give more time: `disposable event edit --late 2h`; if the event is not over, "
                + "compare this machine's clock"
        case .unknownPhoto: "`disposable gallery` lists them"
        case .unknownMission: "`disposable event` lists the missions with their numbers"
        case .rankTooLow(.eventKey): nil
        case .rankTooLow: "ask an organizer; `disposable role grant` gives a role"
        case .againstGuests:
            "give more frames, or a shorter retention; a draft (`host --draft`) can be edited freely"
        case .noVeil(.off): "an organizer switches it on: `disposable event edit --veils on`"
        case .noVeil(.own): "`disposable remove` deletes it"
        case .otherPlan: "an organizer picks one: `disposable event picture plan FILE`"
        case .noGift(.unknownRecipient): "`disposable people` lists names and keys"
        case .noTicket(.missing): "`disposable ticket LINK` uses one"
        case .noTicket(.used), .noTicket(.cancelled):
            "ask an organizer for another ticket, or for frames: `disposable event frames NAME +27`"
        case .noGift(.recipientFull): "an organizer can give more: `disposable event frames NAME +5`"
        case .noVote(.notOpen): "`disposable vote result` shows the last one; an organizer opens another: `vote open`"
        case .noVote(.open): "close it first: `disposable vote close`"
        case .noConsent, .otherConsentText: "`disposable consent` shows the text and asks"
        case .secretUnknown: "use another organizer's node: `disposable invite admit`"
        default: nil
        }
    }
}
