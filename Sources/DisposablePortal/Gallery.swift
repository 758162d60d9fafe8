// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// What the pages need of a node: one event's photos and guests. The node is one; tests have another.
///
/// Every call is about what is true now. Errors are `GalleryError` where the guest can do something about it; anything
/// else thrown is the machine's own trouble and is shown as such.
public protocol Gallery: Sendable {
    var event: EventID { get }
    /// The event's public key, of which the fingerprint words are made.
    var eventKey: VerifyingKey { get }
    /// Opens the pages: what the guests' link carries behind `#`, 16 bytes.
    var portalToken: SecretBytes { get }
    /// The same for those who type, eight characters of Crockford's base 32 in upper case.
    var portalCode: String { get }
    /// What links and codes carried that were replaced by these: on paper that was printed before.
    var replacedTokens: [SecretBytes] { get }
    var replacedCodes: [String] { get }
    /// The device that serves, which guests' keys delegate to.
    var node: DeviceID { get }
    /// An existing folder of the event's, readable by the node's owner only, where the portal keeps its sessions and
    /// the fragments of unfinished uploads. It goes with the event.
    var folderPath: String { get }

    /// `nil` until the event's parameters are here.
    func charter() async -> Charter?
    /// What is in the camera and not developed yet; `nil` where photos are shown at once, or have been revealed.
    func sealed() async -> SealedPhotos?
    /// What an organizer has said to all last, `nil` where nobody has, or it was taken away.
    func notice() async -> PortalNotice?

    /// Where else the event's pages are served, the likeliest to be there first; at most eight.
    func otherPages() async -> [OtherPages]
    /// The node's signature that it answers at `authority`, to the question `challenge` of 32 bytes
    /// (protocol/guest-api.md §8); `nil` where it serves no guests beyond its own machine.
    func pageProof(_ challenge: [UInt8], at authority: String) async -> Signature?

    // Guests

    /// The key that this node signs with for `guest`; always the same one for the same guest.
    func subKey(of guest: AuthorID) async throws -> DeviceID
    /// Makes the sub-key one of the event's devices, unless it is already; returns when that is on disk. Nothing can be
    /// signed for the guest before.
    /// - Parameter delegation: the guest's, over its sub-key here (`Delegation`); checked before it comes here.
    func enter(_ guest: AuthorID, delegation: Delegation) async throws
    func guest(_ guest: AuthorID) async throws -> GuestStatus
    func setName(_ name: String, of guest: AuthorID) async throws
    /// What is agreed to before adding; `nil` until the event's parameters are here.
    func consent(of guest: AuthorID?) async -> PortalConsent?
    /// Has the guest agree to the text of this hash; on disk when this returns. Throws `.otherConsentText` where that
    /// is not the one that counts now.
    func consent(to text: OperationID, by guest: AuthorID) async throws
    /// Takes back all that the guest has given, here or at other nodes: photos, texts, reactions, names. On disk when
    /// this returns; the guest stays in the event.
    func eraseAll(of guest: AuthorID) async throws

    // Photos

    /// The visible photos, newest first; with `author` that guest's only. Where `viewer` is the author its waiting ones
    /// are included, too, and removed ones not.
    /// - Parameter cursor: `PhotoPage.next` of the page before; `nil` for the newest.
    func photos(
        before cursor: PhotoCursor?, limit: Int, by author: AuthorID?, for viewer: AuthorID?
    ) async throws -> PhotoPage
    /// The authors of visible photos; the one with the most first, at most `limit` of them.
    func photographers(limit: Int) async throws -> PhotographerPage
    /// A photo that `viewer` may see: a visible one, or its own that waits. Throws `GalleryError.unknownPhoto`.
    func photo(_ id: PhotoID, for viewer: AuthorID?) async throws -> PortalPhoto
    /// The plaintext bytes of a photo that `viewer` may see. Throws `.unknownPhoto`, or `.notHere` while the node has
    /// not fetched them.
    func bytes(_ blobClass: BlobClass, of id: PhotoID, for viewer: AuthorID?) async throws -> PhotoBytes
    /// States the file as a photo of `guest` in its next free frame, and returns when that is on disk. The file is the
    /// caller's to delete. The same bytes by the same guest again are the photo that they were before.
    ///
    /// Throws `.refused` for what is no photo, `.metadataLeft`, `.rollFull`, `.notEntered`.
    /// - Parameter leaving: photos that are about to be taken back, asked for in the last moment: the same bytes as one
    ///   of them are a photo of their own.
    func add(
        fileAt path: String, by guest: AuthorID, except leaving: @Sendable () async -> Set<PhotoID>
    ) async throws -> PhotoID
    /// Takes a photo back for everybody; returns when that is on disk. Throws `.unknownPhoto`, `.notYours`.
    func remove(_ id: PhotoID, by guest: AuthorID) async throws

    // What people say about photos; all of it throws `.unknownPhoto` for one that the guest does not see.

    /// The newest comments, or those before `comment`; at most `limit` of them. Throws `.unknownComment`.
    func comments(
        on photo: PhotoID, before comment: OperationID?, limit: Int, for viewer: AuthorID?
    ) async throws -> CommentPage
    /// On disk when this returns. Throws `.malformedText`, `.tooManyComments`, `.tooFast`.
    func comment(_ text: String, on photo: PhotoID, by guest: AuthorID) async throws -> OperationID
    /// Throws `.unknownComment`, `.notYours`.
    func removeComment(_ id: OperationID, on photo: PhotoID, by guest: AuthorID) async throws
    /// - Parameter emoji: of `Remarks.emoji`. Nothing where it is so already. Throws `.tooFast`.
    func react(_ emoji: Unicode.Scalar, isOn: Bool, to photo: PhotoID, by guest: AuthorID) async throws

    /// What changes from now on, for one reader. The newest 1,024 are kept for a reader that is slow: one that finds a
    /// gap looks at everything anew.
    func updates() async -> any AsyncSequence<GalleryUpdate, Never> & Sendable
}

/// What guests agree to before they add.
public struct PortalConsent: Equatable, Sendable {
    /// With the hash of all of it, by which one version is told from the next.
    public var text: ConsentText
    /// Whether the guest that was asked for has, here or at another node.
    public var isGiven: Bool

    public init(text: ConsentText, isGiven: Bool) {
        self.text = text
        self.isGiven = isGiven
    }
}

/// Another node that serves the event to guests.
public struct OtherPages: Equatable, Sendable {
    public var node: DeviceID
    /// What its person is called.
    public var name: String?
    /// `10.0.0.7:8027`, at most four.
    public var authorities: [String]

    public init(node: DeviceID, name: String?, authorities: [String]) {
        self.node = node
        self.name = name
        self.authorities = authorities
    }
}

/// What an organizer says to all.
public struct PortalNotice: Equatable, Sendable {
    /// In hexadecimal, by which one is told from the next.
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

/// What somebody says about a photo.
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

/// Some of the comments on a photo, which follow each other.
public struct CommentPage: Equatable, Sendable {
    /// The oldest first.
    public var comments: [PortalComment]
    /// The number of comments that are older than these.
    public var earlierCount: Int

    public init(comments: [PortalComment], earlierCount: Int) {
        self.comments = comments
        self.earlierCount = earlierCount
    }
}

/// Photos that nobody but their authors is shown yet.
public struct SealedPhotos: Equatable, Sendable {
    /// How many there are, those of all authors.
    public var count: Int
    /// When they are to be shown, in milliseconds since 1970 UTC; `nil` where an organizer decides, or never.
    public var revealsAtMilliseconds: UInt64?
    /// Whether they are for organizers only.
    public var isForOrganizers: Bool

    public init(count: Int, revealsAtMilliseconds: UInt64?, isForOrganizers: Bool) {
        self.count = count
        self.revealsAtMilliseconds = revealsAtMilliseconds
        self.isForOrganizers = isForOrganizers
    }
}

/// Something to show anew.
public enum GalleryUpdate: Equatable, Sendable {
    /// The photo is there, or its bytes, its frame or its author's name are.
    case photo(PhotoID)
    case removed(PhotoID)
    /// The event's parameters.
    case event
    /// More than can be listed; look at everything anew.
    case everything
}

/// One photo as its pages show it.
public struct PortalPhoto: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case frame(UInt64)
        /// The same, and nobody but its author is shown it yet.
        case sealed(UInt64)
        /// Its author has no free frame for it.
        case waiting
    }

    public var id: PhotoID
    public var author: AuthorID
    /// What the author is called; `nil` where it has given no name, or its name is not here.
    public var authorName: String?
    public var state: State
    /// Milliseconds since 1970 UTC, as the gallery is ordered.
    public var addedAtMilliseconds: UInt64
    public var takenAtMilliseconds: UInt64?
    /// Pixels after orientation, 0 where unknown.
    public var width: UInt32
    public var height: UInt32
    public var mediaType: MediaType
    /// Of the original; `nil` where its description is not here.
    public var byteCount: UInt64?
    /// The classes whose bytes are here.
    public var available: Set<BlobClass>
    /// What its author says under it.
    public var caption: String?
    public var commentCount: Int
    /// Who has put which emoji on it.
    public var reactions: [Unicode.Scalar: Set<AuthorID>]

    public init(
        id: PhotoID, author: AuthorID, authorName: String?, state: State, addedAtMilliseconds: UInt64,
        takenAtMilliseconds: UInt64?, width: UInt32, height: UInt32, mediaType: MediaType, byteCount: UInt64?,
        available: Set<BlobClass>, caption: String? = nil, commentCount: Int = 0,
        reactions: [Unicode.Scalar: Set<AuthorID>] = [:]
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
    }
}

/// A place in the gallery's order: everything before it is older.
public struct PhotoCursor: Equatable, Sendable {
    /// The last photo of the page before; a removed one still has its place.
    public let photo: PhotoID
    public init(_ photo: PhotoID) { self.photo = photo }
}

public struct PhotoPage: Equatable, Sendable {
    public var photos: [PortalPhoto]
    /// `nil` on the last page.
    public var next: PhotoCursor?
    /// Of all pages together.
    public var totalCount: Int

    public init(photos: [PortalPhoto], next: PhotoCursor?, totalCount: Int) {
        self.photos = photos
        self.next = next
        self.totalCount = totalCount
    }
}

/// An author of visible photos.
public struct Photographer: Equatable, Sendable {
    public var author: AuthorID
    /// `nil` where it has given no name, or its name is not here.
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
    /// All there are, listed here or not.
    public var totalCount: Int

    public init(photographers: [Photographer], totalCount: Int) {
        self.photographers = photographers
        self.totalCount = totalCount
    }
}

/// The bytes of one blob, to be read in parts.
public struct PhotoBytes: Sendable {
    public let byteCount: UInt64
    public let mediaType: MediaType
    /// Blocks for as long as the disk takes, so the caller reads off its event loops. Throws when the blob has gone.
    public let read: @Sendable (_ range: Range<UInt64>) throws -> [UInt8]

    public init(byteCount: UInt64, mediaType: MediaType, read: @escaping @Sendable (Range<UInt64>) throws -> [UInt8]) {
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.read = read
    }
}

public struct GuestStatus: Equatable, Sendable {
    /// Whether the guest has entered here or on any node whose operations are here.
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

/// What a guest can do something about.
public enum GalleryError: Error, Equatable, Sendable {
    case unknownPhoto
    case unknownComment
    /// Not 1 to 2,000 bytes of plain text, or nothing but spaces.
    case malformedText
    case tooManyComments(limit: Int)
    /// Words about a photo that is sealed still.
    case notShownYet
    case tooFast(seconds: Int)
    case notYours
    /// Known, but its bytes are on other nodes only.
    case notHere
    case notEntered
    /// Somebody who may has put the guest out of the event.
    case putOut
    /// The node is leaving the event.
    case hasLeft
    /// The guest has not agreed to the text that counts now.
    case noConsent
    case otherConsentText
    case rollFull(limit: UInt64)
    /// No photo or video, too large, or empty; the reason is for people.
    case refused(reason: String)
    /// What tells where the file was made, with which camera and by whom cannot be taken out of it.
    case metadataLeft
    case malformedName
    /// The node cannot take anything now: not let in, or its disk is full. The reason is for people.
    case unavailable(reason: String)
}
