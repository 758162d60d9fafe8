// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// A request of the command line to a node, in another process or in this one.
public enum ControlRequest: Codable, Sendable, Equatable {
    /// `caption`: the caption of each of the photos. `mission`: the number of the mission that they answer, from 1.
    case add(event: String?, paths: [String], keepsMetadata: Bool, caption: String? = nil, mission: Int? = nil)
    case gallery(
        event: String?, onlyMine: Bool, onlyFavourites: Bool = false, onlyHighlights: Bool = false,
        onlyHidden: Bool = false,
        onlyPending: Bool = false, onlyVeiled: Bool = false)
    case show(event: String?, photo: String)
    case status
    /// `hasSidecars`: beside each photo an XMP file with its caption, author and time.
    case export(
        event: String?, folder: String, isAlbum: Bool, onlyFavourites: Bool = false, onlyHighlights: Bool = false,
        hasSidecars: Bool = false)
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
    /// `isConfirmed`: also if it is earlier than planned.
    case reveal(event: String?, isConfirmed: Bool)
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

/// The extent of the removal of a participant.
public struct RemovalExtent: Codable, Sendable, Equatable {
    /// Also removes devices that are members through this member alone.
    public var withAdmitted = false
    /// Discards all of their operations; the bodies are purged.
    public var everything = false

    public init(withAdmitted: Bool = false, everything: Bool = false) {
        self.withAdmitted = withAdmitted
        self.everything = everything
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
    /// `isConfirmed`: although it opens the photos earlier than planned.
    case edit(EventParameters, isConfirmed: Bool = false)
    case frames(member: String, count: UInt64)
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
    case spot(photo: String, GalleryPhoto.Place?)
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
    /// `nil` if no desk is open.
    case desk(DeskAddresses?)
    case board(BoardEvent)
    case rotating(RotationInfo)
    case rotated(RotationInfo)
    case letIn(WaitingNode)
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

public struct AddedPhoto: Codable, Sendable, Equatable {
    public var file: String
    public var id: String
    public var frame: UInt64?
    public var byteCount: UInt64
    /// The hash of the shared bytes, which every export has.
    public var sha256: String
    /// The hash of the original file.
    public var sourceSha256: String
    public var warnings: [String]
}

public struct SkippedFile: Codable, Sendable, Equatable {
    public var file: String
    public var reason: String
    /// False for a file that is already in the gallery.
    public var isFailure: Bool
}

public struct GalleryPhoto: Codable, Sendable, Equatable {
    public var id: String
    /// The name of the author, or the start of the device's key if it has none.
    public var author: String
    public var device: String
    public var frame: UInt64?
    /// ISO 8601, by the camera; absent if unknown.
    public var takenAt: String?
    /// ISO 8601, the time of adding.
    public var addedAt: String
    public var byteCount: UInt64?
    public var sha256: String?
    public var mediaType: String
    public var width: UInt32
    public var height: UInt32
    /// `complete`: the original is here. `preview`, `thumbnail`: the largest that is. `announced`: nothing is yet.
    /// `sealed`: not shown yet. `pending`: until a moderator approves it. `veiled`: until one
    /// decides what a guest has asked for. `waiting`: without a frame. `removed`.
    public var state: String
    public var isMine: Bool
    /// Its author's caption.
    public var caption: RemarkInfo?
    /// The number of people behind each emoji.
    public var reactions: [String: Int]
    /// Oldest first.
    public var comments: [RemarkInfo]
    /// The moment to which it belongs, if any.
    public var moment: Moment?
    /// The mission that it answers, if any.
    public var mission: Mission?

    public struct Mission: Codable, Sendable, Equatable {
        public var id: UInt32
        public var text: String
    }

    /// The place on the event's plan, if it has one.
    public var spot: Place?
    /// Degrees clockwise by which its author has turned it; absent for 0.
    public var turn: Int?

    public struct Place: Codable, Sendable, Equatable {
        /// Distances from the left and the top edge, 65,535 for the whole width and height.
        public var x: UInt16
        public var y: UInt16

        public init(x: UInt16, y: UInt16) { (self.x, self.y) = (x, y) }
    }

    public struct Moment: Codable, Sendable, Equatable {
        /// The day of the event, from 1.
        public var day: UInt32
        /// Whether it came within the minute after the five.
        public var late: Bool
    }
}

/// A caption, a comment or a notice.
public struct RemarkInfo: Codable, Sendable, Equatable {
    /// The id with which it can be deleted.
    public var id: String
    /// The author's name, or the start of the key.
    public var author: String
    /// ISO 8601.
    public var saidAt: String
    public var text: String
}

public struct EventStatus: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    public var isOrganizer: Bool
    public var isAdmitted: Bool
    /// Whether an effective revocation has removed this node from the event.
    public var isPutOut: Bool
    /// `null` until the event's charter is here.
    public var digest: String?
    /// Whether an organizer has signed an operation that only a newer version understands; then there is no digest.
    public var needsNewerVersion: Bool
    /// `draft`, `open`, `closed`, `revealed` or `expired`; `null` until the event's charter is here.
    public var phase: String?
    /// Milliseconds since 1970 UTC; `null` likewise.
    public var endsAt: UInt64?
    public var photoCount: Int
    /// The number of those that are shown only to their authors so far.
    public var sealedCount: Int
    /// Photos that wait for a moderator's approval, not counted above.
    public var pendingCount: Int
    /// Photos that guests asked for and no moderator has decided about, not counted above.
    public var veiledCount: Int
    /// Photos whose originals are all here.
    public var completeCount: Int
    public var missingBlobCount: Int
    public var operationCount: Int
    public var memberCount: Int
    public var framesUsed: Int
    /// Absent if unlimited.
    public var frames: UInt64?
    public var listen: String?
    /// `daemon`, `embedded` or `off`.
    public var discovery: String
    public var peers: [PeerInfo]
    /// Since the node's start, over all connections; sent are bytes that the network has accepted.
    public var receivedByteCount: UInt64
    public var sentByteCount: UInt64
    /// The number of withdrawn photos and annotations that are still to be purged here.
    public var toDestroyCount: Int
    /// The end of retention on this node, in milliseconds since 1970 UTC; `null` until the event's charter is here.
    public var expiresAt: UInt64?
    public var copies: CopyCounts
    /// The inventories of the other nodes.
    public var nodes: [NodeClaim]
    public var epoch: EpochStatus
    /// The address of this node's guests' page; absent if it serves only its own machine.
    public var guestURL: String?
    /// The other portals, as far as known.
    public var otherPages: [OtherPagesInfo]
    public var problems: [String]
    /// Sponsor trees with waiting operations, those with the most first.
    public var waiting: [WaitingTreeInfo]
    /// The organizers' notices, oldest first.
    public var notices: [RemarkInfo]
    /// Absent if the event has no moments.
    public var moments: MomentInfo?
}

/// The moments of an event, as far as they are known to guests.
public struct MomentInfo: Codable, Sendable, Equatable {
    public struct Entry: Codable, Sendable, Equatable {
        /// The day of the event, from 1.
        public var day: UInt32
        /// Milliseconds since 1970 UTC.
        public var startsAt: UInt64
        public var endsAt: UInt64
        public var photoCount: Int
        public var lateCount: Int
        /// The value from which the minute follows, in hexadecimal; absent while the moment runs.
        public var link: String?
    }
    /// In hexadecimal.
    public var commitment: String
    /// Whether this machine's clock can be right. If not, nothing runs here and nothing is over.
    public var isClockSet: Bool
    public var running: Entry?
    public var past: [Entry]
}

/// A sponsor tree that has used up the budget of this node; its further operations wait.
public struct WaitingTreeInfo: Codable, Sendable, Equatable {
    /// The device that admitted the others.
    public var device: String
    /// The name of its person, or the start of its key.
    public var name: String
    /// The number of devices, with the sponsor.
    public var deviceCount: Int
    /// Operations waiting at this node; peers may hold back more.
    public var operationCount: Int
    public var byteCount: Int
    /// The units that are stored here (protocol/disposable-v1.md §6.13).
    public var unitCount: Int
    /// Whether an organizer gave the device a role.
    public var isEstablished: Bool
}

/// Another portal.
public struct OtherPagesInfo: Codable, Sendable, Equatable {
    public var device: String
    public var name: String?
    /// `10.0.0.7:8027`
    public var addresses: [String]
}

/// The numbers of shown photos by their known copies, according to inventories.
public struct CopyCounts: Codable, Sendable, Equatable {
    public var here = 0
    /// On two nodes, of which this one may be one.
    public var onTwoMachines = 0
    /// On this node, if it is an organizer's.
    public var onOrganizers = 0
    /// In the inventories of two other nodes, or of another one that is an organizer's.
    public var confirmed = 0
}

/// The latest inventory of a node: a claim of a certain age.
public struct NodeClaim: Codable, Sendable, Equatable {
    public var device: String
    /// Its person's name, or the start of its key.
    public var name: String
    public var isOrganizer: Bool
    public var originalCount: Int
    /// The number of withdrawn photos that it has purged.
    public var destroyedCount: Int
    /// ISO 8601, by this node's clock: the time of the claim.
    public var heardAt: String
    public var isConnected: Bool
}

/// The nodes that have a photo, or have purged it.
public struct PhotoCopies: Codable, Sendable, Equatable {
    public var photo: String
    public var isHere: Bool
    public var isOnTwoMachines: Bool
    public var isOnOrganizers: Bool
    /// Whether it was withdrawn and purged here.
    public var isDestroyedHere: Bool
    /// The event's nodes, this one included.
    public var nodeCount: Int
    public var confirmedBy: [NodeClaim]
    public var destroyedBy: [NodeClaim]
}

public struct PeerInfo: Codable, Sendable, Equatable {
    public var device: String
    public var name: String?
    public var address: String
    public var isAdmitted: Bool
    public var isSynchronized: Bool
    /// The difference of its clock to this node's; negative if its clock is behind.
    public var clockDifferenceMilliseconds: Int64?
    public var roundTripMilliseconds: UInt64?
    public var receivedByteCount: UInt64
    public var sentByteCount: UInt64
}

public struct ExportedFile: Codable, Sendable, Equatable {
    public var file: String
    public var photo: String
    public var byteCount: UInt64
    public var sha256: String
    /// False if the same file was already there.
    public var isNew: Bool
    /// The reason why it could not be written; `nil` if it was.
    public var problem: String?
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
}

/// A finding about an event's folder.
public struct CheckFinding: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable {
        /// A problem, left as it is: only an inspection was requested.
        case found
        case repaired
        /// Repaired: the rest is fetched from other nodes.
        case incomplete
        /// A problem that nothing here can repair.
        case remains
        /// No problem.
        case note
    }

    public var event: String
    /// `key`, `database`, `operation`, `chain`, `blob` or `file`.
    public var kind: String
    public var state: State
    public var text: String
    /// An instruction.
    public var hint: String?
}

/// The result of inspecting an event's folder.
public struct CheckSummary: Codable, Sendable, Equatable {
    public var event: String
    /// `null` if the database is unreadable.
    public var name: String?
    public var operationCount: Int
    public var blobCount: Int
    public var byteCount: UInt64
    public var foundCount: Int
    public var repairedCount: Int
    public var incompleteCount: Int
    public var remainsCount: Int
}
