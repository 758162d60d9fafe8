// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import Glibc

/// What the node tells a person: what happened, and what to do about it.
public enum NodeError: Error, Equatable, Sendable {
    case folderInUse(path: String)
    case noEvents(path: String)
    case severalEvents([String])
    case unknownEvent(String)
    case alreadyJoined(name: String)
    /// The folder was in the event once.
    case forgotten(Tombstone)
    /// This node's person has left the event, or the guest has.
    case hasLeft
    /// The event's time is not over, by the clocks that there are.
    case notExpired(until: String)
    /// The event is being left, and others do not have everything yet.
    case notHandedOver(isHeard: Bool, missingCount: Int)
    case portInUse(String)
    case invalidAddress(String)
    case notAdmitted
    /// Somebody with a role has put this node, or the guest, out of the event.
    case putOut
    /// The database was rebuilt, and no other node has told since what may be missing.
    case notReconciled
    /// The database is being rebuilt, or will be tried again.
    case rebuilding
    case tooManyGuests(seconds: Int)
    case rollFull(limit: UInt64)
    case refusedFile(reason: String)
    /// The structure of a guest's file is damaged, and metadata may be left in it.
    case metadataLeft
    case unknownPhoto(String)
    case unknownRemark(String)
    case ambiguousPhoto(String)
    case notTheAuthor(PhotoID)
    case alreadyRemoved(PhotoID)
    case rankTooLow(needed: Rank)
    case nothingToDo
    /// The event is open, and guests rely on this part of it.
    case againstGuests(CharterField)
    case tooManyEdits(limit: Int)
    /// Comments of one person on one photo, or notices of one device.
    case tooManyRemarks(limit: Int)
    /// Words about a photo that is shown later; they would not be sealed with it.
    case notShownYet
    case tooManyFavourites(limit: Int)
    case tooFast(seconds: Int)
    /// The organizers have written what everybody agrees to before adding photos, and this node's person has not.
    case noConsent
    /// The text is another one now than the one that was shown.
    case otherConsentText
    case unknownEmoji(String)
    /// A person to whom more frames mean nothing.
    case unlimited(String)
    /// What is asked of an event's parameters, one line each.
    case unacceptable([String])
    /// Nothing of this event is sealed, or all is open, so that showing photos later is no choice any more.
    case cannotSeal(isRevealed: Bool)
    /// The event shows photos at once.
    case nothingSealed
    case noEventKey
    /// They are no event key's, by their check bits.
    case wrongWords
    case foreignEventKey
    /// The key that opens the photos is not on this machine.
    case noRevealKey
    /// This node has not been given the event's current secret itself.
    case secretUnknown
    case earlyReveal(planned: String)
    case neverRevealed
    /// A revocation takes something away from others than the member it is about.
    case harmsOthers(String)
    case unknownMember(String)
    case ambiguousMember(String, [String])
    case malformedName(String)
    /// An organizer has stated what this version does not know.
    case olderVersion
    case storage(String)
    case control(String)
    /// The folder for the control socket may be somebody else's.
    case unsafeSocketFolder(path: String, reason: String)
    case unwatchable(_ path: String, reason: String)
    case stopped
    case system(String, code: Int32)
}

extension NodeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .folderInUse(let path): "another node runs on \(path)"
        case .noEvents(let path): "there is no event in \(path)"
        case .severalEvents(let names): "this node is in \(names.count) events: \(names.joined(separator: ", "))"
        case .unknownEvent(let text): "this node is not in an event named \(text)"
        case .alreadyJoined(let name): "this node is in \(name) already"
        case .forgotten(let tombstone) where tombstone.reason == .expired:
            "this node has forgotten \(tombstone.name) at \(Timestamps.iso8601(tombstone.forgottenAt)): its time was over"
        case .notExpired(let end): "the event is kept until \(end)"
        case .forgotten(let tombstone):
            "this node left \(tombstone.name) at \(Timestamps.iso8601(tombstone.forgottenAt)) and has forgotten it"
        case .hasLeft: "this node is leaving the event: nothing more is said from it"
        case .notHandedOver(false, _): "no other node has heard yet that this one is leaving"
        case .notHandedOver(true, let count):
            "\(count) of the photos that are to stay are on no other node that is connected"
        case .portInUse(let address): "\(address) is in use"
        case .invalidAddress(let text): "\(text) is not an address with a port"
        case .putOut: "somebody who may has put you out of the event, and nothing that you say counts there any more"
        case .notAdmitted: "no member has let this node in yet, so it cannot add anything"
        case .notReconciled:
            "the database of this node was damaged and made anew; it cannot say anything before it has met another node"
        case .rebuilding: "the database of this node was damaged and is being made anew"
        case .tooManyGuests(let seconds):
            "many new guests come in here: the next one can enter in \(seconds) s"
        case .rollFull(let limit): "the roll is full: all \(limit) frames are used"
        case .refusedFile(let reason): reason
        case .metadataLeft: "the file's structure is damaged, so location and serial numbers may be left in it"
        case .unknownRemark(let text): "there is no comment \(text) on this photo"
        case .unknownPhoto(let text): "there is no photo \(text)"
        case .ambiguousPhoto(let text): "several photos start with \(text)"
        case .notTheAuthor(let photo): "photo \(photo.short) was added by somebody else"
        case .alreadyRemoved(let photo): "photo \(photo.short) is removed already"
        case .rankTooLow(let needed): "this takes \(needed.words)"
        case .nothingToDo: "it is so already"
        case .againstGuests(let field): field.promise
        case .tooManyEdits(let limit):
            "this device has edited the event \(limit) times, which is all that nodes look at"
        case .tooManyRemarks(let limit): "you have said \(limit) things here, which is all that nodes show"
        case .noConsent: "the organizers ask for your consent before photos are added"
        case .otherConsentText: "the organizers have changed the text meanwhile"
        case .notShownYet: "the photos of this event are sealed until they are shown, and words about them would not be"
        case .tooManyFavourites(let limit): "\(limit) photos are marked already, which is all that this node keeps"
        case .tooFast: "that is more than one person says in so short a time"
        case .unknownEmoji(let text): "\"\(text)\" cannot be put on a photo"
        case .unlimited(let name): "\(name) may take any number of photos already"
        case .unacceptable(let demands): demands.joined(separator: "; ")
        case .cannotSeal(true): "the photos are revealed, and cannot be closed again"
        case .cannotSeal(false): "nothing of this event is sealed: it was created to show photos at once"
        case .nothingSealed: "this event shows its photos at once; there is nothing to reveal"
        case .noEventKey: "the event's key is not on this machine"
        case .wrongWords: "these 24 words are no event's key: one is wrong, or two have changed places"
        case .foreignEventKey: "these words are the key of another event"
        case .noRevealKey: "the key that opens the photos is not on this machine"
        case .secretUnknown: "this node has not been given the event's new secret itself"
        case .earlyReveal(let planned):
            "the photos are to be revealed at \(planned), which is later by this machine's clock"
        case .harmsOthers(let harm): harm
        case .neverRevealed: "this event's photos are for organizers only, as guests were told"
        case .unknownMember(let text): "nobody of the event is called \(text), and no key starts with it"
        case .ambiguousMember(let text, let keys): "several are called \(text): \(keys.joined(separator: ", "))"
        case .malformedName(let text): "\"\(text)\" cannot be a name"
        case .olderVersion:
            "the event needs a newer version of disposable, and this one cannot say for sure what is in its gallery"
        case .storage(let reason): reason
        case .control(let reason): "the running node did not answer: \(reason)"
        case .unwatchable(let path, let reason): "\(path) cannot be watched: \(reason)"
        case .unsafeSocketFolder(let path, let reason):
            "the folder \(path), in which commands would reach this node, is not safe to use: \(reason)"
        case .stopped: "the node has stopped"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }

    /// What to do, where that is not plain.
    public var hint: String? {
        switch self {
        case .folderInUse: "stop it first, or give this one its own folder with --data"
        case .noEvents: "create one with `disposable host NAME`, or enter one with `disposable join INVITATION`"
        case .severalEvents: "say which with --event NAME"
        case .unknownEvent: "`disposable status` lists the events of this node"
        case .alreadyJoined: "start it with `disposable run`"
        case .forgotten: "to enter it once more, as a new device with a new roll, add --again"
        case .notExpired: "`disposable leave` leaves it before"
        case .hasLeft: "`disposable leave` ends it; `join --again` enters the event anew"
        case .notHandedOver:
            "it goes on leaving whenever it runs; `disposable leave --unheard` forgets at once, and what is only here is lost"
        case .portInUse: "choose another with --listen ADDRESS:PORT, or --listen ADDRESS:0 for any"
        case .invalidAddress: "write 10.0.0.7:8028 or [fe80::1%eth0]:8028"
        case .putOut: "ask an organizer, who can take you in again: `disposable role grant participant NAME`"
        case .notAdmitted: "connect it once to a node of the event: `disposable run` on both, or `--peer HOST:PORT`"
        case .notReconciled:
            "otherwise it might contradict what it has said before: `disposable run` here and on another node"
        case .rebuilding: "try again in a moment; where it cannot be yet, `disposable run` says why"
        case .tooManyGuests: "wait that long, or enter through another node of the event"
        case .rollFull: "the organizer sets the number of frames"
        case .unknownPhoto: "`disposable gallery` lists them"
        case .ambiguousPhoto: "write more of its id"
        case .notTheAuthor: "only its author can take a photo back"
        case .rankTooLow(.eventKey): "do it on a machine that has the event's key"
        case .rankTooLow: "ask an organizer; `disposable role grant` gives a role"
        case .againstGuests:
            "give more frames, or a shorter time of keeping; a draft (`host --draft`) can be edited freely"
        case .tooManyRemarks: "what is taken back leaves no room for more; write fewer and longer ones"
        case .metadataLeft: "take a screenshot of it, or save it anew with another app, and add that"
        case .noConsent, .otherConsentText: "`disposable consent` shows the text and asks"
        case .notShownYet: "say it once they are shown"
        case .tooManyFavourites: "take the mark off others first"
        case .tooFast(let seconds): "try again in \(seconds) s"
        case .unknownEmoji: "one of these can: \(Remarks.emoji.map { String($0) }.joined(separator: " "))"
        case .tooManyEdits: "edit it from another organizer's machine"
        case .cannotSeal: "photos that are to be shown later need `--reveal` when the event is created"
        case .nothingSealed: nil
        case .wrongWords: "compare them with the paper, one by one"
        case .foreignEventKey: "say which event with --event NAME"
        case .noRevealKey: "do it on a machine that has the event's key, or on another organizer's"
        case .noEventKey: "do it on a machine that has the event's key"
        case .secretUnknown: "another organizer can: `disposable invite admit`"
        case .harmsOthers: "add --yes to do it nevertheless"
        case .earlyReveal, .neverRevealed: "what is open stays open; to do it all the same, add --yes"
        case .unknownMember: "`disposable people` lists names and keys"
        case .ambiguousMember: "write the beginning of the key"
        case .malformedName: "a name has 1 to 40 characters on one line (an event's up to 80)"
        case .olderVersion: "install the version that the organizers use, or export without --album"
        case .control: "if no node is running, remove node.sock from the data folder"
        case .unsafeSocketFolder:
            "remove it, or set XDG_RUNTIME_DIR to a folder of your own with mode 0700, or use a data folder with a shorter path"
        case .unknownRemark, .alreadyRemoved, .nothingToDo, .unlimited, .unacceptable, .refusedFile, .storage, .stopped,
            .system, .unwatchable:
            nil
        }
    }

    /// 1 failed, 2 usage, 3 nothing to do or not found.
    public var exitCode: Int32 {
        switch self {
        case .wrongWords, .invalidAddress, .severalEvents, .malformedName, .unknownEmoji, .unacceptable, .unwatchable: 2
        case .noEvents, .unknownEvent, .unknownPhoto, .unknownRemark, .ambiguousPhoto, .unknownMember, .ambiguousMember,
            .nothingToDo, .unlimited, .nothingSealed, .alreadyRemoved, .alreadyJoined, .forgotten:
            3
        case .folderInUse, .portInUse, .notAdmitted, .putOut, .hasLeft, .notExpired, .notHandedOver, .notReconciled,
            .rebuilding,
            .tooManyGuests, .rollFull, .refusedFile, .metadataLeft, .notTheAuthor, .rankTooLow, .againstGuests,
            .tooManyEdits, .notShownYet, .tooManyFavourites, .tooManyRemarks, .tooFast, .noConsent, .otherConsentText,
            .cannotSeal, .noRevealKey, .noEventKey, .foreignEventKey, .secretUnknown, .earlyReveal,
            .neverRevealed, .harmsOthers, .olderVersion, .storage, .control, .unsafeSocketFolder, .stopped, .system:
            1
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
    /// What guests of an opened event were told of the field.
    fileprivate var promise: String {
        switch self {
        case .frames: "the event is open: guests were promised their frames, which can only become more"
        case .retentionHours:
            "the event is open: guests were promised when their photos are forgotten, which can only come sooner"
        case .isOpened: "the event is open: guests may have come in, and it cannot become a draft again"
        default: "the event is open: this can only change in the guests' favour"
        }
    }
}

extension NodeError {
    init(_ error: AuthoringError) {
        switch error {
        case .notAdmitted: self = .notAdmitted
        case .putOut: self = .putOut
        case .hasLeft: self = .hasLeft
        case .tooManyGuests(let milliseconds): self = .tooManyGuests(seconds: Int(milliseconds / 1_000) + 1)
        case .rollFull(let limit): self = .rollFull(limit: limit)
        case .unknownPhoto(let photo): self = .unknownPhoto(photo.short)
        case .notTheAuthor(let photo): self = .notTheAuthor(photo)
        case .alreadyRemoved(let photo): self = .alreadyRemoved(photo)
        case .rankTooLow(let needed): self = .rankTooLow(needed: needed)
        case .nothingToDo: self = .nothingToDo
        case .againstGuests(let field): self = .againstGuests(field)
        case .tooManyRemarks(let limit): self = .tooManyRemarks(limit: limit)
        case .otherConsentText: self = .otherConsentText
        case .tooFast(let milliseconds): self = .tooFast(seconds: Int(milliseconds / 1_000) + 1)
        case .tooManyEdits(let limit): self = .tooManyEdits(limit: limit)
        case .wrongRevealKey: self = .noRevealKey
        case .secretUnknown: self = .secretUnknown
        case .notReconciled: self = .notReconciled
        case .malformed(let error): self = .storage("the operation is not well-formed: \(error)")
        case .notStored: self = .storage("the operation could not be stored; the log says why")
        }
    }
}
