// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync
internal import DisposableWire
internal import Glibc

/// An error for a person: its cause, and a hint.
public enum NodeError: Error, Equatable, Sendable {
    case folderInUse(path: String)
    case noEvents(path: String)
    case severalEvents([String])
    case unknownEvent(String)
    case alreadyJoined(name: String)
    /// The folder was in the event before.
    case forgotten(Tombstone)
    /// This node's person has left the event, or the guest has.
    case hasLeft
    /// The event's retention is not over, by the available clocks.
    case notExpired(until: String)
    /// The event is being left, and other nodes lack the leave or photos.
    case notHandedOver(isHeard: Bool, missingCount: Int)
    case portInUse(String)
    case invalidAddress(String)
    case notAdmitted
    /// This node, or the guest, was removed from the event.
    case putOut
    /// The database was rebuilt, and no member has sent the missing operations since.
    case notReconciled
    /// The database is being rebuilt, or will be tried again.
    case rebuilding
    case tooManyGuests(seconds: Int)
    case rollFull(limit: UInt64)
    /// Photos are not accepted yet: from this time on, in milliseconds since 1970 UTC; `nil` for a draft.
    case notBegun(at: UInt64?)
    /// The event was over at this time, and the time for late photos is, too.
    case over(at: UInt64)
    /// A draft whose start is past.
    case pastStart(at: UInt64)
    case refusedFile(reason: String)
    /// The organizers accept no video, or none of this length; 0 for none.
    case refusedVideo(secondsMax: UInt32)
    /// The structure of a guest's file is corrupt, and metadata may be left in it.
    case metadataLeft
    case unknownPhoto(String)
    case unknownRemark(String)
    /// A number that no mission has; `nil` for an id that none has.
    case unknownMission(Int?, count: Int)
    case ambiguousPhoto(String)
    case notTheAuthor(PhotoID)
    case alreadyRemoved(PhotoID)
    case rankTooLow(needed: Rank)
    case nothingToDo
    /// The event is open, and guests rely on this field.
    case againstGuests(CharterField)
    case tooManyEdits(limit: Int)
    /// Comments by one person on one photo, or notices of one device.
    case tooManyRemarks(limit: Int)
    /// The event has no plan, or another one than before.
    case noPlan
    /// The photo is not shown to guests.
    case notShown(PhotoID)
    /// The photo is not veiled.
    case noVeil(VeilRefusal)
    /// The frames cannot be given.
    case noGift(GiftRefusal)
    /// An annotation of a sealed photo; it would not be sealed.
    case notShownYet
    case tooManyFavourites(limit: Int)
    case tooFast(seconds: Int)
    /// Adding photos needs a consent, which this node's person has not given.
    case noConsent
    /// The text has changed since it was shown.
    case otherConsentText
    case unknownEmoji(String)
    /// A person with an unlimited quota.
    case unlimited(String)
    /// The unmet requirements on an event's settings, one line each.
    case unacceptable([String])
    /// The event has no sealed photos, or they are revealed, so a reveal rule makes no sense.
    case cannotSeal(isRevealed: Bool)
    /// The event shows photos at once.
    case nothingSealed
    case noEventKey
    /// The check bits of the words are wrong.
    case wrongWords
    case foreignEventKey
    /// The key that opens the photos is not on this machine.
    case noRevealKey
    /// This node lacks the event's current secret.
    case secretUnknown
    case earlyReveal(planned: String)
    case neverRevealed
    /// A revocation affects others than its member.
    case harmsOthers(RevocationPreview)
    case unknownMember(String)
    case ambiguousMember(String, [String])
    case malformedName(String)
    /// An organizer has signed an operation that this version does not understand.
    case olderVersion
    /// An existing file is not replaced.
    case fileExists(path: String)
    case noBundle(path: String)
    /// A bundle of a later version of the program.
    case laterBundle(path: String)
    /// No secret of this node's events opens the bundle.
    case foreignBundle(path: String)
    /// The file ends before the bundle does.
    case truncatedBundle(path: String, byteCount: UInt64)
    /// Parts of the bundle do not open: the first places, in bytes from the start of the file, and the number of all.
    case damagedBundle(path: String, places: [UInt64], count: Int)
    /// An operation in the bundle is not signed by its author.
    case forgedBundle(path: String)
    case oversizedBundle(path: String, limit: Int)
    case storage(String)
    case control(String)
    /// The folder for the control socket may belong to another user.
    case unsafeSocketFolder(path: String, reason: String)
    case unwatchable(_ path: String, reason: String)
    /// The folder cannot be a mirror.
    case noMirror(_ path: String, reason: String)
    /// The mirror is not there at present.
    case mirrorAbsent(_ path: String)
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
            "this node forgot \(tombstone.name) at \(Timestamps.iso8601(tombstone.forgottenAt)): its retention was over"
        case .notExpired(let end): "the event is kept until \(end)"
        case .forgotten(let tombstone):
            "this node left \(tombstone.name) at \(Timestamps.iso8601(tombstone.forgottenAt)) and forgot it"
        case .hasLeft: "this node is leaving the event and signs no more operations"
        case .notHandedOver(false, _): "no other node has received the leave of this one yet"
        case .notHandedOver(true, let count):
            "\(count) of the photos that stay in the event are on no other connected node"
        case .portInUse(let address): "\(address) is in use"
        case .invalidAddress(let text): "\(text) is not an address with a port"
        case .putOut: "you have been removed from this event; your changes are no longer accepted"
        case .notAdmitted: "no member has admitted this node yet, so it cannot add anything"
        case .notReconciled:
            "the database of this node was rebuilt; it cannot add or change anything before it has met another node"
        case .rebuilding: "the database of this node is corrupt and is being rebuilt"
        case .tooManyGuests(let seconds):
            "rate limit of new guests exceeded: the next one can enter in \(seconds) s"
        case .rollFull(let limit): "the quota is full: all \(limit) frames are used"
        case .notBegun(nil): "the event is a draft: photos are accepted once it is open"
        case .notBegun(let start?): "the event begins at \(Timestamps.iso8601(start)): photos are accepted from then on"
        case .over(let end): "the event was over at \(Timestamps.iso8601(end)), and photos are no longer accepted"
        case .pastStart(let start): "the event was to start at \(Timestamps.iso8601(start)), which is past"
        case .refusedFile(let reason): reason
        case .refusedVideo(0): "the event takes no videos"
        case .refusedVideo(let seconds): "the event takes videos of at most \(seconds) seconds"
        case .metadataLeft: "the file's structure is corrupt, so location and serial numbers may be left in it"
        case .unknownRemark(let text): "there is no comment \(text) on this photo"
        case .unknownMission(nil, _): "the organizers have removed this mission"
        case .unknownMission(let number?, let count):
            "there is no mission \(number): the event has \(count == 0 ? "none" : count == 1 ? "one" : "\(count) of them")"
        case .unknownPhoto(let text): "there is no photo \(text)"
        case .ambiguousPhoto(let text): "several photos start with \(text)"
        case .notTheAuthor(let photo): "photo \(photo.short) was added by another author"
        case .alreadyRemoved(let photo): "photo \(photo.short) is deleted already"
        case .rankTooLow(let needed): "this requires \(needed.words)"
        case .nothingToDo: "no change: this is already the case"
        case .againstGuests(let field): field.promise
        case .tooManyEdits(let limit):
            "limit reached: at most \(limit) edits of the event per device"
        case .tooManyRemarks(let limit): "limit reached: at most \(limit) texts by one author here"
        case .noPlan: "the event has no such plan"
        case .notShown(let photo): "photo \(photo.short) is not shown to guests"
        case .noVeil(let reason): reason.sentence
        case .noGift(let reason): reason.sentence
        case .noConsent: "the organizers require your consent before you add photos"
        case .otherConsentText: "the organizers have changed the consent text since it was shown"
        case .notShownYet: "the photos of this event are sealed, and texts about them would not be sealed"
        case .tooManyFavourites(let limit): "\(limit) photos are marked already, the limit of this node"
        case .tooFast: "rate limit exceeded: too many texts by one person"
        case .unknownEmoji(let text): "\"\(text)\" is not a supported reaction"
        case .unlimited(let name): "\(name) already has an unlimited number of photos"
        case .unacceptable(let demands): demands.joined(separator: "; ")
        case .cannotSeal(true): "the photos are revealed and cannot be sealed again"
        case .cannotSeal(false): "the photos of this event are not sealed: it was created to show them at once"
        case .nothingSealed: "this event shows its photos at once; there is nothing to reveal"
        case .noEventKey: "the event's key is not on this machine"
        case .wrongWords: "these 24 words are not an event's key: one is wrong, or two are swapped"
        case .foreignEventKey: "these words are the key of another event"
        case .noRevealKey: "the key that opens the photos is not on this machine"
        case .secretUnknown: "this node does not have the event's new secret itself"
        case .earlyReveal(let planned):
            "the photos are planned to be revealed at \(planned), which is later by this machine's clock"
        case .harmsOthers(let preview): preview.harm
        case .neverRevealed: "this event's photos are for organizers only, as guests were told"
        case .unknownMember(let text): "no member is named \(text), and no key starts with it"
        case .ambiguousMember(let text, let keys): "several members are named \(text): \(keys.joined(separator: ", "))"
        case .malformedName(let text): "\"\(text)\" is not a valid name"
        case .olderVersion:
            "the event needs a newer version of disposable; this version may show its gallery wrongly"
        case .fileExists(let path): "\(path) exists already"
        case .noBundle(let path): "\(path) is not a bundle of an event"
        case .laterBundle(let path): "\(path) was written by a newer version of disposable"
        case .foreignBundle(let path): "\(path) belongs to another event, or to a secret that this node does not have"
        case .truncatedBundle(let path, let byteCount): "\(path) ends too early, after \(byteCount) bytes"
        case .damagedBundle(let path, let places, let count):
            "\(path) is damaged at byte \(places.first ?? 0)" + (count > 1 ? " and in \(count - 1) other places" : "")
        case .forgedBundle(let path): "\(path) contains an operation that is not genuine: its author has not signed it"
        case .oversizedBundle(let path, let limit): "\(path) contains more than \(limit) operations"
        case .storage(let reason): reason
        case .control(let reason): "the running node did not answer: \(reason)"
        case .unwatchable(let path, let reason): "\(path) cannot be watched: \(reason)"
        case .noMirror(let path, let reason): "\(path) cannot be a mirror of this event: \(reason)"
        case .mirrorAbsent(let path): "the mirror \(path) is not there"
        case .unsafeSocketFolder(let path, let reason):
            "the folder \(path) for the control socket is not safe to use: \(reason)"
        case .stopped: "the node has stopped"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }

    /// An instruction, unless it is obvious.
    public var hint: String? {
        switch self {
        case .folderInUse: "stop it first, or give this one its own folder with --data"
        case .noEvents: "create one with `disposable host NAME`, or join one with `disposable join INVITATION`"
        case .severalEvents: "select one with --event NAME"
        case .unknownEvent: "`disposable status` lists the events of this node"
        case .alreadyJoined: "start it with `disposable run`"
        case .forgotten: "to join it again, as a new device with a new quota, add --again"
        case .fileExists: "choose another name, or remove it first"
        case .noBundle: "`disposable carry export FILE` writes one"
        case .laterBundle: "install the same version on both machines"
        case .foreignBundle:
            "join the event first; if it has a new invitation, connect this node once to a node that has it"
        case .truncatedBundle, .damagedBundle:
            "what can be read is in the gallery; copy the file again and repeat the command for the rest"
        case .forgedBundle: "what precedes it is in the gallery; ask for a bundle from another node"
        case .oversizedBundle: nil
        case .notExpired: "`disposable leave` leaves it earlier"
        case .hasLeft: "`disposable leave` completes it; `join --again` joins the event again"
        case .notHandedOver:
            "leaving continues while the node runs; `disposable leave --unheard` forgets now and loses photos only on this node"
        case .portInUse: "choose another with --listen ADDRESS:PORT, or --listen ADDRESS:0 for any"
        case .invalidAddress: "write 10.0.0.7:8028 or [fe80::1%eth0]:8028"
        case .putOut: "ask an organizer to reinstate you: `disposable role grant participant NAME`"
        case .notAdmitted: "connect it once to a node of the event: `disposable run` on both, or `--peer HOST:PORT`"
        case .notReconciled:
            "otherwise it might fork its chain of operations: `disposable run` here and on another node"
        case .rebuilding: "try again in a moment; if the rebuild fails, `disposable run` shows the reason"
        case .tooManyGuests: "wait that long, or enter through another node of the event"
        case .rollFull: "an organizer can give more frames"
        case .notBegun(nil): "an organizer opens it: `disposable event open`"
        case .notBegun:
            "if that is not so, compare this machine's clock; an organizer can change the start: `disposable event edit "
                + "--starts TIME`"
        case .over:
            "an organizer can give more time: `disposable event edit --late 2h`; if the event is not over, compare this "
                + "machine's clock"
        case .pastStart: "`disposable event edit --starts now` moves the start; to open it as it is, add --yes"
        case .unknownMission: "`disposable event` lists the missions with their numbers"
        case .unknownPhoto: "`disposable gallery` lists them"
        case .ambiguousPhoto: "write more of its id"
        case .notTheAuthor: "only its author can delete a photo"
        case .rankTooLow(.eventKey): "do it on a machine that has the event's key"
        case .rankTooLow: "ask an organizer; `disposable role grant` gives a role"
        case .againstGuests:
            "give more frames, or a shorter retention; a draft (`host --draft`) can be edited freely"
        case .noVeil(.off): "an organizer switches it on: `disposable event edit --veils on`"
        case .noVeil(.own): "`disposable remove` deletes it"
        case .noVeil: "tell an organizer: moderators can hide any photo"
        case .noGift(let reason): reason.hint
        case .noPlan: "an organizer picks one: `disposable event picture plan FILE`"
        case .notShown: "approve it, put it back or reveal it first, or use a photo of your own"
        case .tooManyRemarks: "deleted texts count as well"
        case .metadataLeft: "take a screenshot of it, or save it again with another app, and add that"
        case .noConsent, .otherConsentText: "`disposable consent` shows the text and asks"
        case .notShownYet: "write it once they are revealed"
        case .tooManyFavourites: "unmark others first"
        case .tooFast(let seconds): "try again in \(seconds) s"
        case .unknownEmoji: "supported are \(Remarks.emoji.map { String($0) }.joined(separator: " "))"
        case .tooManyEdits: "edit it from another organizer's machine"
        case .cannotSeal: "a later reveal needs `--reveal` when the event is created"
        case .nothingSealed: nil
        case .wrongWords: "compare them with the paper, one by one"
        case .foreignEventKey: "select the event with --event NAME"
        case .noRevealKey: "do it on a machine that has the event's key, or on another organizer's"
        case .noEventKey: "do it on a machine that has the event's key"
        case .secretUnknown: "use another organizer's node: `disposable invite admit`"
        case .harmsOthers: "add --yes to continue"
        case .earlyReveal, .neverRevealed: "this cannot be undone; add --yes to continue"
        case .unknownMember: "`disposable people` lists names and keys"
        case .ambiguousMember: "write the start of the key"
        case .malformedName: "a name has 1 to 40 characters on one line (an event's up to 80)"
        case .olderVersion: "install the version that the organizers use, or export without --album"
        case .control: "if no node is running, remove node.sock from the data folder"
        case .unsafeSocketFolder:
            "remove it, or set XDG_RUNTIME_DIR to a folder of your own with mode 0700, or use a data folder with a shorter path"
        case .noMirror: "name a new folder"
        case .mirrorAbsent: "plug in the disk; the mirror continues by itself"
        case .unknownRemark, .alreadyRemoved, .nothingToDo, .unlimited, .unacceptable, .refusedFile, .refusedVideo, .storage, .stopped,
            .system, .unwatchable:
            nil
        }
    }

    /// 1 failed, 2 usage, 3 nothing to do or not found.
    public var exitCode: Int32 {
        switch self {
        case .wrongWords, .invalidAddress, .severalEvents, .malformedName, .unknownEmoji, .unacceptable, .unwatchable, .noMirror:
            2
        case .noEvents, .unknownEvent, .unknownPhoto, .unknownRemark, .unknownMission, .ambiguousPhoto, .unknownMember, .ambiguousMember,
            .nothingToDo, .unlimited, .nothingSealed, .alreadyRemoved, .alreadyJoined, .forgotten:
            3
        case .fileExists, .noBundle, .laterBundle, .foreignBundle, .truncatedBundle, .damagedBundle, .forgedBundle,
            .oversizedBundle:
            1
        case .folderInUse, .portInUse, .notAdmitted, .putOut, .hasLeft, .notExpired, .notHandedOver, .notReconciled,
            .rebuilding, .tooManyGuests, .rollFull, .notBegun, .over, .pastStart, .refusedFile, .refusedVideo,
            .metadataLeft, .notTheAuthor, .rankTooLow, .againstGuests, .noPlan, .notShown, .noVeil, .noGift,
            .tooManyEdits, .notShownYet, .tooManyFavourites, .tooManyRemarks, .tooFast, .noConsent, .otherConsentText,
            .cannotSeal, .noRevealKey, .noEventKey, .foreignEventKey, .secretUnknown, .earlyReveal,
            .neverRevealed, .harmsOthers, .olderVersion, .storage, .control, .unsafeSocketFolder, .stopped, .system,
            .mirrorAbsent:
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
    /// The promise to guests of an opened event about the field.
    fileprivate var promise: String {
        switch self {
        case .frames: "the event is open: guests were promised their frames, whose number can only grow"
        case .retentionHours:
            "the event is open: guests were promised when their photos are forgotten; that time can only become earlier"
        case .isOpened: "the event is open: guests may have entered, and it cannot become a draft again"
        case .areFramesDaily: "the event is open: guests were promised their frames for each day"
        default: "the event is open: this can only change in the guests' favour"
        }
    }
}

extension NodeError {
    init(_ error: BundleError, path: String) {
        switch error {
        case .noBundle: self = .noBundle(path: path)
        case .otherVersion: self = .laterBundle(path: path)
        case .truncated(let byteCount): self = .truncatedBundle(path: path, byteCount: byteCount)
        case .tooManyOperations(let limit): self = .oversizedBundle(path: path, limit: limit)
        }
    }

    init(_ error: AuthoringError) {
        switch error {
        case .notAdmitted: self = .notAdmitted
        case .putOut: self = .putOut
        case .hasLeft: self = .hasLeft
        case .tooManyGuests(let milliseconds): self = .tooManyGuests(seconds: Int(milliseconds / 1_000) + 1)
        case .rollFull(let limit): self = .rollFull(limit: limit)
        case .notBegun(let start): self = .notBegun(at: start)
        case .over(let end): self = .over(at: end)
        case .unknownPhoto(let photo): self = .unknownPhoto(photo.short)
        case .unknownMission: self = .unknownMission(nil, count: 0)
        case .notTheAuthor(let photo): self = .notTheAuthor(photo)
        case .alreadyRemoved(let photo): self = .alreadyRemoved(photo)
        case .rankTooLow(let needed): self = .rankTooLow(needed: needed)
        case .nothingToDo: self = .nothingToDo
        case .againstGuests(let field): self = .againstGuests(field)
        case .tooManyRemarks(let limit): self = .tooManyRemarks(limit: limit)
        case .otherConsentText: self = .otherConsentText
        case .noPlan: self = .noPlan
        case .notShown(let photo): self = .notShown(photo)
        case .noVeil(let refusal): self = .noVeil(refusal)
        case .noGift(let refusal): self = .noGift(refusal)
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
