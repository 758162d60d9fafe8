// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// One event of a node, with its photos and guests, as the pages need it; implemented by the program and by tests.
///
/// Every call returns the present state. Errors that the guest can act on are `GalleryError`; other errors are those of
/// the machine and are shown as such.
public protocol Gallery: Sendable {
    var event: EventID { get }
    /// The event's public key, from which the fingerprint words are derived.
    var eventKey: VerifyingKey { get }
    /// The token that opens the pages: the 16 bytes after `#` in the guests' link.
    var portalToken: SecretBytes { get }
    /// The code to type, eight characters of Crockford's base 32 in upper case.
    var portalCode: String { get }
    /// The tokens and codes that were replaced by these: on earlier print-outs.
    var replacedTokens: [SecretBytes] { get }
    var replacedCodes: [String] { get }
    /// The serving device, to which guests' keys delegate.
    var node: DeviceID { get }
    /// An existing folder of the event, readable by the node's owner only, where the portal keeps its sessions and the
    /// fragments of unfinished uploads. It is removed with the event.
    var folderPath: String { get }
    /// The node's key of 32 bytes for what the portal keeps there without a session. It is not in that folder.
    var folderKey: SecretBytes { get }

    /// `nil` until the event's charter is here.
    func charter() async -> Charter?
    /// Returns the photos that are still sealed; `nil` if photos are shown at once, or have been revealed.
    func sealed() async -> SealedPhotos?
    /// Returns the latest notice of an organizer; `nil` if there is none, or it was deleted.
    func notice() async -> PortalNotice?
    /// Returns what guests may know of the moments now; `nil` if the event has none.
    func moments() async -> PortalMoments?
    /// Returns the missions in the organizers' order.
    func missions(for viewer: AuthorID?) async -> [PortalMission]

    /// Other portals of the event, the most likely to be available first; at most eight.
    func otherPages() async -> [OtherPages]
    /// Returns the node's signature that it answers at `authority`, to the `challenge` of 32 bytes
    /// (protocol/guest-api.md §8); `nil` if it serves no guests beyond its own machine.
    func pageProof(_ challenge: [UInt8], at authority: String) async -> Signature?

    // Guests

    /// Returns the key with which this node signs for `guest`: always the same for the same guest.
    func subKey(of guest: AuthorID) async throws -> DeviceID
    /// Makes the sub-key a device of the event, unless it is one; durable when this returns. Before that nothing can be
    /// signed for the guest.
    /// - Parameter delegation: the guest's delegation to its sub-key here (`Delegation`), checked by the caller.
    func enter(_ guest: AuthorID, delegation: Delegation) async throws
    func guest(_ guest: AuthorID) async throws -> GuestStatus
    func setName(_ name: String, of guest: AuthorID) async throws
    /// Returns the consent text for adding photos; `nil` until the event's charter is here.
    func consent(of guest: AuthorID?) async -> PortalConsent?
    /// Signs the guest's consent to the text with this hash; durable when this returns. Throws `.otherConsentText` if
    /// that is not the present text.
    func consent(to text: OperationID, by guest: AuthorID) async throws
    /// Everything that is known here about the guest, but the files of the photos: a JSON text.
    /// - Parameter files: the names that those have beside it.
    func personalData(of guest: AuthorID, files: [PhotoID: String]) async throws -> [UInt8]
    /// Takes back all that the guest has given, here or at other nodes: photos, texts, reactions, names. On disk when
    /// this returns; the guest stays in the event.
    func eraseAll(of guest: AuthorID) async throws

    // Photos

    /// Returns the visible photos, newest first; with `author` that guest's only. If `viewer` is the author, its
    /// waiting ones are included, and deleted ones are not.
    /// - Parameters:
    ///   - cursor: `PhotoPage.next` of the previous page; `nil` for the newest.
    ///   - onlyHighlights: those of everybody's photos that organizers have made highlights.
    ///   - day: that of a moment, for its photos only.
    ///   - mission: an id, for the photos that answer that mission.
    func photos(
        before cursor: PhotoCursor?, limit: Int, by author: AuthorID?, onlyHighlights: Bool, momentOf day: UInt32?,
        answering mission: UInt32?, for viewer: AuthorID?
    ) async throws -> PhotoPage
    /// The number of visible photos that organizers have made highlights.
    func highlightCount() async -> Int
    /// Returns the authors of visible photos, the one with the most first, at most `limit` of them.
    func photographers(limit: Int) async throws -> PhotographerPage
    /// Returns the quarters of an hour in which visible photos were added, the latest first, at most `limit` of them;
    /// with `author` for that guest's photos only. If `viewer` is the author, its waiting ones are included.
    func photoQuarters(limit: Int, by author: AuthorID?, for viewer: AuthorID?) async throws -> [PhotoQuarter]
    /// A photo that `viewer` may see: a visible one, or its own that waits. Throws `GalleryError.unknownPhoto`.
    func photo(_ id: PhotoID, for viewer: AuthorID?) async throws -> PortalPhoto
    /// Returns the plaintext bytes of a photo that `viewer` may see. Throws `.unknownPhoto`, or `.notHere` while the
    /// node has not fetched them.
    func bytes(_ blobClass: BlobClass, of id: PhotoID, for viewer: AuthorID?) async throws -> PhotoBytes
    /// Throws `.notBegun` or `.over` where the guest can add no photo now.
    func checkTimes(of guest: AuthorID) async throws
    /// States the file as a photo of `guest` in its next free frame, and returns when that is on disk. The file is the
    /// caller's to delete, and its metadata may be overwritten in it. The same bytes by the same guest again are the
    /// photo that they were before.
    ///
    /// Throws `.refused` for what is no photo, `.refusedVideo`, `.metadataLeft`, `.rollFull`, `.notBegun`, `.over`, `.notEntered`.
    /// - Parameters:
    ///   - mission: the id of the mission that the photo answers.
    ///   - leaving: photos that are about to be deleted, asked for at the last moment: the same bytes as one of them
    ///     are a photo of their own.
    func add(
        fileAt path: String, by guest: AuthorID, mission: UInt32?, except leaving: @Sendable () async -> Set<PhotoID>
    ) async throws -> PhotoID
    /// Whether a photo that the guest adds now is shown to everybody at once.
    func showsAtOnce(photosBy guest: AuthorID) async throws -> Bool
    /// Makes the small pictures of a JPEG that a page has made of a photo. Throws `.refused` for one that cannot be
    /// decoded, `.unavailable` if the node cannot do it now.
    func smallPictures(of jpeg: [UInt8]) async throws -> SmallPictures
    /// Takes a photo back for everybody; returns when that is on disk. Throws `.unknownPhoto`, `.notYours`.
    func remove(_ id: PhotoID, by guest: AuthorID) async throws

    // Annotations; all calls throw `.unknownPhoto` for a photo that the guest may not see.

    /// Returns the newest comments, or those before `comment`; at most `limit` of them. Throws `.unknownComment`.
    func comments(
        on photo: PhotoID, before comment: OperationID?, limit: Int, for viewer: AuthorID?
    ) async throws -> CommentPage
    /// Durable when this returns. Throws `.malformedText`, `.tooManyComments`, `.tooFast`.
    func comment(_ text: String, on photo: PhotoID, by guest: AuthorID) async throws -> OperationID
    /// Throws `.unknownComment`, `.notYours`.
    func removeComment(_ id: OperationID, on photo: PhotoID, by guest: AuthorID) async throws
    /// Sets the caption of the guest's own photo, or deletes it with `nil`. On disk when this returns. Throws
    /// `.notYours`, `.malformedText`, `.notShownYet`, `.tooFast`.
    func setCaption(_ text: String?, of photo: PhotoID, by guest: AuthorID) async throws
    /// Returns the photos that are the event's cover and plan, if they are shown to all.
    func pictures() async -> PortalPictures
    /// Returns the photos of a part of the plan that are shown to all, newest first, at most `limit` of them; with
    /// `author` that guest's only.
    func pins(in box: SpotBox, by author: AuthorID?, added times: Range<UInt64>?, limit: Int) async throws -> PinPage
    /// Puts the guest's own photo on the plan, or takes it off with `nil`. On disk when this returns. Throws `.notYours`,
    /// `.notShownYet`, `.tooFast`, and `.otherPlan` if `plan` is not the event's present one.
    func setSpot(_ spot: Spot?, on plan: PhotoID?, of photo: PhotoID, by guest: AuthorID) async throws
    /// - Parameter emoji: of `Remarks.emoji`. Nothing where it is so already. Throws `.tooFast`.
    func react(_ emoji: Unicode.Scalar, isOn: Bool, to photo: PhotoID, by guest: AuthorID) async throws
    /// Turns the guest's own photo when it is shown; nothing where it is so already. Throws `.notYours`, `.tooFast`.
    func setTurn(_ turn: PhotoTurn, of photo: PhotoID, by guest: AuthorID) async throws
    /// Returns the turns of those photos that their authors have turned.
    func turns(of photos: [PhotoID]) async throws -> [PhotoID: PhotoTurn]
    /// Sends the organizers a text that only they can read. Durable when this returns. Throws `.malformedText`,
    /// `.tooManyMessages`, `.tooFast`.
    func message(_ text: String, by guest: AuthorID) async throws -> OperationID
    /// Takes back a message of the guest's own. Durable when this returns. Throws `.unknownMessage`.
    func removeMessage(_ id: OperationID, by guest: AuthorID) async throws
    /// Whether guests can have photos of others veiled.
    func areVeilsOn() async -> Bool
    /// Requests a veil for a photo of somebody else, or withdraws the request. The operation is on disk when this returns.
    /// A repeated call signs no operation. Throws `.noVeil`, `.tooFast`.
    func setVeil(_ isOn: Bool, on photo: PhotoID, by guest: AuthorID) async throws
    /// Returns a veiled photo without anything of it; `nil` if it is not veiled.
    func veiledPhoto(_ id: PhotoID) async -> PortalPhoto?
    /// Returns the visible photos, with the veiled ones in their places, newest first; with `author` that guest's only.
    func photosWithVeiled(before cursor: PhotoCursor?, limit: Int, by author: AuthorID?) async throws -> PhotoPage
    /// Sets the mission that the guest's own photo answers; `nil` for none. Nothing where it is so already. Throws
    /// `.notYours`, `.unknownMission`, `.tooFast`.
    func setMission(_ id: UInt32?, of photo: PhotoID, by guest: AuthorID) async throws

    /// Returns the changes from now on, for one reader. The newest 1,024 are kept for a slow reader; one that finds a
    /// gap reloads everything.
    func updates() async -> any AsyncSequence<GalleryUpdate, Never> & Sendable
}

extension Gallery {
    /// Returns a page of photos, whether they are highlights or not.
    func photos(
        before cursor: PhotoCursor?, limit: Int, by author: AuthorID?, for viewer: AuthorID?
    ) async throws -> PhotoPage {
        try await photos(
            before: cursor, limit: limit, by: author, onlyHighlights: false, momentOf: nil, answering: nil, for: viewer)
    }
}

/// The text that guests agree to before they add photos.
public struct PortalConsent: Equatable, Sendable {
    /// The hash of the whole text, which identifies its version.
    public var text: ConsentText
    /// Whether the requested guest has agreed, here or at another node.
    public var isGiven: Bool

    public init(text: ConsentText, isGiven: Bool) {
        self.text = text
        self.isGiven = isGiven
    }
}

/// The moments of the event, as far as guests may know them.
public struct PortalMoments: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public var moment: Moment
        /// The value from which its minute follows; `nil` while it runs.
        public var link: Bytes32?
        /// The photos of the moment that are shown to all.
        public var photoCount: Int
        public var lateCount: Int

        public init(moment: Moment, link: Bytes32?, photoCount: Int, lateCount: Int) {
            self.moment = moment
            self.link = link
            self.photoCount = photoCount
            self.lateCount = lateCount
        }
    }
    public var hours: MomentHours
    public var commitment: Bytes32
    /// Whether the node knows the time; otherwise nothing runs, and nothing is over.
    public var isClockSet: Bool
    public var running: Entry?
    /// The moments that have ended, earliest first.
    public var past: [Entry]
    /// The node's time, in milliseconds since 1970 UTC.
    public var milliseconds: UInt64

    public init(
        hours: MomentHours, commitment: Bytes32, isClockSet: Bool, running: Entry?, past: [Entry], milliseconds: UInt64
    ) {
        self.hours = hours
        self.commitment = commitment
        self.isClockSet = isClockSet
        self.running = running
        self.past = past
        self.milliseconds = milliseconds
    }
}

/// A photo that organizers ask for, and the photos that answer it.
public struct PortalMission: Equatable, Sendable {
    public var mission: Mission
    /// The photos that are shown to all.
    public var photoCount: Int
    /// Whether a photo of the viewer answers it, shown to others or not.
    public var isAnswered: Bool
    /// The newest of them whose thumbnails are here, a few.
    public var examples: [PhotoID]

    public init(mission: Mission, photoCount: Int, isAnswered: Bool, examples: [PhotoID]) {
        self.mission = mission
        self.photoCount = photoCount
        self.isAnswered = isAnswered
        self.examples = examples
    }
}

/// Another portal of the event.
public struct OtherPages: Equatable, Sendable {
    public var node: DeviceID
    /// The name of its person.
    public var name: String?
    /// `10.0.0.7:8027`, at most four.
    public var authorities: [String]

    public init(node: DeviceID, name: String?, authorities: [String]) {
        self.node = node
        self.name = name
        self.authorities = authorities
    }
}

/// A notice of an organizer.
public struct PortalNotice: Equatable, Sendable {
    /// In hexadecimal, identifies the notice.
    public var id: String
    public var text: String
    /// Milliseconds since 1970 UTC.
    public var saidAtMilliseconds: UInt64

    public init(id: String, text: String, saidAtMilliseconds: UInt64) {
        self.id = id
        self.text = text
        self.saidAtMilliseconds = saidAtMilliseconds
    }
}

/// A comment on a photo.
public struct PortalComment: Equatable, Sendable {
    public var id: OperationID
    public var author: AuthorID
    public var authorName: String?
    /// Milliseconds since 1970 UTC.
    public var saidAtMilliseconds: UInt64
    public var text: String

    public init(id: OperationID, author: AuthorID, authorName: String?, saidAtMilliseconds: UInt64, text: String) {
        self.id = id
        self.author = author
        self.authorName = authorName
        self.saidAtMilliseconds = saidAtMilliseconds
        self.text = text
    }
}

/// A run of consecutive comments on a photo.
public struct CommentPage: Equatable, Sendable {
    /// Oldest first.
    public var comments: [PortalComment]
    /// The number of older comments.
    public var earlierCount: Int

    public init(comments: [PortalComment], earlierCount: Int) {
        self.comments = comments
        self.earlierCount = earlierCount
    }
}

/// Photos that only their authors see so far.
public struct SealedPhotos: Equatable, Sendable {
    /// The number of photos of all authors.
    public var count: Int
    /// The planned time of the reveal, in milliseconds since 1970 UTC; `nil` if an organizer decides, or never.
    public var revealsAtMilliseconds: UInt64?
    /// Whether they are for organizers only.
    public var isForOrganizers: Bool

    public init(count: Int, revealsAtMilliseconds: UInt64?, isForOrganizers: Bool) {
        self.count = count
        self.revealsAtMilliseconds = revealsAtMilliseconds
        self.isForOrganizers = isForOrganizers
    }
}

/// A change to display.
public enum GalleryUpdate: Equatable, Sendable {
    /// The photo is new, or its bytes, its frame or its author's name are.
    case photo(PhotoID)
    case removed(PhotoID)
    /// The event's charter.
    case event
    /// Messages to the organizers: for the desk only.
    case messages
    /// More changes than can be listed; reload everything.
    case everything
}

/// A photo with the details that pages show.
public struct PortalPhoto: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case frame(UInt64)
        /// It is the event's plan, which is not shown among the photos.
        case plan(UInt64)
        /// It is sealed: only its author sees it so far.
        case sealed(UInt64)
        /// The same, until a moderator approves it.
        case pending(UInt64)
        /// The same, until a moderator decides what a guest has asked for.
        case veiled(UInt64)
        /// Its author has no free frame for it.
        case waiting
    }

    public var isVeiled: Bool { if case .veiled = state { true } else { false } }

    public var id: PhotoID
    public var author: AuthorID
    /// The author's name; `nil` if there is none, or it is not here.
    public var authorName: String?
    public var state: State
    /// Milliseconds since 1970 UTC, the order of the gallery.
    public var addedAtMilliseconds: UInt64
    public var takenAtMilliseconds: UInt64?
    /// In pixels after orientation; 0 if unknown.
    public var width: UInt32
    public var height: UInt32
    public var mediaType: MediaType
    /// The type of the original; `nil` if its description is not here.
    public var byteCount: UInt64?
    /// The classes of the blobs that are here.
    public var available: Set<BlobClass>
    /// Its author's caption.
    public var caption: String?
    public var commentCount: Int
    /// The authors of each reaction.
    public var reactions: [Unicode.Scalar: Set<AuthorID>]
    /// Whether an organizer has made it a highlight.
    public var isHighlight: Bool
    /// The moment to which it belongs.
    public var moment: MomentVerdict?
    /// The mission that it answers.
    public var mission: Mission?
    /// The place on the event's plan where its author has put it.
    public var spot: Spot?
    /// The turn by its author.
    public var turn: PhotoTurn

    public init(
        id: PhotoID, author: AuthorID, authorName: String?, state: State, addedAtMilliseconds: UInt64,
        takenAtMilliseconds: UInt64?, width: UInt32, height: UInt32, mediaType: MediaType, byteCount: UInt64?,
        available: Set<BlobClass>, caption: String? = nil, commentCount: Int = 0,
        reactions: [Unicode.Scalar: Set<AuthorID>] = [:], isHighlight: Bool = false, moment: MomentVerdict? = nil,
        mission: Mission? = nil, spot: Spot? = nil, turn: PhotoTurn = .none
    ) {
        self.id = id
        self.author = author
        self.authorName = authorName
        self.state = state
        self.addedAtMilliseconds = addedAtMilliseconds
        self.takenAtMilliseconds = takenAtMilliseconds
        self.width = width
        self.height = height
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.available = available
        self.caption = caption
        self.commentCount = commentCount
        self.reactions = reactions
        self.isHighlight = isHighlight
        self.moment = moment
        self.mission = mission
        self.spot = spot
        self.turn = turn
    }
}

/// A position in the gallery's order: everything before it is older.
public struct PhotoCursor: Equatable, Sendable {
    /// The last photo of the previous page; a withdrawn one keeps its position.
    public let photo: PhotoID
    public init(_ photo: PhotoID) { self.photo = photo }
}

public struct PhotoPage: Equatable, Sendable {
    public var photos: [PortalPhoto]
    /// `nil` on the last page.
    public var next: PhotoCursor?
    /// The count over all pages.
    public var totalCount: Int
    /// The time of the oldest photo of all pages, in milliseconds since 1970 UTC; `nil` without photos.
    public var earliestMilliseconds: UInt64?

    public init(photos: [PortalPhoto], next: PhotoCursor?, totalCount: Int, earliestMilliseconds: UInt64?) {
        self.photos = photos
        self.next = next
        self.totalCount = totalCount
        self.earliestMilliseconds = earliestMilliseconds
    }
}

/// The photos that were added in the same quarter of an hour.
public struct PhotoQuarter: Equatable, Sendable {
    /// The number of 15 minutes since 1970 UTC.
    public var number: UInt64
    public var count: Int
    /// The newest of them whose thumbnail is here; `nil` if there is none.
    public var example: PhotoID?

    public init(number: UInt64, count: Int, example: PhotoID?) {
        self.number = number
        self.count = count
        self.example = example
    }
}

/// An author of visible photos.
public struct Photographer: Equatable, Sendable {
    public var author: AuthorID
    /// `nil` if it has given no name, or its name is not here.
    public var name: String?
    public var photoCount: Int

    public init(author: AuthorID, name: String?, photoCount: Int) {
        self.author = author
        self.name = name
        self.photoCount = photoCount
    }
}

public struct PhotographerPage: Equatable, Sendable {
    public var photographers: [Photographer]
    /// The number of all authors, listed or not.
    public var totalCount: Int

    public init(photographers: [Photographer], totalCount: Int) {
        self.photographers = photographers
        self.totalCount = totalCount
    }
}

/// The bytes of one blob, for reading in parts.
public struct PhotoBytes: Sendable {
    public let byteCount: UInt64
    public let mediaType: MediaType
    /// Blocks on the disk, so callers must not be on an event loop. Throws if the blob is no longer here.
    public let read: @Sendable (_ range: Range<UInt64>) throws -> [UInt8]

    public init(byteCount: UInt64, mediaType: MediaType, read: @escaping @Sendable (Range<UInt64>) throws -> [UInt8]) {
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.read = read
    }
}

public struct GuestStatus: Equatable, Sendable {
    /// Whether the guest has entered here or at any node whose operations are here.
    public var hasEntered: Bool
    /// Whether the guest was removed from the event.
    public var isRemoved: Bool
    public var name: String?
    public var usedFrameCount: Int
    /// `nil` without a limit.
    public var frameLimit: UInt64?

    public init(
        hasEntered: Bool, isRemoved: Bool = false, name: String?, usedFrameCount: Int, frameLimit: UInt64?
    ) {
        self.hasEntered = hasEntered
        self.isRemoved = isRemoved
        self.name = name
        self.usedFrameCount = usedFrameCount
        self.frameLimit = frameLimit
    }
}

/// An error that the guest can act on.
public enum GalleryError: Error, Equatable, Sendable {
    case unknownPhoto
    case unknownComment
    /// The organizers have removed the mission.
    case unknownMission
    /// Not 1 to 2,000 bytes of plain text, or nothing but spaces.
    case malformedText
    case tooManyComments(limit: Int)
    case unknownMessage
    case tooManyMessages(limit: Int)
    /// An annotation of a photo that is still sealed.
    case notShownYet
    /// The event has no plan, or another one than the guest has seen.
    case otherPlan
    /// The photo is not veiled.
    case noVeil(VeilRefusal)
    case tooFast(seconds: Int)
    case notYours
    /// Known, but its bytes are on other nodes only.
    case notHere
    case notEntered
    /// The guest was removed from the event.
    case putOut
    /// The node is leaving the event.
    case hasLeft
    /// The guest has not agreed to the present text.
    case noConsent
    case otherConsentText
    /// The organizers ask for a name before the guest adds photos.
    case noName
    /// The organizers ask for no names.
    case namesOff
    /// The organizers accept no photos from a phone's library.
    case cameraOnly
    /// The organizers let guests save their own photos only, or none.
    case notForSaving(DownloadRule)
    case rollFull(limit: UInt64)
    /// Photos are not accepted yet: from this time on, in milliseconds since 1970; `nil` before the event is opened.
    case notBegun(at: UInt64?)
    /// The event was over at this time, and photos are no longer accepted.
    case over(at: UInt64)
    /// No photo or video, or empty; the reason is for people.
    case refused(reason: String)
    /// A file of a form has more than this number of bytes.
    case tooLarge(UInt64)
    /// The organizers accept no video that is longer, in seconds; 0 for none at all.
    case refusedVideo(secondsMax: UInt32)
    /// The metadata about location, camera and author cannot be removed.
    case metadataLeft
    case malformedName
    /// The node cannot accept anything now: it is not admitted, or its disk is full. The reason is for people.
    case unavailable(reason: String)
}
