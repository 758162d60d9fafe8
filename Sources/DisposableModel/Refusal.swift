// SPDX-License-Identifier: Apache-2.0

/// The reason why an event's rules reject what an author or organizer wants.
///
/// Every layer throws these values unchanged. Three tables map their codes: to exit codes (`Refusal.Code.exitCode` of
/// DisposableNode), to HTTP statuses (`Refusal.Code.status` of DisposablePortal), and to the sentences of the pages.
public enum Refusal: Error, Equatable, Sendable {
    /// No member has admitted this device or guest yet.
    case notAdmitted
    /// This device, or the guest, was removed.
    case removed
    /// The device, or the node that signs for it, has left.
    case hasLeft
    /// Many guests join at this node: the next new one is admitted after this time.
    case tooManyGuests(seconds: Int)
    case rollFull(limit: UInt64)
    /// Photos are not accepted yet: from this time on, in milliseconds since 1970 UTC; `nil` for a draft.
    case notBegun(at: UInt64?)
    /// The event was over at this time, in milliseconds since 1970 UTC, and the time for late photos is, too.
    case over(at: UInt64)
    /// A photo that does not exist, is deleted, or must not be seen by the author: its id, the start of it, or the text
    /// that was to be one.
    case unknownPhoto(String)
    /// A photo or an annotation of another author.
    case notYours(PhotoID)
    case alreadyRemoved(PhotoID)
    /// The command requires this rank, and a higher one than that of its subject.
    case rankTooLow(needed: Rank)
    /// No change: it is so already.
    case nothingToDo
    /// The event is open, and guests rely on the present value of this field.
    case againstGuests(CharterField)
    /// The device has reached its edit limit.
    case tooManyEdits(limit: Int)
    /// The charter has no mission of this id.
    case unknownMission(UInt32)
    /// The key that opens the photos is not here, or the photos are not sealed to the given one.
    case noRevealKey
    /// This device does not have the current secret itself.
    case secretUnknown
    /// The author has reached the limit of comments on one photo.
    case tooManyComments(limit: Int)
    /// The device has reached the limit of notices.
    case tooManyNotices(limit: Int)
    /// The author has reached the limit of messages to the organizers.
    case tooManyMessages(limit: Int)
    /// The event has no plan, or another one than the author has seen.
    case otherPlan
    /// The photo is not shown to guests: it waits, or is hidden.
    case notShown(PhotoID)
    /// The photo is not veiled.
    case noVeil(VeilRefusal)
    /// The frames cannot be given to somebody else.
    case noGift(GiftRefusal)
    /// The author has no ticket, or cannot use or make this one.
    case noTicket(TicketRefusal)
    /// The photo must be sealed by the guest's page, or must not.
    case pageSealing(PageSealingRefusal)
    /// The vote is refused, or its opening or closing.
    case noVote(VoteRefusal)
    /// The present consent text is not the one that was agreed to.
    case otherConsentText
    /// The author has exceeded the rate limit of annotations.
    case tooFast(seconds: Int)
    case malformed(OperationError)
    /// This device may not know all of its own operations, and has not met a member since its database was rebuilt.
    case notReconciled
    /// The store refused; the operation does not exist.
    case notStored
    /// The start of the comment's id.
    case unknownComment(String)
    /// The start of the id of what is no message of the author's.
    case unknownMessage(String)
    /// Not 1 to 2,000 bytes of plain text, or nothing but spaces.
    case malformedText
    /// Not 1 to 40 characters on one line; 80 for an event.
    case malformedName
    /// An annotation of a photo that is still sealed; it would not be sealed.
    case notShownYet
    /// Adding photos needs a consent, which the author has not given.
    case noConsent
    /// No photo or video, or empty; the reason is for people.
    case refusedFile(reason: String)
    /// The organizers accept no video that is longer, in seconds; 0 for none at all.
    case refusedVideo(secondsMax: UInt32)
    /// The structure of a guest's file is corrupt, so its location, camera and author cannot be removed.
    case metadataLeft
    /// The organizers ask for a name before a guest adds photos.
    case noName
    /// The organizers ask for no names.
    case namesOff
    /// The organizers accept no photos from a phone's library.
    case cameraOnly
    /// The organizers let guests save their own photos only, or none.
    case notForSaving(DownloadRule)
    /// The photo is known, but its bytes are on other nodes only.
    case notHere
    /// The node cannot do it now, as its disk is full, or many things are under way; the reason is for people.
    case unavailable(reason: String)
}

extension Refusal {
    /// The name of a refusal for programs (protocol/guest-api.md §7). Refusals that call for one reaction share it.
    public enum Code: String, CaseIterable, Sendable {
        case notEntered = "not-entered"
        /// Named as version 1 of the guests' API names it: programs of others compare this text.
        case removed = "put-out"
        case leaving = "leaving"
        /// The node cannot do it now; later it may.
        case unavailable = "unavailable"
        case rollFull = "roll-full"
        case notBegun = "not-begun"
        case over = "over"
        case unknownPhoto = "unknown-photo"
        case notYours = "not-yours"
        case rank = "rank"
        case noChange = "no-change"
        case promised = "promised"
        case tooManyEdits = "too-many-edits"
        case unknownMission = "unknown-mission"
        case noRevealKey = "no-reveal-key"
        case noSecret = "no-secret"
        case tooManyComments = "too-many-comments"
        case tooManyNotices = "too-many-notices"
        case tooManyMessages = "too-many-messages"
        case otherPlan = "other-plan"
        case notShown = "not-shown"
        case veilsOff = "veils-off"
        case ownPhoto = "own-photo"
        case veilLifted = "veil-lifted"
        case tooManyVeils = "too-many-veils"
        case giftsOff = "gifts-off"
        case noRecipient = "no-recipient"
        case recipientFull = "recipient-full"
        case wrongNumber = "wrong-number"
        case tooFewFrames = "too-few-frames"
        case framesChanged = "frames-changed"
        case ticketNeeded = "ticket-needed"
        case noSuchTicket = "no-such-ticket"
        case ticketUsed = "ticket-used"
        case ticketCancelled = "ticket-cancelled"
        case hasTicket = "has-ticket"
        case tooManyTickets = "too-many-tickets"
        case sealFirst = "seal-first"
        case sealingOff = "sealing-off"
        case noVoteOpen = "no-vote-open"
        case voteOpen = "vote-open"
        case tooManyVotes = "too-many-votes"
        case noVoteSecret = "no-vote-secret"
        case otherText = "other-text"
        case tooFast = "too-fast"
        case rebuilt = "rebuilt"
        case unknownComment = "unknown-comment"
        case unknownMessage = "unknown-message"
        case malformedText = "malformed-text"
        case malformedName = "malformed-name"
        case notShownYet = "not-shown-yet"
        case noConsent = "no-consent"
        case notAPhoto = "not-a-photo"
        case noVideos = "no-videos"
        case videoTooLong = "video-too-long"
        case metadataLeft = "metadata-left"
        case noName = "no-name"
        case namesOff = "names-off"
        case cameraOnly = "camera-only"
        case notForSaving = "not-for-saving"
        case notHere = "not-here"
    }

    public var code: Code {
        switch self {
        case .notAdmitted: .notEntered
        case .removed: .removed
        case .hasLeft: .leaving
        case .tooManyGuests, .malformed, .notStored, .unavailable: .unavailable
        case .rollFull: .rollFull
        case .notBegun: .notBegun
        case .over: .over
        case .unknownPhoto, .alreadyRemoved: .unknownPhoto
        case .notYours: .notYours
        case .rankTooLow: .rank
        case .nothingToDo: .noChange
        case .againstGuests: .promised
        case .tooManyEdits: .tooManyEdits
        case .unknownMission: .unknownMission
        case .noRevealKey: .noRevealKey
        case .secretUnknown: .noSecret
        case .tooManyComments: .tooManyComments
        case .tooManyNotices: .tooManyNotices
        case .tooManyMessages: .tooManyMessages
        case .otherPlan: .otherPlan
        case .notShown: .notShown
        case .noVeil(.off): .veilsOff
        case .noVeil(.own): .ownPhoto
        case .noVeil(.lifted): .veilLifted
        case .noVeil(.usedUp), .noVeil(.full): .tooManyVeils
        case .noGift(.off), .noGift(.unlimited): .giftsOff
        case .noGift(.oneself), .noGift(.unknownRecipient), .noGift(.recipientUnlimited): .noRecipient
        case .noGift(.recipientFull): .recipientFull
        case .noGift(.wrongNumber): .wrongNumber
        case .noGift(.tooFew): .tooFewFrames
        case .noGift(.changed): .framesChanged
        case .noTicket(.missing): .ticketNeeded
        case .noTicket(.unknown): .noSuchTicket
        case .noTicket(.used): .ticketUsed
        case .noTicket(.cancelled): .ticketCancelled
        case .noTicket(.another): .hasTicket
        case .noTicket(.number): .tooManyTickets
        case .pageSealing(.needed): .sealFirst
        case .pageSealing(.off): .sealingOff
        case .noVote(.notOpen): .noVoteOpen
        case .noVote(.open): .voteOpen
        case .noVote(.own): .ownPhoto
        case .noVote(.usedUp): .tooManyVotes
        case .noVote(.noSecret): .noVoteSecret
        case .otherConsentText: .otherText
        case .tooFast: .tooFast
        case .notReconciled: .rebuilt
        case .unknownComment: .unknownComment
        case .unknownMessage: .unknownMessage
        case .malformedText: .malformedText
        case .malformedName: .malformedName
        case .notShownYet: .notShownYet
        case .noConsent: .noConsent
        case .refusedFile: .notAPhoto
        case .refusedVideo(0): .noVideos
        case .refusedVideo: .videoTooLong
        case .metadataLeft: .metadataLeft
        case .noName: .noName
        case .namesOff: .namesOff
        case .cameraOnly: .cameraOnly
        case .notForSaving: .notForSaving
        case .notHere: .notHere
        }
    }
}
