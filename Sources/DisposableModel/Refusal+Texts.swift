// SPDX-License-Identifier: Apache-2.0

extension Refusal {
    /// The cause in plain English, without a full stop.
    /// - Parameter shown: returns the text of a time in milliseconds since 1970 UTC.
    public func message(time shown: (UInt64) -> String) -> String {
        switch self {
        case .notAdmitted: "no member has admitted this node or guest yet, so it cannot add anything"
        case .removed: "you have been removed from this event; your changes are no longer accepted"
        case .hasLeft: "this node is leaving the event and signs no more operations"
        case .tooManyGuests(let seconds): "rate limit of new guests exceeded: the next one can enter in \(seconds) s"
        case .rollFull(let limit): "the quota is full: all \(limit) frames are used"
        case .notBegun(nil): "the event is a draft: photos are accepted once it is open"
        case .notBegun(let start?): "the event begins at \(shown(start)): photos are accepted from then on"
        case .over(let end): "the event was over at \(shown(end)), and photos are no longer accepted"
        case .unknownPhoto(let text): "there is no photo \(text.prefix(80)), or it was deleted"
        case .notYours(let subject): "\(subject.short) was added by another author"
        case .alreadyRemoved(let photo): "\(photo.short) is deleted already"
        case .rankTooLow(let needed): "this requires \(needed.words)"
        case .nothingToDo: "no change: this is already the case"
        case .againstGuests(let field): field.promise
        case .tooManyEdits(let limit): "limit reached: at most \(limit) edits of the event per device"
        case .unknownMission: "the organizers have removed this mission"
        case .noRevealKey: "the key that opens the photos is not on this machine"
        case .secretUnknown: "this node does not have the event's new secret itself"
        case .tooManyComments(let limit): "limit reached: at most \(limit) comments by one author on a photo"
        case .tooManyNotices(let limit): "limit reached: at most \(limit) notices per device"
        case .tooManyMessages(let limit): "limit reached: at most \(limit) messages by one author to the organizers"
        case .otherPlan: "the event has another plan now, or none"
        case .notShown(let photo): "photo \(photo.short) is not shown to guests"
        case .noVeil(.off): "the organizers have not switched veils on at this event"
        case .noVeil(.own): "this is your own photo"
        case .noVeil(.lifted): "the organizers have looked at this photo and decided to show it"
        case .noVeil(.usedUp):
            "limit reached: \(Veils.perAuthorMax) photos that you asked for are undecided or shown again"
        case .noVeil(.full): "limit reached: too many photos that people here asked for are undecided"
        case .noGift(let refusal): refusal.message
        case .noTicket(let refusal): refusal.message
        case .pageSealing(.needed): "photos of this event are sealed on the guest's phone, before a node gets them"
        case .pageSealing(.off): "photos of this event are not sealed on the guest's phone, or no longer"
        case .noVote(let refusal): refusal.message
        case .otherConsentText: "the organizers have changed the consent text since it was shown"
        case .tooFast: "rate limit exceeded: too many texts by one person"
        case .malformed(let error): "the operation is not well-formed: \(error)"
        case .notReconciled:
            "the database of this node was rebuilt; it cannot add or change anything before it has met another node"
        case .notStored: "the operation could not be stored; the log says why"
        case .unknownComment(let text): "there is no comment \(text.prefix(80)) on this photo, or it was deleted"
        case .unknownMessage(let text): "there is no message \(text.prefix(80)) of yours, or it was deleted"
        case .malformedText: "a text has 1 to 2,000 bytes of plain text"
        case .malformedName: "this is not a valid name"
        case .notShownYet: "the photos of this event are sealed, and texts about them would not be sealed"
        case .noConsent: "the organizers require your consent before you add photos"
        case .refusedFile(let reason): reason
        case .refusedVideo(0): "the event takes no videos"
        case .refusedVideo(let seconds): "the event takes videos of at most \(seconds) seconds"
        case .metadataLeft: "the file's structure is corrupt, so location and serial numbers may be left in it"
        case .noName: "the organizers ask for a name before you add photos"
        case .namesOff: "the organizers ask for no names at this event"
        case .cameraOnly: "this event takes photos from the camera only, not from a library"
        case .notForSaving(.own): "at this event guests can save their own photos only"
        case .notForSaving: "at this event only the organizers save photos"
        case .notHere: "the photo's bytes have not arrived here yet"
        case .unavailable(let reason): reason
        }
    }

    /// An instruction that holds on every device, without a full stop; `nil` if there is none.
    public var hint: String? {
        switch self {
        case .notAdmitted: "open the event's link again and enter"
        case .removed: "if that is a mistake, ask an organizer to reinstate you"
        case .tooManyGuests: "wait that long, or enter through another node of the event"
        case .rollFull: "an organizer can give more frames; deleted photos give none back"
        case .notBegun(nil): "an organizer opens it"
        case .notBegun: "if that is not so, compare this machine's clock; an organizer can change the start"
        case .over: "an organizer can give more time; if the event is not over, compare this machine's clock"
        case .notYours: "only its author can change or delete it"
        case .rankTooLow(.eventKey): "do it on a machine that has the event's key"
        case .rankTooLow: "ask an organizer"
        case .againstGuests: "give more frames, or a shorter retention; a draft can be edited freely"
        case .tooManyEdits: "edit it from another organizer's machine"
        case .unknownMission: "send the photo without the mission, or choose another one"
        case .noRevealKey: "do it on a machine that has the event's key, or on another organizer's"
        case .secretUnknown: "use another organizer's node"
        case .tooManyComments, .tooManyNotices: "deleted texts count as well"
        case .tooManyMessages: "deleted messages count as well; talk to the organizers"
        case .otherPlan: "load the plan again; an organizer picks one"
        case .notShown: "approve it, put it back or reveal it first, or use a photo of your own"
        case .noVeil(.off): "an organizer can switch them on"
        case .noVeil(.own): "delete it instead"
        case .noVeil: "tell an organizer: moderators can hide any photo"
        case .noGift(let refusal): refusal.hint
        case .noTicket(let refusal): refusal.hint
        case .noVote(let refusal): refusal.hint
        case .noConsent, .otherConsentText: "read the text again and agree to it"
        case .tooFast(let seconds): "try again in \(seconds) s"
        case .notReconciled: "otherwise it might fork its chain of operations"
        case .malformedName: "a name has 1 to 40 characters on one line (an event's up to 80)"
        case .notShownYet: "write it once they are revealed"
        case .refusedVideo(let seconds) where seconds > 0: "shorten the video, and send it again"
        case .metadataLeft: "take a screenshot of it, or save it again with another app, and add that"
        case .pageSealing(.needed): "open the page again in a browser with scripts, and choose the photo again"
        case .pageSealing(.off): "load the page again, and choose the photo again"
        case .noName: "give a name, and send the photo again"
        case .cameraOnly: "take the photo with the page's camera button"
        case .notForSaving(.organizers): "ask them for the album"
        case .notHere, .unavailable: "try again a little later"
        case .hasLeft, .unknownPhoto, .alreadyRemoved, .nothingToDo, .malformed, .notStored, .unknownComment,
            .unknownMessage, .malformedText, .refusedFile, .refusedVideo, .namesOff, .notForSaving:
            nil
        }
    }

    /// The values of the sentence that a page has for the code.
    public var values: [String] {
        switch self {
        case .rankTooLow(let needed): [needed == .eventKey ? "event-key" : "\(needed)"]
        case .againstGuests(let field): ["\(field)"]
        default: []
        }
    }
}

extension Rank {
    fileprivate var words: String {
        switch self {
        case .participant: "a member"
        case .moderator: "a moderator"
        case .organizer: "an organizer"
        case .eventKey: "the event key"
        }
    }
}

extension CharterField {
    /// The promise to guests of an opened event about the field.
    fileprivate var promise: String {
        switch self {
        case .frames: "the event is open: guests were promised their frames, whose number can only grow"
        case .retentionHours:
            "the event is open: guests were promised when their photos are forgotten; that time can only become earlier"
        case .isOpened: "the event is open: guests may have entered, and it cannot become a draft again"
        case .areFramesDaily: "the event is open: guests were promised their frames for each day"
        case .tickets: "the event is open: guests may have entered without a ticket"
        default: "the event is open: this can only change in the guests' favour"
        }
    }
}
