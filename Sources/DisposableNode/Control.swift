// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// A request of the command line to a node, in another process or in this one.
public enum ControlRequest: Codable, Sendable, Equatable {
    /// `caption`: the caption of each of the photos. `mission`: the number of the mission that they answer, from 1.
    /// `clock`: corrects the times of the photos.
    case add(
        event: String?, paths: [String], keepsMetadata: Bool, caption: String? = nil, mission: Int? = nil,
        clock: CameraClock? = nil)
    case gallery(
        event: String?, onlyMine: Bool, onlyFavourites: Bool = false, onlyHighlights: Bool = false,
        onlyHidden: Bool = false,
        onlyPending: Bool = false, onlyVeiled: Bool = false)
    case show(event: String?, photo: String)
    case status
    /// `hasSidecars`: beside each photo an XMP file with its caption, author and time. `onlyShown`: photos that
    /// everybody at the event sees, and no sealed ones that this node could open; for the album of a joined gallery.
    case export(
        event: String?, folder: String, isAlbum: Bool, onlyFavourites: Bool = false, onlyHighlights: Bool = false,
        hasSidecars: Bool = false, onlyShown: Bool = false)
    /// Writes the pieces of an album for the web into an existing folder. `key`: 32 random bytes in hex.
    case exportWebAlbum(
        event: String?, folder: String, key: String, hasOriginals: Bool, onlyFavourites: Bool = false,
        onlyHighlights: Bool = false)
    /// Writes all of the event into one sealed file.
    case exportBundle(event: String?, file: String)
    /// Takes everything that is new from such a file; without an event it is found by the file.
    case importBundle(event: String?, file: String)
    /// Does a part of the work for a mirror; `creates` and `rereads` as in `EventNode.mirror`.
    case mirror(event: String?, folder: String, creates: Bool, rereads: Bool)
    /// `isPrinted`: it is for print; warn later if the print becomes invalid.
    case invite(event: String?, isPrinted: Bool = false)
    case remove(event: String?, photo: String)
    case check(event: String?, onlyLooks: Bool)
    case rule(event: String?, act: ControlAct)
    case event(event: String?)
    case say(event: String?, remark: ControlRemark)
    /// Lists the messages to the organizers, the newest first, on an organizer's node.
    case messages(event: String?)
    /// Sets the name of this node's person.
    case rename(event: String?, name: String)
    /// Returns the consent text for adding photos; with `text` of a `ConsentInfo`, agrees to it.
    case consent(event: String?, text: String?)
    case backup(event: String?)
    case restore(event: String?, words: [Int])
    /// Reveals the photos; if organizers do that together, publishes this machine's share, with the reply `.shares`.
    /// `isConfirmed`: also if it is earlier than planned.
    case reveal(event: String?, isConfirmed: Bool)
    case shares(event: String?, ShareAct)
    case leave(event: String?, LeaveRequest)
    /// Writes all data about this node's person into a folder.
    case exportMe(event: String?, folder: String)
    /// Deletes everything that this node's person has added.
    case eraseMe(event: String?)
    /// Marks a photo on this node only.
    case favourite(event: String?, photo: String, isOn: Bool)
    /// Puts the event into this node's archive, or takes it out.
    case archive(event: String?, isOn: Bool)
    /// Shows this node's favourites to guests as highlights, or no highlights.
    case shareFavourites(event: String?, isOn: Bool)
    /// Makes a photo, or a file that is added for it, the event's cover or plan; without either there is none.
    case setPicture(event: String?, role: PictureRole, photo: String?, file: String?)
    /// The map of this node's pages.
    case map(event: String?, MapRequest)
    /// Returns addresses that open the desk of the running node, once each.
    case desk
    /// Lists the events that the node knows of; `category` is a word of `EventCategory`.
    case board(search: String, category: String?, order: BoardOrder? = nil)
    /// Forgets an event whose retention is over, because a person confirms that the clock is right.
    case expire(event: String?)
    /// Makes a new invitation; without `isConfirmed` only reports the effect.
    case rotate(event: String?, isConfirmed: Bool)
    /// Gives the new secret to a member that joined with an old invitation.
    case admit(event: String?, member: String)
    /// Gives frames of this node's person to a member, for good; without `isConfirmed` only reports the effect.
    case give(event: String?, member: String, count: Int, isConfirmed: Bool)
    case tickets(event: String?, TicketRequest)
    /// Opens, casts, closes or shows the vote for the photo of the night.
    case vote(event: String?, act: VoteAct)
    /// Joins galleries of two events, lists the joined ones, or separates them.
    case twins(event: String?, act: TwinAct)
}

/// The options for leaving an event.
public struct LeaveRequest: Codable, Sendable, Equatable {
    /// Deletes the person's own photos first.
    public var deletesPhotos: Bool
    /// Leaves; otherwise only reports the effect.
    public var isConfirmed: Bool
    /// The time to wait for another node to receive the leave.
    public var waitSeconds: Int
    /// Forgets the event after that time even if no node has received the leave.
    public var forgetsUnheard: Bool

    public init(deletesPhotos: Bool, isConfirmed: Bool, waitSeconds: Int, forgetsUnheard: Bool) {
        self.deletesPhotos = deletesPhotos
        self.isConfirmed = isConfirmed
        self.waitSeconds = waitSeconds
        self.forgetsUnheard = forgetsUnheard
    }
}

/// A command that requires a rank.
public enum ControlAct: Codable, Sendable, Equatable {
    /// `role` as in `Role`; `member` is a name or the beginning of a key.
    case grant(role: String, member: String)
    /// Refused without `isConfirmed` if others than the member would lose something.
    case revoke(role: String, member: String, extent: RemovalExtent = RemovalExtent(), isConfirmed: Bool = false)
    /// Reports the effect; changes nothing.
    case weighRevocation(role: String, member: String, extent: RemovalExtent = RemovalExtent())
    case hide(photo: String)
    case unhide(photo: String)
    case erase(photo: String)
    /// Ids or their beginnings; none for all that wait for approval.
    case approve(photos: [String])
    case unapprove(photo: String)
    /// Shows a veiled photo again, or takes that decision back.
    case lift(photo: String)
    case unlift(photo: String)
    /// Shows the veiled photos again that only devices ask for which were let in since that time, in milliseconds since
    /// 1970 UTC: at most `EventNode.liftsAtOnceMax` of them. Without `isConfirmed` only reports the effect.
    case liftAdmitted(since: UInt64, isConfirmed: Bool)
    /// `isConfirmed`: although it opens the photos earlier than planned.
    case edit(EventParameters, isConfirmed: Bool = false)
    case frames(member: String, count: UInt64)
    /// Sets the zone of the member's node, or of this one without a member; no name removes it.
    case zone(member: String?, name: String?)
    /// Deletes the event on every node.
    case deleteEvent
}

/// A command about an annotation. `photo` is an id or its start.
public enum ControlRemark: Codable, Sendable, Equatable {
    case caption(photo: String, text: String)
    case comment(photo: String, text: String)
    case reaction(photo: String, emoji: String, isOn: Bool)
    case notice(text: String)
    /// Puts a photo of this node's person on the event's plan; `nil` takes it off.
    case spot(photo: String, Spot?)
    /// Turns a photo of this node's person by 0, 90, 180 or 270 degrees clockwise when it is shown.
    case turn(photo: String, degrees: Int)
    /// Asks that a photo of somebody else is not shown, or takes that back.
    case veil(photo: String, isOn: Bool)
    /// For the organizers only; about a photo or about none.
    case message(text: String, photo: String?)
}

/// A reply of a node: a command gets any number of them, of which the last is `.finished` or `.failed`.
public enum ControlReply: Codable, Sendable, Equatable {
    case added(AddedPhoto)
    case skipped(SkippedFile)
    case photo(GalleryPhoto)
    case copies(PhotoCopies)
    case status(EventStatus)
    case exported(ExportedFile)
    case webAlbum(WrittenWebAlbum)
    case bundled(WrittenBundle)
    case carriedIn(CarriedBundle)
    /// The file of a photo that is gone was deleted from a mirror.
    case mirrorRemoved(file: String)
    case mirrored(MirrorState)
    case invitation(InvitationInfo)
    case removed(photo: String)
    /// The command is done; about a photo, or about a member in a role.
    case ruled(photo: String?, member: RuledMember?, role: String?)
    case approved(photos: [String])
    case lifting(LiftInfo)
    /// The effects of a revocation on others.
    case revoking(RevocationPreview)
    case edited(fields: [String])
    /// The annotation has this id; `photo` is absent for a notice, and for a message about none.
    case said(id: String, photo: String?)
    case message(MessageInfo)
    case renamed(name: String)
    case consent(ConsentInfo)
    case event(EventInfo)
    /// The numbers of the event key's words.
    case words([Int])
    case revealed(photoCount: Int)
    case shares(ShareInfo)
    case leaving(LeavePreview)
    case left(event: String, name: String)
    case exportedMe(file: String, photoCount: Int, statementCount: Int)
    case erasedMe(ErasedData)
    case expired(name: String)
    case favourite(photo: String, isOn: Bool)
    case archived(name: String, isOn: Bool)
    case highlights(changedCount: Int, count: Int)
    /// `nil` if the event has no such picture now.
    case picture(role: PictureRole, photo: String?)
    /// The map as it is then; `nil` if there is none.
    case map(MapInfo?)
    /// `nil` if no desk is open.
    case desk(DeskAddresses?)
    case board(BoardEvent)
    case rotating(RotationInfo)
    case rotated(RotationInfo)
    case letIn(WaitingNode)
    case gift(GivenFrames)
    case ticket(TicketInfo)
    case usedTicket(number: UInt64)
    /// The vote as it is then; `nil` if there never was one.
    case vote(VoteInfo?)
    case twins(TwinReport)
    case finding(CheckFinding)
    case checked(CheckSummary)
    /// Progress, for display.
    case progress(done: Int, total: Int)
    case finished(exitCode: Int32)
    case failed(message: String, hint: String?, exitCode: Int32)
}

/// A member that a command was about.
public struct RuledMember: Codable, Sendable, Equatable {
    public var key: String
    /// The member's name, or the start of its key.
    public var name: String
    /// All frames that the member has now, if frames were given.
    public var frames: UInt64?
}

/// Frames that this node's person gives to a member.
public struct GivenFrames: Codable, Sendable, Equatable {
    /// The recipient's key, and its name or the start of the key.
    public var member: String
    public var name: String
    public var count: Int
    /// The number of frames that the person can give after it.
    public var left: Int
    /// False for a report of the effect.
    public var isGiven: Bool
}

/// Addresses that open the desk, with a key that is valid once.
public struct DeskAddresses: Codable, Sendable, Equatable {
    /// For a browser on this machine.
    public var url: String
    /// For other devices on the network, which can only view, hide and mark.
    public var otherURLs: [String]
}

/// The result of deleting.
public struct ErasedData: Codable, Sendable, Equatable {
    public var photoCount: Int
    /// Names, captions, comments, notices and messages.
    public var wordCount: Int
    public var reactionCount: Int

    public init(photoCount: Int, wordCount: Int, reactionCount: Int) {
        self.photoCount = photoCount
        self.wordCount = wordCount
        self.reactionCount = reactionCount
    }

    public var isNothing: Bool { photoCount + wordCount + reactionCount == 0 }
}

/// The effect of leaving an event.
public struct LeavePreview: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    public var ownPhotoCount: Int
    /// The number of guests without a node who entered here.
    public var guestPhotoCount: Int
    public var deletesPhotos: Bool
    /// Whether this machine has the event key.
    public var hasEventKey: Bool
    /// Whether the event has no other node.
    public var isLastNode: Bool
    public var hasSealedPhotos: Bool
}

/// The state of a mirror after a part of the work.
public struct MirrorState: Codable, Sendable, Equatable {
    /// Photos whose file is there and correct.
    public var fileCount = 0
    /// Photos whose original has not arrived at this node, or cannot be opened or read.
    public var awaitedCount = 0
    /// Photos left for the next request.
    public var remainingCount = 0

    public init() {}
}

public struct InvitationInfo: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    /// `null` until the event's charter is here.
    public var organizer: String?
    /// Milliseconds since 1970 UTC; `null` likewise.
    public var startsAt: UInt64?
    public var invitation: String
    public var addresses: [String]
    /// The URL of the page for browsers on the network; `null` if other machines cannot reach this node's pages.
    public var guestURL: String?
    /// The same with this machine's other addresses.
    public var otherGuestURLs: [String]
    /// The code to type: `K7QM-3XPD`.
    public var guestCode: String
    /// The address of the pages for browsers on this machine; `null` while none are served.
    public var localURL: String?
    /// The word of the event's theme; absent until its charter is here.
    public var theme: String?
    /// The page over HTTPS with a certificate of which browsers warn; `null` without such a one.
    public var secureURL: String?
    /// The part of the wall's link behind `#`; absent from nodes of earlier versions.
    public var wallToken: String?
    /// For print: the preview of the event's cover, a JPEG as base64; absent without one.
    public var cover: String?
}
