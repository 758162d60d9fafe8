// SPDX-License-Identifier: Apache-2.0
/// What the command line can ask of a node, whether it runs in another process or in this one.
public enum ControlRequest: Codable, Sendable, Equatable {
    /// `caption`: what is said under each of the photos.
    case add(event: String?, paths: [String], keepsMetadata: Bool, caption: String? = nil)
    case gallery(event: String?, onlyMine: Bool, onlyFavourites: Bool = false, onlyHidden: Bool = false)
    case show(event: String?, photo: String)
    case status
    case export(event: String?, folder: String, isAlbum: Bool, onlyFavourites: Bool = false)
    /// `isPrinted`: it goes on paper, which a later one makes worthless.
    case invite(event: String?, isPrinted: Bool = false)
    case remove(event: String?, photo: String)
    case check(event: String?, onlyLooks: Bool)
    case rule(event: String?, act: ControlAct)
    case event(event: String?)
    case say(event: String?, remark: ControlRemark)
    /// What this node's person is called from now on.
    case rename(event: String?, name: String)
    /// What there is to agree to before adding photos; with `text` of a `ConsentInfo`, agrees to it.
    case consent(event: String?, text: String?)
    case backup(event: String?)
    case restore(event: String?, words: [Int])
    /// `isConfirmed`: although it is earlier than planned.
    case reveal(event: String?, isConfirmed: Bool)
    case leave(event: String?, LeaveRequest)
    /// Everything about this node's person, into a folder.
    case exportMe(event: String?, folder: String)
    /// Takes back everything that this node's person has given.
    case eraseMe(event: String?)
    /// Marks a photo on this node, for nobody else.
    case favourite(event: String?, photo: String, isOn: Bool)
    /// Addresses that open the desk of the running node, once.
    case desk
    /// Forgets an event whose time is over, because a person says that the clock is right.
    case expire(event: String?)
    /// A new invitation; without `isConfirmed` it is only said what it comes to.
    case rotate(event: String?, isConfirmed: Bool)
    /// A member that came in under an old invitation is given the new secret.
    case admit(event: String?, member: String)
}

/// How an event is left.
public struct LeaveRequest: Codable, Sendable, Equatable {
    /// Takes the own photos back first.
    public var deletesPhotos: Bool
    /// Else it is only said what it comes to.
    public var isConfirmed: Bool
    /// How long another node may take to hear of it.
    public var waitSeconds: Int
    /// Forgets the event after that time whether anybody has heard or not.
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

/// What only somebody with a rank may do.
public enum ControlAct: Codable, Sendable, Equatable {
    /// `role` as in `Role`; `member` is a name or the beginning of a key.
    case grant(role: String, member: String)
    /// Refused without `isConfirmed` where others than the member would lose something.
    case revoke(role: String, member: String, extent: RemovalExtent = RemovalExtent(), isConfirmed: Bool = false)
    /// What that would come to; nothing is done.
    case weighRevocation(role: String, member: String, extent: RemovalExtent = RemovalExtent())
    case hide(photo: String)
    case unhide(photo: String)
    case erase(photo: String)
    /// `isConfirmed`: although it opens the photos earlier than planned.
    case edit(EventParameters, isConfirmed: Bool = false)
    case frames(member: String, count: UInt64)
}

/// What somebody says. `photo` is an id or its beginning.
public enum ControlRemark: Codable, Sendable, Equatable {
    case caption(photo: String, text: String)
    case comment(photo: String, text: String)
    case reaction(photo: String, emoji: String, isOn: Bool)
    case notice(text: String)
}

/// What a node answers: any number of these, the last of which is `.finished` or `.failed`.
public enum ControlReply: Codable, Sendable, Equatable {
    case added(AddedPhoto)
    case skipped(SkippedFile)
    case photo(GalleryPhoto)
    case copies(PhotoCopies)
    case status(EventStatus)
    case exported(ExportedFile)
    case invitation(InvitationInfo)
    case removed(photo: String)
    /// The act was done; about a photo, or about a member in a role.
    case ruled(photo: String?, member: RuledMember?, role: String?)
    /// What a revocation would come to.
    case revoking(RevocationPreview)
    case edited(fields: [String])
    /// The remark has this id; `photo` is absent for a notice.
    case said(id: String, photo: String?)
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
    /// `nil` where no desk is open.
    case desk(DeskAddresses?)
    case rotating(RotationInfo)
    case rotated(RotationInfo)
    case letIn(WaitingNode)
    case finding(CheckFinding)
    case checked(CheckSummary)
    /// So much is done; for people who wait.
    case progress(done: Int, total: Int)
    case finished(exitCode: Int32)
    case failed(message: String, hint: String?, exitCode: Int32)
}

/// A member that an act was about.
public struct RuledMember: Codable, Sendable, Equatable {
    public var key: String
    /// Its name, or the start of its key.
    public var name: String
    /// All frames that the member has now, where that is what was given.
    public var frames: UInt64?
}

/// Where the desk opens, with a key that does so once.
public struct DeskAddresses: Codable, Sendable, Equatable {
    /// For a browser on this machine.
    public var url: String
    /// The same for other devices on the network, which may look, hide and mark.
    public var otherURLs: [String]
}

/// What somebody has taken back.
public struct ErasedData: Codable, Sendable, Equatable {
    public var photoCount: Int
    /// Names, captions, comments and notices.
    public var wordCount: Int
    public var reactionCount: Int

    public init(photoCount: Int, wordCount: Int, reactionCount: Int) {
        self.photoCount = photoCount
        self.wordCount = wordCount
        self.reactionCount = reactionCount
    }

    public var isNothing: Bool { photoCount + wordCount + reactionCount == 0 }
}

/// What leaving an event comes to.
public struct LeavePreview: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    public var ownPhotoCount: Int
    /// Of guests without a node who came in here.
    public var guestPhotoCount: Int
    public var deletesPhotos: Bool
    /// Whether the key that makes organizers is on this machine.
    public var hasEventKey: Bool
    /// Whether no other node is in the event.
    public var isLastNode: Bool
    public var hasSealedPhotos: Bool
}

public struct AddedPhoto: Codable, Sendable, Equatable {
    public var file: String
    public var id: String
    public var frame: UInt64?
    public var byteCount: UInt64
    /// Of the shared bytes, as they are exported everywhere.
    public var sha256: String
    /// Of the file as it was given.
    public var sourceSha256: String
    public var warnings: [String]
}

public struct SkippedFile: Codable, Sendable, Equatable {
    public var file: String
    public var reason: String
    /// False for a file that is in the gallery already: nothing is lost.
    public var isFailure: Bool
}

public struct GalleryPhoto: Codable, Sendable, Equatable {
    public var id: String
    /// The name of the author, or the start of the device's key while it has none.
    public var author: String
    public var device: String
    public var frame: UInt64?
    /// ISO 8601, by the camera; absent where the file did not say.
    public var takenAt: String?
    /// ISO 8601, when it was added.
    public var addedAt: String
    public var byteCount: UInt64?
    public var sha256: String?
    public var mediaType: String
    public var width: UInt32
    public var height: UInt32
    /// `complete`: the original is here. `preview`, `thumbnail`: the largest that is. `announced`: nothing is yet.
    /// `sealed`: not shown yet. `waiting`: without a frame. `removed`.
    public var state: String
    public var isMine: Bool
    /// What its author says under it.
    public var caption: RemarkInfo?
    /// The number of people behind each emoji on it.
    public var reactions: [String: Int]
    /// The oldest first.
    public var comments: [RemarkInfo]
}

/// A caption, a comment or a notice.
public struct RemarkInfo: Codable, Sendable, Equatable {
    /// By which it is taken away.
    public var id: String
    /// The name of who said it, or the beginning of the key.
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
    /// It was in, and somebody with a role has put it out.
    public var isPutOut: Bool
    /// `null` until the event's parameters are here.
    public var digest: String?
    /// An organizer has stated what only a newer version of this program understands; there is no digest then.
    public var needsNewerVersion: Bool
    /// `draft`, `open`, `closed`, `revealed` or `expired`; `null` until the event's parameters are here.
    public var phase: String?
    /// Milliseconds since 1970 UTC; likewise.
    public var endsAt: UInt64?
    public var photoCount: Int
    /// Of those, the ones that are not shown to others than their authors yet.
    public var sealedCount: Int
    /// Photos whose originals are all here.
    public var completeCount: Int
    public var missingBlobCount: Int
    public var operationCount: Int
    public var memberCount: Int
    public var framesUsed: Int
    /// Absent without a limit.
    public var frames: UInt64?
    public var listen: String?
    /// `daemon`, `embedded` or `off`.
    public var discovery: String
    public var peers: [PeerInfo]
    /// Since the node was started, over all connections; sent is what the network has taken.
    public var receivedByteCount: UInt64
    public var sentByteCount: UInt64
    /// Photos and remarks that were taken away, and of which something is still to be destroyed here.
    public var toDestroyCount: Int
    /// When the event is forgotten here, in milliseconds since 1970 UTC; `null` until the event's parameters are here.
    public var expiresAt: UInt64?
    public var copies: CopyCounts
    /// What the other nodes have said of themselves.
    public var nodes: [NodeClaim]
    public var epoch: EpochStatus
    /// Where guests come to this node's pages; absent where those are for its own machine only.
    public var guestURL: String?
    /// The other nodes that serve guests, as far as known.
    public var otherPages: [OtherPagesInfo]
    public var problems: [String]
    /// Sponsor trees of which operations wait, those with the most first.
    public var waiting: [WaitingTreeInfo]
    /// What organizers say to all, the oldest first.
    public var notices: [RemarkInfo]
}

/// Devices that have brought as many operations as this node accepts of them at any speed; the rest waits.
public struct WaitingTreeInfo: Codable, Sendable, Equatable {
    /// The device that let the others in.
    public var device: String
    /// The name of its person, or the start of its key.
    public var name: String
    /// With the one that let them in.
    public var deviceCount: Int
    /// Operations that wait at this node now; more may not have been sent yet.
    public var operationCount: Int
    public var byteCount: Int
    /// The units that are stored here (protocol/disposable-v1.md §6.13).
    public var unitCount: Int
    /// Whether an organizer gave the device a role.
    public var isEstablished: Bool
}

/// Another node that serves guests.
public struct OtherPagesInfo: Codable, Sendable, Equatable {
    public var device: String
    public var name: String?
    /// `10.0.0.7:8027`
    public var addresses: [String]
}

/// How many of the photos shown are where, as far as nodes have said so of themselves.
public struct CopyCounts: Codable, Sendable, Equatable {
    public var here = 0
    /// This one may be one of the two.
    public var onTwoMachines = 0
    /// On this node, where it is one.
    public var onOrganizers = 0
    /// Said by two other nodes, or by another one that is an organizer's.
    public var confirmed = 0
}

/// A node that has said what it has. A claim, as old as it is.
public struct NodeClaim: Codable, Sendable, Equatable {
    public var device: String
    /// Its person's, or the start of its key.
    public var name: String
    public var isOrganizer: Bool
    public var originalCount: Int
    /// Photos taken away of which it has nothing any more.
    public var destroyedCount: Int
    /// ISO 8601, by this node's clock: when it said so.
    public var heardAt: String
    public var isConnected: Bool
}

/// Where a photo is, and where it is destroyed.
public struct PhotoCopies: Codable, Sendable, Equatable {
    public var photo: String
    public var isHere: Bool
    public var isOnTwoMachines: Bool
    public var isOnOrganizers: Bool
    /// It was taken away, and nothing of it is here any more.
    public var isDestroyedHere: Bool
    /// Of the event, this one included.
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
    /// How far its clock is ahead of this node's, negative: behind.
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
    /// False where the same file lay there already.
    public var isNew: Bool
    /// Why it could not be written, `nil` when it was.
    public var problem: String?
}

public struct InvitationInfo: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    /// `null` while the event's parameters are not here.
    public var organizer: String?
    /// Milliseconds since 1970 UTC; likewise.
    public var startsAt: UInt64?
    public var invitation: String
    public var addresses: [String]
    /// Opens the pages in any browser on the network; `null` where this node serves none that others reach.
    public var guestURL: String?
    /// The same at this machine's other addresses.
    public var otherGuestURLs: [String]
    /// For those who type: `K7QM-3XPD`.
    public var guestCode: String
    /// Where this machine's own browsers find the pages; `null` while none are served.
    public var localURL: String?
}

/// Something that is wrong with an event's folder, or worth knowing.
public struct CheckFinding: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable {
        /// Wrong, and left as it is: only looking was asked for.
        case found
        case repaired
        /// Taken back: the rest comes from other nodes.
        case incomplete
        /// Wrong, and nothing here can repair it.
        case remains
        /// Not wrong.
        case note
    }

    public var event: String
    /// `key`, `database`, `operation`, `chain`, `blob` or `file`.
    public var kind: String
    public var state: State
    public var text: String
    /// What to do, or who can help.
    public var hint: String?
}

/// What a look at an event's folder comes to.
public struct CheckSummary: Codable, Sendable, Equatable {
    public var event: String
    /// `null` where the database does not tell.
    public var name: String?
    public var operationCount: Int
    public var blobCount: Int
    public var byteCount: UInt64
    public var foundCount: Int
    public var repairedCount: Int
    public var incompleteCount: Int
    public var remainsCount: Int
}
